// Where Citus keeps the rows of each table, once a database is distributed. A table that is missing here does not compile. Rows that are
// numbered lie in one shard with the row that counts them, an inbox with its events: a commit over several servers becomes visible at one
// after the other, and a reader who follows the numbers would skip one that is late. All other tables stay on the coordinator, where they
// commit together: their unique keys lack a column to distribute by, their rows are few, or what reads them most joins them with such rows.
import type { clusterTables } from './cluster-tables.ts';
import type { WithinTable } from './keys.ts';
import type { TableName } from './tables.ts';

/** By the hash of a column, in shards on the workers, or on the coordinator. */
type Place = 'id' | 'agent_id' | 'coordinator';

/** A table whose key has two columns is distributed by the parent's alone: a row is named by both. */
type PlaceOf<T extends string> = T extends WithinTable ? Exclude<Place, 'id'> : Exclude<Place, 'agent_id'>;

/** Of the nodes' own tables, too. */
type Placed = TableName | keyof typeof clusterTables;

const there = 'coordinator';

export const PLACES: { readonly [T in Placed]: PlaceOf<T> } = {
  inboxes: 'id',
  inbox_reads: 'id',
  events: 'agent_id',
  idempotency: 'id',

  accounts: there,
  admin_acts: there,
  api_keys: there,
  key_uses: there,
  codes: there,
  sessions: there,
  outside_identities: there,
  passkeys: there,
  challenges: there,
  invitations: there,
  installs: there,
  oauth_clients: there,
  oauth_grants: there,
  agents: there,
  handles: there,
  claims: there,
  account_marks: there,
  presence: there,
  listings: there,
  labels: there,
  listing_vectors: there,
  template_words: there,
  tastes: there,
  matches: there,
  conversations: there,
  messages: there,
  tasks: there,
  task_updates: there,
  push_configs: there,
  forwards: there,
  webhooks: there,
  webhook_logs: there,
  mail_marks: there,
  reply_tokens: there,
  inbound_mails: there,
  notification_settings: there,
  push_subscriptions: there,
  blocks: there,
  reviews: there,
  feed_entries: there,
  counters: there,
  reminders: there,
  outbound: there,
  service_time: there,
  service_notes: there,
  ledger_accounts: there,
  earned_days: there,
  journals: there,
  transfers: there,
  wallets: there,
  holds: there,
  receivables: there,
  sends: there,
  ledger_days: there,
  ledger_sums: there,
  fundings: there,
  payouts: there,
  payees: there,
  plan_checkouts: there,
  plan_terms: there,
  processor_events: there,
  processor_differences: there,
  sandbox_objects: there,
  escrows: there,
  milestones: there,
  earlier_deliverables: there,
  disputes: there,
  dispute_evidence: there,
  deals: there,
  deal_reviews: there,
  subscriptions: there,
  subscription_charges: there,
  track_records: there,
  providers: there,
  router_calls: there,
  router_attempts: there,
  router_results: there,
  partners: there,
  demand_requests: there,
  demand_quotes: there,
  proposals: there,
  approvals: there,
  actions: there,
  turns: there,
  model_calls: there,
  meetings: there,
  knowledge: there,
  views: there,
  commits: there,
  secrets: there,
  rates: there,
  nodes: there,
  matching_requests: there,
};

/** The tables in shards, each with its column of distribution. */
export const DISTRIBUTED: readonly (readonly [table: string, column: string])[] = Object.entries(PLACES).filter(
  ([, place]) => place !== there,
);
