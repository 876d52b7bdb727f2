// Reads as values: a query names its arguments and builds one drizzle select, which each adapter prepares once. The
// same query runs on every engine, so nothing in here may be a dialect's own.
import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { type KeyOf, withinColumn } from './schema/keys.ts';
import type { Row, TableName, Tables } from './schema/tables.ts';

/** The tables whose rows have an id. */
type KeyedTable = { [T in TableName]: Row<T> extends { id: string } ? T : never }[TableName];

/** drizzle's database, typed as SQLite's; the PostgreSQL one is cast to it. */
export type Db = BunSQLiteDatabase<Record<string, never>>;

interface Builder<Row> {
  prepare(): { execute(args?: Record<string, unknown>): PromiseLike<Row[]> | Row[] };
}

export interface Query<A extends Record<string, unknown>, R> {
  /** The table whose rows come back whole: rows with a version are checked again when the turn commits. */
  readonly tracks: TableName | null;
  /** Phantom: ties the argument type to the value. */
  readonly args?: A;
  build(db: Db, t: Tables): Builder<unknown>;
  shape(rows: unknown[]): R;
}

/** A placeholder for the argument of that name. */
export const arg = (name: string): Placeholder => sql.placeholder(name);

/** Completes a query whose argument type was given first, so that the row type can be inferred from the select. */
type Define<A extends Record<string, unknown>, Many extends boolean> = <R>(
  tracks: TableName | null,
  build: (db: Db, t: Tables) => Builder<R>,
) => Query<A, Many extends true ? R[] : R | null>;

/** A query of one row at most. `one<{ id: string }>()('agents', (db, t) => db.select().from(t.agents).where(…))`. */
export function one<A extends Record<string, unknown>>(): Define<A, false> {
  return <R>(tracks: TableName | null, build: (db: Db, t: Tables) => Builder<R>): Query<A, R | null> => ({
    tracks,
    build,
    // The rows are those of `build`, whose type is R.
    shape: (rows) => (rows[0] ?? null) as R | null,
  });
}

export function many<A extends Record<string, unknown>>(): Define<A, true> {
  return <R>(tracks: TableName | null, build: (db: Db, t: Tables) => Builder<R>): Query<A, R[]> => ({
    tracks,
    build,
    // The rows are those of `build`, whose type is R.
    shape: (rows) => rows as R[],
  });
}

/** A whole row by its key. `tracks` is null when a turn does not depend on the row's version. */
export function byId<T extends KeyedTable>(table: T, tracks: T | null = table): Query<KeyOf<T>, Row<T> | null> {
  return one<KeyOf<T>>()(tracks, (db, t) => {
    // The tables differ here only in their rows: one type represents all, and the row's type is the table's own.
    const from = t[table] as Tables['agents'];
    const columns = from as unknown as Readonly<Record<string, Tables['agents']['id']>>;
    const key = ['id', withinColumn(table)].flatMap((name) => {
      const column = columns[name ?? ''];
      return column ? [eq(column, arg(column.name))] : [];
    });
    const query = db
      .select()
      .from(from)
      .where(and(...key))
      .limit(1);
    return query as unknown as Builder<Row<T>>;
  });
}

/** Sorts after every id on both engines, which are hexadecimal: what comes before it is the newest. */
export const HIGHEST_ID = 'g';

/** Sorts after every text of small letters, digits and hyphens that begins so, on both engines. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}~`;
}
