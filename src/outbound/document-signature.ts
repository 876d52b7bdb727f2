// Signs what the service states to third parties: attestations, receipts, dispute bundles, heads of the ledger. Each is a compact
// JWS (RFC 7515) of EdDSA whose `typ` says what it states, so that none passes for another (RFC 8725, 3.11); the keys are its
// own, so that no access token passes for one.
import { sign } from 'node:crypto';
import type { PublicSessionJwk, SessionKey } from './session/keys.ts';

export type DocumentType = 'attestation+jwt' | 'receipt+jwt' | 'dispute-bundle+jwt' | 'ledger-head+jwt';

export interface DocumentSigner {
  /** The compact JWS of what is stated. The same claims give the same text. */
  sign(typ: DocumentType, claims: Readonly<Record<string, unknown>>): string;
  /** The keys by which they are checked. */
  jwks(): readonly PublicSessionJwk[];
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
    jwks: () => keys.map(({ jwk }) => jwk),
  };
}
