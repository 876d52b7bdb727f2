// Signs agent cards (A2A 1.0, 8.4): a JWS (RFC 7515) whose payload is not sent along, since it is the card itself. EdDSA
// alone: it makes the same bytes of the same card, so all nodes answer one document and its ETag holds; ECDSA does not.
import { sign } from 'node:crypto';
import { cardPayload } from '../domain/agent/card-payload.ts';
import type { PublicSessionJwk, SessionKey } from './session/keys.ts';
import { createRecent } from './session/recent.ts';

export interface CardSignature {
  readonly protected: string;
  readonly signature: string;
}

export interface CardSigner {
  /** The signatures of a card, none where it has no canonical form. Made once for what a card says. */
  sign(card: object): CardSignature[];
  /** The keys by which they are checked. */
  jwks(): readonly PublicSessionJwk[];
}

/** Some 500 bytes each. A network with more agents signs those again that were not asked for lately: 0.13 ms of CPU for a card
 * of one listing, 1.1 ms for one of a hundred; what is remembered costs 8 and 92 µs. */
const REMEMBERED = 10_000;

const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** Signs with the first of the keys; `jku` is where their public halves stand. */
export function createCardSigner(keys: readonly SessionKey[], jku: string): CardSigner {
  const [key] = keys;
  if (key === undefined) throw new Error('a card signer needs at least one key');
  const { kid, privateKey } = key;
  const head = encoded(JSON.stringify({ alg: 'EdDSA', typ: 'JOSE', kid, jku }));
  const made = createRecent<CardSignature[]>(REMEMBERED);

  function signatures(card: object): CardSignature[] {
    const payload = cardPayload(card);
    if (payload === null) return [];
    const signature = sign(null, Buffer.from(`${head}.${encoded(payload)}`, 'ascii'), privateKey);
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
