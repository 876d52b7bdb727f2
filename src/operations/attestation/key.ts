// The public keys that verify attestations, receipts and other documents offline.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { JwkSet } from '../../schemas/account.ts';

export const attestationKey = query({
  name: 'attestation.key',
  summary: 'Public keys of attestations',
  description: 'The keys of all signed statements for third parties: attestations, receipts, bundles of disputes.',
  input: Type.Object({}),
  output: JwkSet,
  access: 'public',
  any_origin: true,
  cache_seconds: 300,
  rest: [{ method: 'GET', path: '/.well-known/service-attestation-key' }],
  no_tool: 'For programs that check the signature of a statement.',
  run: async (_read, _input, _ctx, { documents }) => ({ keys: [...documents.jwks()] }),
});
