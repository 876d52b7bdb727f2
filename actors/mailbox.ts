// A mailbox: the turns of one agent, one at a time and in the order of their arrival. It is free again as soon as a turn's
// effects are applied; only that turn's reply waits for the disk.
import { StoreUnavailable } from '../db/unavailable.ts';

/** Turns that may wait for one agent; one more is refused, so that a flood for one agent costs bounded memory. */
const MAILBOX_MAX = 1_000;

/** Thrown at a turn that finds the mailbox full; the door answers 503 `overloaded`. */
export class MailboxFull extends Error {
  constructor() {
    super('the mailbox is full');
  }
}

interface Waiting {
  go(): void;
  refuse(error: unknown): void;
}

export class Mailbox {
  readonly #waiting: Waiting[] = [];
  #busy = false;

  get idle(): boolean {
    return !this.#busy;
  }

  /** Runs a turn when those before it have been applied; the turn calls `release` when it is. */
  async run<T>(turn: (release: () => void) => Promise<T>): Promise<T> {
    if (this.#busy) {
      if (this.#waiting.length >= MAILBOX_MAX) throw new MailboxFull();
      await new Promise<void>((go, refuse) => this.#waiting.push({ go, refuse }));
    }
    this.#busy = true;
    const before = this.#waiting.length;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      const next = this.#waiting.shift();
      // The mailbox stays busy when it passes straight on to the next turn.
      if (next) next.go();
      else this.#busy = false;
    };
    try {
      return await turn(release);
    } catch (error) {
      // Turns that waited behind it all the time have waited for the database as long: refuse them too, instead of one by one.
      const with_it = error instanceof StoreUnavailable && !released ? this.#waiting.splice(0, before) : [];
      for (const waiting of with_it) waiting.refuse(error);
      throw error;
    } finally {
      release();
    }
  }
}
