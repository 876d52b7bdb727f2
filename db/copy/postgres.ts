// A PostgreSQL database as an end of a copy. Both ends hold what a starting node waits for. The target is filled in one
// transaction: a copy that was cut off leaves an empty database.
import type { SQL } from 'bun';
import { checkLedger } from '../ledger-check/check.ts';
import { appliedOnPostgres, pendingOnPostgres } from '../migrations/pending.ts';
import { bringUpToDate } from '../postgres/bring-up-to-date.ts';
import { findServer } from '../postgres/find-server.ts';
import { literal, type Shape } from '../postgres/shapes.ts';
import { snapshotOf } from '../postgres/snapshot.ts';
import { whileNoneServes } from '../postgres/while-none-serves.ts';
import { checkRows } from '../row-check/check.ts';
import { CopyProblem, type CopySource, type CopyTarget } from './ends.ts';
import { refuseRows } from './rows.ts';

type Transaction = Pick<SQL, 'unsafe'>;

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
  return whileNoneServes(url, 'REPEATABLE READ', (sql) => work(endOf(sql)));
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
  return whileNoneServes(url, 'READ COMMITTED', async (sql) => {
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
