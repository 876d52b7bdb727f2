// A data folder as an end of a copy. The source is held by the folder's lock. The target is made in a folder beside its place and
// moved there when it is complete, so that a copy that was cut off leaves nothing that could be served.
import { Database } from 'bun:sqlite';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { migrateSqlite } from '../migrations/migrate.ts';
import type { Shape } from '../postgres/shapes.ts';
import { DATABASE_FILE } from '../sqlite/connection.ts';
import { hasTables, lossIn, pendingIn, proveDatabase, refuseUnknownIn } from '../sqlite/copy.ts';
import { keepFreePages } from '../sqlite/free-pages.ts';
import { DataDirLocked, lockDataDir } from '../sqlite/lock.ts';
import { snapshotOf } from '../sqlite/snapshot.ts';
import { loadVec } from '../sqlite/vec.ts';
import { createVectorIndex } from '../sqlite/vector-rows.ts';
import { CopyProblem, type CopySource, type CopyTarget, type SecretValues } from './ends.ts';

/** The files of a data folder that a copy takes along, and the length of a vector. */
export interface SqliteEnd {
  readonly folder: string;
  readonly secret_files: readonly string[];
  readonly dimensions: number;
}

/** Stands in a folder that a copy has made and may empty. */
const MARK = 'meshwork-copy';
/** What a lock leaves in a folder. */
const LOCK_FILE = /^lock(?:-journal)?$/;
const INDEX =
  'INSERT INTO listing_index (listing_id, side, embedding) SELECT id, side, vec_int8(vector) FROM listing_vectors';

function lock(folder: string): () => void {
  try {
    return lockDataDir(folder);
  } catch (error) {
    throw error instanceof DataDirLocked ? new CopyProblem(error.message) : error;
  }
}

function secretsIn({ folder, secret_files }: SqliteEnd): SecretValues {
  const there = secret_files.filter((name) => existsSync(join(folder, name)));
  return Object.fromEntries(there.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Throws unless a folder holds a whole database of exactly this version. */
function refuseUnfit(folder: string): void {
  if (!hasTables(folder)) throw new CopyProblem(`no database is in ${folder}`);
  if (lossIn(folder) !== null)
    throw new CopyProblem(`the database in ${folder} lacks its last writes; start the service, and see what it says`);
  refuseUnknownIn(folder);
  if (pendingIn(folder).length > 0)
    throw new CopyProblem(`the database in ${folder} is of an older version; run meshwork migrate first`);
}

/** Runs work with a data folder that no service uses meanwhile. */
export async function fromSqlite<T>(end: SqliteEnd, work: (source: CopySource) => Promise<T>): Promise<T> {
  const { folder } = end;
  if (!existsSync(folder)) throw new CopyProblem(`no database is in ${folder}`);
  const unlock = lock(folder);
  try {
    refuseUnfit(folder);
    const db = new Database(join(folder, DATABASE_FILE), { readonly: true });
    try {
      db.run('BEGIN');
      return await work({ ...snapshotOf(db), secrets: async () => secretsIn(end) });
    } finally {
      db.close();
    }
  } finally {
    unlock();
  }
}

function bound({ type }: Shape['columns'][number], value: unknown) {
  if (value === null || value === undefined) return null;
  if (type === 'bigint') return Number(value);
  return type === 'bytea' ? (value as Uint8Array) : String(value);
}

function targetOf(db: Database, end: SqliteEnd): CopyTarget {
  return {
    ...snapshotOf(db),
    secrets: async () => secretsIn(end),
    put: async ({ name, columns }, rows) => {
      const list = columns.map((column) => column.name).join(', ');
      const insert = db.query(`INSERT INTO ${name} (${list}) VALUES (${columns.map(() => '?').join(', ')})`);
      db.transaction(() => {
        for (const row of rows) insert.run(...columns.map((column) => bound(column, row[column.name])));
      })();
    },
    putSecrets: async (values) => {
      for (const [name, value] of Object.entries(values)) writeFileSync(join(end.folder, name), value, { mode: 0o600 });
    },
    derive: async () => void db.run(INDEX),
  };
}

/** An empty database whose pages reach the disk when it is whole. */
function makeDatabase({ folder, dimensions }: SqliteEnd, now_ms: number): Database {
  const before = process.umask(0o077);
  try {
    const db = new Database(join(folder, DATABASE_FILE), { create: true });
    keepFreePages(db);
    db.run('PRAGMA journal_mode = MEMORY');
    db.run('PRAGMA synchronous = OFF');
    db.run('PRAGMA cache_size = -65536');
    loadVec(db, folder);
    migrateSqlite(db, now_ms);
    createVectorIndex(db, dimensions);
    return db;
  } finally {
    process.umask(before);
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the folder in which a copy is prepared. One that another copy left is used again; any other with files is refused. */
function markOurs(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  if (names.length > 0 && !names.includes(MARK))
    throw new CopyProblem(`${folder} is where the copy would be prepared, and has other files; move it away`);
  writeFileSync(join(folder, MARK), 'Made by meshwork copy, which empties this folder.\n');
}

function moveInPlace(made: string, folder: string): void {
  try {
    rmSync(join(made, MARK));
    for (const name of readdirSync(made)) sync(join(made, name));
    sync(made);
    renameSync(made, folder);
    sync(dirname(folder));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CopyProblem(`${folder} could not be put in place (${why}); name a folder that does not exist yet`);
  }
}

/** Runs work with a target in a new folder, proves what it made, and puts the folder in its place. */
export async function intoSqlite<T>(
  end: SqliteEnd,
  now_ms: number,
  work: (target: CopyTarget) => Promise<T>,
  say: (what: string) => void,
): Promise<T> {
  const { folder } = end;
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CopyProblem(`${folder} is not empty; name a folder that does not exist yet`);
  const made = { ...end, folder: `${folder}.copying` };
  markOurs(made.folder);
  const unlock = lock(made.folder);
  try {
    for (const name of readdirSync(made.folder))
      if (name !== MARK && !LOCK_FILE.test(name)) rmSync(join(made.folder, name), { recursive: true });
    const db = makeDatabase(made, now_ms);
    const done = await work(targetOf(db, made)).finally(() => db.close());
    const file = join(made.folder, DATABASE_FILE);
    const [problem] = await proveDatabase(file, now_ms, (what) => say(`looking at ${what}`));
    if (problem) throw new CopyProblem(`${problem.about}: ${problem.problem}`);
    moveInPlace(made.folder, folder);
    return done;
  } catch (error) {
    rmSync(made.folder, { recursive: true, force: true });
    throw error;
  } finally {
    unlock();
  }
}
