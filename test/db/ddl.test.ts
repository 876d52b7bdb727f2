// Both engines' migrations make the same tables: columns in order, what may be empty, what stands by default, which keys
// and indexes there are, read off the databases themselves. Only what nodes need among themselves is PostgreSQL's alone.
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { type PgTable, getTableConfig as postgresConfig } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { clusterTables } from '../../db/schema/cluster-tables.ts';
import { withinColumn } from '../../db/schema/keys.ts';
import { tables as postgresSpec } from '../../db/schema/postgres.ts';
import { tables as sqliteSpec } from '../../db/schema/sqlite.ts';
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
/** PostgreSQL says `IN` in words of its own. */
const whereOf = (sql: string): string | null => {
  const said = sql.match(/ WHERE (.*)$/)?.[1]?.replace(/[()]|::text/g, '') ?? null;
  return said?.replace(/= ANY ARRAY\[(.*)\]/, 'IN $1') ?? null;
};
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
  const names: { relname: string }[] = await sql.unsafe(
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  for (const { relname: name } of names) {
    const columns: Record<string, string>[] = await sql.unsafe(
      `SELECT * FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
      [name],
    );
    const indexes: Record<string, string>[] = await sql.unsafe(
      "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = $1 AND indexname !~ '_pk(ey)?$'",
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

/** What the column spec says of tables, in the words of `Tables`; how types are called is the engine's business. */
function specTables(configs: readonly ReturnType<typeof sqliteConfig>[]): Tables {
  return Object.fromEntries(
    configs.map(({ name, columns, indexes }) => [
      name,
      {
        columns: columns.map((c) => ({
          name: c.name,
          type: kind(c.getSQLType().split(' ')[0] ?? ''),
          required: c.notNull || c.primary,
          fallback:
            c.default === undefined ? null : typeof c.default === 'string' ? `'${c.default}'` : String(c.default),
        })),
        indexes: indexes
          .map(({ config }) => ({
            name: config.name,
            columns: config.columns.map((c) => ('name' in c ? c.name : '')).join(','),
            unique: config.unique,
            where: config.where === undefined ? null : '',
          }))
          .sort(byName),
      },
    ]),
  );
}

/** The same tables without what the spec spells otherwise: later migrations add their columns at the end, and the condition
 * of a partial index is SQL on both sides. */
function unordered(tables: Tables): Tables {
  const bare = (index: Index): Index => ({ ...index, where: index.where === null ? null : '' });
  return Object.fromEntries(
    Object.entries(tables).map(([name, { columns, indexes }]) => [
      name,
      { columns: columns.toSorted(byName), indexes: indexes.map(bare) },
    ]),
  );
}

/** The names of columns that hold JSON, which nothing sorts by. */
function jsonColumns(configs: readonly ReturnType<typeof postgresConfig>[]): string[] {
  return configs.flatMap(({ columns }) => columns.filter((c) => c.getSQLType() === 'text').map((c) => c.name));
}

const GUARD = 'ledger_accounts_covered';
const FUNDED = "INSERT INTO ledger_accounts (id, balance_cents, postings) VALUES ('wallet:a', 7, 1)";
const OVERDRAW = "UPDATE ledger_accounts SET balance_cents = -1 WHERE id = 'wallet:a'";

const server = await sharedPostgres();

test('the migrations of SQLite say what the column spec says', () => {
  const { migrations: _own, ...made } = sqliteTables();
  expect(unordered(made)).toEqual(unordered(specTables(Object.values(sqliteSpec).map((table) => sqliteConfig(table)))));
});

test('SQLite guards balances by a rule of its own', () => {
  using db = new Database(':memory:');
  migrateSqlite(db, 1);
  db.run(FUNDED);
  expect(() => db.run(OVERDRAW)).toThrow(GUARD);
});

describe.skipIf(server === null)('the migrations of both engines', () => {
  test('say the same of every table', async () => {
    const url = (await server?.database()) ?? '';
    await using pool = new Bun.SQL(url);
    await migratePostgres(pool, 0);
    const {
      migrations: _ours,
      commits: _log,
      secrets: _kept,
      rates: _let,
      nodes: _serving,
      matching_requests: _asked,
      ...postgres
    } = await postgresTables(url);
    const { migrations: _theirs, ...sqlite } = sqliteTables();
    expect(Object.keys(postgres).length).toBeGreaterThan(20);
    expect(postgres).toEqual(sqlite);
  });

  test('say what the column spec says, text by its bytes, keys where they belong, and one rule besides', async () => {
    const url = (await server?.migrated()) ?? '';
    const { migrations: _own, ...made } = await postgresTables(url);
    const spec = [...Object.values(postgresSpec), ...Object.values(clusterTables)] as unknown as PgTable[];
    const configs = spec.map((table) => postgresConfig(table));
    // Both engines' tables are described in the same words, as far as they are used here.
    const described = specTables(configs as unknown as Parameters<typeof specTables>[0]);
    expect(unordered(made)).toEqual(unordered(described));
    await using sql = new Bun.SQL(url, { max: 1 });
    const strange: unknown[] = await sql.unsafe(
      `SELECT table_name, column_name, collation_name FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> 'migrations' AND data_type = 'text' AND column_name <> ALL($1::text[])
       AND collation_name IS DISTINCT FROM 'C'`,
      [`{${jsonColumns(configs).join(',')}}`],
    );
    expect([...strange]).toEqual([]);
    const rules: { relname: string; contype: string; columns: string }[] = await sql.unsafe(
      `SELECT relname, contype, pg_get_constraintdef(c.oid) AS columns FROM pg_constraint c
       JOIN pg_class t ON t.oid = conrelid
       WHERE connamespace = 'public'::regnamespace AND relname <> 'migrations' AND NOT relispartition`,
    );
    const keys = rules.map(({ relname, contype, columns }) => `${relname} ${contype} ${columns}`).sort();
    const wanted = Object.keys(described).map((name) => {
      const key = name === 'rates' ? 'caller, at, node' : [withinColumn(name), 'id'].filter(Boolean).join(', ');
      return `${name} p PRIMARY KEY (${key})`;
    });
    // Rules are ours to keep, before the database is asked; under money a second one stands.
    expect(keys).toEqual([...wanted, 'ledger_accounts c CHECK ((balance_cents >= 0))'].sort());
  });

  test('guard balances by a rule of their own', async () => {
    await using sql = new Bun.SQL((await server?.migrated()) ?? '', { max: 1 });
    await sql.unsafe(FUNDED);
    await expect(sql.unsafe(OVERDRAW).then(() => null)).rejects.toThrow(GUARD);
  });

  test('are applied once by nodes that start together', async () => {
    const url = (await server?.database()) ?? '';
    const pools = Array.from({ length: 4 }, () => new Bun.SQL(url, { max: 2 }));
    const applied = await Promise.all(pools.map((pool) => migratePostgres(pool, 0)));
    await Promise.all(pools.map((pool) => pool.close()));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  });
});
