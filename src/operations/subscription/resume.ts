// Resumes a paused subscription at its next period boundary, under the caller's limits: a price beyond them is refused, and later
// charges count against the budget of the key that resumed it, or against none after a person did.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { resumed } from '../../domain/subscription/subscription.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Subscription } from '../../schemas/subscription.ts';
import { PathId } from '../../schemas/wire.ts';
import { readSpending } from '../../steps/money/budget.ts';
import { isSpendFault, spend } from '../../steps/money/spend.ts';
import { keyIdOf, overTotal, readAllotment } from '../../steps/subscription/allotment.ts';
import { moveBy } from '../../steps/subscription/course.ts';
import { findSubscription } from '../../steps/subscription/party.ts';

export const subscriptionResume = command({
  name: 'subscription.resume',
  summary: 'Resume a subscription',
  description:
    'By the paying side, while it is `paused`. The next charge is at the start of the next period; periods in between are not charged. The other side gets `subscription.updated`. Refused if the caller could not pay a period.',
  input: Type.Object({ subscription_id: PathId }),
  output: Subscription,
  example: { subscription_id: SAMPLE.paused_subscription_id },
  effect: 'changes',
  access: 'session',
  faults: [
    'not_found',
    'wrong_role',
    'subscription_ended',
    'open_obligations',
    'account_restricted',
    'spending_limit',
    'outside_bounds',
  ],
  rest: [{ method: 'POST', path: '/api/subscriptions/{subscription_id}/resume' }],
  tools: [
    {
      name: 'mesh_resume_subscription',
      title: 'Resume a subscription',
      set: 'market',
      access: 'key',
      scope: 'payments:write',
      extension: true,
    },
  ],
  load: async (read, { subscription_id }, ctx) => {
    const found = await findSubscription(read, subscription_id, ctx);
    const key_id = keyIdOf(ctx.principal);
    const [spending, allotment] = await Promise.all([
      found && readSpending(read, found.row.buyer_id, ctx.now_ms),
      readAllotment(read, { key_id }, ctx.now_ms),
    ]);
    return { found, spending, allotment, key_id };
  },
  decide: ({ found, spending, allotment, key_id }, _input, ctx) => {
    const moved = moveBy(found, ctx, 'buyer', (row) => {
      const change = resumed(row, ctx.now_ms);
      return change && { ...change, key_id };
    });
    if (isFault(moved) || !found || !spending) return moved;
    const { seller_id, amount_cents } = found.row;
    // Policies for `subscription.create` also apply here; a person resumes the subscription itself.
    const spent = spend(ctx, spending, { amount_cents, to_id: seller_id, operation: 'subscription.create' });
    if (isSpendFault(spent)) return spent;
    const over = allotment && overTotal(allotment, amount_cents);
    if (over) return over;
    // Nothing is charged yet, so nothing is counted.
    return { ...moved, effects: [spent.gate, ...moved.effects] };
  },
});
