// Queues scoring: one listing at a time, with a round of the event loop after each. Reads are synchronous, so a run over many
// listings would otherwise block all other callers from its first listing to its last.

import { nextRound } from '../steps/next-round.ts';

/** After this many priority jobs in a row one of the others runs, so that none waits for ever. */
const AHEAD_MAX = 4;

type Work = () => Promise<void>;

/** Waiting work by account, in rotation, so that an account with a thousand jobs does not delay the others. */
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

/** Runs its work one after the other, in order for each kind and account. */
export class WorkQueue {
  readonly #first = new Waiting();
  readonly #others = new Waiting();
  /** Priority jobs since the last other one. */
  #ahead = 0;
  #running = false;

  /**
   * Runs the work of an account when its turn comes, not before the next round of the event loop. With `first` it has
   * priority, four times of five.
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
