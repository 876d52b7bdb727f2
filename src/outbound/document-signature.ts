// Signs what the service states to third parties: attestations, receipts, dispute bundles, heads of the ledger. Each is a compact
// JWS (RFC 7515) of EdDSA whose `typ` says what it states, so that none passes for another (RFC 8725, 3.11); the keys are its
// own, so that no access token passes for one.
import { createPublicKey, sign, verify } from 'node:crypto';
import type { PublicSessionJwk, SessionKey } from './session/keys.ts';

export type DocumentType =
  | 'attestation+jwt'
  | 'receipt+jwt'
  | 'dispute-bundle+jwt'
  | 'ledger-head+jwt'
  | 'ledger-resealed+jwt';

export interface DocumentSigner {
  /** The compact JWS of what is stated. The same claims give the same text. */
  sign(typ: DocumentType, claims: Readonly<Record<string, unknown>>): string;
  /** What a text states that was signed so; null for any other, whatever is wrong with it. Whether it still holds is the reader's
   * to judge. */
  verify(typ: DocumentType, token: string): Readonly<Record<string, unknown>> | null;
  /** The keys by which they are checked. */
  jwks(): readonly PublicSessionJwk[];
}

/** A part of a JWS that is an object; null for what is none. */
function decoded(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // It is no JSON.
    return null;
  }
}

/** What a text states whose signature is right and whose header says what is asked for (RFC 8725, 3.1, 3.11). */
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
