// One process per data directory: inbox heads and vectors are cached in memory, so a second writer would make the first's cache
// wrong. The lock is the operating system's, taken through SQLite on a file of its own; it ends with the process.
import { Database } from 'bun:sqlite';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { isHeld } from './hold.ts';

/** Thrown when another process holds the directory. */
export class DataDirLocked extends Error {
  constructor(data_dir: string) {
    super(`another process uses ${data_dir}; stop it first, or set DATA_DIR to a folder of its own`);
  }
}

/** Keeps the connections referenced: a collected one would release its lock. */
const held = new Set<Database>();

/** Takes the lock until the returned function is called or the process ends. */
export function lockDataDir(data_dir: string): () => void {
  const path = join(data_dir, 'lock');
  const db = new Database(path, { create: true });
  // Only the owner may lock this directory.
  chmodSync(path, 0o600);
  try {
    db.run('PRAGMA busy_timeout = 0');
    db.run('PRAGMA journal_mode = DELETE');
    db.run('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw isHeld(error) ? new DataDirLocked(data_dir) : error;
  }
  held.add(db);
  return () => {
    held.delete(db);
    db.close();
  };
}
