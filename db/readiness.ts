// Whether a write can be made, found out by making one. Whoever asks often, or from many places, costs one write a second;
// and a database that is silent is told soon, not when its silence ends.

/** How long an answer is believed. */
const KEPT_MS = 1_000;
/** Whoever asks has a deadline of its own, mostly of a few seconds, and must hear "no" before it. */
const WAIT_MS = 2_000;

export class Readiness {
  readonly #write: () => Promise<unknown>;
  #last = false;
  #told_at = Number.NEGATIVE_INFINITY;
  #asking: Promise<boolean> | null = null;

  /** `write` makes a write durable, or throws. */
  constructor(write: () => Promise<unknown>) {
    this.#write = write;
  }

  async ask(): Promise<boolean> {
    if (this.#asking === null && performance.now() - this.#told_at < KEPT_MS) return this.#last;
    this.#asking ??= this.#try();
    const { promise, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), WAIT_MS);
    try {
      return await Promise.race([this.#asking, promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #try(): Promise<boolean> {
    this.#last = await this.#write().then(
      () => true,
      () => false,
    );
    this.#told_at = performance.now();
    this.#asking = null;
    return this.#last;
  }
}
