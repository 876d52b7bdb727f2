// Deletes what has expired, in slices, so that no turn waits long for it. Rows that another node is at are left out.
import { EXPIRING, EXPIRING_WITH } from '../expiring.ts';
import { type Connection, DB_NOW_MS } from './connection.ts';

const SLICE = 500;

/** Rows of rates have no id of their own. */
const rates = (until: string): string => `DELETE FROM rates WHERE (caller, at, node) IN
  (SELECT caller, at, node FROM rates WHERE expires_at <= ${until} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED) RETURNING caller`;

const slice = (table: string, until: string): string =>
  `DELETE FROM ${table} WHERE id IN
     (SELECT id FROM ${table} WHERE expires_at <= ${until} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED) RETURNING id`;

/** Deletes at most one slice of each table; answers how many rows went. What nodes tell each other does not count, since it grows
 * with pruning's own neighbours. It goes whatever the clock says: the log of commits by the server's own. */
export async function pruneExpired(connection: Connection, now_ms: number | null): Promise<number> {
  while ((await connection.unsafe(slice('commits', DB_NOW_MS))).length === SLICE);
  while ((await connection.unsafe(rates(String(now_ms ?? DB_NOW_MS)))).length === SLICE);
  if (now_ms === null) return 0;
  let gone = 0;
  for (const table of EXPIRING) gone += (await connection.unsafe(slice(table, '$1'), [now_ms])).length;
  for (const { table, of, parent } of EXPIRING_WITH) {
    const parts = `SELECT id FROM ${table} WHERE ${of} IN
      (SELECT id FROM ${parent} WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${SLICE}) LIMIT ${SLICE} FOR UPDATE SKIP LOCKED`;
    const alone = `SELECT id FROM ${parent} WHERE expires_at <= $1
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${of} = ${parent}.id) ORDER BY expires_at LIMIT ${SLICE} FOR UPDATE SKIP LOCKED`;
    gone += (await connection.unsafe(`DELETE FROM ${table} WHERE id IN (${parts}) RETURNING id`, [now_ms])).length;
    gone += (await connection.unsafe(`DELETE FROM ${parent} WHERE id IN (${alone}) RETURNING id`, [now_ms])).length;
  }
  return gone;
}
