// The store under the scenarios: embedded, or with TEST_STORE=postgres the clustered one, on a server of the tests' own.

import { Database } from 'bun:sqlite';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQL } from 'bun';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import type { Patience } from '../../db/postgres/silence.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { isHeld } from '../../db/sqlite/hold.ts';
import { openSqliteStore, type SqliteOptions } from '../../db/sqlite/sqlite-store.ts';
import type { Role, Store } from '../../db/store.ts';
import { type Pooler, startPgbouncer } from './postgres/pgbouncer.ts';
import { onPostgres, type PostgresServer, sharedPostgres } from './postgres.ts';
import { until } from './until.ts';

/** The databases of the data folders, so that a service that is opened again on one finds what it left. */
const databases = new Map<string, string>();
/** Connections that look past the store. */
const onlookers = new Map<string, SQL>();

async function server(): Promise<PostgresServer> {
  const started = await sharedPostgres();
  if (!started) throw new Error('TEST_STORE=postgres is set, and there is no PostgreSQL');
  return started;
}

/** Whether the scenarios on PostgreSQL go through PgBouncer. */
const pooled = process.env['TEST_POOLER'] === '1';
let pooler: Promise<Pooler> | null = null;

/** How a store reaches a database of the shared server. */
async function addressOf(url: string): Promise<{ url: string; direct_url?: string }> {
  if (!pooled) return { url };
  pooler ??= startPgbouncer(url);
  const through = new URL((await pooler).url);
  through.pathname = new URL(url).pathname;
  return { url: through.href, direct_url: url };
}

let template: Uint8Array | null = null;

/** A file with every migration: running them takes longer than many a test. */
function migrated(): Uint8Array {
  if (template) return template;
  using db = new Database(':memory:');
  db.transaction(() => migrateSqlite(db, 0))();
  template = db.serialize();
  return template;
}

export interface StoreOptions extends SqliteOptions {
  /** A database that others use as well. */
  readonly database_url: string | undefined;
  /** How long that database may keep silent. */
  readonly patience?: Patience;
  readonly role?: Role;
}

/** Opens the store of a data folder, an empty one when the folder is new. */
export async function openStore({ database_url, ...options }: StoreOptions): Promise<Store> {
  if (database_url !== undefined) return openPostgresStore({ ...options, url: database_url });
  const { data_dir } = options;
  if (!onPostgres) {
    const file = join(data_dir, DATABASE_FILE);
    if (!existsSync(file)) writeFileSync(file, migrated());
    return openSqliteStore(options);
  }
  const shared = await server();
  const url = databases.get(data_dir) ?? (await shared.migrated());
  databases.set(data_dir, url);
  return openPostgresStore({ ...options, ...(await addressOf(url)), kept: shared.kept(url) });
}

/** The database of the folder of a service that was opened on PostgreSQL. */
export function databaseOf(data_dir: string): string | undefined {
  return databases.get(data_dir);
}

/** Forgets what was stored for a data folder that is removed; the store must be closed. */
export async function dropStore(data_dir: string): Promise<void> {
  const url = databases.get(data_dir);
  databases.delete(data_dir);
  await onlookers.get(data_dir)?.close();
  onlookers.delete(data_dir);
  if (url) await (await server()).giveBack(url);
}

/** What is really stored for a data folder, past the store, by a statement that both engines take. Numbers are numbers. */
export async function readStoredRows(data_dir: string, statement: string): Promise<Record<string, unknown>[]> {
  const url = databases.get(data_dir);
  if (!url) {
    using db = new Database(join(data_dir, DATABASE_FILE), { readonly: true });
    return db.query(statement).all() as Record<string, unknown>[];
  }
  const onlooker = onlookers.get(data_dir) ?? new Bun.SQL(url, { max: 1, bigint: true, idleTimeout: 0 });
  onlookers.set(data_dir, onlooker);
  const rows: Record<string, unknown>[] = await onlooker.unsafe(statement);
  const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
}

/** The same of many statements, looked at through one connection: what opens a file reads its whole schema. */
export async function readStoredTables(
  data_dir: string,
  statements: readonly string[],
): Promise<Record<string, unknown>[][]> {
  if (databases.has(data_dir)) return Promise.all(statements.map((statement) => readStoredRows(data_dir, statement)));
  using db = new Database(join(data_dir, DATABASE_FILE), { readonly: true });
  return statements.map((statement) => db.query(statement).all() as Record<string, unknown>[]);
}

/** Alters what is stored for a data folder, past the store and all that it keeps. */
export async function writeStored(data_dir: string, statement: string): Promise<void> {
  if (databases.has(data_dir)) {
    await readStoredRows(data_dir, statement);
    return;
  }
  using db = new Database(join(data_dir, DATABASE_FILE));
  // The store may be about to commit, in this very thread: it is let, instead of waited for.
  db.run('PRAGMA busy_timeout = 0');
  await until(() => {
    try {
      db.run(statement);
      return true;
    } catch (error) {
      if (isHeld(error)) return false;
      throw error;
    }
  });
}
