// Verifies an attestation of funds: made by this service, not expired, and for this audience. Handles are resolved now: a renamed
// agent is shown by its new handle, and a renamed audience still matches.
import { type Static, Type } from 'typebox';
import type { Read } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Cents, HandleInput, Time } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';

const Attestation = namedObject('Attestation', 'what was attested', {
  agent_handle: Type.String({ description: 'its current handle' }),
  min_amount_cents: Cents,
  audience: Type.String(),
  issued_at: Time,
  expires_at: Time,
  nonce: Type.String(),
});

const Verdict = Type.Union([
  Type.Object({ valid: Type.Literal(true), attestation: Attestation }),
  Type.Object({
    valid: Type.Literal(false),
    reason: Type.Enum(['bad_signature', 'expired', 'wrong_audience', 'unknown_agent'], {
      description: 'why it is not valid for this reader',
    }),
  }),
]);

type Reason = Extract<Static<typeof Verdict>, { valid: false }>['reason'];

const invalidFor = (reason: Reason): Static<typeof Verdict> => ({ valid: false, reason });

/** The active agent that a handle names, or named recently. */
async function liveAgent(read: Read, handle: string, now_ms: number) {
  const agent = await agentByHandle(read, handle, now_ms);
  return agent?.deactivated_at === null ? agent : null;
}

export const attestationVerify = query({
  name: 'attestation.verify',
  summary: 'Check an attestation',
  description:
    'Whether the token was issued by this service, has not expired, and is for this audience. No credential needed; the keys to ' +
    'verify it offline are public.',
  input: namedObject('AttestationCheckInput', 'a token and its subject', {
    token: Type.String({ minLength: 1, maxLength: 8_192 }),
    audience: HandleInput,
  }),
  output: Verdict,
  example: { token: SAMPLE.attestation, audience: SAMPLE.other_handle },
  access: 'public',
  any_origin: true,
  rest: [{ method: 'POST', path: '/api/attestations/verify' }],
  tools: [{ name: 'mesh_verify_attestation', title: 'Check an attestation of funds', set: 'wallet', extension: true }],
  run: async (read, { token, audience }, { now_ms }, { documents }) => {
    // The verified signature proves that the service made these claims.
    const claims = documents.verify('attestation+jwt', token) as
      | (Static<typeof Attestation> & { readonly exp: number })
      | null;
    if (claims === null) return invalidFor('bad_signature');
    if (claims.exp * 1000 <= now_ms) return invalidFor('expired');
    const [reader, meant] = await Promise.all([
      liveAgent(read, audience, now_ms),
      liveAgent(read, claims.audience, now_ms),
    ]);
    if (!reader || reader.id !== meant?.id) return invalidFor('wrong_audience');
    const agent = await liveAgent(read, claims.agent_handle, now_ms);
    if (!agent) return invalidFor('unknown_agent');
    const { min_amount_cents, issued_at, expires_at, nonce } = claims;
    const told = {
      agent_handle: agent.handle,
      min_amount_cents,
      audience: claims.audience,
      issued_at,
      expires_at,
      nonce,
    };
    return { valid: true as const, attestation: told };
  },
});
