// Opens the embedded database: one writer, one reader, the pragmas in the order that Bun needs, sqlite-vec loaded into
// both. `synchronous=FULL` makes COMMIT wait for the disk; the group commit shares that wait.
import { Database } from 'bun:sqlite';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { keepFreePages } from './free-pages.ts';
import { lockDataDir } from './lock.ts';
import { LogIndex } from './log-index.ts';
import { LostWrites } from './lost-writes.ts';
import { countIn, endsBefore, readMark } from './mark.ts';
import { loadVec } from './vec.ts';

/** 256 MiB: doubles reads on a warm file and costs only address space. */
const MMAP_BYTES = 268_435_456;
/** 64 MiB of page cache for the writer, so that a busy index stays in memory. */
const CACHE_KIB = 65_536;
/** How long another process (a backup, an administrator's shell) may hold the file before the start gives up. */
const START_BUSY_MS = 5_000;
/** The same for every call after the start, which blocks the whole process (hold.ts waits without blocking). */
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
  /** Closes all, after a start that failed, and leaves the log as it is. Never throws. */
  readonly giveUp: () => void;
  readonly writer: Database;
  readonly openReader: () => Database;
  readonly log: LogIndex;
  /** Whether the high-water mark is there and cannot be read. */
  readonly torn_mark: boolean;
}

/** Opens a database that holds all that its mark tells of; throws `LostWrites` else, and leaves every file as it is. */
function openMarked(data_dir: string, path: string): Pick<Connections, 'writer' | 'log' | 'torn_mark'> {
  const mark = readMark(data_dir);
  const marked = mark === 'torn' ? null : mark;
  if (marked !== null && !existsSync(path)) throw new LostWrites(data_dir, null, marked);
  const writer = openDatabase(path, false);
  const count = countIn(writer);
  const log = new LogIndex(path);
  const there = { count, log: log.end() };
  if (marked === null || !endsBefore(there, marked)) return { writer, log, torn_mark: mark === 'torn' };
  const lost = new LostWrites(data_dir, there, marked, newestEvent(writer));
  closeUnfolded(writer, path);
  log.close();
  throw lost;
}

/** When the newest event was written; null where none can be read. */
function newestEvent(db: Database): number | null {
  try {
    return Number(db.query('SELECT created_at FROM events ORDER BY id DESC LIMIT 1').values()[0]?.[0] ?? 0) || null;
  } catch {
    return null;
  }
}

/** Closes a connection without copying the log into the file: the last connection does so, which one that only reads cannot. */
export function closeUnfolded(db: Database, path: string): void {
  const last = openDatabase(path, true);
  last.query('PRAGMA user_version').get();
  db.close();
  last.close();
}

/** Creates files that their owner alone can read: the log of a new database exists before its own mode can be set. */
function privately<T>(create: () => T): T {
  const before = process.umask(0o077);
  try {
    return create();
  } finally {
    process.umask(before);
  }
}

/** Opens (and creates) the database under `data_dir`, readable by its owner only. */
export function connect(data_dir: string): Connections {
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(data_dir);
  try {
    const path = join(data_dir, DATABASE_FILE);
    const opened = privately(() => openMarked(data_dir, path));
    chmodSync(path, 0o600);
    loadVec(opened.writer, data_dir);
    const readers: Database[] = [];
    const openReader = (): Database => {
      const reader = openDatabase(path, true);
      readers.push(reader);
      return reader;
    };
    const giveUp = (): void => {
      try {
        closeUnfolded(opened.writer, path);
        for (const reader of readers) reader.close();
        opened.log.close();
      } catch {
        // What cannot be closed ends with the process.
      }
      unlock();
    };
    return { unlock, giveUp, ...opened, openReader };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The sizes of the file and its log, in bytes. */
export function sizesOf(data_dir: string): { database: number; log: number } {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = join(data_dir, DATABASE_FILE);
  return { database: sizeOf(file), log: sizeOf(`${file}-wal`) };
}
