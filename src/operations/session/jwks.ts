// The public keys of session tokens, for whoever checks one without asking the service (RFC 7517).
import { Type } from 'typebox';
import { namedObject } from '../../schemas/named.ts';
import { query } from '../operation.ts';

const Jwk = namedObject('Jwk', 'a public key (RFC 8037)', {
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  kid: Type.String(),
  alg: Type.Literal('EdDSA'),
  use: Type.Literal('sig'),
});

export const sessionJwks = query({
  name: 'session.jwks',
  summary: 'Public keys of session tokens',
  input: Type.Object({}),
  output: namedObject('JwkSet', 'the public keys by which session tokens are checked', { keys: Type.Array(Jwk) }),
  example: {},
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: 300,
  faults: [],
  rest: [{ method: 'GET', path: '/.well-known/jwks.json' }],
  no_tool: 'For programs that check the signature of an access token.',
  run: async (_read, _input, _ctx, { sessions }) => ({ keys: [...sessions.jwks().keys] }),
});
