// A read as it goes over the wire: drizzle's SQL, how its arguments are bound and its rows decoded, without drizzle's own
// row mapping, which costs more than the rest. A look-up by keys has a second form, in which one statement
// answers many of them.
import { is, Param, Placeholder } from 'drizzle-orm';
import { decoder } from '../decoder.ts';
import { literal } from './shapes.ts';

export type Args = Record<string, unknown>;

export interface Select {
  readonly text: string;
  bind(args: Args): unknown[];
  /** Rows out of the driver's values, in the order of the columns. */
  decode(values: readonly unknown[][]): Args[];
  /** For reads by keys; see `isLookUp`. */
  many(): ManySelect;
}

/** The same read for many sets of arguments. Each row's last value is the number of its set, from 1. */
export interface ManySelect {
  readonly text: string;
  bind(all: readonly Args[]): unknown[];
}

/** The parts of drizzle's prepared query that are used here; its types keep them private. */
interface Prepared {
  readonly queryString: string;
  readonly params: readonly unknown[];
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: unknown }[];
}

function givenIn(args: Args, name: string): unknown {
  if (!(name in args)) throw new Error(`a read was given no ${name}`);
  return args[name];
}

/** How one parameter is taken from the arguments. */
function binding(param: unknown): (args: Args) => unknown {
  if (is(param, Placeholder)) return (args) => givenIn(args, param.name);
  if (!is(param, Param)) return () => param;
  const { encoder, value } = param;
  if (!is(value, Placeholder)) return () => encoder.mapToDriverValue(value);
  return (args) => encoder.mapToDriverValue(givenIn(args, value.name));
}

/** The name under which a parameter is given, or null for one that is the same each time. */
function nameOf(param: unknown): string | null {
  const value: unknown = is(param, Param) ? param.value : param;
  return is(value, Placeholder) ? value.name : null;
}

function manyOf({ queryString, params }: Prepared): ManySelect {
  const names: string[] = [];
  const constants: unknown[] = [];
  const places = params.map((param) => {
    const name = nameOf(param);
    if (name !== null) return { of: 'keys', n: names.push(name) };
    return { of: 'constants', n: constants.push(binding(param)({})) };
  });
  const query = queryString.replaceAll(/\$(\d+)/g, (_, number) => {
    const place = places[Number(number) - 1];
    return place?.of === 'keys' ? `a.k${place.n}` : `$${names.length + (place?.n ?? 0)}`;
  });
  const arrays = names.map((_, i) => `$${i + 1}::text[]`).join(', ');
  const keys = names.map((_, i) => `k${i + 1}`).join(', ');
  return {
    text: `SELECT q.*, a.n FROM unnest(${arrays}) WITH ORDINALITY AS a(${keys}, n), LATERAL (${query}) AS q`,
    bind: (all) => [...names.map((name) => literal(all.map((args) => keyOf(args, name)))), ...constants],
  };
}

function keyOf(args: Args, name: string): string {
  const key = givenIn(args, name);
  if (typeof key !== 'string') throw new Error(`a look-up was given a ${name} that is no text`);
  return key;
}

/** Whether a read is a look-up by keys: these are texts, while pages and searches also say how many. */
export function isLookUp(args: Args): boolean {
  const keys = Object.values(args);
  return keys.length > 0 && keys.every((key) => typeof key === 'string');
}

/** The SQL of a prepared query of drizzle's. */
export const textOf = (prepared: unknown): string => (prepared as Prepared).queryString;

/** The wire form of a prepared query of drizzle's; null where its rows are objects in objects. */
export function selectOf(prepared: unknown): Select | null {
  // The builder was drizzle's for Bun.sql, as `QueryReader` opened it.
  const made = prepared as Prepared;
  const { queryString: text, params, fields } = made;
  if (!fields?.every(({ path }) => path.length === 1)) return null;
  const columns = fields.map(({ path, field }) => ({ name: path[0] ?? '', decode: decoder(field) }));
  const bindings = params.map(binding);
  const rowOf = (values: readonly unknown[]): Args => {
    const row: Args = {};
    for (let i = 0; i < columns.length; i += 1) {
      const column = columns[i];
      if (!column) continue;
      const value = values[i];
      row[column.name] = column.decode !== null && value !== null ? column.decode(value) : value;
    }
    return row;
  };
  return {
    text,
    bind: (args) => bindings.map((bind) => bind(args)),
    decode: (rows) => rows.map(rowOf),
    many: () => manyOf(made),
  };
}
