// What this process knows of letters that are already asked for, so that an event for an agent whose letter waits costs no
// look-up. A hold ends before its reminder is due, so no event is ever taken for told that the letter will not tell.

/** A letter that is asked for: it tells of everything from the seq `from` on. */
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

  /** Whether a letter is asked for that will tell of whatever comes now. */
  holds(agent_id: string): boolean {
    const asked = this.#asked.get(agent_id);
    return asked !== undefined && this.#now() < asked.at - SLACK_MS;
  }

  /** The letter that was asked for and may not be made yet; null when none is known. */
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
