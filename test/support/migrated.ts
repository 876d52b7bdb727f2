// A database of an older version, filled as that version did and then brought up to date: on both engines.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../db/migrations/postgres.ts';
import { SQLITE_MIGRATIONS } from '../../db/migrations/sqlite.ts';
import { sharedPostgres } from './postgres.ts';

export type Run = (statement: string) => Promise<unknown> | unknown;
export type Rows = (statement: string) => Promise<Record<string, unknown>[]> | Record<string, unknown>[];

/** All that came before the migration, applied and remembered. */
async function applyBefore(migration: string, run: Run, migrations: typeof SQLITE_MIGRATIONS): Promise<void> {
  const at = migrations.findIndex(({ name }) => name === migration);
  expect(at).toBeGreaterThan(0);
  await run('CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)');
  for (const { name, statements } of migrations.slice(0, at)) {
    for (const statement of statements) await run(statement);
    await run(`INSERT INTO migrations (name, applied_at) VALUES ('${name}', 0)`);
  }
}

const server = await sharedPostgres();

/** Tests that what `fill` puts into a database from before a migration is what `check` asks for after all of them. */
export function testMigration(
  migration: string,
  fill: (run: Run) => Promise<void>,
  check: (rows: Rows) => Promise<void>,
): void {
  test('SQLite', async () => {
    using db = new Database(':memory:');
    const run: Run = (statement) => db.run(statement);
    await applyBefore(migration, run, SQLITE_MIGRATIONS);
    await fill(run);
    migrateSqlite(db, 0);
    await check((statement) => db.query(statement).all() as Record<string, unknown>[]);
  });

  test.skipIf(server === null)('PostgreSQL', async () => {
    if (!server) return;
    const url = await server.database();
    await using pool = new Bun.SQL(url, { max: 2 });
    const run: Run = (statement) => pool.unsafe(statement);
    await applyBefore(migration, run, POSTGRES_MIGRATIONS);
    await fill(run);
    await migratePostgres(pool, 0);
    await check((statement) => pool.unsafe(statement));
  });
}
