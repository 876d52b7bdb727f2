// What a person let a program do, and for how long. A grant begins with a code that is traded once, within a minute, and goes on by
// refresh tokens of which one works at a time (OAuth 2.1, 4.1.3 and 4.3; RFC 9700, 4.14). Whoever comes with an old one holds a
// copy: then the grant ends for both.
import { DAY_MS } from '../time.ts';

/** A code is on its way through a browser, which takes seconds. */
export const CODE_SECONDS = 60;
/** For how long a person may let a program in, in days; no key lives longer than the longest (interface.md, Authentication 6). */
export const GRANT_DAYS = [90, 30, 1] as const;
/** The refresh token that was replaced last is answered with the one that works: the answer may have been lost, or a second process of
 * the same program comes with it. */
const REPLACED_MS = 300_000;

interface Rotated {
  readonly rotations: number;
  readonly rotated_at: readonly number[] | null;
}

interface Standing {
  readonly redeemed_at: number | null;
  readonly ended_at: number | null;
  readonly expires_at: number;
}

export function grantEnd(days: number, now_ms: number): number {
  return now_ms + days * DAY_MS;
}

/** Whether a program may still use what it was given. */
export function grantStands({ redeemed_at, ended_at, expires_at }: Standing, now_ms: number): boolean {
  return redeemed_at !== null && ended_at === null && expires_at > now_ms;
}

/** What the n-th refresh token of a grant is worth: it works, was the one before a few minutes ago, or nobody honest holds it any more. */
export function refreshStanding(
  n: number,
  { rotations, rotated_at }: Rotated,
  now_ms: number,
): 'current' | 'replaced' | 'spent' {
  if (n === rotations) return 'current';
  const at = n === rotations - 1 ? rotated_at?.at(-1) : undefined;
  return at !== undefined && now_ms < at + REPLACED_MS ? 'replaced' : 'spent';
}

/** A grant whose refresh token is replaced now. */
export function rotated({ rotations }: Rotated, now_ms: number): Rotated {
  return { rotations: rotations + 1, rotated_at: [now_ms] };
}
