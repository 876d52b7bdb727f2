// Runs queries on one connection, each prepared once. With a read set it notes the version of every row that a load saw.
import type { Database } from 'bun:sqlite';
import { is, Param, Placeholder } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { type Decode, decoder } from '../decoder.ts';
import { note, type ReadSet } from '../outcome.ts';
import type { Db, Query } from '../query.ts';
import { tables } from '../schema/sqlite.ts';
import type { Read } from '../store.ts';
import { asUnavailable, type Hold, isHeld } from './hold.ts';

const QUOTED_OR_PARAMETER = /'[^']*'|"[^"]*"|\?/g;

type Args = Record<string, unknown>;
type Bound = string | number | bigint | boolean | null | Uint8Array;

/** The parts of drizzle's prepared query for bun:sqlite that are used here; its types keep some of them private. */
interface Prepared {
  readonly stmt: {
    readonly columnNames: string[];
    all(...values: Bound[]): unknown[];
    values(...values: Bound[]): unknown[][];
  };
  readonly query: { readonly params: readonly unknown[] };
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: unknown }[];
  all(args: Args): unknown[];
}

/** How one parameter is taken from the arguments. */
function binding(param: unknown): (args: Args) => Bound {
  const named = (name: string, encode: Decode | null) => (args: Args) => {
    if (!(name in args)) throw new Error(`a read was given no ${name}`);
    return (encode ? encode(args[name]) : args[name]) as Bound;
  };
  if (is(param, Placeholder)) return named(param.name, null);
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder, value } = param;
    return named(value.name, (given) => encoder.mapToDriverValue(given));
  }
  return () => param as Bound;
}

/** A function that runs the select with its arguments; rows are as drizzle would give them. */
function preparedRead(prepared: unknown): (args: Args) => unknown[] {
  // The builder was drizzle's for bun:sqlite, as `QueryReader` opened it.
  const drizzled = prepared as Prepared;
  const { stmt, query, fields } = drizzled;
  if (!fields?.every(({ path }) => path.length === 1)) return (args) => drizzled.all(args);
  const bindings = query.params.map(binding);
  const columns = fields.map(({ path, field }) => ({ name: path[0] ?? '', decode: decoder(field) }));
  if (columns.some(({ name }, i) => name !== stmt.columnNames[i])) {
    // Columns of two tables can have one name, so they are read by position.
    const rowOf = (values: readonly unknown[]): Args => {
      const row: Args = {};
      columns.forEach(({ name, decode }, i) => {
        row[name] = decode && values[i] !== null ? decode(values[i]) : values[i];
      });
      return row;
    };
    return (args) => stmt.values(...bindings.map((bind) => bind(args))).map(rowOf);
  }
  const coded = columns.flatMap(({ name, decode }) => (decode ? [{ name, decode }] : []));
  return (args) => {
    // The driver gives one object a row, keyed by the columns' names.
    const rows = stmt.all(...bindings.map((bind) => bind(args))) as Args[];
    if (coded.length === 0) return rows;
    for (const row of rows) {
      for (const { name, decode } of coded) {
        const value = row[name];
        if (value !== null) row[name] = decode(value);
      }
    }
    return rows;
  };
}

/**
 * A connection whose statements are planned once. SQLite plans a join or a LIMIT again whenever its parameters are bound to
 * other values, in case another plan is better, which costs ten times the read itself. The planner does not see a parameter
 * inside a subselect; indexes are used as before.
 */
function planOnce(connection: Database): Database {
  const prepare = (sql: string): unknown =>
    connection.prepare(sql.replaceAll(QUOTED_OR_PARAMETER, (found) => (found === '?' ? '(select ?)' : found)));
  // drizzle asks its client for nothing else to run a select.
  return { prepare } as unknown as Database;
}

type Any = Record<string, unknown>;
type Runner = (args: Any) => unknown[];

export class QueryReader {
  readonly #db: Db;
  // biome-ignore lint/suspicious/noExplicitAny: a query's argument and row types end at this cache.
  readonly #prepared = new Map<Query<any, any>, Runner>();

  readonly #before: () => void;
  readonly #hold: Hold;

  /** `before` is called before each read; a read that finds the file held waits for `hold`. */
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
