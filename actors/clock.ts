// The one clock of the service. Deadlines, expiry, month counters, rate limits and presence all read it; with
// TEST_CLOCK it is moved forward by hand. Only network time-outs and keep-alives follow the wall clock.

export interface Clock {
  /** Epoch milliseconds of service time. */
  now(): number;
  /** Calls the listener whenever time was moved by hand, or jumped: timers that wait for an instant look again. */
  onMove(listener: () => void): void;
}

export interface MovableClock extends Clock {
  /** How far service time was moved on. */
  readonly offset_ms: number;
  /** How long it has gone on since some beginning, moves by hand included. It never goes back, nor jumps with the machine's clock. */
  running_ms(): number;
  /** Moves service time to an instant; never back. */
  moveTo(at_ms: number): void;
  /** What was added to the machine's clock so that it agrees with the clock that the nodes share. */
  readonly correction_ms: number;
  /** Sets it. */
  correct(by_ms: number): void;
}

/** The wall clock, corrected, plus an offset that only `moveTo` changes. */
export function wallClock(): MovableClock {
  let offset_ms = 0;
  let correction_ms = 0;
  const wall_ms = (): number => Date.now() + correction_ms;
  const listeners: (() => void)[] = [];
  return {
    get offset_ms() {
      return offset_ms;
    },
    get correction_ms() {
      return correction_ms;
    },
    now: () => wall_ms() + offset_ms,
    running_ms: () => performance.now() + offset_ms,
    onMove: (listener) => listeners.push(listener),
    moveTo: (at_ms) => {
      offset_ms = Math.max(offset_ms, at_ms - wall_ms());
      for (const listener of listeners) listener();
    },
    correct: (by_ms) => {
      correction_ms = by_ms;
    },
  };
}
