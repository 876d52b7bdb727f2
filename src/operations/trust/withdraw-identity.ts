// An administrator withdraws the confirmed identity of an agent's person at once, with everything that depended on it.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { Trust } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { loadAgent } from '../../steps/agent/load.ts';
import { claimEnds } from '../../steps/claim.ts';

export const trustWithdrawIdentity = command({
  name: 'trust.withdraw_identity',
  needed_by: 'an administrator who no longer confirms a person’s identity',
  summary: 'Withdraw a confirmed identity',
  description:
    'Removes the badge at once; without any other proof the listings are held. Your name and the reason are stored.',
  input: Type.Object({
    handle: HandleInput,
    reason: Type.String({ minLength: 5, maxLength: 500, description: 'why it is withdrawn' }),
  }),
  output: namedObject('IdentityWithdrawn', 'an agent without a confirmed identity', {
    withdrawn: Type.Boolean({ description: 'whether it was confirmed before' }),
    handle: Type.String(),
    trust: Trust,
  }),
  example: { handle: SAMPLE.handle, reason: 'the document was a forgery' },
  effect: 'destroys',
  access: 'admin',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/admin/agents/{handle}/identity', takes_body: true }],
  load: async (read, { handle }, ctx, ports) => {
    const named = await agentByHandle(read, handle, ctx.now_ms);
    return loadAgent(read, ports, named?.id ?? '');
  },
  decide: (own, _input, ctx) => {
    const { agent, claims } = own;
    if (!agent) return fault('not_found');
    const claim = claims.find(({ provider }) => provider === 'identity');
    const { row, effects } = claim ? claimEnds(ctx, agent, own, claim) : { row: agent, effects: [] };
    const { handle, trust_score: score, credentials } = row;
    return {
      reply: { withdrawn: claim !== undefined, handle, trust: { score, credentials: [...credentials] } },
      effects,
    };
  },
});
