// What a person let a program do, and for how long. A grant begins with a code that is traded once, within a minute, and goes on by
// refresh tokens of which one works at a time (OAuth 2.1, 4.1.3 and 4.3; RFC 9700, 4.14). Whoever comes with an old one holds a
// copy: then the grant ends for both.
import { DAY_MS, HOUR_MS } from '../time.ts';
import type { SendLimit } from './code.ts';
import { clientOf, networkOf } from './rate.ts';

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

// The device grant (RFC 8628): a program shows a person a short code, the person types it on a page and decides, and meanwhile the
// program asks again and again. Here are the code's form, the times, and how often anybody may try (rules.md 3).

/** No vowels, so that no word comes up, and no two letters that look alike (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS = 8;
const USER_CODE = new RegExp(`^[${ALPHABET}]{${LETTERS}}$`);

/** A code is decided on within fifteen minutes. */
export const DEVICE_LIFE_MS = 900_000;
/** Seconds that a program waits between two questions, and how many more each time that it did not. */
export const POLL_SECONDS = 5;
export const SLOW_DOWN_SECONDS = 5;

/** Eight letters of at least sixteen random bytes, in their one spelling; two bytes a letter leave no bias that counts. */
export function mintUserCode(bytes: Uint8Array): string {
  if (bytes.length < 2 * LETTERS) throw new Error(`a user code needs at least ${2 * LETTERS} random bytes`);
  return Array.from({ length: LETTERS }, (_, at) => {
    const value = ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0);
    return ALPHABET[value % ALPHABET.length];
  }).join('');
}

/** As it is shown: `XXXX-XXXX`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LETTERS / 2)}-${code.slice(LETTERS / 2)}`;
}

/** What a person typed, in its one spelling; null for what is no code. Case, blanks and dashes are nobody's mistake. */
export function parseUserCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  return USER_CODE.test(code) ? code : null;
}

/** What beginning a grant counts against. */
export function beginLimits(ip: string): SendLimit[] {
  return [
    { key: `device:begin:ip:${clientOf(ip)}`, limit: 60, window_ms: HOUR_MS },
    { key: `device:begin:network:${networkOf(ip)}`, limit: 300, window_ms: HOUR_MS },
  ];
}

/** What trying a typed code counts against, right or wrong: a right one beyond it is refused too, or there were no bound. There are
 * 25 thousand million codes; 300 tries an hour find one of a thousand open ones in a decade. */
export function guessLimits(account_id: string, ip: string): SendLimit[] {
  return [
    { key: `device:guess:account:${account_id}`, limit: 30, window_ms: HOUR_MS },
    { key: `device:guess:ip:${clientOf(ip)}`, limit: 60, window_ms: HOUR_MS },
    { key: `device:guess:network:${networkOf(ip)}`, limit: 300, window_ms: HOUR_MS },
  ];
}
