// The numbers last given by heads (an inbox's last seq), cached by the store because any agent's turn may append to any
// inbox. A head is written once per group commit; a turn that is rolled back gives its numbers back.
import type { Database, Statement } from 'bun:sqlite';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { Head } from '../rows.ts';
import { tables } from '../schema/sqlite.ts';

/** Enough for every agent that is active at once; all are forgotten beyond it, and read again when needed. */
const HEADS_MAX = 200_000;

interface Kept {
  readonly last: Map<string, number>;
  readonly dirty: Set<string>;
  readonly select: Statement;
  readonly update: Statement;
  readonly put: Statement;
}

export class Heads {
  readonly #db: Database;
  readonly #kept = new Map<Head, Kept>();
  #undo: { readonly last: Map<string, number>; readonly id: string; readonly n: number }[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  #of(head: Head): Kept {
    const known = this.#kept.get(head);
    if (known) return known;
    const table = getTableName(tables[head.table]);
    const columns: Record<string, { readonly name: string }> = getTableColumns(tables[head.table]);
    const named = (key: string): string => {
      const name = columns[key]?.name;
      if (name === undefined) throw new Error(`${table} has no column ${key}`);
      return name;
    };
    const column = named(head.column);
    const flag = head.raises === undefined ? null : named(head.raises);
    const made: Kept = {
      last: new Map(),
      dirty: new Set(),
      select: this.#db.prepare(`SELECT ${column} AS n FROM ${table} WHERE id = ?`),
      // A flag that is up already is left alone: SQLite writes the index of a column that is set, even to what it is.
      update: this.#db.prepare(`UPDATE ${table} SET ${column} = ?2 WHERE id = ?1${flag ? ` AND ${flag} = 1` : ''}`),
      put: this.#db.prepare(
        flag
          ? `INSERT INTO ${table} (id, ${column}, ${flag}) VALUES (?1, ?2, 1)
             ON CONFLICT (id) DO UPDATE SET ${column} = ?2, ${flag} = 1`
          : `INSERT INTO ${table} (id, ${column}) VALUES (?1, ?2)`,
      ),
    };
    this.#kept.set(head, made);
    return made;
  }

  /** The next number: 1, 2, 3 … without a gap. */
  next(head: Head, id: string): number {
    const { last, dirty, select } = this.#of(head);
    let n = last.get(id);
    if (n === undefined) n = (select.get(id) as { n: number } | null)?.n ?? 0;
    this.#undo.push({ last, id, n });
    last.set(id, n + 1);
    dirty.add(id);
    return n + 1;
  }

  /** Keeps a successful turn's numbers. */
  keep(): void {
    this.#undo = [];
  }

  /** A turn was rolled back: its numbers are free again. */
  rollback(): void {
    for (const { last, id, n } of this.#undo.reverse()) last.set(id, n);
    this.#undo = [];
  }

  /** Writes the heads that this group moved; runs inside its transaction. */
  flush(): void {
    for (const { last, dirty, update, put } of this.#kept.values()) {
      for (const id of dirty) {
        const n = last.get(id) ?? 0;
        if (update.run(id, n).changes === 0) put.run(id, n);
      }
      dirty.clear();
      if (last.size > HEADS_MAX) last.clear();
    }
  }

  /** A failed group: nothing cached may be believed. */
  drop(): void {
    for (const { last, dirty } of this.#kept.values()) {
      last.clear();
      dirty.clear();
    }
    this.#undo = [];
  }
}
