// Deletes what has expired, in slices, so that no group of turns waits long for it.
import type { Database } from 'bun:sqlite';
import { EXPIRING, EXPIRING_WITH } from '../expiring.ts';

/** Rows deleted per statement: about a millisecond of the writer's time. */
const SLICE = 500;

/** Deletes at most one slice of each table; answers how many rows went. */
export function pruneExpired(db: Database, now_ms: number): number {
  let gone = 0;
  for (const table of EXPIRING) {
    const sql = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at <= ? LIMIT ${SLICE})`;
    gone += db.query(sql).run(now_ms).changes;
  }
  for (const { table, of, parent } of EXPIRING_WITH) {
    const parts = `SELECT id FROM ${table} WHERE ${of} IN
      (SELECT id FROM ${parent} WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${SLICE}) LIMIT ${SLICE}`;
    const alone = `SELECT id FROM ${parent} WHERE expires_at <= ?1
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${of} = ${parent}.id) ORDER BY expires_at LIMIT ${SLICE}`;
    gone += db.query(`DELETE FROM ${table} WHERE id IN (${parts})`).run(now_ms).changes;
    gone += db.query(`DELETE FROM ${parent} WHERE id IN (${alone})`).run(now_ms).changes;
  }
  return gone;
}
