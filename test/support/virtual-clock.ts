// The one virtual clock: nothing sleeps, time goes on when a test says so.
import type { MovableClock } from '../../actors/clock.ts';

/** The clock of a node that is behind another's by so much, and moves with it. */
export function clockBehind(clock: MovableClock, behind_ms: number): MovableClock {
  return {
    get offset_ms() {
      return clock.offset_ms;
    },
    now: () => clock.now() - behind_ms,
    onMove: (listener) => clock.onMove(listener),
    moveTo: (at_ms) => clock.moveTo(at_ms + behind_ms),
  };
}

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
