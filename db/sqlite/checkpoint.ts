// Moves the write-ahead log into the database file from a thread of its own: a checkpoint inside COMMIT would make some
// replies wait for it (22 ms against 4 ms at the 99th percentile). The thread copies until little is left; the writer
// copies that rest between two groups, and its next write starts the log over.
import type { Database } from 'bun:sqlite';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from './connection.ts';

/** Frames (of 4 KiB) that the log may hold before a checkpoint: 64 MiB. A busy page is copied once, however often it was
 * written, so a longer log means less copying; a shorter one a quicker restart. */
const FRAMES_MAX = 16_384;
/** A rest of this many frames costs the writer a few milliseconds. */
const REST_MAX = 1_024;
/** Under steady load each pass of the thread leaves what came in meanwhile; more passes than this gain nothing. */
const PASSES_MAX = 3;
/** How many turns pass between looks at the log. */
const TURNS_BETWEEN = 256;
/** Where the wal-index keeps the number of the last committed frame (sqlite.org/walformat.html, 2.1). */
const MAX_FRAME_OFFSET = 16;

export class Checkpointer {
  readonly #path: string;
  readonly #writer: Database;
  readonly #word = new Uint32Array(1);
  #shm: number | null = null;
  #worker: Worker | null = null;
  #turns = 0;
  #busy = false;
  #passes = 0;
  /** The last frame that the thread has copied, once it has answered. */
  #copied: number | null = null;

  constructor(data_dir: string, writer: Database) {
    this.#path = join(data_dir, DATABASE_FILE);
    this.#writer = writer;
  }

  /** Tells that a group was committed; no transaction is open now. */
  grown(turns: number): void {
    if (this.#copied !== null) {
      this.#goOn(this.#copied);
      return;
    }
    this.#turns += turns;
    if (this.#busy || this.#turns < TURNS_BETWEEN) return;
    this.#turns = 0;
    if (this.#frames() < FRAMES_MAX) return;
    this.#busy = true;
    this.#passes = 1;
    this.#thread().postMessage(this.#path);
  }

  #goOn(copied: number): void {
    this.#copied = null;
    if (this.#worker && this.#passes < PASSES_MAX && this.#frames() - copied > REST_MAX) {
      this.#passes += 1;
      this.#worker.postMessage(this.#path);
      return;
    }
    // Without this a log under steady load would never be whole in the file, and grow for ever.
    this.#writer.run('PRAGMA wal_checkpoint(PASSIVE)');
    this.#busy = false;
  }

  #frames(): number {
    this.#shm ??= openSync(`${this.#path}-shm`, 'r');
    readSync(this.#shm, this.#word, 0, 4, MAX_FRAME_OFFSET);
    return this.#word[0] ?? 0;
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url).href, { type: 'module' });
    worker.onmessage = (message: MessageEvent<number>) => {
      this.#copied = message.data;
    };
    worker.onerror = () => {
      // Without the thread the writer copies the whole log itself: slower, and still right.
      this.#worker = null;
      this.#copied = 0;
    };
    // The thread must not keep a stopped process alive. (The DOM's type of Worker lacks Bun's `unref`.)
    (worker as unknown as { unref(): void }).unref();
    this.#worker = worker;
    return worker;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    if (this.#shm !== null) closeSync(this.#shm);
  }
}
