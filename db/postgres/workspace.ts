// The rows of one commit batch in memory: the locked rows and the turns' changes. A dropped turn reverts its changes, so that the
// next one sees only what will be committed.

import type { Effect } from '../effects.ts';
import type { Values } from '../rows.ts';
import { withinOf } from '../schema/keys.ts';
import type { TableName } from '../schema/tables.ts';
import { complete, shapeOf } from './shapes.ts';

export interface WorkingRow {
  readonly table: TableName;
  readonly id: string;
  /** Its parent, if that is part of its key. */
  readonly within: string | undefined;
  /** Null once removed. */
  readonly row: Values | null;
  /** Whether the database has the row. */
  readonly stored: boolean;
  /** Columns that differ from the stored row. */
  readonly changed: ReadonlySet<string>;
  /** The effect that inserted the row, if the database may still report a taken key. */
  readonly effect: Effect | null;
  /** The turns that changed it. */
  readonly turns: ReadonlySet<number>;
}

const keyOf = (table: TableName, id: string): string => `${table}:${id}`;
const NONE: ReadonlySet<never> = new Set();

export class Workspace {
  readonly #stored = new Map<string, WorkingRow>();
  #entries = new Map<string, WorkingRow>();
  /** Versions of rows that are only checked, not locked. */
  readonly #versions = new Map<string, number>();
  #undo: { readonly key: string; readonly before: WorkingRow | undefined }[] = [];
  #turn = 0;

  /** Takes in a row that was locked. */
  load(table: TableName, id: string, row: Values): void {
    const within = withinOf(table, row);
    const entry: WorkingRow = { table, id, within, row, stored: true, changed: NONE, effect: null, turns: NONE };
    this.#stored.set(keyOf(table, id), entry);
  }

  noteVersion(table: TableName, id: string, version: number): void {
    this.#versions.set(keyOf(table, id), version);
  }

  /** Forgets all changes. */
  restart(): void {
    this.#entries = new Map();
    this.#undo = [];
  }

  begin(turn: number): void {
    this.#turn = turn;
    this.#undo = [];
  }

  /** Takes the present turn's changes back. */
  rollback(): void {
    for (const { key, before } of this.#undo.reverse()) {
      if (before) this.#entries.set(key, before);
      else this.#entries.delete(key);
    }
    this.#undo = [];
  }

  #entry(table: TableName, id: string): WorkingRow | undefined {
    const key = keyOf(table, id);
    return this.#entries.get(key) ?? this.#stored.get(key);
  }

  /** The current row, or null. */
  row(table: TableName, id: string): Values | null {
    return this.#entry(table, id)?.row ?? null;
  }

  /** The row's version (0 for a table without one), or null when it is not there. */
  version(table: TableName, id: string): number | null {
    const entry = this.#entry(table, id);
    if (!entry) return this.#versions.get(keyOf(table, id)) ?? null;
    return entry.row && Number(entry.row.version ?? 0);
  }

  /** Puts a row in; false when its id is known to be taken. */
  insert(table: TableName, row: Values, effect: Effect | null): boolean {
    const id = String(row.id);
    const before = this.#entry(table, id);
    if (before?.row) return false;
    const shape = shapeOf(table);
    const whole = complete(shape, row);
    const changed = before?.stored ? new Set(Object.keys(whole)) : NONE;
    const stored = before?.stored ?? false;
    const within = withinOf(table, row);
    this.#set({ table, id, within, row: whole, stored, changed, effect, turns: this.#by(before) });
    return true;
  }

  /** Sets columns and moves the version; false when there is no such row. */
  update(table: TableName, id: string, set: Values): boolean {
    const before = this.#entry(table, id);
    if (!before?.row) return false;
    const row = { ...before.row };
    const changed = new Set(before.changed);
    for (const { key } of shapeOf(table).columns) {
      if (set[key] === undefined || key === 'id') continue;
      row[key] = set[key];
      changed.add(key);
    }
    if (shapeOf(table).versioned) {
      row.version = Number(row.version) + 1;
      changed.add('version');
    }
    this.#set({ ...before, row, changed, turns: this.#by(before) });
    return true;
  }

  /** Takes a row out; false when it was not there. */
  remove(table: TableName, id: string): boolean {
    const before = this.#entry(table, id);
    if (!before?.row) return false;
    this.#set({ ...before, row: null, effect: null, turns: this.#by(before) });
    return true;
  }

  /** All rows of a table that are in the workspace. */
  *rows(table: TableName): Iterable<Values> {
    for (const [key, stored] of this.#stored) {
      if (stored.table === table && stored.row && !this.#entries.has(key)) yield stored.row;
    }
    for (const entry of this.#entries.values()) if (entry.table === table && entry.row) yield entry.row;
  }

  /** The rows to write, in the order of their first use by the turns. */
  changes(): Iterable<WorkingRow> {
    return this.#entries.values();
  }

  /** Most rows are one turn's alone. */
  #alone: ReadonlySet<number> = NONE;

  #by(before: WorkingRow | undefined): ReadonlySet<number> {
    const turns = before?.turns ?? NONE;
    if (turns.has(this.#turn)) return turns;
    if (turns.size > 0) return new Set(turns).add(this.#turn);
    if (!this.#alone.has(this.#turn)) this.#alone = new Set([this.#turn]);
    return this.#alone;
  }

  #set(entry: WorkingRow): void {
    const key = keyOf(entry.table, entry.id);
    this.#undo.push({ key, before: this.#entries.get(key) });
    this.#entries.set(key, entry);
  }
}
