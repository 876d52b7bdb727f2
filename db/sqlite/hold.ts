// What to do while another process holds the database's file (a backup, an administrator's shell) or its disk takes no
// writes. SQLite would wait in its call, and with it everything else in this process; so it is asked again now and then.
import { StoreUnavailable, storeCodeOf } from '../unavailable.ts';

/** How long a call waits for a file that is held. */
const WAIT_MS = 5_000;
/** Between two attempts, each of which may hold the process up for as long as SQLite waits by itself (connection.ts). */
const PAUSE_MS = 20;

/** Whether somebody else holds the file just now. */
export function isHeld(error: unknown): boolean {
  return /^SQLITE_BUSY(_|$)/.test(storeCodeOf(error));
}

/** A file that is held, a disk that is full, broken or read-only: none of it is the fault of who asked, and the same may
 * succeed later. Everything else is what it was. */
export function asUnavailable(error: unknown): unknown {
  const passing = /^SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN)(_|$)/.test(storeCodeOf(error));
  return passing
    ? new StoreUnavailable('the disk or the file of the database is not to be had', { cause: error })
    : error;
}

/** Those who wait for one thing to be let go: one of them asks for all. */
export class Hold {
  readonly #wait_ms: number;
  #freed: Promise<void> | null = null;

  constructor(wait_ms = WAIT_MS) {
    this.#wait_ms = wait_ms;
  }

  /** Resolves once it is let go; null while nobody is known to hold it. */
  get waitForFree(): Promise<void> | null {
    return this.#freed;
  }

  /** Waits until `attempt` no longer finds it held; throws what else it throws, and StoreUnavailable when that takes too long. */
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
