// The public keys of the service for offline verification (RFC 7517): of session tokens, the cards of agents, and
// statements to third parties. Each key has one purpose, so that no signature is valid for another.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { JwkSet } from '../../schemas/account.ts';

export const sessionJwks = query({
  name: 'session.jwks',
  summary: 'Public keys of session tokens, cards and statements',
  input: Type.Object({}),
  output: JwkSet,
  access: 'public',
  any_origin: true,
  cache_seconds: 300,
  rest: [{ method: 'GET', path: '/.well-known/jwks.json' }],
  no_tool: 'For programs that check the signature of an access token or a card.',
  run: async (_read, _input, _ctx, { sessions, card_signer, documents }) => ({
    keys: [...sessions.jwks().keys, ...card_signer.jwks(), ...documents.jwks()],
  }),
});
