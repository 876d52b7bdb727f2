// A mailbox: the turns of one agent, one at a time and in the order of their arrival. It is free again as soon as a
// turn's effects are applied; only that turn's reply goes on waiting for the disk.

/** Turns that may wait for one agent; one more is refused, so that a flood for one agent costs bounded memory. */
const MAILBOX_MAX = 1_000;

/** Thrown at a turn that finds the mailbox full; the door answers 503 `overloaded`. */
export class MailboxFull extends Error {
  constructor() {
    super('the mailbox is full');
  }
}

export class Mailbox {
  #waiting: (() => void)[] = [];
  #busy = false;

  get idle(): boolean {
    return !this.#busy;
  }

  /** Runs a turn when those before it have been applied; the turn calls `release` when it is. */
  async run<T>(turn: (release: () => void) => Promise<T>): Promise<T> {
    if (this.#busy) {
      if (this.#waiting.length >= MAILBOX_MAX) throw new MailboxFull();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#busy = true;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      const next = this.#waiting.shift();
      // The mailbox stays busy when it passes straight on to the next turn.
      if (next) next();
      else this.#busy = false;
    };
    try {
      return await turn(release);
    } finally {
      release();
    }
  }
}
