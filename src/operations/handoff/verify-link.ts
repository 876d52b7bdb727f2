// Makes a link by which a person proves their identity for one of their agents. It is valid twice as long as other links, since a
// proof needs a sign-in elsewhere.
import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, iso, Time } from '../../schemas/wire.ts';
import { beginHandoff } from '../../steps/handoff/link.ts';

const LIFE_MS = 1_800_000;

export const handoffVerifyLink = command({
  name: 'handoff.verify_link',
  summary: 'Make a link for your human to prove their identity',
  description: 'Works once, within 30 minutes, and is no sign-in. The page lists the proofs that this server accepts.',
  input: Type.Object({ handle: Type.Optional(HandleInput) }),
  output: namedObject('VerifyLink', 'the page for proofs of identity', {
    verify_link: Type.String({ format: 'uri' }),
    expires_at: Time,
  }),
  example: { handle: SAMPLE.handle },
  effect: 'adds',
  access: 'key',
  scope: 'agents:read',
  agent: 'optional',
  secret: true,
  faults: ['not_found', 'agent_required'],
  rest: [{ method: 'POST', path: '/api/verify-links' }],
  tools: [{ name: 'mesh_verify_link', title: 'Make a link for your human to prove their identity', set: 'account' }],
  load: async (read, { handle }, ctx) => {
    if (handle === undefined) return ctx.agent;
    const own = await read(agentsOfAccount, { account_id: ctx.account_id });
    const { key_agent_id } = ctx.principal;
    const wanted = parseHandle(handle);
    return own.find((agent) => agent.handle === wanted && (key_agent_id === null || key_agent_id === agent.id)) ?? null;
  },
  decide: (agent, { handle }, ctx) => {
    if (!agent) return handle === undefined ? fault('agent_required') : fault('not_found');
    const { url, expires_at, effect } = beginHandoff({ purpose: 'verify', agent }, LIFE_MS, ctx);
    return { reply: { verify_link: url, expires_at: iso(expires_at) }, effects: [effect] };
  },
});
