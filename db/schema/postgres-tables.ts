// The tables one by one, since drizzle-kit reads a schema off a module's exports.
import { clusterTables } from './cluster-tables.ts';
import { tables } from './postgres.ts';

export const { commits, secrets } = clusterTables;
export const {
  accounts,
  api_keys,
  key_uses,
  codes,
  sessions,
  challenges,
  agents,
  handles,
  claims,
  presence,
  listings,
  labels,
  listing_vectors,
  matches,
  conversations,
  messages,
  inboxes,
  inbox_reads,
  events,
  counters,
  idempotency,
  reminders,
  outbound,
  ledger_accounts,
  journals,
  transfers,
} = tables;
