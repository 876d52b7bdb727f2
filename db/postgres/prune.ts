// Deletes what has expired, in slices, so that no turn waits long for it. Rows that another node is at are left out.
import { EXPIRING } from '../expiring.ts';
import { type Connection, DB_NOW_MS } from './connection.ts';

const SLICE = 500;

/** Deletes at most one slice of each table; answers how many rows went. The log of commits goes by the server's clock,
 * by which it was written, and does not count: it grows with pruning's own neighbours. */
export async function pruneExpired(connection: Connection, now_ms: number): Promise<number> {
  const slice = (table: string, until: string): string =>
    `DELETE FROM ${table} WHERE id IN
       (SELECT id FROM ${table} WHERE expires_at <= ${until} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED) RETURNING id`;
  let gone = 0;
  for (const table of EXPIRING) gone += (await connection.unsafe(slice(table, '$1'), [now_ms])).length;
  while ((await connection.unsafe(slice('commits', DB_NOW_MS))).length === SLICE);
  return gone;
}
