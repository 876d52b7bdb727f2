// Recomputes an agent's trust score after a change of its record: deals, disputes, reviews. Where another account turns out to be
// related to its own, that account's agents are recomputed too: related accounts do not raise each other's score.
import { Type } from 'typebox';
import { apply } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountsWithMarksOf, marksOfAccount, partnersOfAgent } from '../../../db/queries/deal.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { disputeRate, type Partnership, partnership } from '../../domain/agent/track-record.ts';
import { loadAgent } from '../../steps/agent/load.ts';
import { changeAgent } from '../../steps/agent/own.ts';
import { markAgent, markOf } from '../../steps/agent/partners.ts';
import { REFRESH_TRUST } from '../../steps/agent/record.ts';
import { remind } from '../../steps/reminder.ts';

/** Accounts that are read; beyond the first hundred the score changes by less than a point. */
const PARTNERS_MAX = 1_000;

/** Marks that are read of an account. */
const MARKS_MAX = 1_000;

/** The proofs of an agent without a mark on its account, which are older than the marks. Empty where the account has more marks than are read. */
async function readUnmarked(
  read: Read,
  { account_id }: Pick<Row<'agents'>, 'account_id'>,
  claims: readonly Row<'claims'>[],
  ctx: Pick<Ctx, 'secrets'>,
): Promise<readonly Row<'claims'>[]> {
  const known = await read.peek(marksOfAccount, { account_id, limit: MARKS_MAX });
  const marks = new Set(known.map(({ mark }) => mark));
  if (known.length === MARKS_MAX) return [];
  return claims.filter(({ provider, external_id }) => !marks.has(markOf(provider, external_id, ctx)));
}

/** The dealings of an agent that count, and the related accounts whose dealings do not. */
async function readPartnership(
  read: Read,
  { id: agent_id, account_id }: Pick<Row<'agents'>, 'id' | 'account_id'>,
): Promise<Partnership & { readonly related: readonly string[] }> {
  const [met, known] = await Promise.all([
    read(partnersOfAgent, { agent_id, limit: PARTNERS_MAX }),
    read(accountsWithMarksOf, { account_id }),
  ]);
  const together = new Set([account_id, ...known.map((each) => each.account_id)]);
  const apart = met.filter((each) => !together.has(each.account_id));
  const related = met.filter((each) => together.has(each.account_id)).map((each) => each.account_id);
  return { ...partnership(apart), related };
}

/** Agents of related accounts that are recomputed too; the rest follow with their own next deal. */
const OTHERS_MAX = 20;

export const trustRefresh = command({
  ...REFRESH_TRUST,
  summary: 'Recompute the trust of an agent',
  output: Type.Object({ refreshed: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
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
        // The score is recomputed again with these marks.
        ...unmarked.flatMap(({ provider, external_id }) => markAgent(agent, provider, external_id, ctx)),
        // After the answer: two refreshes that wait for each other would deadlock.
        ...others
          .filter(({ id }) => id !== agent.id)
          .map(({ id }) => remind(REFRESH_TRUST, { agent_id: id }, { at: ctx.now_ms, key: id, now_ms: ctx.now_ms })),
      ],
    };
  },
});
