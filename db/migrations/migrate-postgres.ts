// Applies the missing migrations of a database, step by step. Nodes that start together queue for the lock on one row: the first applies
// them, the others find them applied. After a crash the next start continues with the unfinished step.
import own from '../../package.json' with { type: 'json' };
import { type Connection, DB_NOW_MS } from '../postgres/connection.ts';
import { storeCodeOf } from '../unavailable.ts';
import { OlderNodes, olderAmong } from './older.ts';
import { POSTGRES_MIGRATIONS } from './postgres.ts';
import { type Migration, stepsOf } from './steps.ts';
import { type Applied, refuseUnknown } from './unknown.ts';

/** duplicate_table, unique_violation (of the catalogue), duplicate_object: another node made the table just now. */
const MADE_MEANWHILE = /^(42P07|23505|42710)$/;

const DEADLOCK = '40P01';
/** How often a step may be the one that the server ends. */
const DEADLOCKS_MAX = 50;

/** A connection, or a pool of them, that runs transactions. */
export interface Transacting extends Connection {
  begin<T>(work: (transaction: Connection) => Promise<T>): Promise<T>;
}

async function prepare(pool: Connection): Promise<void> {
  try {
    await pool.unsafe('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at bigint NOT NULL, release text)');
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && MADE_MEANWHILE.test(String(error.errno)))) throw error;
  }
  await pool.unsafe("INSERT INTO migrations (name, applied_at) VALUES ('lock', 0) ON CONFLICT DO NOTHING");
}

/** Repeats a statement until it changes no row, each slice in a commit of its own, so that locks are short. */
async function inSlices(pool: Connection, statement: string): Promise<void> {
  for (;;) {
    const [row] = await pool.unsafe(`WITH changed AS (${statement.replace(/;\s*$/, '')} RETURNING 1) SELECT count(*) AS n FROM changed`);
    if (Number(row?.n ?? 0) === 0) return;
  }
}

/** Builds an index concurrently with writes to its table. An invalid one of an earlier start is dropped first. */
async function buildIndex(pool: Connection, name: string, statement: string): Promise<void> {
  const [found] = await pool.unsafe('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)', [name]);
  if (found?.valid === true) return;
  if (found) await pool.unsafe(`DROP INDEX CONCURRENTLY "${name}"`);
  await pool.unsafe(statement);
}

/** Repeats a step that the server ended in a deadlock: a node that serves locks the same tables, in an order of its own. */
async function untilNoDeadlock(step: () => Promise<void>): Promise<void> {
  for (let deadlocks = 0; ; deadlocks++) {
    try {
      return await step();
    } catch (error) {
      if (storeCodeOf(error) !== DEADLOCK || deadlocks === DEADLOCKS_MAX) throw error;
    }
  }
}

async function remember(connection: Connection, name: string, now_ms: number): Promise<void> {
  const row = [name, now_ms, own.version];
  await connection.unsafe('INSERT INTO migrations (name, applied_at, release) VALUES ($1, $2, $3)', row);
}

/** Does the steps of a migration that are not done yet. */
async function migrate(pool: Transacting, migration: Migration, done: ReadonlySet<string>, now_ms: number): Promise<void> {
  for (const [at, step] of stepsOf(migration).entries()) {
    const name = `${migration.name}:${at}`;
    if (done.has(name)) continue;
    await untilNoDeadlock(async () => {
      if (step.do === 'together') {
        return pool.begin(async (transaction) => {
          for (const statement of step.statements) await transaction.unsafe(statement);
          await remember(transaction, name, now_ms);
        });
      }
      if (step.do === 'index') await buildIndex(pool, step.name, step.statement);
      else await inSlices(pool, step.statement);
      await remember(pool, name, now_ms);
    });
  }
  await pool.begin(async (transaction) => {
    await remember(transaction, migration.name, now_ms);
    await transaction.unsafe('DELETE FROM migrations WHERE starts_with(name, $1)', [`${migration.name}:`]);
  });
}

/** Runs all migrations of an empty database in one transaction: no other process writes to it yet. */
async function beginEmpty(transaction: Connection, migrations: readonly Migration[], now_ms: number): Promise<void> {
  for (const { name, statements } of migrations) {
    for (const statement of statements) await transaction.unsafe(statement);
    await remember(transaction, name, now_ms);
  }
}

/** Throws when a running node is incompatible with a migration. */
async function refuseOlderNodes(lock: Connection, lacking: readonly Migration[]): Promise<void> {
  const [table] = await lock.unsafe("SELECT to_regclass('nodes') IS NOT NULL AS there");
  if (table?.['there'] !== true) return;
  const rows = await lock.unsafe(`SELECT DISTINCT version FROM nodes WHERE expires_at > ${DB_NOW_MS}`);
  const older = olderAmong(rows.map(({ version }) => String(version)), lacking);
  if (older !== null) throw new OlderNodes(older);
}

/** Migrates the database; returns the names of the applied migrations. One connection holds the lock, the steps use another of
 * the pool. Throws `UnknownMigrations` when a newer version has migrated it, and `OlderNodes` when running nodes may be
 * incompatible, unless allowed. */
export async function migratePostgres(
  pool: Transacting,
  now_ms: number,
  migrations: readonly Migration[] = POSTGRES_MIGRATIONS,
  while_older_nodes_run = false,
): Promise<string[]> {
  await prepare(pool);
  return pool.begin(async (lock) => {
    // The locking transaction is idle while an index is built, and ends with its connection.
    await lock.unsafe('SET LOCAL idle_in_transaction_session_timeout = 0');
    await lock.unsafe("SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE");
    const rows = (await lock.unsafe('SELECT * FROM migrations')) as unknown as Applied[];
    refuseUnknown(rows, migrations);
    const known = new Set(rows.map(({ name }) => name));
    const lacking = migrations.filter(({ name }) => !known.has(name));
    if (known.size > 1 && lacking.length > 0 && !while_older_nodes_run) await refuseOlderNodes(lock, lacking);
    if (known.size === 1) await beginEmpty(lock, lacking, now_ms);
    else for (const migration of lacking) await migrate(pool, migration, known, now_ms);
    return lacking.map(({ name }) => name);
  });
}
