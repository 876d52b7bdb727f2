// The pause before the same is tried again: random, so that two nodes that met do not meet again at once, and longer
// with each attempt.

const FIRST_MS = 1;
/** Two turns that met are out of each other's way after a batch or two. */
export const CONFLICT_MS_MAX = 16;
/** A server that went away comes back, or another in its place, within seconds. */
export const LOST_MS_MAX = 1_000;

/** Waits a random while after the n-th attempt. */
export function jitter(attempt: number, longest_ms: number): Promise<void> {
  const most_ms = Math.min(FIRST_MS * 2 ** Math.min(attempt, 16), longest_ms);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most_ms));
}
