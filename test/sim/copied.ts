// What a simulated service has stored in PostgreSQL, copied into tables in memory, so that the rules that are written for the
// embedded store judge the clustered one to the letter. A copy is one snapshot; it is as old as the last call of `refresh`.
import { Database } from 'bun:sqlite';
import type { SQL } from 'bun';
import { Inspector } from './inspector.ts';

interface Column {
  readonly relation: string;
  readonly name: string;
}

/** The columns of every table, without vectors, which no rule reads. */
const COLUMNS = `SELECT table_name AS relation, column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND data_type <> 'USER-DEFINED' ORDER BY table_name, ordinal_position`;

const quoted = (name: string): string => `"${name}"`;

export class CopiedInspector extends Inspector {
  readonly #memory: Database;
  readonly #pool: SQL;
  readonly #tables: ReadonlyMap<string, readonly string[]>;

  private constructor(memory: Database, pool: SQL, tables: ReadonlyMap<string, readonly string[]>) {
    super(memory);
    this.#memory = memory;
    this.#pool = pool;
    this.#tables = tables;
  }

  /** Looks at the tables of these names in a database. */
  static async ofDatabase(database_url: string, wanted: readonly string[]): Promise<CopiedInspector> {
    const pool = new Bun.SQL(database_url, { max: 1, idleTimeout: 0 });
    const memory = new Database(':memory:');
    const tables = new Map<string, string[]>();
    const columns: Column[] = await pool.unsafe(COLUMNS);
    for (const { relation, name } of columns) {
      if (wanted.includes(relation)) tables.set(relation, [...(tables.get(relation) ?? []), name]);
    }
    for (const [table, names] of tables) memory.run(`CREATE TABLE ${table} (${names.map(quoted).join(', ')})`);
    const copied = new CopiedInspector(memory, pool, tables);
    await copied.refresh();
    return copied;
  }

  /** Takes all rows anew. They come as JSON, by which numbers, truths and documents are stored as the embedded store has them. */
  override async refresh(): Promise<void> {
    const each = [...this.#tables.keys()].map(
      (table) => `(SELECT coalesce(json_agg(r), '[]') FROM ${table} r)::text AS ${table}`,
    );
    const [found]: Record<string, string>[] = await this.#pool.unsafe(`SELECT ${each.join(', ')}`);
    this.#memory.transaction(() => {
      for (const [table, names] of this.#tables) {
        const values = names.map((name) => `value ->> '$.${quoted(name)}'`).join(', ');
        this.#memory.run(`DELETE FROM ${table}`);
        this.#memory.run(`INSERT INTO ${table} SELECT ${values} FROM json_each(?)`, [found?.[table] ?? '[]']);
      }
    })();
  }

  override async close(): Promise<void> {
    await this.#pool.close();
    await super.close();
  }
}
