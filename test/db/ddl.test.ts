// Both engines' migrations make the same tables: columns in order, what may be empty, what stands by default, which keys
// and indexes there are, read off the databases themselves. Only what nodes need among themselves is PostgreSQL's alone.
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { sharedPostgres } from '../support/postgres.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly fallback: string | null;
}
interface Index {
  readonly name: string;
  readonly columns: string;
  readonly unique: boolean;
  readonly where: string | null;
}
type Tables = Record<string, { readonly columns: readonly Column[]; readonly indexes: readonly Index[] }>;

const KINDS: Readonly<Record<string, string>> = {
  integer: 'int',
  bigint: 'int',
  blob: 'bytes',
  bytea: 'bytes',
  text: 'text',
};
const kind = (type: string): string => KINDS[type.toLowerCase()] ?? type;
const fallbackOf = (text: string | null): string | null => text?.replace(/::\w+$/, '') ?? null;
/** `WHERE (awaiting = 1)` and `WHERE awaiting = 1` are one. */
const whereOf = (sql: string): string | null => sql.match(/ WHERE (.*)$/)?.[1]?.replace(/[()]/g, '') ?? null;
const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

function sqliteTables(): Tables {
  const db = new Database(':memory:');
  migrateSqlite(db, 0);
  const rows = <T>(sql: string, ...values: string[]): T[] => db.query(sql).all(...values) as T[];
  const tables: Tables = {};
  for (const { name } of rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
    const columns = rows<{ name: string; type: string; notnull: number; dflt_value: string | null }>(
      `SELECT * FROM pragma_table_info('${name}') ORDER BY cid`,
    ).map((c) => ({ name: c.name, type: kind(c.type), required: c.notnull === 1, fallback: fallbackOf(c.dflt_value) }));
    const indexes = rows<{ name: string; sql: string; uniq: number }>(
      `SELECT l.name, s.sql, l."unique" AS uniq FROM pragma_index_list('${name}') l JOIN sqlite_schema s ON s.name = l.name
       WHERE s.sql IS NOT NULL`,
    ).map((i) => ({
      name: i.name,
      columns: rows<{ name: string }>(`SELECT name FROM pragma_index_info('${i.name}') ORDER BY seqno`)
        .map((c) => c.name)
        .join(','),
      unique: i.uniq === 1,
      where: whereOf(i.sql),
    }));
    tables[name] = { columns, indexes: indexes.sort(byName) };
  }
  db.close();
  return tables;
}

async function postgresTables(url: string): Promise<Tables> {
  await using sql = new Bun.SQL(url, { max: 1 });
  const tables: Tables = {};
  for (const { tablename: name } of await sql.unsafe("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) {
    const columns: Record<string, string>[] = await sql.unsafe(
      'SELECT * FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position',
      [name],
    );
    const indexes: Record<string, string>[] = await sql.unsafe(
      "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = $1 AND indexname NOT LIKE '%_pkey'",
      [name],
    );
    tables[name] = {
      columns: columns.map((c) => ({
        name: c.column_name ?? '',
        type: kind(c.data_type ?? ''),
        required: c.is_nullable === 'NO',
        fallback: fallbackOf(c.column_default ?? null),
      })),
      indexes: indexes
        .map(({ indexname = '', indexdef = '' }) => ({
          name: indexname,
          columns: indexdef.match(/btree \(([^)]*)\)/)?.[1]?.replaceAll(' ', '') ?? '',
          unique: indexdef.startsWith('CREATE UNIQUE'),
          where: whereOf(indexdef),
        }))
        .sort(byName),
    };
  }
  return tables;
}

const server = await sharedPostgres();

describe.skipIf(server === null)('the migrations of both engines', () => {
  test('say the same of every table', async () => {
    const url = (await server?.database()) ?? '';
    await using pool = new Bun.SQL(url);
    await migratePostgres(pool, 0);
    const { migrations: _ours, commits: _log, secrets: _kept, rates: _let, ...postgres } = await postgresTables(url);
    const { migrations: _theirs, ...sqlite } = sqliteTables();
    expect(Object.keys(postgres).length).toBeGreaterThan(20);
    expect(postgres).toEqual(sqlite);
  });

  test('are applied once by nodes that start together', async () => {
    const url = (await server?.database()) ?? '';
    const pools = Array.from({ length: 4 }, () => new Bun.SQL(url, { max: 1 }));
    const applied = await Promise.all(pools.map((pool) => migratePostgres(pool, 0)));
    await Promise.all(pools.map((pool) => pool.close()));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  });
});
