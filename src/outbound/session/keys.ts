// The Ed25519 keys that sign session tokens and cards, read from a JWK set (RFC 8037). Keys are named by their thumbprint
// (RFC 7638), so the same key has the same name on every node and after every restart.

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';

/** The public half as `/.well-known/jwks.json` shows it. */
export interface PublicSessionJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

export interface SessionKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublicSessionJwk;
}

/**
 * Reads `{keys: [JWK, …]}` of Ed25519 private keys. To rotate: put a new key first, keep the old one behind it until
 * the last token that it signed has expired, then remove it. Throws an Error that names `file` when the text is not such
 * a set.
 */
export async function parseSessionKeys(text: string, file = 'session-key.json'): Promise<readonly SessionKey[]> {
  const keys = await Promise.all(jwksOf(text, file).map((jwk) => sessionKey(jwk, file)));
  if (keys.length === 0) throw new Error(`${file}: the set holds no key`);
  return keys;
}

function jwksOf(text: string, file: string): unknown[] {
  try {
    const set: unknown = JSON.parse(text);
    if (typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys)) return set.keys;
  } catch {
    // Not JSON at all ends like JSON of another shape, without echoing what may be key material.
  }
  throw new Error(`${file}: it must be a JWK set, {"keys": [...]}`);
}

async function sessionKey(jwk: unknown, file: string): Promise<SessionKey> {
  const privateKey = privateKeyOf(jwk, file);
  const publicKey = createPublicKey(privateKey);
  const { x } = publicKey.export({ format: 'jwk' });
  if (privateKey.asymmetricKeyType !== 'ed25519' || x === undefined) {
    throw new Error(`${file}: every key must be an Ed25519 private key`);
  }
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return { kid, privateKey, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}

function privateKeyOf(jwk: unknown, file: string): KeyObject {
  try {
    return createPrivateKey({ key: Object(jwk), format: 'jwk' });
  } catch {
    throw new Error(`${file}: a key in it cannot be read`);
  }
}
