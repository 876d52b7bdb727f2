// Runs drizzle's selects at the speed of SQLite: planned once, and without drizzle's own row mapping, which costs more than
// the read. Most selects name their columns as their rows have them, so the driver's objects are the rows, and only JSON
// has to be read out of its text.
import type { Database } from 'bun:sqlite';
import { is, Param, Placeholder } from 'drizzle-orm';
import { type Decode, decoder } from '../decoder.ts';

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
export function preparedRead(prepared: unknown): (args: Args) => unknown[] {
  // The builder was drizzle's for bun:sqlite, as `QueryReader` opened it.
  const drizzled = prepared as Prepared;
  const { stmt, query, fields } = drizzled;
  if (!fields?.every(({ path }) => path.length === 1)) return (args) => drizzled.all(args);
  const bindings = query.params.map(binding);
  const columns = fields.map(({ path, field }) => ({ name: path[0] ?? '', decode: decoder(field) }));
  if (columns.some(({ name }, i) => name !== stmt.columnNames[i])) {
    // Two tables' columns of one name: only by their places are they told apart.
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
 * A connection whose statements are planned once. SQLite plans a join or a LIMIT anew each time its parameters are bound
 * to other values, in case they make another plan better: ten times what such a read costs else. A parameter inside a
 * subselect is out of the planner's sight; indexes serve as before.
 */
export function planOnce(connection: Database): Database {
  const prepare = (sql: string): unknown =>
    connection.prepare(sql.replaceAll(QUOTED_OR_PARAMETER, (found) => (found === '?' ? '(select ?)' : found)));
  // drizzle asks its client for nothing else to run a select.
  return { prepare } as unknown as Database;
}
