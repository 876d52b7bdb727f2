// Takes an agent's trust anew after something was counted in its record: its deals, its disputes, what is said of it.
import { Type } from 'typebox';
import { disputeRate } from '../../domain/agent/track-record.ts';
import { changeAgent, loadAgent } from '../../steps/agent/own.ts';
import { REFRESH_TRUST } from '../../steps/agent/record.ts';
import { command } from '../operation.ts';

export const trustRefresh = command({
  ...REFRESH_TRUST,
  summary: 'Take the trust of an agent anew',
  output: Type.Object({ refreshed: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, { agent_id }, _ctx, ports) => loadAgent(read, ports, agent_id),
  decide: ({ agent, facts }, _input, ctx) => {
    const { record } = facts;
    if (!agent || !record) return { reply: { refreshed: false } };
    const set = { deals_completed: record.deals_completed, dispute_rate: disputeRate(record) };
    return { reply: { refreshed: true }, effects: changeAgent(ctx, agent, set, facts, []).effects };
  },
});
