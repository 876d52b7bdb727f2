// Verifies Ed25519 signatures of agents' keys (challenge/verify, rules.md 3). Their texts are read by
// domain/keypair.ts; here is the curve, by node:crypto, twenty times faster than the portable library of the client.

import { createPublicKey, verify } from 'node:crypto';

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

/**
 * Whether `signature` (64 bytes) is the key's (raw 32 bytes) over `message`: RFC 8032, without malleability, and never
 * under a key of small order. Never throws; some 70 µs.
 */
export function verifyEd25519(rawPublicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (rawPublicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES || isWeak(rawPublicKey)) return false;
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, rawPublicKey]), format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    // Some bytes name no point of the curve; such a key has signed nothing.
    return false;
  }
}

function isWeak(raw: Uint8Array): boolean {
  const point = Buffer.from(raw);
  point.writeUInt8(point.readUInt8(KEY_BYTES - 1) & 0x7f, KEY_BYTES - 1);
  return WEAK_POINTS.has(point.toString('hex'));
}
