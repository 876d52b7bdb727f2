// The missing migrations of a database, and their effect on its tables.
import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { SQL } from 'bun';
import { POSTGRES_MIGRATIONS } from './postgres.ts';
import { SQLITE_MIGRATIONS } from './sqlite.ts';
import { type Migration, stepsOf } from './steps.ts';
import { type Applied, refuseUnknown } from './unknown.ts';

export interface Pending {
  readonly name: string;
  readonly oldest: string | null;
  readonly statements: number;
  /** Tables of which every row is rewritten, or may be. */
  readonly rewritten: readonly string[];
  /** Indexes that are built concurrently with writes. */
  readonly indexes: number;
}

/** A rebuilt table, changed rows, a changed type. */
const REWRITES = [
  /^CREATE TABLE [`"]__new_(\w+)/,
  /^UPDATE [`"]?(\w+)/,
  /^ALTER TABLE [`"]?(\w+)[`"]? ALTER COLUMN [`"]?\w+[`"]? SET DATA TYPE/,
] as const;
const COMMENT = /^--[^\n]*\n\s*/;

function rewrittenBy(statement: string): string[] {
  const bare = statement.replace(COMMENT, '');
  return REWRITES.flatMap((shape) => shape.exec(bare)?.[1] ?? []);
}

/** For a database with these applied. Throws `UnknownMigrations` for an unknown one. */
export function pendingOf(applied: readonly Applied[], migrations: readonly Migration[]): Pending[] {
  refuseUnknown(applied, migrations);
  const names = new Set(applied.map(({ name }) => name));
  return migrations
    .filter(({ name }) => !names.has(name))
    .map((migration) => ({
      name: migration.name,
      oldest: migration.oldest ?? null,
      statements: migration.statements.length,
      rewritten: [...new Set(migration.statements.flatMap(rewrittenBy))],
      indexes: stepsOf(migration).filter(({ do: what }) => what === 'index').length,
    }));
}

/** The applied migrations of a database file, opened read-only; none without a file. */
function appliedInFile(file: string): Applied[] {
  if (!existsSync(file)) return [];
  const db = new Database(file, { readonly: true });
  try {
    const known = db.query("SELECT name FROM sqlite_master WHERE name = 'migrations'").get();
    return known === null ? [] : (db.query('SELECT * FROM migrations').all() as Applied[]);
  } finally {
    db.close();
  }
}

/** The migrations that a start on a database file would apply. */
export function pendingInFile(file: string): Pending[] {
  return pendingOf(appliedInFile(file), SQLITE_MIGRATIONS);
}

/** The migrations that a start on a PostgreSQL database would apply. */
export async function pendingOnPostgres(url: string): Promise<Pending[]> {
  return pendingOf(await rowsOnPostgres(url), POSTGRES_MIGRATIONS);
}

/** The names of the applied migrations of a PostgreSQL database, in order. */
export async function appliedOnPostgres(url: string): Promise<string[]> {
  return (await rowsOnPostgres(url)).map(({ name }) => name).sort();
}

async function rowsOnPostgres(url: string): Promise<Applied[]> {
  const sql = new SQL({ url, max: 1, connectionTimeout: 10 });
  try {
    const [known] = await sql.unsafe("SELECT to_regclass('migrations') IS NOT NULL AS there");
    return known?.there ? await sql.unsafe('SELECT * FROM migrations') : [];
  } finally {
    await sql.close({ timeout: 1 });
  }
}
