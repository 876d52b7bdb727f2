// The statements that effects run, prepared once per table (and, for updates, once per set of columns): a generic row
// costs what a hand-written statement does.
import type { Database, Statement } from 'bun:sqlite';
import { Column, getTableColumns, getTableName } from 'drizzle-orm';
import { type Decode, decoder } from '../decoder.ts';
import type { Upsert, Values } from '../rows.ts';
import { withinColumn } from '../schema/keys.ts';
import { tables } from '../schema/sqlite.ts';
import type { TableName } from '../schema/tables.ts';

type Value = string | number | bigint | boolean | null | Uint8Array;

interface Named {
  readonly key: string;
  readonly column: Column;
  /** The value when none is given. */
  readonly fallback: Value;
  /** Stored as it is. */
  readonly plain: boolean;
  /** How it is decoded; null when it is read as stored. */
  readonly decode: Decode | null;
}

interface TableStatements {
  readonly name: string;
  readonly columns: readonly Named[];
  readonly coded: readonly { readonly key: string; readonly decode: Decode }[];
  readonly versioned: boolean;
  /** The condition on a row's key: its id, and its parent if that is part of the key. */
  readonly where: string;
  readonly insert: Statement;
  readonly byId: Statement;
  readonly versionById: Statement;
  readonly removeById: Statement;
  readonly updates: Map<string, Statement>;
}

function driverValue({ column, plain }: Named, value: unknown): Value {
  if (value === null || value === undefined) return null;
  // drizzle's own mapping turns JSON into text and passes the rest through.
  return (plain ? value : column.mapToDriverValue(value)) as Value;
}

function rowValues({ columns }: TableStatements, row: Values): Value[] {
  return columns.map((c) => (row[c.key] === undefined ? c.fallback : driverValue(c, row[c.key])));
}

/** The arguments of `where`. */
const keyOf = (id: string, within?: string): string[] => (within === undefined ? [id] : [id, within]);

/** Prepared writes over one connection. */
export class Statements {
  readonly #db: Database;
  readonly #tables = new Map<TableName, TableStatements>();
  readonly #puts = new Map<Upsert, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  #of(table: TableName): TableStatements {
    const known = this.#tables.get(table);
    if (known) return known;
    const made = this.#prepare(table);
    this.#tables.set(table, made);
    return made;
  }

  #prepare(table: TableName): TableStatements {
    const spec = tables[table];
    const name = getTableName(spec);
    const columns = Object.entries(getTableColumns(spec)).map(([key, column]) => ({
      key,
      column,
      fallback: (column.default ?? null) as Value,
      plain: column.mapToDriverValue === Column.prototype.mapToDriverValue,
      decode: decoder(column),
    }));
    const list = columns.map((c) => c.column.name).join(', ');
    const keyed = columns.map((c) => `${c.column.name} AS ${c.key}`).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const versioned = columns.some((c) => c.key === 'version');
    const version = versioned ? 'version' : '0 AS version';
    const within = withinColumn(table);
    const where = within === undefined ? 'id = ?' : `id = ? AND ${within} = ?`;
    return {
      name,
      columns,
      coded: columns.flatMap(({ key, decode }) => (decode ? [{ key, decode }] : [])),
      versioned,
      where,
      insert: this.#db.prepare(`INSERT INTO ${name} (${list}) VALUES (${marks}) ON CONFLICT DO NOTHING`),
      byId: this.#db.prepare(`SELECT ${keyed} FROM ${name} WHERE ${where}`),
      versionById: this.#db.prepare(`SELECT ${version} FROM ${name} WHERE ${where}`),
      removeById: this.#db.prepare(`DELETE FROM ${name} WHERE ${where}`),
      updates: new Map(),
    };
  }

  /** Inserts; false when a key was taken. */
  insert(table: TableName, row: Values): boolean {
    const s = this.#of(table);
    return s.insert.run(...rowValues(s, row)).changes > 0;
  }

  /** Inserts or updates a row. */
  put(upsert: Upsert, row: Values): void {
    const s = this.#of(upsert.table);
    let statement = this.#puts.get(upsert);
    if (!statement) {
      const moved = s.columns.filter((c) => upsert.moves.includes(c.key)).map((c) => c.column.name);
      const sets = moved.map((name) => `${name} = excluded.${name}`);
      if (s.versioned) sets.push('version = version + 1');
      const list = s.columns.map((c) => c.column.name).join(', ');
      const marks = s.columns.map(() => '?').join(', ');
      statement = this.#db.prepare(
        `INSERT INTO ${s.name} (${list}) VALUES (${marks}) ON CONFLICT (id) DO UPDATE SET ${sets.join(', ')}`,
      );
      this.#puts.set(upsert, statement);
    }
    statement.run(...rowValues(s, row));
  }

  /** The row's version (0 for a table without one), or null when it is gone. */
  version(table: TableName, id: string, within?: string): number | null {
    const row = this.#of(table).versionById.get(...keyOf(id, within)) as { version: number } | null;
    return row ? row.version : null;
  }

  /** The whole row in the shape that reads give, or null. */
  row(table: TableName, id: string, within?: string): Values | null {
    const s = this.#of(table);
    const raw = s.byId.get(...keyOf(id, within)) as Values | null;
    if (!raw) return null;
    // The driver's object is the row: only columns in another stored form are decoded.
    for (const { key, decode } of s.coded) {
      const value = raw[key];
      if (value !== null) raw[key] = decode(value);
    }
    return raw;
  }

  /** Sets columns of a row and moves its version on; false when the row (at that version, if given) is not there. */
  update(table: TableName, id: string, set: Values, version: number | null, within?: string): boolean {
    const s = this.#of(table);
    const values: Value[] = [];
    let key = version === null ? '' : 'v:';
    for (const c of s.columns) {
      const value = set[c.key];
      if (value === undefined) continue;
      key += `${c.key},`;
      values.push(driverValue(c, value));
    }
    // A row that is as it should be already: SQL has no update of nothing.
    if (values.length === 0 && !s.versioned) return s.byId.get(...keyOf(id, within)) !== null;
    let statement = s.updates.get(key);
    if (!statement) {
      const sets = s.columns.filter((c) => set[c.key] !== undefined).map((c) => `${c.column.name} = ?`);
      if (s.versioned) sets.push('version = version + 1');
      const where = version === null ? s.where : `${s.where} AND version = ?`;
      statement = this.#db.prepare(`UPDATE ${s.name} SET ${sets.join(', ')} WHERE ${where}`);
      s.updates.set(key, statement);
    }
    values.push(...keyOf(id, within));
    if (version !== null) values.push(version);
    return statement.run(...values).changes > 0;
  }

  /** Deletes by id, comparing the version if given; false when it was not there. */
  remove(table: TableName, id: string, version: number | null, within?: string): boolean {
    if (version !== null && this.version(table, id, within) !== version) return false;
    return this.#of(table).removeById.run(...keyOf(id, within)).changes > 0;
  }
}
