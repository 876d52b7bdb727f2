// Deactivates an agent: it is hidden everywhere from that commit on, and its live listings are paused before the reply.
// It can be restored within 30 days.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { Agent, ownAgent } from '../../schemas/agent.ts';
import { activeOffers, loadOwn } from '../../steps/agent/load.ts';
import { withdrawn } from '../../steps/agent/withdraw.ts';
import { noObligations } from '../../steps/money/obligation.ts';

export const agentDeactivate = command({
  name: 'agent.deactivate',
  summary: 'Deactivate an agent',
  description: describe`Hides the agent, pauses its listings and ends its offers of capabilities. Cancels its open tasks; tasks sent to it fail. Its money can still be withdrawn. Refused while it has open escrows, payouts or subscriptions. ${step('agent.restore')} undoes it within 30 days.`,
  input: Type.Object({}),
  output: Agent,
  effect: 'destroys',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['not_found', 'open_obligations'],
  rest: [{ method: 'DELETE', path: '/api/agents/{handle}', acting: 'handle' }],
  tools: [{ name: 'mesh_deactivate_agent', title: 'Deactivate your agent', set: 'agents', extension: true }],
  load: async (read, _input, ctx, ports) => {
    const own = await loadOwn(read, ctx, ports);
    return { ...own, offers: own.agent ? await activeOffers(read, own.agent.id) : [] };
  },
  decide: ({ agent, facts, offers }, _input, ctx) => {
    if (!agent) return fault('not_found');
    const set = { deactivated_at: ctx.now_ms, updated_at: ctx.now_ms };
    return {
      reply: ownAgent({ ...agent, ...set }, facts.presence, ctx),
      effects: [noObligations(agent.id), ...withdrawn(ctx, agent, offers)],
    };
  },
});
