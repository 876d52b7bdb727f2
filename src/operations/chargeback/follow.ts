// Asks the processor what it took back of a funding, and books each chargeback and refund of it once (steps/money/taken-back.ts).
import { Type } from 'typebox';
import { fundingById } from '../../../db/queries/processor.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { askProcessor } from '../../steps/money/ask-processor.ts';
import { FOLLOW_TAKEN_BACK, settleTakenBack } from '../../steps/money/taken-back.ts';
import { remind } from '../../steps/reminder.ts';

/** Nobody hints again at what was not learnt. */
const AGAIN_MS = 600_000;

async function later(ctx: FlowCtx, funding_id: string, agent_id: string, now_ms: number): Promise<void> {
  const again = remind(FOLLOW_TAKEN_BACK, { funding_id }, { at: now_ms + AGAIN_MS, key: funding_id, now_ms });
  await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: [again] }) });
}

export const chargebackFollow = flow({
  ...FOLLOW_TAKEN_BACK,
  noun: 'Payments that the processor takes back.',
  summary: 'Ask what was taken back of a funding',
  output: Type.Object({ booked: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['account_restricted', 'open_obligations', 'conflict'],
  rest: [],
  run: async ({ funding_id }, ctx, ports) => {
    const { processor, clock } = ports;
    const row = await ctx.read(fundingById, { id: funding_id });
    if (!row || row.payment_id === null || processor?.name !== row.processor) return { reply: { booked: 0 } };
    const { payment_id, agent_id } = row;
    const found = await askProcessor(ports, processor, (asked) => asked.takenBack(payment_id));
    if (found.outcome !== 'done') {
      await later(ctx, funding_id, agent_id, clock.now());
      return { reply: { booked: 0 } };
    }
    let booked = 0;
    for (const taken of found.value) {
      const now = { ...ctx, now_ms: clock.now() };
      const outcome = await ctx.turn({
        agent_id,
        attempt: async (read) => {
          const effects = await settleTakenBack(read, now, funding_id, taken);
          return { reply: effects.length > 0, effects };
        },
      });
      // Another run booked it in the same moment, or will: the next look tells.
      if (isFault(outcome)) await later(ctx, funding_id, agent_id, clock.now());
      else if (outcome.reply) booked += 1;
    }
    return { reply: { booked } };
  },
});
