// Waits while another process holds the database's file (a backup, an administrator's shell) or its disk takes no writes.
// SQLite would wait within its call and block this process; so the call is repeated now and then.
import { StoreUnavailable, storeCodeOf } from '../unavailable.ts';

/** How long a call waits for a held file. */
const WAIT_MS = 5_000;
/** Between two attempts, each of which may block the process for SQLite's own wait (connection.ts). */
const PAUSE_MS = 20;

/** Whether another process holds the file. */
export function isHeld(error: unknown): boolean {
  return /^SQLITE_BUSY(_|$)/.test(storeCodeOf(error));
}

/** Maps a held file, or a full, broken or read-only disk, to StoreUnavailable, because the call may succeed later. Other
 * errors are returned unchanged. */
export function asUnavailable(error: unknown): unknown {
  const passing = /^SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN)(_|$)/.test(storeCodeOf(error));
  return passing
    ? new StoreUnavailable('the disk or the file of the database is not to be had', { cause: error })
    : error;
}

/** The waiters for one held resource: one attempt serves all. */
export class Hold {
  readonly #wait_ms: number;
  #freed: Promise<void> | null = null;

  constructor(wait_ms = WAIT_MS) {
    this.#wait_ms = wait_ms;
  }

  /** Resolves once it is free; null when it is not known to be held. */
  get waitForFree(): Promise<void> | null {
    return this.#freed;
  }

  /** Repeats `attempt` until it no longer finds it held; passes on other errors, and throws StoreUnavailable when that takes too long. */
  wait(attempt: () => void): Promise<void> {
    this.#freed ??= this.#tried(attempt).finally(() => {
      this.#freed = null;
    });
    return this.#freed;
  }

  async #tried(attempt: () => void): Promise<void> {
    for (const began = performance.now(); ; ) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      try {
        attempt();
        return;
      } catch (error) {
        if (!isHeld(error) || performance.now() - began >= this.#wait_ms) throw asUnavailable(error);
      }
    }
  }
}
