// Deletes expired rows, in slices; what they are charged with goes back to their accounts.
import type { Database } from 'bun:sqlite';
import { storageKey } from '../../src/domain/identity/plan.ts';
import { EXPIRING, EXPIRING_WITH } from '../expiring.ts';
import type { TableName } from '../schema/tables.ts';
import { bytesByAccount, type Charged, isCharged } from '../stored-bytes.ts';

/** Rows deleted per statement: about a millisecond of the writer's time. */
const SLICE = 500;

/** Deletes expired rows of a table, and gives their accounts the bytes back in the same commit. */
function deleteExpired(db: Database, table: TableName, sql: string, now_ms: number): number {
  if (!isCharged(table)) return db.query(sql).run(now_ms).changes;
  return db.transaction(() => {
    const rows = db.query(`${sql} RETURNING charged_to, bytes`).all(now_ms) as Charged[];
    const less = db.query('UPDATE counters SET n = n - ?2 WHERE id = ?1');
    for (const [account_id, bytes] of bytesByAccount(rows)) less.run(storageKey(account_id), bytes);
    return rows.length;
  })();
}

/** Deletes at most one slice of each table; returns the number of rows. */
export function pruneExpired(db: Database, now_ms: number): number {
  let gone = 0;
  for (const table of EXPIRING) {
    const sql = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at <= ?1 LIMIT ${SLICE})`;
    gone += deleteExpired(db, table, sql, now_ms);
  }
  for (const { table, of, parent } of EXPIRING_WITH) {
    const parts = `SELECT id, ${of} FROM ${table} WHERE ${of} IN
      (SELECT id FROM ${parent} WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${SLICE}) LIMIT ${SLICE}`;
    const alone = `SELECT id FROM ${parent} WHERE expires_at <= ?1
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${of} = ${parent}.id) ORDER BY expires_at LIMIT ${SLICE}`;
    gone += deleteExpired(db, table, `DELETE FROM ${table} WHERE (id, ${of}) IN (${parts})`, now_ms);
    gone += db.query(`DELETE FROM ${parent} WHERE id IN (${alone})`).run(now_ms).changes;
  }
  return gone;
}
