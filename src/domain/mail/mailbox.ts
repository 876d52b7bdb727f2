// Agents' mailbox addresses and the reply addresses made from them: `<handle>+<token>@<MAIL_DOMAIN>` (rules.md 7).
// The rule kept here is that an address means the same after any mail system has folded its capitals.
import { DAY_MS } from '../time.ts';

/** What is left of a mailbox address: whose it is, and the token of a conversation where it has one. */
export interface Mailbox {
  readonly handle: string;
  readonly token: string | null;
}

/** The largest mail that is taken (rules.md 1). */
export const MAIL_MAX_BYTES = 10 * 1024 * 1024;

/** 128 random bits: no number of mails finds one by trying. */
export const REPLY_TOKEN_BYTES = 16;
/** Half a year: people answer old mail, and yet a mailbox that leaks does not open its threads for ever. */
export const REPLY_TOKEN_MS = 180 * DAY_MS;

/** Base32 without i, l, o and u (Crockford's), in small letters: what folding capitals leaves as it is. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TOKEN = /^[0-9a-hjkmnp-tv-z]{26}$/;
const LOCAL = /^([a-z0-9_]{3,30})(?:\+([0-9a-z]{1,64}))?$/;
/** A mail program shows about as much of a sender's name. */
const NAME_MAX = 64;

/** A token as text, 26 letters, from REPLY_TOKEN_BYTES random bytes. */
export function replyToken(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  // The last letter carries the three bits that are left over from 128.
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

/** The address that a reply to one conversation goes to; at most 57 letters before the `@`, of the 64 that SMTP takes. */
export function replyAddressOf(handle: string, token: string, mail_domain: string): string {
  return `${handle}+${token}@${mail_domain}`;
}

/** What an address at `mail_domain` names, or null for addresses elsewhere and what can be no handle. A suffix that is no
 * token makes it no mailbox at all, so that a mistyped token is told from a mail without one. */
export function parseMailbox(address: string, mail_domain: string): Mailbox | null {
  const at = address.lastIndexOf('@');
  // Only ASCII folds here, so that a look-alike letter does not become a handle's.
  const folded = address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (at < 0 || folded.slice(at + 1).replace(/\.$/, '') !== mail_domain) return null;
  const [, handle, token] = LOCAL.exec(folded.slice(0, at)) ?? [];
  if (handle === undefined) return null;
  if (token === undefined) return { handle, token: null };
  return TOKEN.test(token) ? { handle, token } : null;
}

/** A reply address as texts hold one, also escaped, or without its domain: that one is public. */
const REPLY_ADDRESS =
  /(?<![a-z0-9_])[a-z0-9_]{3,30}(?:\+|%2b)([0-9a-hjkmnp-tv-z]{26})(?![0-9a-z])(?:(?:@|%40)[a-z0-9.-]{1,253})?/gi;
const STRUCK = '[…]';

/** The tokens of the reply addresses that a text holds. */
export function replyTokensIn(text: string): string[] {
  return [...text.matchAll(REPLY_ADDRESS)].map(([, token = '']) => token.toLowerCase());
}

/** A text without an address, which is given in small letters of ASCII. */
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

/** A text without reply addresses and without its author's own address. */
export function withoutAddresses(text: string, author: string | null): string {
  const struck = text.replace(REPLY_ADDRESS, STRUCK);
  return author === null ? struck : without(without(struck, author), author.replace('@', '%40'));
}

/**
 * A display name as the name of a mail's sender: one line without marks that could pass for an address, end the name or
 * turn the direction of what follows. Empty when nothing is left.
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
