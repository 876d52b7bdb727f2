// An agent's Ed25519 key: the form of public keys, signatures and fingerprints. The rule kept here is that one key has
// one spelling (unpadded base64url, RFC 4648, with no spare bits set), so that two texts never name the same key.
import { type Fault, invalid } from '../fault.ts';
import { withoutEnd } from '../text/trimmed.ts';

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

/** The one spelling of a key, as it is stored and answered. */
export function publicKeyText(raw: Uint8Array): string {
  return encode(raw);
}

/** base64url(SHA-256(raw key)); the hash is handed in (rules.md 3). */
export function fingerprint(raw: Uint8Array, sha256: (bytes: Uint8Array) => Uint8Array): string {
  return encode(sha256(raw));
}
