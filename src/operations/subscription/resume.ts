// Goes on with a paused subscription at the next boundary of its periods.
import { Type } from 'typebox';
import { resumed } from '../../domain/subscription/subscription.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Subscription } from '../../schemas/subscription.ts';
import { PathId } from '../../schemas/wire.ts';
import { findSubscription, moveBy } from '../../steps/subscription/party.ts';
import { command } from '../operation.ts';

export const subscriptionResume = command({
  name: 'subscription.resume',
  summary: 'Resume a subscription',
  description:
    'By the paying side, while it is `paused`. The next charge is at the next boundary of its periods; periods that passed meanwhile are not charged.',
  input: Type.Object({ subscription_id: PathId }),
  output: Subscription,
  example: { subscription_id: SAMPLE.paused_subscription_id },
  effect: 'changes',
  access: 'session',
  faults: ['not_found', 'wrong_role', 'subscription_ended', 'open_obligations'],
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
  load: async (read, { subscription_id }, ctx) => ({ found: await findSubscription(read, subscription_id, ctx) }),
  decide: ({ found }, _input, ctx) => moveBy(found, ctx, 'buyer', (row) => resumed(row, ctx.now_ms)),
});
