// What a database of an older version kept for repeated Idempotency-Keys goes on being replayed: the bodies that it kept are
// the values that are kept now, and their statuses become how each call ended.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../db/migrations/postgres.ts';
import { SQLITE_MIGRATIONS } from '../../db/migrations/sqlite.ts';
import { sharedPostgres } from '../support/postgres.ts';

type Run = (statement: string) => Promise<unknown> | unknown;
type Rows = (statement: string) => Promise<Record<string, unknown>[]> | Record<string, unknown>[];

const KEPT = /_kept_values$/;
const REFUSAL = '{"error":"handle_taken","message":"m","request_id":"r"}';
const RECEIPT = '{"receipt":true,"status":201,"message":"m"}';

/** All that came before the migration, applied and remembered. */
async function before(run: Run, migrations: typeof SQLITE_MIGRATIONS): Promise<void> {
  const at = migrations.findIndex(({ name }) => KEPT.test(name));
  expect(at).toBeGreaterThan(0);
  await run('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)');
  for (const { name, statements } of migrations.slice(0, at)) {
    for (const statement of statements) await run(statement);
    await run(`INSERT INTO migrations (name, applied_at) VALUES ('${name}', 0)`);
  }
}

/** Answers as the older version kept them. A refusal above 64 KiB was kept as a receipt, which says nothing of why. */
async function answers(run: Run): Promise<void> {
  for (const [id, status, body, sealed] of [
    ['a', 200, '{"ok":1}', 0],
    ['b', 201, 'g1.sealed', 1],
    ['c', 202, RECEIPT, 0],
    ['d', 409, REFUSAL, 0],
    ['e', 400, RECEIPT, 0],
  ]) {
    await run(
      `INSERT INTO idempotency (id, request_hash, status, headers, body, sealed, expires_at)
       VALUES ('${id}', 'h', ${status}, '{"X-Old":"1"}', '${body}', ${sealed}, 9)`,
    );
  }
}

async function check(rows: Rows): Promise<void> {
  const kept = await rows('SELECT * FROM idempotency ORDER BY id');
  const common = { request_hash: 'h', notes: '{}' };
  const plain = kept.map(({ sealed, expires_at, ...row }): Record<string, unknown> => {
    return { ...row, sealed: Number(sealed), expires_at: Number(expires_at) };
  });
  expect(plain).toEqual([
    { ...common, id: 'a', status: 'ok', value: '{"ok":1}', sealed: 0, expires_at: 9 },
    { ...common, id: 'b', status: 'created', value: 'g1.sealed', sealed: 1, expires_at: 9 },
    { ...common, id: 'c', status: 'accepted', value: RECEIPT, sealed: 0, expires_at: 9 },
    { ...common, id: 'd', status: 'refused', value: REFUSAL, sealed: 0, expires_at: 9 },
  ]);
}

test('SQLite', async () => {
  using db = new Database(':memory:');
  const run: Run = (statement) => db.run(statement);
  await before(run, SQLITE_MIGRATIONS);
  await answers(run);
  migrateSqlite(db, 0);
  await check((statement) => db.query(statement).all() as Record<string, unknown>[]);
});

const server = await sharedPostgres();

test.skipIf(server === null)('PostgreSQL', async () => {
  if (!server) return;
  const url = await server.database();
  await using pool = new Bun.SQL(url, { max: 1 });
  await before((statement) => pool.unsafe(statement), POSTGRES_MIGRATIONS);
  await answers((statement) => pool.unsafe(statement));
  await migratePostgres(pool, 0);
  await check((statement) => pool.unsafe(statement));
});
