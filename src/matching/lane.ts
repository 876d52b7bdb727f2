// Scoring takes its turns: one listing at a time, and after each the event loop comes round. Reads are synchronous, so a run
// over many listings would otherwise hold up every other caller from its first listing to its last.

/** After so many that go first in a row one of the others is done, so that nobody waits for ever. */
const AHEAD_MAX = 4;

type Work = () => Promise<void>;

/** A lane: what runs in it does so one after the other, each kind in the order in which it came. */
export class Lane {
  readonly #first: Work[] = [];
  readonly #others: Work[] = [];
  /** How many that go first were done since one of the others was. */
  #ahead = 0;
  #running = false;

  /**
   * Does the work when its turn comes, and not before the next round of the event loop. With `first` it goes before what
   * waits without, four times of five.
   */
  run<T>(work: () => Promise<T>, first = false): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    (first ? this.#first : this.#others).push(() => work().then(resolve, reject));
    if (!this.#running) void this.#drain();
    return promise;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    for (let next = await this.#next(); next; next = await this.#next()) await next();
    this.#running = false;
  }

  async #next(): Promise<Work | undefined> {
    await nextRound();
    const others = this.#first.length === 0 || (this.#ahead >= AHEAD_MAX && this.#others.length > 0);
    this.#ahead = others ? 0 : this.#ahead + 1;
    return (others ? this.#others : this.#first).shift();
  }
}

/** Lets everybody else have the event loop once. */
export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
