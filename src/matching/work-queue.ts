// Scoring takes its turns: one listing at a time, and after each the event loop comes round. Reads are synchronous, so a run
// over many listings would otherwise hold up every other caller from its first listing to its last.

import { nextRound } from '../steps/next-round.ts';

/** After so many that go first in a row one of the others is done, so that nobody waits for ever. */
const AHEAD_MAX = 4;

type Work = () => Promise<void>;

/** What waits, by account: each has its turn in rotation, so that one that asks a thousand times keeps nobody waiting. */
class Waiting {
  readonly #queues = new Map<string, Work[]>();

  get size(): number {
    return this.#queues.size;
  }

  add(account_id: string, work: Work): void {
    const queue = this.#queues.get(account_id);
    if (queue) queue.push(work);
    else this.#queues.set(account_id, [work]);
  }

  next(): Work | undefined {
    const [first] = this.#queues;
    if (!first) return undefined;
    const [account_id, queue] = first;
    const work = queue.shift();
    this.#queues.delete(account_id);
    if (queue.length > 0) this.#queues.set(account_id, queue);
    return work;
  }
}

/** What runs in it does so one after the other, of each kind and account in the order in which it came. */
export class WorkQueue {
  readonly #first = new Waiting();
  readonly #others = new Waiting();
  /** How many that go first were done since one of the others was. */
  #ahead = 0;
  #running = false;

  /**
   * Does the work of an account when its turn comes, and not before the next round of the event loop. With `first` it goes
   * before what waits without, four times of five.
   */
  run<T>(account_id: string, work: () => Promise<T>, first = false): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    (first ? this.#first : this.#others).add(account_id, () => work().then(resolve, reject));
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
    const others = this.#first.size === 0 || (this.#ahead >= AHEAD_MAX && this.#others.size > 0);
    this.#ahead = others ? 0 : this.#ahead + 1;
    return (others ? this.#others : this.#first).next();
  }
}
