// A person's grant to a program. It starts with a code that is exchanged once, within a minute, and continues by refresh tokens, of
// which one is valid at a time (OAuth 2.1, 4.1.3 and 4.3; RFC 9700, 4.14). The use of an old one shows a stolen copy: then the
// grant ends for both holders.
import { DAY_MS, HOUR_MS } from '../time.ts';
import type { SendLimit } from './code.ts';
import { clientOf, networkOf } from './rate.ts';

/** A code passes through a browser, which takes seconds. */
export const CODE_SECONDS = 60;
/** The durations of grants in days; the longest is the lifetime of keys (interface.md, Authentication 6). */
export const GRANT_DAYS = [90, 30, 1] as const;
/** How long the last replaced refresh token is answered with the current one: its answer may have been lost, or a second process of
 * the same program uses it. */
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

/** Whether a grant is valid. */
export function grantStands({ redeemed_at, ended_at, expires_at }: Standing, now_ms: number): boolean {
  return redeemed_at !== null && ended_at === null && expires_at > now_ms;
}

/** The state of the n-th refresh token of a grant: current, replaced within the last minutes, or so old that only a thief uses it. */
export function refreshStanding(
  n: number,
  { rotations, rotated_at }: Rotated,
  now_ms: number,
): 'current' | 'replaced' | 'spent' {
  if (n === rotations) return 'current';
  const at = n === rotations - 1 ? rotated_at?.at(-1) : undefined;
  return at !== undefined && now_ms < at + REPLACED_MS ? 'replaced' : 'spent';
}

/** The rotation state after the refresh token is replaced now. */
export function rotated({ rotations }: Rotated, now_ms: number): Rotated {
  return { rotations: rotations + 1, rotated_at: [now_ms] };
}

// The device grant (RFC 8628): a program shows a person a short code, the person types it on a page and decides, and meanwhile the
// program polls. This file defines the code's form, the times, and the limits of attempts (rules.md 3).

/** Without vowels, so that no words arise, and without letters that look alike (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS = 8;
const USER_CODE = new RegExp(`^[${ALPHABET}]{${LETTERS}}$`);

/** A code is valid for fifteen minutes. */
export const DEVICE_LIFE_MS = 900_000;
/** The polling interval in seconds, and its increase after each early poll. */
export const POLL_SECONDS = 5;
export const SLOW_DOWN_SECONDS = 5;

/** Eight letters from at least sixteen random bytes, in canonical form; with two bytes a letter the bias is negligible. */
export function mintUserCode(bytes: Uint8Array): string {
  if (bytes.length < 2 * LETTERS) throw new Error(`a user code needs at least ${2 * LETTERS} random bytes`);
  return Array.from({ length: LETTERS }, (_, at) => {
    const value = ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0);
    return ALPHABET[value % ALPHABET.length];
  }).join('');
}

/** The displayed form: `XXXX-XXXX`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LETTERS / 2)}-${code.slice(LETTERS / 2)}`;
}

/** The canonical form of a typed code; null for an invalid one. Case, blanks and dashes are ignored. */
export function parseUserCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  return USER_CODE.test(code) ? code : null;
}

/** The limits for starting a grant. */
export function beginLimits(ip: string): SendLimit[] {
  return [
    { key: `device:begin:ip:${clientOf(ip)}`, limit: 60, window_ms: HOUR_MS },
    { key: `device:begin:network:${networkOf(ip)}`, limit: 300, window_ms: HOUR_MS },
  ];
}

/** The limits for typed codes, right or wrong: a right one beyond them is refused too, or guessing would have no limit. There are
 * 25 thousand million codes; 300 attempts an hour find one of a thousand open ones in a decade. */
export function guessLimits(account_id: string, ip: string): SendLimit[] {
  return [
    { key: `device:guess:account:${account_id}`, limit: 30, window_ms: HOUR_MS },
    { key: `device:guess:ip:${clientOf(ip)}`, limit: 60, window_ms: HOUR_MS },
    { key: `device:guess:network:${networkOf(ip)}`, limit: 300, window_ms: HOUR_MS },
  ];
}
