// Request rates: at most so many in any 60 seconds. A window that slides by whole seconds is kept, not a bucket,
// because a bucket lets nearly twice the published number through in its first minute.

const WINDOW_SECONDS = 60;

/** Requests let through in one second of service time. */
interface Slot {
  readonly second: number;
  readonly count: number;
}

/** The last minute of one caller, oldest first; at most 60 slots, and a burst takes one. */
export type RateState = readonly Slot[];

/** A caller that was not seen in the last minute; such a state may be forgotten. */
export const FRESH_RATE: RateState = [];

export interface Taken {
  readonly state: RateState;
  readonly ok: boolean;
  /** 0 when let through; else whole seconds after which the next request will be, for `Retry-After`. */
  readonly retry_after_seconds: number;
}

const countOf = (slots: RateState): number => slots.reduce((sum, slot) => sum + slot.count, 0);

function secondOf(state: RateState, now_ms: number): number {
  return Math.max(Math.floor(now_ms / 1000), state.at(-1)?.second ?? 0);
}

/** The slots that still count in a second. */
function liveAt(state: RateState, second: number): RateState {
  return state.filter((slot) => slot.second > second - WINDOW_SECONDS);
}

/** How many requests of the last minute a state holds. */
export function usedOf(state: RateState, now_ms: number): number {
  return countOf(liveAt(state, secondOf(state, now_ms)));
}

/** When so many slots have ended that there is room again, in epoch milliseconds. */
function freesAt(slots: RateState, excess: number, second: number): number {
  let left = excess;
  for (const slot of slots.toSorted((a, b) => a.second - b.second)) {
    left -= slot.count;
    if (left < 0) return (slot.second + WINDOW_SECONDS) * 1000;
  }
  return second * 1000;
}

/** Asks for one request at `now_ms`. A refused one costs nothing, so a caller that keeps trying is not kept out. What
 * was let through `elsewhere`, by other nodes, counts as well. */
export function takeRequest(
  state: RateState,
  now_ms: number,
  limit_per_minute: number,
  elsewhere: RateState = FRESH_RATE,
): Taken {
  const second = secondOf(state, now_ms);
  const live = liveAt(state, second);
  const others = elsewhere.length === 0 ? elsewhere : liveAt(elsewhere, second);
  const used = countOf(live) + countOf(others);
  if (used < limit_per_minute) {
    const last = live.at(-1);
    const next =
      last?.second === second ? live.with(-1, { second, count: last.count + 1 }) : [...live, { second, count: 1 }];
    return { state: next, ok: true, retry_after_seconds: 0 };
  }
  const frees_at_ms = freesAt([...live, ...others], used - limit_per_minute, second);
  return { state: live, ok: false, retry_after_seconds: Math.max(1, Math.ceil((frees_at_ms - now_ms) / 1000)) };
}

/** Whether nothing of a state counts any more, so that its owner's entry can be dropped. */
export function isIdle(state: RateState, now_ms: number): boolean {
  return (state.at(-1)?.second ?? 0) <= Math.floor(now_ms / 1000) - WINDOW_SECONDS;
}
