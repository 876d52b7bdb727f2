// A second, read-only connection to the simulated service's database: what is really stored, beside what was answered.
import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { loadVec } from '../../db/sqlite/vec.ts';

export class Inspector {
  readonly #db: Database;

  constructor(data_dir: string) {
    this.#db = new Database(join(data_dir, DATABASE_FILE), { readonly: true });
    loadVec(this.#db);
  }

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

  close(): void {
    this.#db.close();
  }
}
