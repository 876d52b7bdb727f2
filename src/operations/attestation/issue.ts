// Issues a signed attestation to one other agent that the wallet now holds an amount, without disclosing the balance. A refusal has
// no figures either, and counts toward the rate limit: a series of refusals would disclose the balance.

import { type Static, Type } from 'typebox';
import { count } from '../../../db/effects.ts';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import type { Decision } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import {
  attestationClaims,
  PER_MINUTE,
  PER_MINUTE_AND_AUDIENCE,
  TTL_DEFAULT_SECONDS,
  TTL_MAX_SECONDS,
} from '../../domain/attestation.ts';
import { codeWord, fault, tooMany } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { Amount } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, Time } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';

/** The requests of a minute: of the agent, and for this audience. */
function askings(ctx: Ctx, audience_id: string) {
  const minute = Math.floor(ctx.now_ms / MINUTE_MS);
  const ends_at = (minute + 1) * MINUTE_MS;
  const me = actor(ctx).id;
  const of = (key: string, limit: number) => {
    const quota = { limit, window_ms: MINUTE_MS, wait_ms: ends_at - ctx.now_ms };
    return count(`attest:${key}:${minute}`, limit, tooMany(quota, `At most ${limit} a minute.`), ends_at);
  };
  return [of(me, PER_MINUTE), of(`${me}:${audience_id}`, PER_MINUTE_AND_AUDIENCE)];
}

const Issued = namedObject('IssuedAttestation', 'a signed statement of funds', {
  token: Type.String({ description: 'a compact JWS of EdDSA; its typ is attestation+jwt' }),
  expires_at: Time,
});

export const attestationIssue = flow({
  name: 'attestation.issue',
  noun: 'Attestations: signed statements that a wallet holds an amount, for one other party to check.',
  summary: 'Attest that the wallet holds an amount',
  description: describe`A compact JWS for one reader, who verifies it here or with the service's public keys. Nothing is reserved: it is true at the time of signing. ${codeWord('insufficient_funds')}, without figures, if the balance is lower. At most ${{ http: String(PER_MINUTE), tools: String(PER_MINUTE) }} a minute, and ${{ http: String(PER_MINUTE_AND_AUDIENCE), tools: String(PER_MINUTE_AND_AUDIENCE) }} for one reader.`,
  input: namedObject('AttestationInput', 'the amount to attest, and the reader', {
    min_amount_cents: Amount,
    audience_handle: HandleInput,
    ttl_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: TTL_MAX_SECONDS, description: `default: ${TTL_DEFAULT_SECONDS}` }),
    ),
  }),
  output: Issued,
  example: { min_amount_cents: 5_000, audience_handle: SAMPLE.other_handle },
  effect: 'adds',
  access: 'key',
  scope: 'payments:write',
  agent: 'required',
  faults: ['not_found', 'insufficient_funds', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/wallet/attest' }],
  tools: [{ name: 'mesh_attest_funds', title: 'Attest that your wallet holds an amount', set: 'wallet' }],
  single: () => true,
  run: async ({ min_amount_cents, audience_handle, ttl_seconds = TTL_DEFAULT_SECONDS }, ctx, { documents }) => {
    const me = actor(ctx);
    return ctx.turn({
      final: true,
      attempt: async (
        read,
      ): Promise<Decision<Static<typeof Issued>, 'not_found' | 'insufficient_funds' | 'rate_limited'>> => {
        const audience = await agentByHandle(read, audience_handle, ctx.now_ms);
        if (!audience || audience.deactivated_at !== null) return fault('not_found');
        const balance = await read.peek(guardedBalance, { id: `wallet:${me.id}` });
        const effects = askings(ctx, audience.id);
        if ((balance?.balance_cents ?? 0) < min_amount_cents) {
          return { ...fault('insufficient_funds', 'The balance does not cover that amount.'), effects };
        }
        const attested = { agent_handle: me.handle, audience: audience.handle, min_amount_cents, ttl_seconds };
        const { base_url } = ctx.settings;
        const claims = attestationClaims({ ...attested, now_ms: ctx.now_ms, nonce: ctx.id(), base_url });
        const token = documents.sign('attestation+jwt', { ...claims });
        return { reply: { token, expires_at: claims.expires_at }, effects };
      },
    });
  },
});
