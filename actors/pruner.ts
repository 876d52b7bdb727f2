// Deletes expired rows once a minute, slice after slice until none is left, because a busy minute adds more than one slice. Then it
// continues the walks of the operator's retention. Nothing is deleted by a clock in doubt.
import type { Store } from '../db/store.ts';
import { KEEPS_ALL, type Retention } from '../src/domain/retention.ts';
import { OldRows } from './retention.ts';

/** Expired rows are deleted this often. */
const PRUNE_MS = 60_000;
/** Steps in which space is given back then: 20 MiB, 0.2 s of a core. */
const GIVEN_BACK = 50;

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The further cleaning. */
export interface CleanUp {
  readonly retention: Retention;
  /** Deletes old files, some at a time; returns their number. */
  sweepFiles(now_ms: number): Promise<number>;
}

export const NOTHING_ELSE: CleanUp = { retention: KEEPS_ALL, sweepFiles: async () => 0 };

export class Pruner {
  readonly #store: Pick<Store, 'prune' | 'turn' | 'giveBackSpace'>;
  readonly #old: OldRows;
  readonly #sweepFiles: CleanUp['sweepFiles'];
  readonly #failed: (error: unknown) => void;
  readonly #believed: () => Promise<number | null>;
  #pruned_at = 0;
  #pruning: Promise<void> | null = null;
  #stopped = false;

  /** `believed` returns the trusted time, null while the clock is in doubt; `failed` is called with a failed deletion, which the next
   * minute repeats. */
  constructor(
    store: Pick<Store, 'prune' | 'turn' | 'giveBackSpace'>,
    believed: () => Promise<number | null>,
    failed: (error: unknown) => void,
    { retention, sweepFiles }: CleanUp = NOTHING_ELSE,
  ) {
    this.#store = store;
    this.#old = new OldRows(store, retention);
    this.#sweepFiles = sweepFiles;
    this.#believed = believed;
    this.#failed = failed;
  }

  /** Begins where a minute has passed since the last time. */
  begin(now_ms: number): void {
    if (this.#pruning || now_ms - this.#pruned_at < PRUNE_MS) return;
    this.#pruned_at = now_ms;
    this.#pruning = this.#prune(false)
      .catch(this.#failed)
      .finally(() => {
        this.#pruning = null;
      });
  }

  /** Deletes all that is over. */
  pruneAll(): Promise<void> {
    return this.#prune(true);
  }

  /** Deletes all that has expired, and of the rest, unless `whole`, as much as a minute may take. */
  async #prune(whole: boolean): Promise<void> {
    const believed_ms = await this.#believed();
    while (!this.#stopped && (await this.#store.prune(believed_ms)) > 0) await tick();
    if (believed_ms === null) return;
    await this.#old.goOn(believed_ms, () => this.#stopped, whole);
    if (!this.#stopped) await this.#sweepFiles(believed_ms);
    for (let step = 0; step < GIVEN_BACK && !this.#stopped; step++) {
      if ((await this.#store.giveBackSpace()) === 0) return;
      await tick();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pruning;
  }
}
