// Finds out whether DATABASE_URL leads to a server or to a pooler in front of it, which lends its connections by the transaction.
import { IDLE_IN_TRANSACTION, type Kept, type Server } from './connection.ts';
import { Pool } from './pool.ts';

/** PgBouncer refuses startup parameters, unless it is configured to ignore them. */
const REFUSED = /unsupported startup parameter/;

/** How the database of a URL is reached. */
export async function findServer(url: string, kept?: Kept): Promise<Server> {
  const direct: Server = { url, pooled: false, kept };
  const pool = new Pool(direct, { max: 1 });
  try {
    const [row] = await pool.unsafe("SELECT current_setting('idle_in_transaction_session_timeout') AS kept");
    return { ...direct, pooled: row?.kept !== IDLE_IN_TRANSACTION };
  } catch (error) {
    if (error instanceof Error && REFUSED.test(error.message)) return { url, pooled: true };
    throw error;
  } finally {
    await pool.close();
  }
}
