// How often a person gets letters about one agent: the first at once, and what comes within the pause after it together in
// the next. An answer ends the pause, so that people who write to each other by mail do not wait for their letters.

/** Ten minutes: a burst of events is one letter, and nobody waits long for the next. */
const PAUSE_MS = 600_000;

/** When the next letter may leave, in epoch milliseconds; `last_at` is when the last one did, 0 before the first and
 * after an answer. */
export function letterTime(last_at: number, now_ms: number): number {
  return Math.max(now_ms, last_at + PAUSE_MS);
}
