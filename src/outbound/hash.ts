// Digests and constant-time comparison for everything that is stored or compared as a hash: API keys, codes, tokens.
// Bun's own hashers are used because they are the fast ones (0.3 µs a key); secrets at rest are hashed, never stored.

import { timingSafeEqual } from 'node:crypto';

type Bytes = string | Uint8Array;

/** SHA-256 of text (as UTF-8) or bytes, as 64 lowercase hex characters. The at-rest form of API keys and link tokens. */
export function sha256Hex(data: Bytes): string {
  return Bun.SHA256.hash(data, 'hex');
}

/** SHA-256 as its 32 bytes, for fingerprints of public keys. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(bytes).digest();
}

/** HMAC-SHA256 (RFC 2104) as lowercase hex; `key` and `data` are text (as UTF-8) or bytes. */
export function hmac(key: Bytes, data: Bytes): string {
  return new Bun.CryptoHasher('sha256', key).update(data).digest('hex');
}

/** Compares two secrets in a time that depends on neither their content nor their lengths. */
export function sameSecret(a: Bytes, b: Bytes): boolean {
  return timingSafeEqual(Bun.SHA256.hash(a), Bun.SHA256.hash(b));
}

/**
 * The salt for one code, from the seal key and the id of the row that holds its hash. A million codes are searched in
 * a second, so a stored hash is only safe because this salt cannot be made from a copy of the database alone.
 */
export function codeSalt(sealKey: Uint8Array, rowId: string): string {
  return hmac(sealKey, `code-salt:${rowId}`);
}

/** The at-rest form of a 6-digit code: 64 hex characters; `salt` comes from `codeSalt` (rules.md 3). */
export function codeHash(code: string, salt: Bytes): string {
  return hmac(salt, code);
}
