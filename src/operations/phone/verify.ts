// Proves a phone by its code. One number backs one agent in the whole network, kept by the claims' unique key; the first
// proof of any kind opens the verification gate and makes the listings that waited for it live.
import { Type } from 'typebox';
import { type Effect, insert, patch, remove } from '../../../db/effects.ts';
import { codeById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parsePhone } from '../../outbound/phone.ts';
import { changed, loadOwn } from '../agent/own.ts';
import { actor, type Ctx, command } from '../operation.ts';
import { Trust } from '../schemas/agent.ts';
import { Code6 } from '../schemas/wire.ts';
import { checkCode, codeId } from '../session/code.ts';
import { Phone } from './send.ts';

/** The claim rows after the proof, and how they get there: a new number takes the place of the agent's last one. */
function claimed(
  ctx: Ctx,
  agent_id: string,
  claims: readonly Row<'claims'>[],
  external_id: string,
): { claims: Row<'claims'>[]; effects: Effect<'credential_in_use'>[] } {
  const others = claims.filter(({ provider }) => provider !== 'phone');
  const before = claims.filter(({ provider }) => provider === 'phone');
  const same = before.find((claim) => claim.external_id === external_id);
  if (same) {
    const again = { checked_at: ctx.now_ms, failing_since: null };
    return { claims: [...others, { ...same, ...again }], effects: [patch('claims', same, again)] };
  }
  const now = { verified_at: ctx.now_ms, checked_at: ctx.now_ms, failing_since: null, version: 1 };
  const row = { id: ctx.id(), agent_id, provider: 'phone', external_id, ...now };
  return {
    claims: [...others, row],
    effects: [...before.map((claim) => remove('claims', claim)), insert('claims', row, fault('credential_in_use'))],
  };
}

/** What the first verification sets going: the agent's listings that waited for it go live before the reply. */
function publish(ctx: Ctx, agent: Row<'agents'>): Effect<never>[] {
  if (agent.verified_at !== null) return [];
  const call = { operation: 'listing.publish', input: { agent_id: agent.id }, now: true };
  return [{ do: 'remind', id: `publish:${agent.id}`, at: ctx.now_ms, ...call, created_at: ctx.now_ms }];
}

export const phoneVerify = command({
  name: 'phone.verify',
  summary: 'Prove a phone',
  description: 'Takes the code of the last text message. `phone` may be left out; if given it must be that number.',
  input: Type.Object({ phone: Type.Optional(Phone), code: Code6 }),
  output: Type.Object({ verified: Type.Boolean(), handle: Type.String(), trust: Trust }),
  access: 'session',
  agent: 'required',
  faults: ['not_found', 'invalid_phone', 'invalid_code', 'too_many_tries', 'credential_in_use'],
  rest: [{ method: 'POST', path: '/api/trust/phone/verify' }],
  load: async (read, _input, ctx) => {
    const code = await read(codeById, { id: codeId('phone', actor(ctx).id) });
    return { ...(await loadOwn(read, ctx)), code };
  },
  decide: ({ agent, code, claims, facts }, input, ctx) => {
    if (!agent) return fault('not_found');
    const given = input.phone === undefined ? null : parsePhone(input.phone);
    if (isFault(given)) return given;
    const phone = code?.data.phone;
    if (phone === undefined || (given && given.e164 !== phone)) return fault('invalid_code');
    const checked = checkCode(code, input.code, ctx);
    if (isFault(checked)) return checked;
    const proof = claimed(ctx, agent.id, claims, phone);
    const set = { verified_at: agent.verified_at ?? ctx.now_ms };
    const { row, effects } = changed(ctx, agent, set, { ...facts, claims: proof.claims }, []);
    return {
      reply: {
        verified: true,
        handle: row.handle,
        trust: { score: row.trust_score, credentials: [...row.credentials] },
      },
      effects: [...checked.effects, ...proof.effects, ...effects, ...publish(ctx, agent)],
    };
  },
});
