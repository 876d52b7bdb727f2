// Deadlines for answers of the database. A connection whose server stalls, or whose packets are dropped, never gives an error: only
// a deadline on our side ends its waits.
import { DAY_MS } from '../../src/domain/time.ts';

export interface Patience {
  /** A statement's connection counts as dead after this time without an answer. */
  readonly silence_ms: number;
  /** A call is refused after this time of attempts. */
  readonly wait_ms: number;
}

/** A statement may wait for the row locks of a stalled node until the server ends them (connection.ts), which is no silence; and a
 * call gets its answer after some five seconds, with time for another attempt. */
const PATIENCE: Patience = { silence_ms: 3_500, wait_ms: 5_000 };
/** While tables are made, filled and indexed, which takes hours where they are large; another node may be at it, and this one waits. */
export const LONG_PATIENCE: Patience = { silence_ms: DAY_MS, wait_ms: DAY_MS };

/** Checks per length of silence, which bounds the extra wait of a statement. */
const LOOKS = 8;

/** The least time between two times that connections are given up because they lead to a standby. */
const MISLED_MS = 1_000;

/** Thrown when the connection was lost during a statement: its outcome is unknown. */
export class Silent extends Error {
  constructor() {
    super('the database does not answer');
  }
}

/** Connections to the one place that all of them lead to. */
export interface Suspect {
  /** Others of its place were found dead, or `misled`: then these lead to a standby too, whatever they answer. */
  suspect(misled: boolean): void;
}

/** Something that waits for an answer. */
export interface Waiting {
  readonly until: number;
  readonly cut: () => void;
}

/** One timer for all waits, and none without a wait. Time is counted in looks: a process that was itself blocked has missed
 * them, and does not count that time as silence of the server. */
export class Silence {
  readonly patience: Patience;
  readonly #look_ms: number;
  readonly #waiting = new Set<Waiting>();
  readonly #pools = new Set<Suspect>();
  #looks = 0;
  #misled_ms = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(patience: Patience = PATIENCE) {
    this.patience = patience;
    this.#look_ms = Math.ceil(patience.silence_ms / LOOKS);
  }

  /** Registers a pool for notices of dead connections in others. */
  join(pool: Suspect): void {
    this.#pools.add(pool);
  }

  /** Whether connections to a standby are given up now: not each time, since a server that takes no writes for long still reads. */
  mayMislead(): boolean {
    const now_ms = performance.now();
    if (now_ms - this.#misled_ms < MISLED_MS) return false;
    this.#misled_ms = now_ms;
    return true;
  }

  /** Tells the other pools that one is dead: otherwise a call that needs several would wait for each. */
  markDead(dead: Suspect, misled = false): void {
    for (const pool of this.#pools) if (pool !== dead) pool.suspect(misled);
  }

  /** The time of what waits, which passes only while something does. */
  get now_ms(): number {
    return this.#looks * this.#look_ms;
  }

  /** Calls `cut`, which must end the wait, unless `stopWaiting` is called within `most_ms`. */
  expect(most_ms: number, cut: () => void): Waiting {
    // The look that is on its way does not count: it may come at once.
    const until = this.#looks + 1 + Math.ceil(most_ms / this.#look_ms);
    const waiting = { until, cut };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), this.#look_ms).unref();
    return waiting;
  }

  stopWaiting(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  #look(): void {
    this.#looks += 1;
    for (const waiting of this.#waiting) {
      if (waiting.until > this.#looks) continue;
      this.#waiting.delete(waiting);
      waiting.cut();
    }
    if (this.#waiting.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
