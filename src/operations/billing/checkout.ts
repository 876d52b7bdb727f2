// Starts the purchase of a plan on a checkout page of the payment processor. The account gets the plan once the processor reports
// the payment (plan.follow).
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { planCheckoutById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id } from '../../schemas/wire.ts';
import { followPlanLater } from '../../steps/money/follow.ts';
import { openCheckout } from '../../steps/money/open-pages.ts';
import { readTerm } from '../../steps/money/wallet-view.ts';
import { askProcessor } from '../../steps/outside.ts';

export const billingCheckout = flow({
  name: 'billing.checkout',
  summary: 'Buy a plan',
  description: 'Returns the URL of a page on which a person subscribes; the plan renews monthly until it is cancelled.',
  input: Type.Object({ plan: Type.Literal('pro') }),
  output: namedObject('PlanCheckout', 'where a person buys a plan', {
    checkout_url: Type.String({ description: 'for the account’s person only' }),
    checkout_id: Id,
  }),
  example: { plan: 'pro' },
  effect: 'adds',
  access: 'session',
  faults: ['already_subscribed', 'too_many_open', 'processor_not_configured', 'processor_unavailable'],
  rest: [{ method: 'POST', path: '/api/billing/checkout' }],
  run: async ({ plan }, ctx, ports) => {
    const { processor } = ports;
    if (!processor) return fault('processor_not_configured');
    const { account_id } = ctx;
    const { price_cents } = PLANS[plan];
    const row: Row<'plan_checkouts'> = {
      ...{ id: ctx.id(), account_id, plan, price_cents, processor: processor.name, external_id: null, url: null },
      ...{ status: 'pending', ended_at: null, created_at: ctx.now_ms, version: 1 },
    };
    const { id } = row;
    const placed = await ctx.turn({
      attempt: async (read) => {
        const { account } = await readTerm(read, account_id);
        if (account?.plan === plan) return fault('already_subscribed');
        const effects: Effect<'too_many_open'>[] = [
          insert('plan_checkouts', row),
          openCheckout(account_id),
          followPlanLater(row, ctx.now_ms),
        ];
        return { reply: { email: account?.email ?? null }, effects };
      },
    });
    if (isFault(placed)) return placed;
    const { email } = placed.reply;
    const return_url = `${ctx.settings.app_url}/billing`;
    const product = `${ctx.settings.instance.name} ${PLANS.pro.name}`;
    const called = await askProcessor(ports, processor, (open) =>
      open.openPlan({ product, id, account_id, price_cents, email, return_url }),
    );
    if (called.outcome !== 'done') return fault('processor_unavailable');
    const { external_id, url } = called.value;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const now = await read(planCheckoutById, { id });
        const known = now ? [patch('plan_checkouts', now, { external_id, url })] : [];
        return { reply: { checkout_url: url, checkout_id: id }, effects: known };
      },
    });
  },
});
