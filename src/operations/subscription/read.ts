// One subscription, with its charges.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Subscription } from '../../schemas/subscription.ts';
import { PathId } from '../../schemas/wire.ts';
import { findSubscription, viewOf } from '../../steps/subscription/party.ts';

export const subscriptionRead = query({
  name: 'subscription.read',
  summary: 'Read a subscription',
  description: 'With its charge attempts, newest first. For either side.',
  input: Type.Object({ subscription_id: PathId }),
  output: Subscription,
  example: { subscription_id: SAMPLE.subscription_id },
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/subscriptions/{subscription_id}' }],
  tools: [
    {
      name: 'mesh_get_subscription',
      title: 'Read a subscription',
      set: 'market',
      access: 'key',
      scope: 'payments:write',
      extension: true,
    },
  ],
  run: async (read, { subscription_id }, ctx) => {
    const found = await findSubscription(read, subscription_id, ctx);
    return found ? viewOf(found, ctx.now_ms) : fault('not_found');
  },
});
