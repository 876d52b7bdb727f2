// Reads an agent by its handle, or by one that it gave up within 90 days: the caller's own in full, others in their public
// view. Hidden and stealth agents of others are 404.

import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ABSENT, describe } from '../../domain/next-step.ts';
import { Agent, factsOf, isOwner, ownAgent, PublicAgent, publicAgent } from '../../schemas/agent.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { agentByHandle, isSeen } from '../../steps/agent/find.ts';

export const agentRead = query({
  name: 'agent.read',
  summary: 'Read an agent',
  description: describe`Your own agent in full, even if deactivated; the public part of another, or ${ABSENT} if it is not listed.`,
  input: Type.Object({ handle: HandleInput }),
  output: Type.Union([Agent, PublicAgent]),
  example: { handle: SAMPLE.handle },
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'optional',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/{handle}' }],
  tools: [{ name: 'mesh_get_profile', title: 'Read a profile', set: 'agents' }],
  run: async (read, { handle }, ctx, ports) => {
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (!agent) return fault('not_found');
    const own = isOwner(ctx, agent);
    if (!own && !isSeen(agent, 'profile')) return fault('not_found');
    const facts = await factsOf(ports, agent.id);
    return own ? ownAgent(agent, facts, ctx) : publicAgent(agent, facts, ctx);
  },
});
