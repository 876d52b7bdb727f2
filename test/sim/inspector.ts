// What the simulated service has really stored, beside what was answered: a second, read-only connection to its database.
import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { loadVec } from '../../db/sqlite/vec.ts';

export class Inspector {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Looks at the embedded database of a data folder. */
  static of(data_dir: string): Inspector {
    const db = new Database(join(data_dir, DATABASE_FILE), { readonly: true });
    loadVec(db, data_dir);
    return new Inspector(db);
  }

  /** What is looked at from here on is what is stored now; a connection of its own always shows that. */
  async refresh(): Promise<void> {}

  rows<T>(sql: string, ...args: SQLQueryBindings[]): T[] {
    return this.#db.query(sql).all(...args) as T[];
  }

  /** The first column of the first row as a number; 0 without a row. */
  number(sql: string, ...args: SQLQueryBindings[]): number {
    return Number(this.#db.query(sql).values(...args)[0]?.[0] ?? 0);
  }

  /** The first column of every row as text. */
  column(sql: string, ...args: SQLQueryBindings[]): string[] {
    return this.#db
      .query(sql)
      .values(...args)
      .map(([value]) => String(value));
  }

  /** Moves whenever another connection has committed anything. */
  version(): number {
    return this.number('PRAGMA data_version');
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
