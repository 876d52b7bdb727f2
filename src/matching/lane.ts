// Scoring takes its turns: one listing at a time, and after each the event loop comes round. Reads are synchronous, so a run
// over many listings would otherwise hold up every other caller from its first listing to its last.

/** A lane: what runs in it does so one after the other. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when all that came before it is done, and not before the next round of the event loop. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(nextRound).then(work);
    this.#last = mine.catch(() => {});
    return mine;
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
