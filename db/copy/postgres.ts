// A PostgreSQL database as an end of a copy. Both ends hold what a starting node waits for. The target is filled in one
// transaction: a copy that was cut off leaves an empty database.
import { SQL } from 'bun';
import { checkLedger } from '../ledger-check/check.ts';
import { appliedOnPostgres, pendingOnPostgres } from '../migrations/pending.ts';
import { bringUpToDate } from '../postgres/bring-up-to-date.ts';
import { findServer } from '../postgres/find-server.ts';
import { isServed } from '../postgres/node-row.ts';
import { literal, type Shape } from '../postgres/shapes.ts';
import { snapshotOf } from '../postgres/snapshot.ts';
import { checkRows } from '../row-check/check.ts';
import { storeCodeOf } from '../unavailable.ts';
import { CopyProblem, type CopySource, type CopyTarget } from './ends.ts';
import { refuseRows } from './rows.ts';

type Transaction = Pick<SQL, 'unsafe'>;

/** Throws while a node serves the database. */
async function refuseNodes(sql: SQL): Promise<void> {
  if (await isServed(sql))
    throw new CopyProblem('nodes use the database; stop them first (one that was killed counts for a minute)');
}

/** How long to wait for another program's lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** For one transaction, whatever the server or the role says. None of them reads: the transaction sees the moment of its first read. */
const SETTINGS = [
  "application_name = 'meshwork-copy'",
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  `lock_timeout = ${LOCK_TIMEOUT_MS}`,
];
/** PostgreSQL 17 and later have it. */
const NO_LIMIT =
  "SELECT set_config(name, '0', true) FROM (VALUES ('transaction_timeout')) AS given (name) WHERE current_setting(name, true) IS NOT NULL";

/** Takes the lock of migrations, for which a node that starts waits. */
async function lockMigrations(sql: Transaction): Promise<void> {
  try {
    await sql.unsafe("SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE");
  } catch (error) {
    if (storeCodeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new CopyProblem('another program holds the lock of migrations; stop it first');
  }
}

/** Runs work in a transaction, which stands only if no node served meanwhile: one that starts waits for the row that is held. */
async function held<T>(url: string, isolation: string, work: (sql: Transaction) => Promise<T>): Promise<T> {
  // A pooler takes neither prepared statements nor settings of a connection.
  const sql = new SQL({ url, max: 2, prepare: false, connectionTimeout: 10 });
  try {
    await refuseNodes(sql);
    return await sql.begin(`ISOLATION LEVEL ${isolation}`, async (transaction) => {
      for (const setting of SETTINGS) await transaction.unsafe(`SET LOCAL ${setting}`);
      await lockMigrations(transaction);
      await transaction.unsafe(NO_LIMIT);
      await refuseNodes(sql);
      const done = await work(transaction);
      await refuseNodes(sql);
      return done;
    });
  } finally {
    await sql.close({ timeout: 1 });
  }
}

function endOf(sql: Transaction): CopySource {
  return {
    ...snapshotOf(sql),
    secrets: async () => {
      const rows: { id: string; value: string }[] = await sql.unsafe('SELECT id, value FROM secrets');
      return Object.fromEntries(rows.map(({ id, value }) => [id, value]));
    },
  };
}

/** Runs work with a database that no node uses meanwhile. */
export async function fromPostgres<T>(url: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  if ((await appliedOnPostgres(url)).length === 0) throw new CopyProblem('no service has used that database yet');
  if ((await pendingOnPostgres(url)).length > 0)
    throw new CopyProblem('the database is of an older version; run meshwork migrate first');
  return held(url, 'REPEATABLE READ', (sql) => work(endOf(sql)));
}

function scalar({ type }: Shape['columns'][number], value: unknown) {
  if (value === null || value === undefined) return null;
  if (type === 'bigint') return Number(value);
  return type === 'bytea' ? Buffer.from(value as Uint8Array).toString('hex') : String(value);
}

function targetOf(sql: Transaction): CopyTarget {
  return {
    ...endOf(sql),
    put: async ({ name, insert, columns }, rows) => {
      const arrays = columns.map((column) => literal(rows.map((row) => scalar(column, row[column.name]))));
      try {
        await sql.unsafe(insert, arrays);
      } catch (error) {
        throw new CopyProblem(`${name} cannot be copied: ${error instanceof Error ? error.message : error}`);
      }
    },
    putSecrets: async (values) => {
      for (const [name, value] of Object.entries(values))
        await sql.unsafe(
          'INSERT INTO secrets (id, value) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET value = excluded.value',
          [name, value],
        );
    },
    // The index of vectors is in the memory of the nodes alone. Statistics come with the rows, or the first plans would scan.
    derive: async () => void (await sql.unsafe('ANALYZE')),
  };
}

/** Runs work with an empty database as the target, proves what it made, and commits. */
export async function intoPostgres<T>(
  url: string,
  now_ms: number,
  work: (target: CopyTarget) => Promise<T>,
  say: (what: string) => void,
): Promise<T> {
  await bringUpToDate(await findServer(url), now_ms);
  return held(url, 'READ COMMITTED', async (sql) => {
    const target = targetOf(sql);
    await refuseRows(target);
    const done = await work(target);
    say('looking at its inboxes, conversations and tasks');
    const { problems } = await checkRows(target, now_ms);
    say('looking at its ledger');
    const [problem] = [...problems, ...(await checkLedger(target, now_ms)).problems];
    if (problem) throw new CopyProblem(`${problem.about}: ${problem.problem}`);
    return done;
  });
}
