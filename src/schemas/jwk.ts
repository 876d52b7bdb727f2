// Public keys on the wire (RFC 7517, RFC 8037).
import { Type } from 'typebox';
import { namedObject } from './named.ts';

const Jwk = namedObject('Jwk', 'a public key (RFC 8037)', {
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  kid: Type.String(),
  alg: Type.Literal('EdDSA'),
  use: Type.Literal('sig'),
});

export const JwkSet = namedObject('JwkSet', 'public keys by which what the service signed is checked', {
  keys: Type.Array(Jwk),
});
