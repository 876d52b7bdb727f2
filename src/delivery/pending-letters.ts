// The letters that this process knows to be requested, so that an event for an agent with a waiting letter costs no read. An entry
// ends before its reminder is due, so that no event is left out of the letter.

/** A requested letter, which covers all events from the seq `from` on. */
export interface Asked {
  readonly from: number;
  /** When it is made, in epoch milliseconds. */
  readonly at: number;
}

/** Longer than the commit of an event takes to become readable, clocks of nodes included. */
const SLACK_MS = 3_000;
const KEPT_MAX = 50_000;

export class PendingLetters {
  readonly #asked = new Map<string, Asked>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a requested letter will cover an event of now. */
  holds(agent_id: string): boolean {
    const asked = this.#asked.get(agent_id);
    return asked !== undefined && this.#now() < asked.at - SLACK_MS;
  }

  /** The requested letter that may not be made yet; null when none is known. */
  of(agent_id: string): Asked | null {
    return this.#asked.get(agent_id) ?? null;
  }

  note(agent_id: string, asked: Asked): void {
    this.#asked.delete(agent_id);
    this.#asked.set(agent_id, asked);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > KEPT_MAX && oldest !== undefined) this.#asked.delete(oldest);
  }
}
