// Sealing of small secrets with AES-256-GCM, so that a copy of the database gives none away: answers kept for replay
// (rules.md 2) and outbound rows whose bodies hold codes. Anything altered, moved or under another key fails to open.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'g1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** How long a sealing key is: 32 bytes, as AES-256 takes it. */
export const SEAL_KEY_BYTES = 32;

/**
 * Seals text. `aad` binds the result to its place, such as `outbound:<row id>`: the same sealed text under another row
 * does not open. The answer is `g1.` + base64url(nonce ‖ ciphertext ‖ tag). Nonces are random, so one key may seal up
 * to 2^32 times (NIST SP 800-38D, 8.3), which outbound rows do not reach.
 */
export function seal(key: Uint8Array, plaintext: string, aad: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(aad));
  const body = [nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return VERSION + Buffer.concat(body).toString('base64url');
}

/** Opens what `seal` made with the same key and `aad`; null when anything about it is wrong. */
export function open(key: Uint8Array, sealed: string, aad: string): string | null {
  if (!sealed.startsWith(VERSION)) return null;
  const body = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (body.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
  try {
    const text = decipher.update(body.subarray(NONCE_BYTES, body.length - TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // GCM throws on a wrong tag; to the caller that is the same as nothing being there.
    return null;
  }
}

/**
 * The key under which a secret-bearing answer is kept for replay: HKDF-SHA256 (RFC 5869) over the caller's credential,
 * with the Idempotency-Key as salt. The service stores neither of the two in clear, so only the caller's own repetition
 * can open the answer (rules.md 2).
 */
export function replayKey(credential: string, idempotencyKey: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', credential, idempotencyKey, 'meshwork idempotent replay', SEAL_KEY_BYTES));
}
