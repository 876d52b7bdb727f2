// Charges the due period of a subscription, or records its end. A failure is answered as success and retried a day later: a refused
// reminder would be retried for ever.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import type { Decision } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import { charged, completed, failed, isFinal, isOver, periodDue } from '../../domain/subscription/subscription.ts';
import { warnWhenLow } from '../../steps/money/low-balance.ts';
import { countUnasked, stillUnrestricted } from '../../steps/money/spend.ts';
import { chargePeriod, endNews, failPeriod, failureOf } from '../../steps/subscription/charge.ts';
import { CHARGE, follow, remindOf } from '../../steps/subscription/course.ts';
import { readDue } from '../../steps/subscription/party.ts';

const OUTCOMES = ['charged', 'failed', 'completed', 'nothing_due'] as const;

type Refusals = 'open_obligations' | 'conflict';

function ended(
  outcome: (typeof OUTCOMES)[number],
  effects: readonly Effect<Refusals>[] = [],
): Decision<{ outcome: typeof outcome }, Refusals> {
  return { reply: { outcome }, effects };
}

export const subscriptionCharge = command({
  ...CHARGE,
  summary: 'Charge the due periods of a subscription',
  output: Type.Object({ outcome: Type.Enum([...OUTCOMES]) }),
  effect: 'adds',
  access: 'internal',
  faults: ['open_obligations', 'conflict'],
  load: (read, { subscription_id }, ctx) => readDue(read, subscription_id, ctx.now_ms),
  decide: (due, _input, ctx) => {
    if (due === null || isFinal(due.row.status)) return ended('nothing_due');
    const { row, buyer, seller_plan, allotment } = due;
    const { now_ms } = ctx;
    if (isOver(row, now_ms)) {
      return ended('completed', [...follow(row, completed(now_ms), now_ms).effects, ...endNews(ctx, row, due)]);
    }
    if (row.next_charge_at === null || row.next_charge_at > now_ms) {
      return ended('nothing_due', [remindOf(row, now_ms)]);
    }
    const period = periodDue(row, now_ms);
    const reason = failureOf(due);
    if (reason !== null) {
      const after = follow(row, failed(row, now_ms), now_ms);
      const { effects } = failPeriod(ctx, row, due, { period, reason, status: after.row.status });
      return ended('failed', [...after.effects, ...effects]);
    }
    // Balance, daily limit and debts may change before the commit: then the turn decides again, and a failure is an answer then too.
    const { effects } = chargePeriod(ctx, row, due, { period, seller_plan, onShort: 'again' });
    const counted = countUnasked(buyer, allotment?.budget ?? null, row.amount_cents, now_ms);
    const warned = warnWhenLow(ctx, buyer, row.amount_cents);
    const after = follow(row, charged(row, period, now_ms), now_ms);
    return ended('charged', [
      stillUnrestricted(row.buyer_account_id),
      ...counted,
      ...effects,
      ...after.effects,
      ...(isFinal(after.row.status) ? endNews(ctx, row, due) : []),
      ...warned,
    ]);
  },
});
