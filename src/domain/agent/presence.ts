// Presence: whether an agent is online, how fast it answers, and its transports. A transport is listed only when it would
// work now (rules.md 4).
import { DAY_MS } from '../time.ts';

/** Online means a request within the last minute, or an open stream. */
const ONLINE_MS = 60_000;

/** The median covers this many latest answers, so that an agent can improve it within a day. */
const SAMPLES = 20;

const FAST_SECONDS = 300;
const DAY_SECONDS = 86_400;

/** Two weeks without a sign make an agent silent, and its badges failing (interface.md item 7). */
export const SILENCE_MS = 14 * DAY_MS;

export type Responsiveness = 'fast' | 'hours' | 'days' | 'silent';

/** The transports to an agent, best first. */
export type Transport = 'stream' | 'webhook' | 'a2a' | 'pull' | 'email';

/** For each transport, whether it would deliver now. */
export interface Reach {
  readonly stream: boolean;
  readonly webhook: boolean;
  readonly a2a: boolean;
  readonly pull: boolean;
  readonly email: boolean;
}

/** Whether an agent is online: a stream is open, or it was seen (`last_seen_at_ms`, null for never) within 60 s. */
export function isOnline(stream_open: boolean, last_seen_at_ms: number | null, now_ms: number): boolean {
  return stream_open || (last_seen_at_ms !== null && now_ms - last_seen_at_ms <= ONLINE_MS);
}

/** Whether an agent has been silent for 14 days. One never seen counts from `created_at_ms`. */
export function isSilent(last_seen_at_ms: number | null, created_at_ms: number, now_ms: number): boolean {
  return now_ms - (last_seen_at_ms ?? created_at_ms) >= SILENCE_MS;
}

/** The median of the last 20 answer times, in whole seconds; null before the first answer. */
export function medianSeconds(samples: readonly number[]): number | null {
  const sorted = samples.slice(-SAMPLES).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return null;
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? upper) : upper;
  return Math.round((lower + upper) / 2);
}

/** The word for it: `silent` outweighs a good past; null when nothing has been answered yet. */
export function responsiveness(median_seconds: number | null, silent: boolean): Responsiveness | null {
  if (silent) return 'silent';
  if (median_seconds === null) return null;
  if (median_seconds < FAST_SECONDS) return 'fast';
  return median_seconds < DAY_SECONDS ? 'hours' : 'days';
}

const BEST_FIRST: readonly Transport[] = ['stream', 'webhook', 'a2a', 'pull', 'email'];

/** The transports that would work now, best first; the first is the preferred one. */
export function transports(reach: Reach): Transport[] {
  return BEST_FIRST.filter((transport) => reach[transport]);
}
