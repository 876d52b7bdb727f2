// Restores a deactivated agent within 30 days, with its handle and all its data. Its listings stay paused: the owner
// decides which of them are still valid.

import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { describe, GONE } from '../../domain/next-step.ts';
import { DAY_MS } from '../../domain/time.ts';
import { Agent, factsOf, isOwner, ownAgent } from '../../schemas/agent.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { broughtBack } from '../../steps/agent/withdraw.ts';

const RESTORE_DAYS = 30;

export const agentRestore = command({
  name: 'agent.restore',
  needed_by: 'a person or program that deactivated an agent by mistake',
  summary: 'Restore a deactivated agent',
  description: describe`Within 30 days of its deactivation; ${GONE} after. Its listings stay paused. An active agent is unchanged.`,
  input: Type.Object({ handle: HandleInput }),
  output: Agent,
  example: { handle: SAMPLE.handle },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  faults: ['not_found', 'gone'],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/restore' }],
  tools: [{ name: 'mesh_restore_agent', title: 'Restore a deactivated agent', set: 'agents', extension: true }],
  load: async (read, { handle }, ctx, ports) => {
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    return { agent, facts: agent ? await factsOf(ports, agent.id) : null };
  },
  decide: ({ agent, facts }, _input, ctx) => {
    if (!agent || !facts || !isOwner(ctx, agent)) return fault('not_found');
    if (agent.deactivated_at === null) return { reply: ownAgent(agent, facts, ctx) };
    if (ctx.now_ms - agent.deactivated_at > RESTORE_DAYS * DAY_MS) {
      return fault('gone', `An agent can be restored for ${RESTORE_DAYS} days after its deactivation.`);
    }
    const set = { deactivated_at: null, updated_at: ctx.now_ms };
    return { reply: ownAgent({ ...agent, ...set }, facts, ctx), effects: broughtBack(ctx, agent) };
  },
});
