// API keys: how they are written and recognised. The rule kept here is that a typo or a leaked key is told from any
// other text without a look-up: the last seven characters are a checksum of everything before them (rules.md 3).
import { DAY_MS } from '../time.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 7;
/** Enough to tell one's keys apart in a list, and 37 unknown characters too few to help a guesser. */
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
 * Writes a key: `<prefix>_live_`, 43 base62 characters, `_`, 7 characters of checksum.
 * `bytes` are 32 random bytes, read as one big-endian integer; any other length is a programmer error and throws.
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
