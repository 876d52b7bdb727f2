// Runs queries over the pool, each built once. With a read set it notes the version of every row that a load saw. What
// is read is committed; a connection that was lost is tried again, since reads change nothing.
import type { SQL } from 'bun';
import { drizzle } from 'drizzle-orm/bun-sql';
import type { Db, Query } from '../query.ts';
import { tables } from '../schema/postgres.ts';
import type { TableName } from '../schema/tables.ts';
import type { Read } from '../store.ts';
import { isTransient } from './connection.ts';
import { jitter, LOST_MS_MAX } from './jitter.ts';

/** The rows that a load read, by `table:id`, with the version each then had. */
export type ReadSet = Map<string, { readonly table: TableName; readonly id: string; readonly version: number }>;

type Any = Record<string, unknown>;
type Runner = (args: Any) => Promise<unknown[]>;

const ATTEMPTS_MAX = 8;

function note(set: ReadSet, table: TableName, row: unknown): void {
  if (typeof row !== 'object' || row === null || !('version' in row) || !('id' in row)) return;
  const { id, version } = row;
  if (typeof id === 'string' && typeof version === 'number') set.set(`${table}:${id}`, { table, id, version });
}

export class Reader {
  readonly #db: Db;
  // biome-ignore lint/suspicious/noExplicitAny: a query's argument and row types end at this cache.
  readonly #prepared = new Map<Query<any, any>, Runner>();

  constructor(pool: SQL) {
    // Only the select builder is used; what it gives has been tried on both engines.
    this.#db = drizzle({ client: pool }) as unknown as Db;
  }

  async run<A extends Any, R>(query: Query<A, R>, args: A, set: ReadSet | null): Promise<R> {
    let runner = this.#prepared.get(query);
    if (!runner) {
      const prepared = query.build(this.#db, tables).prepare();
      runner = async (given) => prepared.execute(given);
      this.#prepared.set(query, runner);
    }
    const rows = await again(() => runner(args));
    if (set && query.tracks) for (const row of rows) note(set, query.tracks, row);
    return query.shape(rows);
  }

  /** A `Read` that notes versions in the set, if any. */
  as(set: ReadSet | null): Read {
    const read = <A extends Any, R>(query: Query<A, R>, args: A): Promise<R> => this.run(query, args, set);
    const peek = <A extends Any, R>(query: Query<A, R>, args: A): Promise<R> => this.run(query, args, null);
    return Object.assign(read, { peek });
  }
}

/** Loads on one snapshot of the database: all of its queries see the same moment, at the price of a transaction. */
export function onSnapshot<T>(pool: SQL, set: ReadSet, load: (read: Read) => Promise<T>): Promise<T> {
  return again(() => {
    set.clear();
    return pool.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', (transaction) =>
      load(new Reader(transaction).as(set)),
    );
  });
}

/** Repeats what failed for a passing reason. */
export async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error) || tries === ATTEMPTS_MAX) throw error;
      await jitter(tries, LOST_MS_MAX);
    }
  }
}
