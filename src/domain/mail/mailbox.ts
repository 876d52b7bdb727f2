// Agents' mailbox addresses and the reply addresses made from them: `<handle>+<token>@<MAIL_DOMAIN>` (rules.md 7). They
// stay valid after a mail system has folded their capitals.
import { DAY_MS } from '../time.ts';

/** A parsed mailbox address: the agent, and the token of a conversation if there is one. */
export interface Mailbox {
  readonly handle: string;
  readonly token: string | null;
}

/** The largest accepted mail (rules.md 1). */
export const MAIL_MAX_BYTES = 10 * 1024 * 1024;

/** 128 random bits, so that tokens cannot be guessed. */
export const REPLY_TOKEN_BYTES = 16;
/** Half a year: people answer old mail, but a leaked mailbox must not give access for ever. */
export const REPLY_TOKEN_MS = 180 * DAY_MS;

/** Base32 without i, l, o and u (Crockford's), in lower case, so that folding does not change it. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TOKEN = /^[0-9a-hjkmnp-tv-z]{26}$/;
const LOCAL = /^([a-z0-9_]{3,30})(?:\+([0-9a-z]{1,64}))?$/;
/** Mail programs show about this length of a sender's name. */
const NAME_MAX = 64;

/** Formats REPLY_TOKEN_BYTES random bytes as a token of 26 characters. */
export function replyToken(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  // The last character holds the three remaining bits of 128.
  bits <<= 2n;
  let text = '';
  for (let at = 0; at < 26; at++) {
    text = (ALPHABET[Number(bits & 31n)] ?? '') + text;
    bits >>= 5n;
  }
  return text;
}

export function mailboxOf(handle: string, mail_domain: string): string {
  return `${handle}@${mail_domain}`;
}

/** The reply address of one conversation; at most 57 characters before the `@`, of the 64 that SMTP allows. */
export function replyAddressOf(handle: string, token: string, mail_domain: string): string {
  return `${handle}+${token}@${mail_domain}`;
}

/** Parses an address at `mail_domain`; null for other domains and invalid handles. An invalid token makes the whole address
 * invalid, so that a mistyped token is not taken for a mail without one. */
export function parseMailbox(address: string, mail_domain: string): Mailbox | null {
  const at = address.lastIndexOf('@');
  // Only ASCII is folded, so that a look-alike letter does not become part of a handle.
  const folded = address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (at < 0 || folded.slice(at + 1).replace(/\.$/, '') !== mail_domain) return null;
  const [, handle, token] = LOCAL.exec(folded.slice(0, at)) ?? [];
  if (handle === undefined) return null;
  if (token === undefined) return { handle, token: null };
  return TOKEN.test(token) ? { handle, token } : null;
}

/** A reply address within text, also escaped, or without its domain, which is public. */
const REPLY_ADDRESS =
  /(?<![a-z0-9_])[a-z0-9_]{3,30}(?:\+|%2b)([0-9a-hjkmnp-tv-z]{26})(?![0-9a-z])(?:(?:@|%40)[a-z0-9.-]{1,253})?/gi;
const STRUCK = '[…]';

/** The tokens of the reply addresses that a text holds. */
export function replyTokensIn(text: string): string[] {
  return [...text.matchAll(REPLY_ADDRESS)].map(([, token = '']) => token.toLowerCase());
}

/** Removes an address, given in lower-case ASCII, from a text. */
function without(text: string, address: string): string {
  let at = 0;
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pieces = folded.split(address).map((piece) => {
    const written = text.slice(at, at + piece.length);
    at += piece.length + address.length;
    return written;
  });
  return pieces.join(STRUCK);
}

/** Removes reply addresses and the author's own address from a text. */
export function withoutAddresses(text: string, author: string | null): string {
  const struck = text.replace(REPLY_ADDRESS, STRUCK);
  return author === null ? struck : without(without(struck, author), author.replace('@', '%40'));
}

/**
 * A display name as the sender's name of a mail: one line without characters that could look like an address, end the name
 * or change the text direction. Empty when nothing is left.
 */
export function senderName(display_name: string): string {
  const plain = display_name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029<>"@,;:\\()[\]＠]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, NAME_MAX).join('').trim();
}
