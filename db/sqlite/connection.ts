// Opens the embedded database: one writer, one reader, the pragmas in the order that Bun needs, sqlite-vec loaded into
// both. `synchronous=FULL` makes COMMIT wait for the disk; the group commit shares that wait.
import { Database } from 'bun:sqlite';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { keepFreePages } from './free-pages.ts';
import { lockDataDir } from './lock.ts';
import { loadVec } from './vec.ts';

/** 256 MiB: doubles reads on a warm file and costs only address space. */
const MMAP_BYTES = 268_435_456;
/** 64 MiB of page cache for the writer, so that a busy index stays in memory. */
const CACHE_KIB = 65_536;
/** How long another process (a backup, an administrator's shell) may hold the file before the start gives up. */
const START_BUSY_MS = 5_000;
/** The same for every call after the start: the whole process stands still for so long (hold.ts waits without that). */
const BUSY_MS = 5;

export const DATABASE_FILE = 'meshwork.db';

function openDatabase(path: string, readonly: boolean): Database {
  const db = readonly ? new Database(path, { readonly: true }) : new Database(path, { create: true });
  // busy_timeout first: setting the journal mode of a locked file would fail without it.
  db.run(`PRAGMA busy_timeout = ${START_BUSY_MS}`);
  if (!readonly) {
    keepFreePages(db);
    db.run('PRAGMA journal_mode = WAL');
    db.run('PRAGMA synchronous = FULL');
    // The store checkpoints between groups, never inside a COMMIT.
    db.run('PRAGMA wal_autocheckpoint = 0');
  }
  db.run(`PRAGMA mmap_size = ${MMAP_BYTES}`);
  db.run(`PRAGMA cache_size = -${readonly ? CACHE_KIB / 4 : CACHE_KIB}`);
  db.run('PRAGMA temp_store = MEMORY');
  return db;
}

/** From now on a call gives up soon when another process holds the file. */
export function limitPatience(db: Database): void {
  db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
}

export interface Connections {
  /** Lets go of the data directory; the last thing that closing does. */
  readonly unlock: () => void;
  readonly writer: Database;
  readonly openReader: () => Database;
}

/** Opens (and creates) the database under `data_dir`, readable by its owner only. */
export function connect(data_dir: string): Connections {
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(data_dir);
  const path = join(data_dir, DATABASE_FILE);
  const writer = openDatabase(path, false);
  chmodSync(path, 0o600);
  loadVec(writer, data_dir);
  return { unlock, writer, openReader: () => openDatabase(path, true) };
}

/** What the file and its log take, in bytes. */
export function sizesOf(data_dir: string): { database: number; log: number } {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = join(data_dir, DATABASE_FILE);
  return { database: sizeOf(file), log: sizeOf(`${file}-wal`) };
}
