// Deletes what has expired, in slices, so that no group of turns waits long for it.
import type { Database } from 'bun:sqlite';
import { EXPIRING } from '../expiring.ts';

/** Rows deleted per statement: about a millisecond of the writer's time. */
const SLICE = 500;

/** Deletes at most one slice of each table; answers how many rows went. */
export function pruneExpired(db: Database, now_ms: number): number {
  let gone = 0;
  for (const table of EXPIRING) {
    const sql = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at <= ? LIMIT ${SLICE})`;
    gone += db.query(sql).run(now_ms).changes;
  }
  return gone;
}
