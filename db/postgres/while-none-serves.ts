// Runs work on a database that no node serves meanwhile: one that starts waits for a row that is held.
import { SQL } from 'bun';
import { storeCodeOf } from '../unavailable.ts';
import { isServed } from './node-row.ts';

type Transaction = Pick<SQL, 'unsafe'>;

/** Throws while a node serves the database. */
export async function refuseNodes(sql: Transaction): Promise<void> {
  if (await isServed(sql as never))
    throw new Error('nodes use the database; stop them first (one that was killed counts for a minute)');
}

/** How long to wait for another program's lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** For one transaction, whatever the server or the role says. None of them reads: the transaction sees the moment of its first read. */
const SETTINGS = [
  "application_name = 'meshwork-alone'",
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  `lock_timeout = ${LOCK_TIMEOUT_MS}`,
];
/** Ends the time limit of a transaction, which PostgreSQL 17 and later have. It reads. */
export const NO_LIMIT =
  "SELECT set_config(name, '0', true) FROM (VALUES ('transaction_timeout')) AS given (name) WHERE current_setting(name, true) IS NOT NULL";

/** Lets the statements of a transaction take as long as they need, but for what holds a lock of theirs. */
export async function takeTime(sql: Transaction): Promise<void> {
  for (const setting of SETTINGS) await sql.unsafe(`SET LOCAL ${setting}`);
}

/** Takes the lock of migrations, for which a node that starts waits. */
async function lockMigrations(sql: Transaction): Promise<void> {
  try {
    await sql.unsafe("SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE");
  } catch (error) {
    if (storeCodeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error('another program holds the lock of migrations; stop it first');
  }
}

/** Runs work in a transaction that holds the lock, with a connection beside it. The transaction stands only if no node served
 * meanwhile. */
export async function whileNoneServes<T>(
  url: string,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ',
  work: (transaction: Transaction, beside: SQL) => Promise<T>,
): Promise<T> {
  // A pooler takes neither prepared statements nor settings of a connection.
  const sql = new SQL({ url, max: 2, prepare: false, connectionTimeout: 10 });
  try {
    await refuseNodes(sql);
    return await sql.begin(`ISOLATION LEVEL ${isolation}`, async (transaction) => {
      await takeTime(transaction);
      await lockMigrations(transaction);
      await transaction.unsafe(NO_LIMIT);
      await refuseNodes(sql);
      const done = await work(transaction, sql);
      await refuseNodes(sql);
      return done;
    });
  } finally {
    await sql.close({ timeout: 1 });
  }
}
