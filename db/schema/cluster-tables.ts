// What only nodes that share a database need: the log of commits, by which they follow one another, and the secrets
// that each of them must have alike.
import { index, pgTable } from 'drizzle-orm/pg-core';
import { bytewiseText, int, jsonText } from './postgres.ts';

/** One row per commit batch. It is the batch's first write and its key: after a connection was lost in COMMIT, the row
 * says whether the batch stands. Others read in it what they must forget or take over. Gone after `expires_at`. */
const commits = pgTable(
  'commits',
  {
    id: bytewiseText('id').primaryKey(),
    node: bytewiseText('node').notNull(),
    created_at: int('created_at').notNull(),
    expires_at: int('expires_at').notNull(),
    /** Whose inboxes grew. */
    agents: jsonText('agents').notNull(),
    /** `table:id` of changed rows, as in CommitNotice. */
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

export const clusterTables = { commits, secrets };
