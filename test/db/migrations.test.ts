// Migrations of this test's own, since today's may be taken together into one: a start that dies anywhere in the middle of them
// is followed by one that goes on, and a database of a newer version is refused.
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { migratePostgres, type Transacting } from '../../db/migrations/migrate-postgres.ts';
import { pendingOf } from '../../db/migrations/pending.ts';
import type { Migration } from '../../db/migrations/steps.ts';
import type { Connection } from '../../db/postgres/connection.ts';
import { PARTS } from '../../db/schema/keys.ts';
import { sharedPostgres } from '../support/postgres.ts';

const FIRST: Migration = {
  name: '0000_first',
  statements: [
    'CREATE TABLE listing_vectors (id text PRIMARY KEY)',
    'CREATE TABLE goods (id text PRIMARY KEY, label text)',
  ],
};
const GOODS = "INSERT INTO goods (id, label) VALUES ('a', 'x'), ('b', 'x'), ('c', 'y'), ('d', 'z'), ('e', 'z')";
const SECOND: Migration = {
  name: '0001_priced',
  statements: [
    'CREATE INDEX goods_label ON goods (label)',
    'ALTER TABLE goods ADD price bigint',
    'CREATE TABLE offers (id text PRIMARY KEY, good text)',
    'CREATE INDEX offers_good ON offers (good)',
    '-- in slices\nUPDATE goods SET price = 7 WHERE id IN (SELECT id FROM goods WHERE price IS NULL LIMIT 2)',
    'CREATE UNIQUE INDEX goods_price ON goods (price, id)',
  ],
};
const ALL = [FIRST, SECOND];

test('SQLite fills a column slice by slice, and applies each once', () => {
  using db = new Database(':memory:');
  migrateSqlite(db, 0, [FIRST]);
  db.run(GOODS);
  expect([migrateSqlite(db, 1, ALL), migrateSqlite(db, 2, ALL)]).toEqual([['0001_priced'], []]);
  expect(db.query('SELECT count(*) FROM goods WHERE price = 7').values()).toEqual([[5]]);
});

test('SQLite refuses a database of a newer version by the names of its migrations', () => {
  using db = new Database(':memory:');
  migrateSqlite(db, 0, ALL);
  expect(() => migrateSqlite(db, 1, [FIRST])).toThrow(/changed by another build of version .* \(0001_priced\)/);
});

test('what a start would apply is told before: its statements, the tables that it rewrites, who can serve beside it', () => {
  const rebuilt: Migration = {
    name: '0002_rebuilt',
    oldest: '0.2.0',
    statements: ['CREATE TABLE `__new_goods` (id text)', 'ALTER TABLE offers ADD note text'],
  };
  expect(pendingOf([{ name: '0000_first' }], [...ALL, rebuilt])).toEqual([
    { name: '0001_priced', oldest: null, statements: 6, rewritten: ['goods'], indexes: 2 },
    { name: '0002_rebuilt', oldest: '0.2.0', statements: 2, rewritten: ['goods'], indexes: 0 },
  ]);
  expect(() => pendingOf([{ name: '0009_newer', release: '0.3.0' }], ALL)).toThrow(/version 0\.3\.0 \(0009_newer\)/);
  expect(() => pendingOf([{ name: '0009_newer' }], ALL)).toThrow(/another version \(0009_newer\)/);
});

const server = await sharedPostgres();

class Crash extends Error {}

/** A pool that dies before a statement, counted from the first. */
function dyingPool(sql: Bun.SQL, at: number): Transacting & { readonly said: string[] } {
  const said: string[] = [];
  const dying = (connection: Connection): Connection => ({
    unsafe: async (text, values) => {
      if (said.length === at) throw new Crash();
      said.push(text);
      return connection.unsafe(text, values);
    },
  });
  // Bun's types want a list that it might change.
  const pool = dying(sql as unknown as Connection);
  return { ...pool, said, begin: (work) => sql.begin((own) => work(dying(own as unknown as Connection))) as never };
}

describe.skipIf(server === null)('PostgreSQL', () => {
  const opened = async (): Promise<Bun.SQL> => new Bun.SQL((await server?.database()) ?? '', { max: 2 });

  const state = async (sql: Bun.SQL): Promise<unknown> => {
    const [goods] = await sql.unsafe('SELECT count(*)::int AS n FROM goods WHERE price = 7');
    const indexes = await sql.unsafe(
      "SELECT relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relname ~ '^(goods|offers)_' AND indisvalid ORDER BY 1",
    );
    const names = await sql.unsafe('SELECT name FROM migrations ORDER BY name');
    return [
      goods.n,
      indexes.map(({ relname }: { relname: string }) => relname),
      names.map((r: { name: string }) => r.name),
    ];
  };
  const DONE = [
    5,
    ['goods_label', 'goods_pkey', 'goods_price', 'offers_good', 'offers_pkey'],
    ['0000_first', '0001_priced', 'lock'],
  ];

  test('goes on after a start that died before any of its statements', async () => {
    for (let at = 0, died = true; died; at++) {
      await using sql = await opened();
      await migratePostgres(sql as unknown as Transacting, 0, [FIRST]);
      await sql.unsafe(GOODS);
      const pool = dyingPool(sql, at);
      died = await migratePostgres(pool, 1, ALL).then(
        () => false,
        (error: unknown) => error instanceof Crash,
      );
      expect([at, died ? await migratePostgres(sql as unknown as Transacting, 2, ALL) : []]).toEqual([
        at,
        died ? expect.any(Array) : [],
      ]);
      expect([at, await state(sql)]).toEqual([at, DONE]);
      if (!died) expect(pool.said.filter((text) => text.includes('INDEX CONCURRENTLY'))).toHaveLength(2);
    }
  }, 120_000);

  test('drops what an earlier start left of an index, and builds it whole', async () => {
    await using sql = await opened();
    await migratePostgres(sql as unknown as Transacting, 0, [FIRST]);
    await sql.unsafe("INSERT INTO goods (id, label) VALUES ('a', 'x'), ('b', 'x')");
    const unique = { name: '0001_unique', statements: ['CREATE UNIQUE INDEX goods_label ON goods (label)'] };
    const start = (): Promise<string[]> => migratePostgres(sql as unknown as Transacting, 1, [FIRST, unique]);
    await expect(start()).rejects.toThrow(/could not create unique index/);
    await sql.unsafe("UPDATE goods SET label = 'y' WHERE id = 'b'");
    expect(await start()).toEqual(['0001_unique']);
    const [index] = await sql.unsafe("SELECT indisvalid FROM pg_index WHERE indexrelid = 'goods_label'::regclass");
    expect(index.indisvalid).toBe(true);
  });

  test('repeats a step that fell into a deadlock with what a node writes', async () => {
    const url = (await server?.database()) ?? '';
    await using sql = new Bun.SQL(url, { max: 2 });
    await using writer = new Bun.SQL(url, { max: 1 });
    await migratePostgres(sql as unknown as Transacting, 0, [FIRST]);
    const noted = {
      name: '0001_noted',
      statements: ['ALTER TABLE listing_vectors ADD note text', 'ALTER TABLE goods ADD note text'],
    };
    const migrating: Promise<string[]>[] = [];
    const written = writer.begin(async (transaction) => {
      await transaction.unsafe("INSERT INTO goods (id) VALUES ('a')");
      migrating.push(migratePostgres(sql as unknown as Transacting, 1, [FIRST, noted]));
      migrating[0]?.catch(() => {});
      const waits = "SELECT 1 FROM pg_locks WHERE relation = 'goods'::regclass AND NOT granted";
      while ((await transaction.unsafe(waits)).length === 0) await Bun.sleep(5);
      await transaction.unsafe("INSERT INTO listing_vectors (id) VALUES ('a')");
    });
    // The server ends the one that has waited longer: the migration, unless the machine is busy.
    await written.catch(() => {});
    expect(await Promise.all(migrating)).toEqual([['0001_noted']]);
  });

  test('builds the index of a table in parts part by part', async () => {
    await using sql = await opened();
    const parts = Array.from({ length: PARTS }, (_, part) => {
      return `CREATE TABLE "idempotency_${part}" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS ${PARTS}, REMAINDER ${part})`;
    });
    const made = ['CREATE TABLE "idempotency" (id text PRIMARY KEY, label text) PARTITION BY HASH (id)', ...parts];
    const first = { name: '0000_first', statements: [...FIRST.statements, ...made] };
    const index = { name: '0001_index', statements: ['CREATE INDEX "told" ON "idempotency" USING btree ("label")'] };
    await migratePostgres(sql as unknown as Transacting, 0, [first]);
    const pool = dyingPool(sql, Number.POSITIVE_INFINITY);
    expect(await migratePostgres(pool, 1, [first, index])).toEqual(['0001_index']);
    expect(pool.said.filter((text) => text.includes('INDEX CONCURRENTLY'))).toHaveLength(PARTS);
    const [{ n }] = await sql.unsafe("SELECT count(*)::int AS n FROM pg_inherits WHERE inhparent = 'told'::regclass");
    expect(n).toBe(PARTS);
  });

  test('refuses while a node serves that is older than the migration has room for, unless that is told', async () => {
    await using sql = await opened();
    const start = (all: readonly Migration[], told = false): Promise<string[]> =>
      migratePostgres(sql as unknown as Transacting, 0, all, told);
    const nodes = 'CREATE TABLE nodes (id text PRIMARY KEY, version text NOT NULL, expires_at bigint NOT NULL)';
    await start([{ ...FIRST, statements: [...FIRST.statements, nodes] }]);
    const serves = "INSERT INTO nodes VALUES ('gone', '0.1.0', 0), ('serving', '0.9.1', 9e15)";
    await sql.unsafe(serves);
    const with_room = { name: '0001_room', oldest: '0.9.0', statements: ['CREATE TABLE room (id text)'] };
    expect(await start([FIRST, with_room])).toEqual(['0001_room']);
    const without = { name: '0002_none', oldest: '0.10.0', statements: ['CREATE TABLE none (id text)'] };
    await expect(start([FIRST, with_room, without])).rejects.toThrow(
      /a node of release 0\.9\.1 serves it, and 0002_none needs 0\.10\.0 or later: .*--while-older-nodes-run/,
    );
    expect(await start([FIRST, with_room, without], true)).toEqual(['0002_none']);
  });

  test('refuses a database of a newer version, and not one whose migration is half done', async () => {
    await using sql = await opened();
    const start = (all: readonly Migration[]): Promise<string[]> =>
      migratePostgres(sql as unknown as Transacting, 0, all);
    await start([FIRST]);
    await sql.unsafe("INSERT INTO migrations (name, applied_at) VALUES ('0001_priced:0', 0)");
    await expect(start([FIRST])).rejects.toThrow(/another version \(0001_priced:0\)/);
    expect(await start(ALL)).toEqual(['0001_priced']);
    await expect(start([FIRST])).rejects.toThrow(/changed by another build of version .* \(0001_priced\)/);
  });
});
