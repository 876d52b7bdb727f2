// Ends a subscription for good; either side may, at any time. What was charged stays charged.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { cancelled } from '../../domain/subscription/subscription.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Subscription } from '../../schemas/subscription.ts';
import { PathId } from '../../schemas/wire.ts';
import { findSubscription, moveBy } from '../../steps/subscription/party.ts';

export const subscriptionCancel = command({
  name: 'subscription.cancel',
  summary: 'Cancel a subscription',
  description:
    'Final, by either side. Nothing more is charged, and nothing that was is given back. The other side gets `subscription.updated`. Cancelling it again changes nothing; one that is `completed` answers `subscription_ended`.',
  input: Type.Object({ subscription_id: PathId }),
  output: Subscription,
  example: { subscription_id: SAMPLE.subscription_id },
  effect: 'destroys',
  access: 'session',
  faults: ['not_found', 'wrong_role', 'subscription_ended', 'open_obligations'],
  rest: [{ method: 'POST', path: '/api/subscriptions/{subscription_id}/cancel' }],
  tools: [
    {
      name: 'mesh_cancel_subscription',
      title: 'Cancel a subscription',
      set: 'market',
      access: 'key',
      scope: 'payments:write',
    },
  ],
  load: async (read, { subscription_id }, ctx) => ({ found: await findSubscription(read, subscription_id, ctx) }),
  decide: ({ found }, _input, ctx) => moveBy(found, ctx, null, (row) => cancelled(row, ctx.now_ms)),
});
