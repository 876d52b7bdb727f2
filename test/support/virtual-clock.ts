// The one virtual clock: nothing sleeps, time goes on when a test says so.
import type { MovableClock } from '../../actors/clock.ts';

/** A clock that stands still until it is moved. */
export function virtualClock(start_ms: number): MovableClock {
  let now_ms = start_ms;
  const listeners: (() => void)[] = [];
  return {
    get offset_ms() {
      return now_ms - start_ms;
    },
    now: () => now_ms,
    onMove: (listener) => listeners.push(listener),
    moveTo: (at_ms) => {
      now_ms = Math.max(now_ms, at_ms);
      for (const listener of listeners) listener();
    },
  };
}
