// Cancels a plan at the end of its paid period. The row is written first; the processor is told before the reply, and again until it confirms.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { afterTermEvent } from '../../domain/money/plan-term.ts';
import { BillingStatus, billingStatusView } from '../../schemas/billing.ts';
import { accountFollows, RENEW_PLAN } from '../../steps/money/follow.ts';
import { readTerm } from '../../steps/money/wallet-view.ts';
import { remindNow } from '../../steps/reminder.ts';

export const billingCancel = command({
  name: 'billing.cancel',
  summary: 'Cancel the plan',
  description:
    'It runs until the end of the paid period and is not renewed. Existing items beyond the limits of the plan `free` stay.',
  input: Type.Object({}),
  output: BillingStatus,
  effect: 'destroys',
  access: 'session',
  faults: ['no_plan'],
  rest: [{ method: 'POST', path: '/api/billing/cancel' }],
  load: (read, _input, { account_id }) => readTerm(read, account_id),
  decide: ({ account, term }, _input, ctx) => {
    if (!account || !term || term.status === 'ended') return fault('no_plan');
    const status = afterTermEvent(term.status, 'cancelled') ?? term.status;
    const after = { ...term, status };
    return {
      reply: billingStatusView(status === 'ended' ? 'free' : account.plan, after),
      effects: [
        patch('plan_terms', term, { status }),
        ...(status === 'ended' ? accountFollows(account, status) : []),
        remindNow(RENEW_PLAN, { account_id: account.id }, { key: account.id, now_ms: ctx.now_ms }),
      ],
    };
  },
});
