// Free pages of the database file. Deletions leave them for later rows; when there are many, some at a time are returned to the disk. A file
// from before that setting keeps its size until it is copied (copy.ts).
import type { Database } from 'bun:sqlite';

const INCREMENTAL = 2;
/** Up to a tenth of the file, and 4 MiB, is left to what comes. */
const LEFT_SHARE = 10;
const LEFT_MIN = 1_024;
/** Pages that go in one step: some 4 ms of the writer's time (each is filled with one from the end of the file), 15 on a busy machine. */
const STEP = 100;

function figureOf(db: Database, pragma: string): number {
  const [row] = db.query(`PRAGMA ${pragma}`).values();
  return Number(row?.[0]);
}

/** Asked of a file that is new; before its first table, or it has no effect. */
export function keepFreePages(db: Database): void {
  if (figureOf(db, 'page_count') === 0) db.run('PRAGMA auto_vacuum = INCREMENTAL');
}

/** Lets the copies that `VACUUM INTO` makes give pages back, as new files do. */
export function keepFreePagesInCopies(db: Database): void {
  if (figureOf(db, 'auto_vacuum') !== INCREMENTAL) db.run('PRAGMA auto_vacuum = INCREMENTAL');
}

export function freePages(db: Database): number {
  return figureOf(db, 'freelist_count');
}

/** Returns some pages to the disk if many are free; returns their number. The file shrinks at the next checkpoint. */
export function giveBackPages(db: Database): number {
  const free = freePages(db);
  const left = Math.max(LEFT_MIN, Math.floor(figureOf(db, 'page_count') / LEFT_SHARE));
  if (free <= left || figureOf(db, 'auto_vacuum') !== INCREMENTAL) return 0;
  db.run(`PRAGMA incremental_vacuum(${Math.min(STEP, free - left)})`);
  return free - freePages(db);
}
