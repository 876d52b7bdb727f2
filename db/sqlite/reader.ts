// Runs queries on one connection, each prepared once. With a read set it notes the version of every row that a load saw.
import type { Database } from 'bun:sqlite';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import type { Db, Query } from '../query.ts';
import { tables } from '../schema/sqlite.ts';
import type { TableName } from '../schema/tables.ts';
import type { Read } from '../store.ts';
import { asUnavailable, type Hold, isHeld } from './hold.ts';
import { planOnce, preparedRead } from './prepared-read.ts';

/** The rows that a load read, by `table:id`, with the version each then had. */
export type ReadSet = Map<string, { readonly table: TableName; readonly id: string; readonly version: number }>;

type Any = Record<string, unknown>;
type Runner = (args: Any) => unknown[];

function note(set: ReadSet, table: TableName, row: unknown): void {
  if (typeof row !== 'object' || row === null || !('version' in row) || !('id' in row)) return;
  const { id, version } = row;
  if (typeof id === 'string' && typeof version === 'number') set.set(`${table}:${id}`, { table, id, version });
}

export class QueryReader {
  readonly #db: Db;
  // biome-ignore lint/suspicious/noExplicitAny: a query's argument and row types end at this cache.
  readonly #prepared = new Map<Query<any, any>, Runner>();

  readonly #before: () => void;
  readonly #hold: Hold;

  /** `before` is called ahead of each read; what finds the file held waits with those who wait for `hold`. */
  constructor(connection: Database, hold: Hold, before: () => void = () => {}) {
    this.#before = before;
    this.#hold = hold;
    // The schema is not handed to drizzle: only its select builder is used.
    this.#db = drizzle({ client: planOnce(connection) }) as unknown as Db;
  }

  /** Runs a query now; `set` collects the versions. */
  run<A extends Any, R>(query: Query<A, R>, args: A, set: ReadSet | null): R {
    let runner = this.#prepared.get(query);
    if (!runner) {
      runner = preparedRead(query.build(this.#db, tables).prepare());
      this.#prepared.set(query, runner);
    }
    this.#before();
    const rows = runner(args);
    if (set && query.tracks) for (const row of rows) note(set, query.tracks, row);
    return query.shape(rows);
  }

  /** The same, as soon as the file is not held. */
  async #later<A extends Any, R>(query: Query<A, R>, args: A, set: ReadSet | null, error: unknown): Promise<R> {
    if (!isHeld(error)) throw asUnavailable(error);
    for (;;) {
      await this.#hold.wait(() => this.run(query, args, null));
      try {
        return this.run(query, args, set);
      } catch (next) {
        if (!isHeld(next)) throw asUnavailable(next);
      }
    }
  }

  #read<A extends Any, R>(query: Query<A, R>, args: A, set: ReadSet | null): Promise<R> {
    try {
      return Promise.resolve(this.run(query, args, set));
    } catch (error) {
      return this.#later(query, args, set, error);
    }
  }

  /** A `Read` over this connection. */
  as(set: ReadSet | null): Read {
    const read = <A extends Any, R>(query: Query<A, R>, args: A): Promise<R> => this.#read(query, args, set);
    return Object.assign(read, {
      peek: <A extends Any, R>(query: Query<A, R>, args: A): Promise<R> => this.#read(query, args, null),
    });
  }
}
