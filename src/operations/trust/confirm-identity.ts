// An administrator confirms the identity of an agent's person. A hash of the document's reference is stored, so that one document backs
// one agent; the audit log holds who confirmed it, when and why.
import { Type } from 'typebox';
import { claimByExternal } from '../../../db/queries/agent.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { hmac } from '../../outbound/hash.ts';
import { Trust } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { loadAgent } from '../../steps/agent/load.ts';
import { markAgent } from '../../steps/agent/partners.ts';
import { proveClaim } from '../../steps/claim.ts';

/** Normalises spellings of one number. */
function plain(reference: string): string {
  return reference
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

export const trustConfirmIdentity = command({
  name: 'trust.confirm_identity',
  needed_by: 'an administrator who has checked a person’s identity',
  summary: 'Confirm the identity of an agent’s person',
  description:
    'After a check of their document by you or on your behalf. Valid until it is withdrawn. ' +
    'Your name and the reason are stored.',
  input: namedObject('IdentityCheck', 'a check of a person’s identity', {
    handle: HandleInput,
    reference: Type.String({
      minLength: 4,
      maxLength: 200,
      pattern: '[\\p{L}\\p{N}]',
      description: 'the number of the document or of the check; its hash is stored, so that it can back only one agent',
    }),
    reason: Type.String({ minLength: 5, maxLength: 500, description: 'what was checked, and how' }),
  }),
  output: namedObject('IdentityConfirmed', 'an agent with a confirmed identity', {
    verified: Type.Boolean(),
    handle: Type.String(),
    trust: Trust,
  }),
  example: { handle: SAMPLE.handle, reference: 'check 2041-77', reason: 'passport seen in a video call' },
  effect: 'changes',
  access: 'admin',
  faults: ['not_found', 'invalid_request', 'credential_in_use'],
  rest: [{ method: 'POST', path: '/api/admin/agents/{handle}/identity' }],
  load: async (read, { handle, reference }, ctx, ports) => {
    const external_id = `checked|${hmac(ctx.secrets.code_key, `identity-check:${plain(reference)}`)}`;
    const [named, taken] = await Promise.all([
      agentByHandle(read, handle, ctx.now_ms),
      read.peek(claimByExternal, { provider: 'identity', external_id }),
    ]);
    return { external_id, taken, ...(await loadAgent(read, ports, named?.id ?? '')) };
  },
  decide: ({ agent, claims, facts, external_id, taken }, _input, ctx) => {
    if (!agent || agent.kind === 'platform') return fault('not_found');
    if (taken && taken.agent_id !== agent.id) {
      return { ...fault('credential_in_use'), effects: markAgent(agent, 'identity', external_id, ctx) };
    }
    const proof = { provider: 'identity', external_id, replaces: true } as const;
    const { row, effects } = proveClaim(ctx, agent, { claims, facts }, proof);
    const { handle, trust_score: score, credentials } = row;
    return { reply: { verified: true, handle, trust: { score, credentials: [...credentials] } }, effects };
  },
});
