// Deletes what has expired, once a minute, slice after slice until nothing is left: what one slice a minute takes away, a busy
// minute outdoes. By a clock that is in doubt nothing is.
import type { Store } from '../db/store.ts';

/** Expired rows are deleted this often. */
const PRUNE_MS = 60_000;

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export class Pruner {
  readonly #store: Pick<Store, 'prune'>;
  readonly #failed: (error: unknown) => void;
  readonly #believed: () => Promise<number | null>;
  #pruned_at = 0;
  #pruning: Promise<void> | null = null;
  #stopped = false;

  /** `believed` tells the time by which rows are over, null while no clock is believed; `failed` is told of what could not be
   * deleted: the next minute tries again. */
  constructor(store: Pick<Store, 'prune'>, believed: () => Promise<number | null>, failed: (error: unknown) => void) {
    this.#store = store;
    this.#believed = believed;
    this.#failed = failed;
  }

  /** Begins where a minute has passed since the last time. */
  begin(now_ms: number): void {
    if (this.#pruning || now_ms - this.#pruned_at < PRUNE_MS) return;
    this.#pruned_at = now_ms;
    this.#pruning = this.pruneAll()
      .catch(this.#failed)
      .finally(() => {
        this.#pruning = null;
      });
  }

  /** Deletes all that has expired. */
  async pruneAll(): Promise<void> {
    const believed_ms = await this.#believed();
    while (!this.#stopped && (await this.#store.prune(believed_ms)) > 0) await tick();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pruning;
  }
}
