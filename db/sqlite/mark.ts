// The high-water mark: a small file beside the database that tells how far it was written. SQLite reads a log that was cut, or a
// copy from before, without a word; a start compares the database with the mark. The number in the database (`user_version`)
// grows once a second in a commit that is made anyway, and the file is written a second later without a sync, so that the mark
// costs no commit anything and is never ahead of what is on disk.
import type { Database, Statement } from 'bun:sqlite';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEnd, LogIndex } from './log-index.ts';

export const MARK_FILE = 'meshwork.db-mark';
/** How long the mark may lag behind the commits. */
const LAG_MS = 1_000;
/** The file is written over in place: every text is as long as the longest. */
const TEXT_BYTES = 192;

/** How far a database was written: the number of seconds in which it was, and the end of its log. */
export interface Position {
  readonly count: number;
  readonly log: LogEnd | null;
}

export interface Marked extends Position {
  readonly written_at: number;
}

const checksumOf = (text: string): string => Bun.hash.crc32(text).toString(16).padStart(8, '0');

function textOf(marked: Marked): string {
  const told = JSON.stringify(marked);
  return `${checksumOf(told)} ${told}`.padEnd(TEXT_BYTES - 1).concat('\n');
}

/** The mark of a data folder; null where there is none, `torn` where it cannot be read. */
export function readMark(data_dir: string): Marked | 'torn' | null {
  const file = join(data_dir, MARK_FILE);
  if (!existsSync(file)) return null;
  const [checksum, told = ''] = readFileSync(file, 'utf8').trim().split(/ (.*)/s);
  // Ours, by its checksum.
  return checksum === checksumOf(told) ? (JSON.parse(told) as Marked) : 'torn';
}

/** Lets a folder be started whatever its mark told. */
export function removeMark(data_dir: string): void {
  rmSync(join(data_dir, MARK_FILE), { force: true });
}

/** The number that the database has committed last. */
export function countIn(db: Database): number {
  return Number(db.query('PRAGMA user_version').values()[0]?.[0]);
}

/** Whether what is there ends before the mark. Logs of different salts cannot be compared: the number tells then. */
export function endsBefore(there: Position, marked: Position): boolean {
  if (there.count !== marked.count) return there.count < marked.count;
  const [log, told] = [there.log, marked.log];
  return log !== null && told !== null && log.salt === told.salt && log.frame < told.frame;
}

export interface MarkHooks {
  /** Told when the end of the log could not be read, or the file not be written. */
  failed(error: unknown): void;
}

export class Mark {
  readonly #db: Database;
  readonly #log: LogIndex;
  readonly #file: string;
  readonly #hooks: MarkHooks;
  /** How many rows the connection has written so far, and had at the last commit. */
  readonly #written: Statement;
  #written_before = 0;
  #fd: number | null = null;
  #count: number;
  /** Whether the next number is in the open transaction, then in the database. */
  #carried: 'no' | 'open' | 'committed' = 'no';
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(data_dir: string, db: Database, log: LogIndex, hooks: MarkHooks) {
    this.#db = db;
    this.#log = log;
    this.#file = join(data_dir, MARK_FILE);
    this.#hooks = hooks;
    this.#count = countIn(db);
    this.#written = db.prepare('SELECT total_changes()');
  }

  /** Runs inside a transaction, last: the first one of each second that writes something carries the number. */
  flush(): void {
    const written = Number(this.#written.values()[0]?.[0]);
    if (this.#carried === 'no' && written !== this.#written_before) this.write();
    this.#written_before = written;
  }

  /** Writes the number into the open transaction. */
  write(): void {
    const next = this.#carried === 'committed' ? this.#count : this.#count + 1;
    this.#db.run(`PRAGMA user_version = ${next}`);
    if (this.#carried === 'no') this.#carried = 'open';
  }

  /** The transaction is on disk. */
  committed(): void {
    if (this.#carried === 'open') {
      this.#count += 1;
      this.#carried = 'committed';
    }
    this.#timer ??= setTimeout(() => this.#tell(), LAG_MS).unref();
  }

  /** The transaction is undone. */
  undone(): void {
    if (this.#carried === 'open') this.#carried = 'no';
  }

  /** The log was copied and may start over: the next transaction tells by its number what the end of the old log no longer does. */
  copied(): void {
    if (this.#carried === 'committed') this.#carried = 'no';
  }

  #tell(): void {
    this.#timer = null;
    if (this.#carried === 'committed') this.#carried = 'no';
    try {
      const marked: Marked = { count: this.#count, log: this.#log.end(), written_at: Date.now() };
      this.#fd ??= openSync(this.#file, existsSync(this.#file) ? 'r+' : 'w', 0o600);
      writeSync(this.#fd, textOf(marked), 0);
    } catch (error) {
      this.#hooks.failed(error);
    }
  }

  /** Writes the mark at once if it lags. */
  close(): void {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#tell();
    }
    if (this.#fd !== null) closeSync(this.#fd);
  }
}
