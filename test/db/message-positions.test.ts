// A database from before messages had places in their threads gets them by its migration, in the order in which its pages
// have been read: so every cursor that a client still holds stays where it was.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../db/migrations/postgres.ts';
import { SQLITE_MIGRATIONS } from '../../db/migrations/sqlite.ts';
import { sharedPostgres } from '../support/postgres.ts';

type Run = (statement: string) => Promise<unknown> | unknown;
type Rows = (statement: string) => Promise<Record<string, unknown>[]> | Record<string, unknown>[];

const PLACED = /_message_places$/;

/** All that came before the migration, applied and remembered. */
async function before(run: Run, migrations: typeof SQLITE_MIGRATIONS): Promise<void> {
  const at = migrations.findIndex(({ name }) => PLACED.test(name));
  expect(at).toBeGreaterThan(0);
  await run('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)');
  for (const { name, statements } of migrations.slice(0, at)) {
    for (const statement of statements) await run(statement);
    await run(`INSERT INTO migrations (name, applied_at) VALUES ('${name}', 0)`);
  }
}

/** Two threads with messages that were stored in another order than their ids have, and an empty one. */
async function threads(run: Run): Promise<void> {
  for (const id of ['a', 'b', 'empty']) {
    await run(
      `INSERT INTO conversations (id, opener_id, other_id, phase, status, subject, created_at, updated_at, version)
       VALUES ('${id}', 'x', 'y', 'qualification', 'open', '', 1, 1, 1)`,
    );
  }
  for (const [id, thread] of [
    ['m3', 'a'],
    ['m1', 'b'],
    ['m2', 'a'],
    ['m5', 'b'],
    ['m4', 'a'],
  ]) {
    await run(
      `INSERT INTO messages (id, conversation_id, sender_id, sender_handle, kind, content, created_at)
       VALUES ('${id}', '${thread}', 'x', 'x', 'text', '', 1)`,
    );
  }
}

async function check(rows: Rows): Promise<void> {
  const messages = await rows('SELECT id, conversation_id, n FROM messages ORDER BY id');
  expect(messages.map(({ id, conversation_id, n }) => [id, conversation_id, Number(n)])).toEqual([
    ['m1', 'b', 1],
    ['m2', 'a', 1],
    ['m3', 'a', 2],
    ['m4', 'a', 3],
    ['m5', 'b', 2],
  ]);
  const heads = await rows('SELECT id, last_n FROM conversations ORDER BY id');
  expect(heads.map(({ id, last_n }) => [id, Number(last_n)])).toEqual([
    ['a', 3],
    ['b', 2],
    ['empty', 0],
  ]);
}

test('SQLite', async () => {
  using db = new Database(':memory:');
  const run: Run = (statement) => db.run(statement);
  await before(run, SQLITE_MIGRATIONS);
  await threads(run);
  migrateSqlite(db, 0);
  await check((statement) => db.query(statement).all() as Record<string, unknown>[]);
});

const server = await sharedPostgres();

test.skipIf(server === null)('PostgreSQL', async () => {
  if (!server) return;
  const url = await server.database();
  await using pool = new Bun.SQL(url, { max: 1 });
  await before((statement) => pool.unsafe(statement), POSTGRES_MIGRATIONS);
  await threads((statement) => pool.unsafe(statement));
  await migratePostgres(pool, 0);
  await check((statement) => pool.unsafe(statement));
});
