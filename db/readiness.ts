// Checks whether the database takes writes by making one. Frequent callers share one write a second, and a database that does
// not answer is reported after a short wait.
import { isFull, storeCodeOf } from './unavailable.ts';

/** How long an answer is reused. */
const KEPT_MS = 1_000;
/** Callers have deadlines of their own, mostly a few seconds, and must get "no" before those. */
const WAIT_MS = 2_000;

/** Whether writes are taken, and why not, with the engine's code where there is one. */
export type Ready =
  | { readonly ready: true }
  | {
      readonly ready: false;
      readonly reason: 'storage_full' | 'database_refuses' | 'database_silent' | 'stopping';
      readonly code: string | null;
    };

const SILENT: Ready = { ready: false, reason: 'database_silent', code: null };
/** While the store closes. */
export const STOPPING: Ready = { ready: false, reason: 'stopping', code: null };

function refusalOf(error: unknown): Ready {
  // The cause of an error that only says that the store is unavailable.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = storeCodeOf(cause) || null;
  return { ready: false, reason: isFull(cause) ? 'storage_full' : 'database_refuses', code };
}

export class Readiness {
  readonly #write: () => Promise<unknown>;
  #last: Ready = SILENT;
  #told_at = Number.NEGATIVE_INFINITY;
  #asking: Promise<Ready> | null = null;

  /** `write` makes a write durable, or throws. */
  constructor(write: () => Promise<unknown>) {
    this.#write = write;
  }

  async ask(): Promise<Ready> {
    if (this.#asking === null && performance.now() - this.#told_at < KEPT_MS) return this.#last;
    this.#asking ??= this.#try();
    const { promise, resolve } = Promise.withResolvers<Ready>();
    const timer = setTimeout(() => resolve(SILENT), WAIT_MS);
    try {
      return await Promise.race([this.#asking, promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #try(): Promise<Ready> {
    this.#last = await this.#write().then((): Ready => ({ ready: true }), refusalOf);
    this.#told_at = performance.now();
    this.#asking = null;
    return this.#last;
  }
}
