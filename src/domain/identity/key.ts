// API keys: their format. Typos and leaked keys can be recognised without a lookup: the last seven characters are a
// checksum of everything before them (rules.md 3).

import { type Fault, invalid } from '../fault.ts';
import { withoutEnd } from '../text/trimmed.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';
import type { SendLimit } from './code.ts';
import { clientOf, networkOf } from './rate.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 7;
/** Enough to distinguish keys in a list; the other 37 characters stay secret. */
const SHOWN_LENGTH = 6;

/** A key lives 90 days from its issue (interface.md, Authentication 6). */
export const KEY_LIFE_MS = 90 * DAY_MS;

/** After a renewal the replaced key works for another 24 hours, so that no caller is cut off in between. */
export const RENEW_OVERLAP_MS = DAY_MS;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 (IEEE 802.3) of ASCII text, as an unsigned integer. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = ALPHABET.charAt(rest % 62) + digits;
  return digits.padStart(CHECKSUM_LENGTH, '0');
}

/**
 * Formats a key: `<prefix>_live_`, 43 base62 characters, `_`, 7 characters of checksum.
 * `bytes` are 32 random bytes, read as one big-endian integer; any other length is a programming error and throws.
 */
export function mintKey(prefix: string, bytes: Uint8Array): string {
  if (bytes.length !== SECRET_BYTES) throw new Error(`a key needs ${SECRET_BYTES} random bytes, got ${bytes.length}`);
  let rest = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let digits = '';
  for (; rest > 0n; rest /= 62n) digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  const head = `${prefix}_live_${digits.padStart(SECRET_LENGTH, '0')}`;
  return `${head}_${checksum(head)}`;
}

/** Whether `text` has the shape of a key with this prefix and its checksum is right. Says nothing of its validity. */
export function isWellFormedKey(text: string, prefix: string): boolean {
  const start = `${prefix}_live_`;
  if (text.length !== start.length + SECRET_LENGTH + 1 + CHECKSUM_LENGTH || !text.startsWith(start)) return false;
  if (!/^[0-9A-Za-z]{43}_[0-9A-Za-z]{7}$/.test(text.slice(start.length))) return false;
  return text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH - 1));
}

/** The opening of a key that a list may show, such as `mesh_live_4fK2aZ`. `key` must be well formed. */
export function keyPrefixShown(key: string): string {
  return key.slice(0, key.length - CHECKSUM_LENGTH - 1 - SECRET_LENGTH + SHOWN_LENGTH);
}

// Provisional accounts: agents that were installed without a person (rules.md 3). Their names, their times, and when an
// unclaimed one is deleted.

/** An unclaimed, unused and never funded agent is deleted after 30 days. */
export const UNCLAIMED_LIFE_MS = 30 * DAY_MS;
/** After the claim the provisional key works for ten minutes more. */
export const CLAIMED_OVERLAP_MS = 600_000;

/** Base32 (RFC 4648) in small letters. */
const HANDLE_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LETTERS = 10;

/** `agent_` and ten characters, of as many random bytes: fifty bits, so that two are never alike by chance. */
export function provisionalHandle(bytes: Uint8Array): string {
  if (bytes.length < LETTERS) throw new Error(`a provisional handle needs at least ${LETTERS} random bytes`);
  return `agent_${Array.from(bytes.subarray(0, LETTERS), (byte) => HANDLE_ALPHABET[byte % HANDLE_ALPHABET.length]).join('')}`;
}

/** The limits of provisioning: some agents for a machine, no crowd. */
export function provisionLimits(ip: string): SendLimit[] {
  return [
    { key: `provision:ip:${clientOf(ip)}`, limit: 20, window_ms: HOUR_MS },
    { key: `provision:network:${networkOf(ip)}`, limit: 100, window_ms: HOUR_MS },
  ];
}

/** The additional limit of claim codes, so that an agent cannot flood mailboxes. */
export function claimLimits(agent_id: string): SendLimit[] {
  return [{ key: `claim:agent:${agent_id}`, limit: 10, window_ms: HOUR_MS }];
}

/** The facts that decide whether an unclaimed agent is kept. */
export interface Unclaimed {
  /** Whether it ever took part in a conversation. */
  readonly talked: boolean;
  /** Whether its wallet ever held anything. */
  readonly funded: boolean;
  readonly last_seen_at: number;
}

/** The fate of an unclaimed agent: it stays, it is deleted, or the time of the next check. Agents that sent messages stay, since others
 * keep these, and so do funded ones; an agent that only read is deleted 30 days after its last read. */
export function fateOf({ talked, funded, last_seen_at }: Unclaimed, now_ms: number): 'stays' | 'goes' | number {
  if (talked || funded) return 'stays';
  const ends_at = last_seen_at + UNCLAIMED_LIFE_MS;
  return ends_at <= now_ms ? 'goes' : ends_at;
}

// An agent's Ed25519 key: the form of public keys, signatures and fingerprints. A key has one canonical spelling (unpadded
// base64url, RFC 4648, with no spare bits set), so that two texts never name the same key.

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** A challenge can be signed for five minutes, once. */
export const CHALLENGE_LIFE_MS = 300_000;

/** Unpadded base64url. */
function encode(bytes: Uint8Array): string {
  const padded = btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_');
  return withoutEnd(padded, '=');
}

/** The bytes behind canonical base64url of exactly `length` bytes, or null. One `=` run of padding is forgiven. */
function decode(text: string, length: number): Uint8Array | null {
  const bare = text.replace(/={1,2}$/, '');
  if (bare.length !== Math.ceil((length * 4) / 3) || !/^[A-Za-z0-9_-]+$/.test(bare)) return null;
  const bytes = Uint8Array.from(atob(bare.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
  return bytes.length === length && encode(bytes) === bare ? bytes : null;
}

/** The 32 raw bytes of a public key given in base64url, or a 400. */
export function parsePublicKey(text: string, path = 'public_key'): Uint8Array | Fault<'invalid_request'> {
  const message = 'Give the raw 32 bytes of an Ed25519 public key in base64url (43 characters).';
  return decode(text, KEY_BYTES) ?? invalid({ path, message });
}

/** The 64 raw bytes of a signature given in base64url, or a 400. */
export function parseSignature(text: string, path = 'signature'): Uint8Array | Fault<'invalid_request'> {
  const message = 'Give the raw 64 bytes of an Ed25519 signature in base64url (86 characters).';
  return decode(text, SIGNATURE_BYTES) ?? invalid({ path, message });
}

/** The canonical spelling of a key. */
export function publicKeyText(raw: Uint8Array): string {
  return encode(raw);
}

/** base64url(SHA-256(raw key)); the hash function is a parameter (rules.md 3). */
export function fingerprint(raw: Uint8Array, sha256: (bytes: Uint8Array) => Uint8Array): string {
  return encode(sha256(raw));
}
