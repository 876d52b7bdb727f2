// Applies the migrations that a database lacks. Nodes that start together queue up at one row: the first applies them, the
// others find them applied.
import type { Connection } from '../postgres/connection.ts';
import { POSTGRES_MIGRATIONS } from './postgres.ts';

/** duplicate_table, unique_violation (of the catalogue), duplicate_object: another node made the table just now. */
const MADE_MEANWHILE = /^(42P07|23505|42710)$/;

/** A connection, or a pool of them, that runs transactions. */
export interface Transacting extends Connection {
  begin<T>(work: (transaction: Connection) => Promise<T>): Promise<T>;
}

async function prepare(pool: Connection): Promise<void> {
  try {
    await pool.unsafe('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)');
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && MADE_MEANWHILE.test(String(error.errno)))) throw error;
  }
  await pool.unsafe("INSERT INTO migrations (name, applied_at) VALUES ('lock', 0) ON CONFLICT DO NOTHING");
}

/** Earlier versions derived a column for pgvector from each vector, with two graphs over it, where the extension was there.
 * Nothing asks them any more, and each write would go on paying for them. The extension itself is the operator's. */
async function dropPgvectorColumn(transaction: Connection): Promise<void> {
  // Asked for first: the statement below waits for every reader of the table, at each start.
  const [near] = await transaction.unsafe(
    "SELECT 1 AS made FROM pg_attribute WHERE attrelid = 'listing_vectors'::regclass AND attname = 'near' AND NOT attisdropped",
  );
  if (!near) return;
  await transaction.unsafe('ALTER TABLE listing_vectors DROP COLUMN near');
  await transaction.unsafe('DROP FUNCTION IF EXISTS int8_halfvec(bytea)');
}

/** Brings the database up to date; answers the names of what was applied. */
export async function migratePostgres(pool: Transacting, now_ms: number): Promise<string[]> {
  await prepare(pool);
  return pool.begin(async (transaction) => {
    await transaction.unsafe("SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE");
    const rows = await transaction.unsafe('SELECT name FROM migrations');
    const known = new Set(rows.map(({ name }) => String(name)));
    const lacking = POSTGRES_MIGRATIONS.filter(({ name }) => !known.has(name));
    for (const { name, statements } of lacking) {
      for (const statement of statements) await transaction.unsafe(statement);
      await transaction.unsafe('INSERT INTO migrations (name, applied_at) VALUES ($1, $2)', [name, now_ms]);
    }
    await dropPgvectorColumn(transaction);
    return lacking.map(({ name }) => name);
  });
}
