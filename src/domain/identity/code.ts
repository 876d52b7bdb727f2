// Emailed and texted codes: their form, their lifetime and how often one may be sent. These rules protect accounts and
// mailboxes from strangers (rules.md 3).
import { emailDomain } from '../mail/email.ts';
import { HOUR_MS } from '../time.ts';
import { clientOf, networkOf } from './rate.ts';

const CODE_DIGITS = 6;

/** A code lives ten minutes. */
export const CODE_LIFE_MS = 600_000;

/** After five wrong attempts a code is invalid: a guesser has a chance of 5 in 1,000,000 and then needs another code sent. */
export const CODE_TRIES = 5;

/** A counted allowance: at most `limit` under `key` in `window_ms`. */
export interface SendLimit {
  readonly key: string;
  readonly limit: number;
  readonly window_ms: number;
}

/** Six decimal digits from at least eight random bytes; with 64 bits the bias of the modulus is below 1 in 10^13. */
export function mintCode(bytes: Uint8Array): string {
  if (bytes.length < 8) throw new Error('a code needs at least 8 random bytes');
  const value = bytes.subarray(0, 8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return String(value % 10n ** BigInt(CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/**
 * The limits for sending one code to `email` (folded) for a client at `ip`; all must have room.
 * The row of the network stops a flood that changes its address each time.
 */
export function sendLimits(email: string, ip: string): SendLimit[] {
  return [
    { key: `code:email:${email}`, limit: 5, window_ms: HOUR_MS },
    { key: `code:ip:${clientOf(ip)}`, limit: 20, window_ms: HOUR_MS },
    { key: `code:network:${networkOf(ip)}`, limit: 60, window_ms: HOUR_MS },
  ];
}

/** Public mail services, where codes to many strangers are no sign of a flood to one domain. */
const PUBLIC_MAIL: ReadonlySet<string> = new Set([
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'yahoo.com',
  'icloud.com',
  'me.com',
  'aol.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  'proton.me',
  'protonmail.com',
  'mail.ru',
  'yandex.ru',
  'qq.com',
  '163.com',
]);

/** The additional limit for codes to addresses without an account at a mail domain: it stops a flood that changes its mailbox each time,
 * and does not affect existing accounts. */
export function domainLimit(email: string): SendLimit {
  const domain = emailDomain(email);
  return { key: `code:domain:${domain}`, limit: PUBLIC_MAIL.has(domain) ? 1_000 : 50, window_ms: HOUR_MS };
}

/** The counter of a limit in the window of an instant, and the end of that window. */
export function windowOf({ key, window_ms }: SendLimit, now_ms: number): { id: string; ends_at: number } {
  const start_ms = Math.floor(now_ms / window_ms) * window_ms;
  return { id: `${key}:${start_ms}`, ends_at: start_ms + window_ms };
}

/** The same for a text message to `phone` (E.164). Each one costs the operator, so an agent has its own row as well. */
export function phoneSendLimits(phone: string, agent_id: string, ip: string): SendLimit[] {
  return [
    { key: `code:phone:${phone}`, limit: 5, window_ms: HOUR_MS },
    { key: `code:agent:${agent_id}`, limit: 10, window_ms: HOUR_MS },
    { key: `code:ip:${clientOf(ip)}`, limit: 20, window_ms: HOUR_MS },
    { key: `code:network:${networkOf(ip)}`, limit: 60, window_ms: HOUR_MS },
  ];
}

// Phone numbers without punctuation, for commands.

/** A plus and the digits. */
export function plainPhone(phone: string): string {
  return `+${phone.replaceAll(/\D/g, '')}`;
}
