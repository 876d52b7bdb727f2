// Finds out whether DATABASE_URL leads to a server or to a pooler in front of it, which lends its connections by the transaction.
import { type Kept, PROBED, type Server } from './connection.ts';
import { Pool } from './pool.ts';

/** PgBouncer refuses most startup parameters. */
const REFUSED = /unsupported startup parameter/;

/** How the database of a URL is reached. */
export async function findServer(url: string, kept?: Kept): Promise<Server> {
  const direct: Server = { url, pooled: false, kept };
  const pool = new Pool(direct, { max: 1, use: 'probe' });
  try {
    // Without arguments: those are prepared, and a pooler gives the next one a server that has the statement already.
    const [row] = await pool.unsafe(`SELECT current_setting('${PROBED}', true) AS kept`);
    return { ...direct, pooled: row?.kept !== 'on' };
  } catch (error) {
    if (error instanceof Error && REFUSED.test(error.message)) return { url, pooled: true };
    throw error;
  } finally {
    await pool.close();
  }
}
