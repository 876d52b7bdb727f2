// Checkpoints the write-ahead log from a thread of its own: a checkpoint inside COMMIT would delay some replies (22 ms against
// 4 ms at the 99th percentile). The thread copies until little is left; the writer copies that rest between two groups, after
// the replies of the last one, and its next write restarts the log. A failed copy, for example on a full disk, is reported and
// repeated later: the log holds everything until then. After a failed sync nothing is copied any more: the system may take pages for
// written that are not, and SQLite does not copy them again before the next start.
import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { StoreWatch } from '../store-work.ts';
import { storeCodeOf } from '../unavailable.ts';
import { DATABASE_FILE } from './connection.ts';
import type { LogIndex } from './log-index.ts';

/** Frames (of 4 KiB) that the log may hold before a checkpoint: 64 MiB. A busy page is copied once, however often it was
 * written, so a longer log means less copying; a shorter one a quicker restart. */
const FRAMES_MAX = 16_384;
/** A rest of this many frames costs the writer a few milliseconds. */
const REST_MAX = 1_024;
/** Under steady load each pass of the thread leaves what came in meanwhile; more passes than this gain nothing. */
const PASSES_MAX = 3;
/** The number of turns between two checks of the log. */
const TURNS_BETWEEN = 256;
/** After a copy that failed twice as many pass as before, up to these: a full disk does not empty itself at once. */
const TURNS_BETWEEN_MAX = 65_536;
/** How long closing waits for the thread, whose sync may hang with its disk: a stop has nine seconds. */
const CLOSE_MS = 5_000;

export interface CheckpointHooks {
  /** Does something while no transaction is open. */
  between(work: () => void): void;
  /** Called when all of the log is in the file, so that it can restart. */
  copied(): void;
  /** Called when a copy failed. */
  failed(error: unknown): void;
  /** Called when a sync of the file failed. */
  unsynced(error: unknown): void;
  readonly watch: StoreWatch;
}

export type Copied =
  | { readonly frames: number; readonly ms: number }
  | { readonly failed: string; readonly unsynced: boolean };

/** Whether the system did not sync a file, in a call of SQLite or of our own. */
export function isUnsynced(error: unknown): boolean {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'fdatasync') return true;
  return storeCodeOf(error) === 'SQLITE_IOERR_FSYNC';
}

async function endsWithin(promise: Promise<void>, wait_ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), wait_ms);
  const in_time = await Promise.race([promise.then(() => true), late.promise]);
  clearTimeout(timer);
  return in_time;
}

/** What the DOM's type of Worker lacks of Bun's. */
interface Referenced {
  ref(): void;
  unref(): void;
}

export class Checkpointer {
  readonly #path: string;
  readonly #writer: Database;
  readonly #frames_max: number;
  readonly #first_check: number;
  readonly #hooks: CheckpointHooks;
  readonly #log: LogIndex;
  #worker: Worker | null = null;
  #turns = 0;
  #turns_between: number;
  #unsynced = false;
  #closed = false;
  #busy = false;
  #passes = 0;
  /** Settled when the thread has answered the last time that it was asked. */
  #answer: PromiseWithResolvers<void> | null = null;
  /** The last frame that the thread has copied, once it has answered. */
  #copied: number | null = null;

  constructor(
    data_dir: string,
    { writer, log }: { readonly writer: Database; readonly log: LogIndex },
    frames_max = FRAMES_MAX,
    hooks: CheckpointHooks,
  ) {
    this.#path = join(data_dir, DATABASE_FILE);
    this.#writer = writer;
    this.#log = log;
    this.#frames_max = frames_max;
    this.#first_check = Math.min(TURNS_BETWEEN, frames_max);
    this.#turns_between = this.#first_check;
    this.#hooks = hooks;
  }

  /** Whether a sync of the file has failed: the log must stay whole. */
  get unsynced(): boolean {
    return this.#unsynced;
  }

  /** Counts a committed group's turns. Never throws. */
  countTurns(turns: number): void {
    this.#try(() => this.#grown(turns));
  }

  #grown(turns: number): void {
    if (this.#unsynced) return;
    if (this.#copied !== null) {
      this.#goOn(this.#copied);
      return;
    }
    this.#turns += turns;
    if (this.#busy || this.#turns < this.#turns_between) return;
    this.#turns = 0;
    if (this.#log.frames() < this.#frames_max) return;
    this.#busy = true;
    this.#passes = 1;
    this.#ask(this.#thread());
  }

  #goOn(copied: number): void {
    this.#copied = null;
    if (this.#worker && this.#passes < PASSES_MAX && this.#log.frames() - copied > REST_MAX) {
      this.#passes += 1;
      this.#ask(this.#worker);
      return;
    }
    // Without this a log under steady load would never be whole in the file, and grow for ever.
    this.#hooks.between(() => this.#try(() => this.#copyRest()));
  }

  #copyRest(): void {
    if (this.#closed) return;
    this.#hooks.watch.run('checkpoint', () => this.#writer.run('PRAGMA wal_checkpoint(PASSIVE)'));
    this.#hooks.copied();
    this.#busy = false;
    this.#turns_between = this.#first_check;
  }

  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#failed(error, isUnsynced(error));
    }
  }

  #failed(error: unknown, unsynced: boolean): void {
    this.#busy = false;
    this.#copied = null;
    this.#turns = 0;
    this.#turns_between = Math.min(2 * this.#turns_between, TURNS_BETWEEN_MAX);
    this.#unsynced ||= unsynced;
    if (unsynced) this.#hooks.unsynced(error);
    else this.#hooks.failed(error);
  }

  #ask(worker: Worker): void {
    this.#answer = Promise.withResolvers();
    worker.postMessage(this.#path);
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url).href, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Copied>) => {
      this.#answer?.resolve();
      if ('failed' in data) {
        this.#failed(new Error(data.failed), data.unsynced);
        return;
      }
      this.#copied = data.frames;
      this.#hooks.watch.noteEnd('checkpoint_thread', data.ms);
    };
    worker.onerror = () => {
      // Without the thread the writer copies the whole log itself: slower, and still right.
      this.#worker = null;
      this.#copied = 0;
      this.#answer?.resolve();
    };
    // The thread must not keep a stopped process alive.
    (worker as unknown as Referenced).unref();
    this.#worker = worker;
    return worker;
  }

  /** Waits for the thread: its sync may fail. One that does not end in time counts as failed. */
  async close(wait_ms = CLOSE_MS): Promise<void> {
    this.#closed = true;
    // Without it a process that has nothing else to wait for would end now.
    (this.#worker as unknown as Referenced | null)?.ref();
    if (this.#answer && !(await endsWithin(this.#answer.promise, wait_ms)))
      this.#failed(new Error(`a sync of the database has not ended after ${wait_ms} ms`), true);
    this.#worker?.terminate();
    this.#worker = null;
  }
}
