// Requests have priority over pushes: while the process is busy with turns, pushes start at a fraction of their rate, so that
// acknowledgements keep theirs. Waiting pushes cost nothing, because the inbox is the queue.

/** The interval of load checks. */
const LOOK_MS = 10;
/** A timer that is later than this shows a busy event loop. */
const LATE_MS = 2;
/** Fewer turns a second than this are not what keeps the loop busy. */
const BUSY_TURNS_PER_SECOND = 500;
/** Pushes that may start for each turn while the loop is busy, and the least that start in a second however busy it is. */
const SHARE = 0.05;
const LEAST_PER_SECOND = 100;

export class LoadShedding {
  #turns = 0;
  #left = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #last_ms = 0;
  /** Turns a second and lateness, smoothed over some looks. */
  #rate = 0;
  #late_ms = 0;

  /** Counts turns that were committed. */
  countTurns(count: number): void {
    this.#turns += count;
  }

  /** Whether another push may start now. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Begins to look; before that everything may start at once. `resume` is called when more may. */
  start(resume: () => void): void {
    this.#last_ms = performance.now();
    const look = (): void => {
      this.#look();
      resume();
      this.#timer = setTimeout(look, LOOK_MS);
      this.#timer.unref();
    };
    this.#timer = setTimeout(look, LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#left = Number.POSITIVE_INFINITY;
  }

  #look(): void {
    const now_ms = performance.now();
    const passed_ms = now_ms - this.#last_ms;
    this.#last_ms = now_ms;
    this.#rate += ((this.#turns * 1000) / passed_ms - this.#rate) / 8;
    this.#late_ms += (passed_ms - LOOK_MS - this.#late_ms) / 8;
    this.#turns = 0;
    if (this.#rate < BUSY_TURNS_PER_SECOND || this.#late_ms < LATE_MS) {
      this.#left = Number.POSITIVE_INFINITY;
      return;
    }
    const kept = Number.isFinite(this.#left) ? Math.min(this.#left, 1) : 0;
    this.#left = kept + (Math.max(this.#rate * SHARE, LEAST_PER_SECOND) * passed_ms) / 1000;
  }
}
