// Tables for nodes that share a database: the log of commits, by which they follow one another, the shared secrets, each node's
// counts of callers' requests, and requests to the nodes that match.
import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { bytewiseText, int, jsonText } from './postgres.ts';

/** One row per commit batch, written first: after a connection was lost in COMMIT, the row shows whether the batch is
 * committed. Other nodes read in it what to drop or load. Deleted after `expires_at`. */
const commits = pgTable(
  'commits',
  {
    id: bytewiseText('id').primaryKey(),
    node: bytewiseText('node').notNull(),
    created_at: int('created_at').notNull(),
    expires_at: int('expires_at').notNull(),
    /** Whose inboxes grew. */
    agents: jsonText('agents').notNull(),
    /** The rows of CommitNotice's `changed`, by their names (told.ts). */
    changed: jsonText('changed').notNull(),
    /** Listings whose vectors changed. */
    vectors: jsonText('vectors').notNull(),
  },
  (t) => [index('commits_created').on(t.created_at), index('commits_expiry').on(t.expires_at)],
);

/** Secrets that the nodes agree on; the id is the name. */
const secrets = pgTable('secrets', {
  id: bytewiseText('id').primaryKey(),
  value: bytewiseText('value').notNull(),
});

/** How many requests of a caller one node let through in a stretch of ten seconds that begins at `at`; what a node adds up
 * to know what the others let through. Gone after `expires_at`. */
const rates = pgTable(
  'rates',
  {
    caller: bytewiseText('caller').notNull(),
    at: int('at').notNull(),
    node: bytewiseText('node').notNull(),
    n: int('n').notNull(),
    expires_at: int('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.caller, t.at, t.node] }), index('rates_expiry').on(t.expires_at)],
);

/** The nodes that serve just now, with their releases: none migrates under one that could not serve on. Gone after `expires_at`.
 * Until `answers_until` a node answers requests to matching. */
const nodes = pgTable(
  'nodes',
  {
    id: bytewiseText('id').primaryKey(),
    version: bytewiseText('version').notNull(),
    answers_until: int('answers_until').notNull().default(0),
    expires_at: int('expires_at').notNull(),
  },
  (t) => [index('nodes_expiry').on(t.expires_at)],
);

/** Requests of nodes without an index of matching to those with one: the one that claims a row writes the answer, and the one that
 * asked deletes it. Gone after `expires_at`. */
const matching_requests = pgTable(
  'matching_requests',
  {
    id: bytewiseText('id').primaryKey(),
    /** Who asks. */
    node: bytewiseText('node').notNull(),
    /** For whom: callers take turns. */
    caller: bytewiseText('caller').notNull(),
    request: bytewiseText('request').notNull(),
    claimed_by: bytewiseText('claimed_by'),
    answer: bytewiseText('answer'),
    expires_at: int('expires_at').notNull(),
  },
  (t) => [index('matching_requests_expiry').on(t.expires_at)],
);

export const clusterTables = { commits, secrets, rates, nodes, matching_requests };
