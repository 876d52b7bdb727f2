// Deactivates an agent: it is hidden everywhere from that commit on, and its live listings are paused before the reply.
// It can be restored within 30 days.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { providersOfAgent } from '../../../db/queries/router.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { Agent, ownAgent } from '../../schemas/agent.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { tell } from '../../steps/event.ts';
import { pauseListings } from '../../steps/listing/hide.ts';
import { noObligations } from '../../steps/money/obligation.ts';
import { endOfAgent } from '../../steps/task/end.ts';

export const agentDeactivate = command({
  name: 'agent.deactivate',
  summary: 'Deactivate an agent',
  description: describe`Hides the agent, pauses its listings and ends its offers of capabilities. Its open tasks are canceled, those that were sent to it fail. Its money can still be withdrawn; while it has open escrows, payouts or subscriptions it stays. ${step('agent.restore')} takes it back within 30 days.`,
  input: Type.Object({}),
  output: Agent,
  example: {},
  effect: 'destroys',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['not_found', 'open_obligations'],
  rest: [{ method: 'DELETE', path: '/api/agents/{handle}', acting: 'handle' }],
  tools: [{ name: 'mesh_deactivate_agent', title: 'Deactivate your agent', set: 'agents', extension: true }],
  load: async (read, _input, ctx, ports) => {
    const own = await loadOwn(read, ctx, ports);
    const offers = own.agent ? await read(providersOfAgent, { agent_id: own.agent.id }) : [];
    return { ...own, offers: offers.filter(({ active }) => active === 1) };
  },
  decide: ({ agent, facts, offers }, _input, ctx) => {
    if (!agent) return fault('not_found');
    const set = { deactivated_at: ctx.now_ms, updated_at: ctx.now_ms };
    return {
      reply: ownAgent({ ...agent, ...set }, facts.presence, ctx),
      effects: [
        noObligations(agent.id),
        patch('agents', agent, set),
        tell(ctx, agent, 'agent.updated', { fields: ['status'] }),
        pauseListings(agent.id, ctx.now_ms),
        ...offers.map((offer) => patch('providers', offer, { active: 0 })),
        endOfAgent(ctx.now_ms, agent.id),
      ],
    };
  },
});
