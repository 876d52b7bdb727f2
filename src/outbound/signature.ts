// Signatures: those that agents' keys make are verified; cards, documents and what goes to providers are signed.

import { createPublicKey, sign, verify } from 'node:crypto';
import { cardPayload } from '../domain/agent/card.ts';
import { hmac } from './hash.ts';
import { createRecent, type PublicSessionJwk, type SessionKey } from './session/issuer.ts';

// Verifies Ed25519 signatures of agents' keys (challenge/verify, rules.md 3). Their texts are read by
// domain/identity/key.ts; here is the curve, by node:crypto, twenty times faster than the portable library of the client.

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

// Signs agent cards (A2A 1.0, 8.4): a JWS (RFC 7515) whose payload is not sent along, since it is the card itself. EdDSA
// alone: it makes the same bytes of the same card, so all nodes answer one document and its ETag holds; ECDSA does not.

interface CardSignature {
  readonly protected: string;
  readonly signature: string;
}

export interface CardSigner {
  /** The signatures of a card; none without a canonical form. Made once for each content. */
  sign(card: object): CardSignature[];
  /** The keys by which they are checked. */
  jwks(): readonly PublicSessionJwk[];
}

/** Some 500 bytes each. A network with more agents signs rarely read cards again: 0.13 ms of CPU for a card of one listing, 1.1 ms
 * for one of a hundred; cached ones cost 8 and 92 µs. */
const REMEMBERED = 10_000;

const encodedText = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** Signs with the first of the keys; `jku` is the address of the public keys. */
export function createCardSigner(keys: readonly SessionKey[], jku: string): CardSigner {
  const [key] = keys;
  if (key === undefined) throw new Error('a card signer needs at least one key');
  const { kid, privateKey } = key;
  const head = encodedText(JSON.stringify({ alg: 'EdDSA', typ: 'JOSE', kid, jku }));
  const made = createRecent<CardSignature[]>(REMEMBERED);

  function signatures(card: object): CardSignature[] {
    const payload = cardPayload(card);
    if (payload === null) return [];
    const signature = sign(null, Buffer.from(`${head}.${encodedText(payload)}`, 'ascii'), privateKey);
    return [{ protected: head, signature: signature.toString('base64url') }];
  }

  return {
    sign(card) {
      const said = Bun.SHA256.hash(JSON.stringify(card), 'base64');
      const known = made.get(said);
      if (known !== undefined) return known;
      const fresh = signatures(card);
      made.put(said, fresh);
      return fresh;
    },
    jwks: () => keys.map(({ jwk }) => jwk),
  };
}

// Signs what the service states to third parties: attestations, receipts, dispute bundles, heads of the ledger. Each is a compact
// JWS (RFC 7515) of EdDSA whose `typ` says what it states, so that none passes for another (RFC 8725, 3.11); the keys are its
// own, so that no access token passes for one.

type DocumentType =
  | 'attestation+jwt'
  | 'receipt+jwt'
  | 'dispute-bundle+jwt'
  | 'ledger-head+jwt'
  | 'ledger-resealed+jwt';

export interface DocumentSigner {
  /** The compact JWS of the claims. The same claims give the same text. */
  sign(typ: DocumentType, claims: Readonly<Record<string, unknown>>): string;
  /** The claims of a valid document; null for any other text. The reader judges whether they are still current. */
  verify(typ: DocumentType, token: string): Readonly<Record<string, unknown>> | null;
  /** The keys by which they are checked. */
  jwks(): readonly PublicSessionJwk[];
}

/** The JSON object of a JWS part; null for an invalid one. */
function decoded(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // It is no JSON.
    return null;
  }
}

/** The claims of a text with a valid signature and the expected header (RFC 8725, 3.1, 3.11). */
function verifiedClaims(
  keys: readonly SessionKey[],
  typ: DocumentType,
  token: string,
): Readonly<Record<string, unknown>> | null {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  const header = more.length === 0 ? decoded(head) : null;
  if (header?.['alg'] !== 'EdDSA' || header['typ'] !== typ) return null;
  const key = keys.find(({ kid }) => kid === header['kid']);
  if (!key) return null;
  const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`, 'ascii');
  return verify(null, signed, publicKey, Buffer.from(signature, 'base64url')) ? decoded(body) : null;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

/** Signs with the first of the keys. */
export function createDocumentSigner(keys: readonly SessionKey[]): DocumentSigner {
  const [key] = keys;
  if (key === undefined) throw new Error('a document signer needs at least one key');
  const { kid, privateKey } = key;
  return {
    sign(typ, claims) {
      const signed = `${encoded({ alg: 'EdDSA', typ, kid })}.${encoded(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed, 'ascii'), privateKey).toString('base64url')}`;
    },
    verify: (typ, token) => verifiedClaims(keys, typ, token),
    jwks: () => keys.map(({ jwk }) => jwk),
  };
}

// Signs dispatches to providers of capabilities (interface.md "Marketplace and router"): the hex HMAC-SHA256 over the timestamp, a dot
// and the raw body, keyed by the provider's secret as a text.

/** How long the random part of a secret is. */
export const PROVIDER_SECRET_BYTES = 32;

/** A provider's secret out of 32 random bytes. */
export function providerSecret(bytes: Uint8Array): string {
  return `prs_${Buffer.from(bytes).toString('base64url')}`;
}

/** The signed dispatch: `call_id` names the call, so that a provider detects a repeat, and `at_ms` is the start of the attempt. */
interface SignedDispatch {
  readonly call_id: string;
  readonly body: string;
  readonly at_ms: number;
  /** Marks a trial call. */
  readonly test: boolean;
}

/** The headers of a dispatch; the timestamp is in whole seconds. */
export function dispatchHeaders(
  secret: string,
  { call_id, body, at_ms, test }: SignedDispatch,
): Record<string, string> {
  const timestamp = String(Math.floor(at_ms / 1_000));
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-service-timestamp': timestamp,
    'x-service-signature': hmac(secret, `${timestamp}.${body}`),
    'x-service-call-id': call_id,
    ...(test && { 'x-service-test': 'true' }),
  };
}
