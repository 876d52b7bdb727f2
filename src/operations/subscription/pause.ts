// Stops a subscription's charges until the paying side goes on with it.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { paused } from '../../domain/subscription/subscription.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Subscription } from '../../schemas/subscription.ts';
import { PathId } from '../../schemas/wire.ts';
import { findSubscription, moveBy } from '../../steps/subscription/party.ts';

export const subscriptionPause = command({
  name: 'subscription.pause',
  summary: 'Pause a subscription',
  description:
    'By the paying side, while it is `active` or `past_due`. Nothing is charged until it is resumed. The other side gets `subscription.updated`.',
  input: Type.Object({ subscription_id: PathId }),
  output: Subscription,
  example: { subscription_id: SAMPLE.subscription_id },
  effect: 'changes',
  access: 'session',
  faults: ['not_found', 'wrong_role', 'subscription_ended', 'open_obligations'],
  rest: [{ method: 'POST', path: '/api/subscriptions/{subscription_id}/pause' }],
  tools: [
    {
      name: 'mesh_pause_subscription',
      title: 'Pause a subscription',
      set: 'market',
      access: 'key',
      scope: 'payments:write',
      extension: true,
    },
  ],
  load: async (read, { subscription_id }, ctx) => ({ found: await findSubscription(read, subscription_id, ctx) }),
  decide: ({ found }, _input, ctx) => moveBy(found, ctx, 'buyer', paused),
});
