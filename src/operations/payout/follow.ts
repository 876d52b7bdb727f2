// Follows a payout to its end: looks at it, writes down what it found, and goes on as long as each look tells something new. Run by
// the payout's own reminder, and at once where the processor said that something happened.
import { Type } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { payoutById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { isOpenPayout, payoutPause, RETURNED_LOOK_MS, RETURNED_WITHIN_MS } from '../../domain/money/payout.ts';
import { FOLLOW, followAt } from '../../steps/payout/follow.ts';
import { type Found, lookAt } from '../../steps/payout/look.ts';
import { moveAfter } from '../../steps/payout/move.ts';

/** The longest way there is has five looks: to the payee, to the bank, lost, taken back, credited. */
const LOOKS_AT_ONCE = 8;

interface Counts {
  readonly looks: number;
  readonly doubts: number;
}

/** When to look again; null when there is nothing more to wait for. */
function nextLook(payout: Row<'payouts'>, { looks, doubts }: Counts, now_ms: number): number | null {
  // The first look that tells nothing new comes right after one that did, as at the hand-over: it is no sign that this takes long.
  const waited = doubts > 0 ? looks : Math.max(0, looks - 1);
  if (isOpenPayout(payout.status)) return now_ms + payoutPause(waited);
  // A chain's word is its last; a bank's may come back.
  const mayReturn = payout.status === 'finalized' && payout.rail === 'bank' && payout.ended_at !== null;
  return mayReturn && now_ms < (payout.ended_at ?? 0) + RETURNED_WITHIN_MS ? now_ms + RETURNED_LOOK_MS : null;
}

/** Writes down what a look found, and asks for the next one; answers whether to look again at once. */
async function write(ctx: FlowCtx, { clock }: FlowPorts, looked: Row<'payouts'>, found: Found, before: Counts) {
  const doubts = found.is === 'unknown' || found.is === 'stuck' ? before.doubts + 1 : 0;
  const outcome = await ctx.turn({
    agent_id: looked.agent_id,
    attempt: async (read) => {
      const payout = await read(payoutById, { id: looked.id });
      const agent = await read.peek(agentById, { id: looked.agent_id });
      if (!payout || !agent) return { reply: { isNews: false, looks: 0 } };
      const now_ms = clock.now();
      const { row, isNews, effects } = moveAfter({ ...ctx, now_ms }, payout, { looked, found, doubts, agent });
      const looks = isNews ? 0 : before.looks + 1;
      const at = nextLook(row, { looks, doubts }, now_ms);
      const next = at === null ? [] : [followAt(at, { payout_id: row.id, looks, doubts }, now_ms)];
      return { reply: { isNews, looks }, effects: [...effects, ...next] };
    },
  });
  if (isFault(outcome)) throw new Error(`a look at a payout could not be written: ${outcome.fault}`);
  return { ...outcome.reply, doubts };
}

export const payoutFollow = flow({
  ...FOLLOW,
  summary: 'Follow a payout',
  output: Type.Object({ status: Type.Union([Type.String(), Type.Null()]) }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  faults: [],
  rest: [],
  run: async ({ payout_id, looks = 0, doubts = 0 }, ctx, ports) => {
    let counts: Counts = { looks, doubts };
    for (let n = 0; n < LOOKS_AT_ONCE; n += 1) {
      const payout = await ctx.read(payoutById, { id: payout_id });
      if (!payout || payout.status === 'reversed') return { reply: { status: payout?.status ?? null } };
      const found = await lookAt(payout, ports);
      const { isNews, ...next } = await write(ctx, ports, payout, found, counts);
      counts = next;
      if (!isNews) break;
    }
    const payout = await ctx.read(payoutById, { id: payout_id });
    return { reply: { status: payout?.status ?? null } };
  },
});
