// The device grant (RFC 8628): a program shows a person a short code, the person types it on a page and decides, and meanwhile the
// program asks again and again. Here are the code's form, the times, and how often anybody may try (rules.md 3).
import { HOUR_MS } from '../time.ts';
import type { SendLimit } from './code.ts';
import { clientOf, networkOf } from './ip.ts';

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
