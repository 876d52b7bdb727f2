// Ed25519 keys of agents and the signatures made with them (keypair, challenge: interface.md 6, decisions.md 3).
// The server verifies with node:crypto, twenty times faster than the portable library that clients use.

import { createPublicKey, verify } from 'node:crypto';
import { type Fault, invalid } from '../domain/fault.ts';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The fixed head of an Ed25519 SubjectPublicKeyInfo (RFC 8410), before the 32 raw bytes. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * The points of small order, without their sign bit. With one of these as a public key a single signature fits almost
 * any message, so it would prove nothing and could be claimed by everyone.
 */
const WEAK_POINTS = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/** A public key as registered: its canonical base64url, its raw bytes, and base64url(SHA-256(raw)). */
export interface AgentPublicKey {
  readonly public_key: string;
  readonly fingerprint: string;
  readonly raw: Uint8Array;
}

/** Reads a raw 32-byte Ed25519 public key in base64url (padding forgiven); `invalid_request` when it is none. */
export function parsePublicKey(text: string): AgentPublicKey | Fault<'invalid_request'> {
  const raw = decode(text, KEY_BYTES);
  if (raw === null || isWeak(raw)) {
    return invalid({ path: 'public_key', message: 'Give the raw 32 bytes of an Ed25519 public key in base64url.' });
  }
  const fingerprint = new Bun.CryptoHasher('sha256').update(raw).digest('base64url');
  return { public_key: raw.toString('base64url'), fingerprint, raw: new Uint8Array(raw) };
}

/** Whether `signature` (base64url) is the key's over the UTF-8 bytes of `challenge`. Never throws. */
export function verifyChallenge(rawPublicKey: Uint8Array, challenge: string, signature: string): boolean {
  const bytes = decode(signature, SIGNATURE_BYTES);
  return bytes !== null && verifyEd25519(rawPublicKey, Buffer.from(challenge), bytes);
}

/** Verifies an Ed25519 signature (RFC 8032, without malleability) under a raw 32-byte public key. Never throws. */
export function verifyEd25519(rawPublicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (rawPublicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, rawPublicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    // Some bytes name no point of the curve; such a key has signed nothing.
    return false;
  }
}

function decode(text: string, length: number): Buffer | null {
  const bare = text.replace(/=+$/, '');
  const bytes = Buffer.from(bare, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === bare ? bytes : null;
}

function isWeak(raw: Buffer): boolean {
  const point = Buffer.from(raw);
  point.writeUInt8(point.readUInt8(KEY_BYTES - 1) & 0x7f, KEY_BYTES - 1);
  return WEAK_POINTS.has(point.toString('hex'));
}
