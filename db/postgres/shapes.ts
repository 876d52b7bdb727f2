// Tables as bulk statements need them: columns with their types, and the SQL that locks, inserts, changes or deletes
// many rows at once. Values travel as one array a column, so that a statement's text never depends on how many there are; only new rows
// of a table in shards are listed, since Citus would gather a SELECT on the coordinator.
import { type Column, getTableColumns, getTableName } from 'drizzle-orm';
import type { Values } from '../rows.ts';
import { withinColumn } from '../schema/keys.ts';
import { tables } from '../schema/postgres.ts';
import type { TableName } from '../schema/tables.ts';

type Scalar = string | number | null;

interface ColumnShape {
  readonly key: string;
  readonly name: string;
  readonly type: 'text' | 'bigint' | 'bytea';
  readonly column: Column;
  readonly fallback: unknown;
  /** Whether it is read and written as it is. */
  readonly plain: boolean;
}

export interface Shape {
  readonly table: TableName;
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  /** The columns of the primary key: the id, and what it is within, if anything. */
  readonly key: readonly ColumnShape[];
  readonly versioned: boolean;
  /** Whether Citus distributes it: its statements also name the column of distribution, and are for rows of one shard. */
  readonly sharded: boolean;
  readonly lock: string;
  /** Holds rows as they are, without keeping other readers of them away. */
  readonly share: string;
  /** Reads rows without holding them. */
  readonly look: string;
  /** Puts rows in; a key that is taken ends the transaction. */
  readonly insert: string;
  /** The same, but rows whose keys are taken are left out; answers the ids of the others. It costs half as much again. */
  readonly offer: string;
  readonly remove: string;
  readonly versions: string;
}

const shapes = { whole: new Map<TableName, Shape>(), sharded: new Map<TableName, Shape>() };
const updates = new Map<string, string>();

function typeOf(column: Column): ColumnShape['type'] {
  const type = column.getSQLType();
  return type === 'bigint' || type === 'bytea' ? type : 'text';
}

/** Text that neither drizzle nor a custom type changes: all but JSON. */
function isPlain(column: Column): boolean {
  if (typeOf(column) !== 'text') return false;
  const probe = 'as it is';
  try {
    return column.mapFromDriverValue(probe) === probe && column.mapToDriverValue(probe) === probe;
  } catch {
    // It is read as JSON.
    return false;
  }
}

/** Bytes travel in hexadecimal, because arrays of bytes have no plain text form. */
const arrayArguments = (columns: readonly ColumnShape[]): string =>
  columns.map(({ type }, i) => `$${i + 1}::${type === 'bigint' ? 'bigint' : 'text'}[]`).join(', ');
const nameAndType = ({ name, type }: ColumnShape): string =>
  type === 'bytea' ? `decode(v.${name}, 'hex')` : `v.${name}`;

function makeShape(table: TableName, sharded: boolean): Shape {
  const spec = tables[table];
  const name = getTableName(spec);
  const columns = Object.entries(getTableColumns(spec)).map(
    ([key, column]): ColumnShape => ({
      key,
      name: column.name,
      type: typeOf(column),
      column,
      fallback: column.default ?? null,
      plain: isPlain(column),
    }),
  );
  const list = columns.map((c) => c.name).join(', ');
  const insert = `INSERT INTO ${name} (${list}) SELECT ${columns.map(nameAndType).join(', ')}
      FROM unnest(${arrayArguments(columns)}) AS v(${list})`;
  const within = withinColumn(table);
  const key = ['id', within].flatMap((part) => columns.filter((c) => c.key === part));
  const both = `(id, ${within}) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;
  const inShard = sharded ? `${within} = ANY($2::text[]) AND ` : '';
  const named = within ? inShard + both : 'id = ANY($1::text[])';
  const byIds = `SELECT ${list} FROM ${name} WHERE ${named} ORDER BY id`;
  return {
    table,
    name,
    columns,
    key,
    versioned: columns.some((c) => c.key === 'version'),
    sharded,
    // Sorted, so that two nodes never wait for each other in a circle inside one table.
    lock: `${byIds} FOR UPDATE`,
    share: `${byIds} FOR SHARE`,
    look: byIds,
    insert,
    offer: `${insert} ON CONFLICT DO NOTHING RETURNING id`,
    remove: `DELETE FROM ${name} WHERE ${named}`,
    versions: `SELECT id, version FROM ${name} WHERE ${named}`,
  };
}

/** The shape of a table, made once. */
export function shapeOf(table: TableName, sharded = false): Shape {
  const made = sharded ? shapes.sharded : shapes.whole;
  const shape = made.get(table) ?? makeShape(table, sharded);
  made.set(table, shape);
  return shape;
}

/** The arguments of `lock`, `share`, `look`, `remove` and `versions`: the ids, and their parents. */
export function keyArrays({ key }: Shape, keys: readonly (readonly [id: string, within?: string])[]): string[] {
  return key.map((_, part) => literal(keys.map((each) => each[part] ?? null)));
}

/** The statement that sets the named columns of many rows, each to its own values; the key's arrays come first. */
export function updateOf(shape: Shape, columns: readonly ColumnShape[]): string {
  const key = `${shape.name}:${shape.sharded}:${columns.map((c) => c.name).join(',')}`;
  const known = updates.get(key);
  if (known) return known;
  const all = [...shape.key, ...columns];
  const inShard = shape.sharded ? ` AND t.${shape.key.at(-1)?.name} = ANY($${shape.key.length}::text[])` : '';
  const made = `UPDATE ${shape.name} AS t SET ${columns.map((c) => `${c.name} = ${nameAndType(c)}`).join(', ')}
    FROM unnest(${arrayArguments(all)}) AS v(${all.map((c) => c.name).join(', ')}) WHERE ${shape.key.map((c) => `t.${c.name} = v.${c.name}`).join(' AND ')}${inShard}`;
  updates.set(key, made);
  return made;
}

function scalar({ type, column, plain }: ColumnShape, value: unknown): Scalar {
  if (value === null || value === undefined) return null;
  if (plain && typeof value === 'string') return value;
  if (type === 'bigint') return Number(value);
  if (type === 'bytea') {
    // The spec's only bytes are vectors, which are typed arrays.
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
  }
  return String(column.mapToDriverValue(value));
}

const ESCAPED = /["\\]/;

/** PostgreSQL's text form of an array. */
export function literal(values: readonly Scalar[]): string {
  let text = '{';
  let comma = '';
  for (const value of values) {
    if (value === null) text += `${comma}NULL`;
    else if (typeof value === 'number') text += comma + value;
    else text += `${comma}"${ESCAPED.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
    comma = ',';
  }
  return `${text}}`;
}

/** One array a column, for `insert` and `updateOf`. */
export function columnArrays(columns: readonly ColumnShape[], rows: readonly Values[]): string[] {
  return columns.map((c) => literal(rows.map((row) => scalar(c, row[c.key] === undefined ? c.fallback : row[c.key]))));
}

/** The most rows that one statement lists: a power of two. */
const LISTED_MAX = 64;

/** The statements that put rows into a table in shards, each with what it is given. Each lists a power of two of rows, so that few texts
 * are ever prepared. */
export function listed(shape: Shape, rows: readonly Values[], offers: boolean): [string, Scalar[]][] {
  const statements: [string, Scalar[]][] = [];
  for (let at = 0, many = LISTED_MAX; at < rows.length; ) {
    while (many > rows.length - at) many /= 2;
    statements.push(listing(shape, rows.slice(at, at + many), offers));
    at += many;
  }
  return statements;
}

function listing({ name, columns }: Shape, rows: readonly Values[], offers: boolean): [string, Scalar[]] {
  const places = rows.map((_, row) => {
    const place = ({ type }: ColumnShape, i: number): string => {
      const given = `$${row * columns.length + i + 1}`;
      return type === 'bytea' ? `decode(${given}::text, 'hex')` : `${given}::${type}`;
    };
    return `(${columns.map(place).join(', ')})`;
  });
  const text = `INSERT INTO ${name} (${columns.map((c) => c.name).join(', ')}) VALUES ${places.join(', ')}`;
  const values = rows.flatMap((row) =>
    columns.map((c) => scalar(c, row[c.key] === undefined ? c.fallback : row[c.key])),
  );
  return [offers ? `${text} ON CONFLICT DO NOTHING RETURNING id` : text, values];
}

/** A row as reads give it, out of what the driver gave. */
export function rowOf(shape: Shape, raw: Values): Values {
  const row: Values = {};
  for (const { key, name, plain, column } of shape.columns) {
    const value = raw[name];
    row[key] = plain ? value : value === null || value === undefined ? null : column.mapFromDriverValue(value);
  }
  return row;
}

/** A new row with the defaults of the columns that it leaves out. */
export function complete(shape: Shape, row: Values): Values {
  const whole: Values = {};
  for (const { key, fallback } of shape.columns) {
    const value = row[key];
    whole[key] = value === undefined ? fallback : value;
  }
  return whole;
}
