// The one virtual clock: nothing sleeps, time goes on when a test says so.
import type { MovableClock } from '../../actors/clock.ts';

/** The clock of a node that is behind another's by so much, and moves with it. */
export function clockBehind(clock: MovableClock, behind_ms: number): MovableClock {
  return {
    get offset_ms() {
      return clock.offset_ms;
    },
    now: () => clock.now() - behind_ms,
    running_ms: () => clock.running_ms(),
    onMove: (listener) => clock.onMove(listener),
    moveTo: (at_ms) => clock.moveTo(at_ms + behind_ms),
    correction_ms: 0,
    correct: () => {},
  };
}

/** A clock that can also be set wrong, as a machine's can. */
export interface VirtualClock extends MovableClock {
  /** Sets it on by so much, or back, without any time going by. */
  jump(by_ms: number): void;
}

/** A clock that stands still until it is moved. */
export function virtualClock(start_ms: number): VirtualClock {
  let now_ms = start_ms;
  let [wrong_ms, correction_ms] = [0, 0];
  const listeners: (() => void)[] = [];
  return {
    get offset_ms() {
      return now_ms - start_ms;
    },
    get correction_ms() {
      return correction_ms;
    },
    correct: (by_ms) => {
      correction_ms = by_ms;
    },
    now: () => now_ms + wrong_ms + correction_ms,
    running_ms: () => now_ms - start_ms,
    jump: (by_ms) => {
      wrong_ms += by_ms;
    },
    onMove: (listener) => listeners.push(listener),
    moveTo: (at_ms) => {
      now_ms = Math.max(now_ms, at_ms - wrong_ms - correction_ms);
      for (const listener of listeners) listener();
    },
  };
}
