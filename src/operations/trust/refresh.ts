// Takes an agent's trust anew after something was counted in its record: its deals, its disputes, what is said of it. Where an account
// turns out to belong together with its own, that one's agents are looked at too: neither raises the other.
import { Type } from 'typebox';
import { apply } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { command } from '../../contract/operation.ts';
import { disputeRate } from '../../domain/agent/track-record.ts';
import { changeAgent, loadAgent } from '../../steps/agent/own.ts';
import { markAgent, readPartnership, readUnmarked } from '../../steps/agent/partners.ts';
import { REFRESH_TRUST } from '../../steps/agent/record.ts';
import { remind } from '../../steps/reminder.ts';

/** Agents of others that are looked at with it; what is left comes with their own next deal. */
const OTHERS_MAX = 20;

export const trustRefresh = command({
  ...REFRESH_TRUST,
  summary: 'Take the trust of an agent anew',
  output: Type.Object({ refreshed: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  faults: [],
  rest: [],
  load: async (read, { agent_id }, ctx, ports) => {
    const own = await loadAgent(read, ports, agent_id);
    const met = own.agent && (await readPartnership(read, own.agent));
    const known = own.facts.record?.partners ?? 0;
    const fewer = met !== null && met.partners < known ? met.related.slice(0, OTHERS_MAX) : [];
    const others = await Promise.all(fewer.map((account_id) => read.peek(agentsOfAccount, { account_id })));
    const unmarked = own.agent ? await readUnmarked(read, own.agent, own.claims, ctx) : [];
    return { ...own, met, unmarked, others: others.flat().slice(0, OTHERS_MAX) };
  },
  decide: ({ agent, facts, met, unmarked, others }, _input, ctx) => {
    const { record } = facts;
    if (!agent || !record || !met) return { reply: { refreshed: false } };
    const { partners, partners_weight, partners_rating } = met;
    const counted = { partners, partners_weight, partners_rating };
    const now = { ...facts, record: { ...record, ...counted } };
    const set = { deals_completed: record.deals_completed, dispute_rate: disputeRate(record) };
    return {
      reply: { refreshed: true },
      effects: [
        apply('track_records', agent.id, () => counted),
        ...changeAgent(ctx, agent, set, now, []).effects,
        // With these it is taken once more.
        ...unmarked.flatMap(({ provider, external_id }) => markAgent(agent, provider, external_id, ctx)),
        // Behind the answer: two that wait for each other would wait for ever.
        ...others
          .filter(({ id }) => id !== agent.id)
          .map(({ id }) => remind(REFRESH_TRUST, { agent_id: id }, { at: ctx.now_ms, key: id, now_ms: ctx.now_ms })),
      ],
    };
  },
});
