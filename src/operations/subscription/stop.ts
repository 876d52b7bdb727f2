// Cancels a subscription for good, which either side may do at any time, or pauses it until the paying side resumes it. Earlier charges stay.
import { Type } from 'typebox';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { cancelled, paused } from '../../domain/subscription/subscription.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Subscription } from '../../schemas/subscription.ts';
import { PathId } from '../../schemas/wire.ts';
import { moveBy } from '../../steps/subscription/course.ts';
import { type Found, findSubscription } from '../../steps/subscription/party.ts';

interface Stop {
  readonly verb: 'cancel' | 'pause';
  readonly summary: string;
  readonly description: string;
  readonly effect: 'destroys' | 'changes';
  readonly extension?: true;
  readonly decide: (found: Found | null, ctx: Ctx) => ReturnType<typeof moveBy>;
}

function stopping({ verb, summary, description, effect, extension, decide }: Stop) {
  return command({
    name: `subscription.${verb}`,
    summary,
    description,
    input: Type.Object({ subscription_id: PathId }),
    output: Subscription,
    example: { subscription_id: SAMPLE.subscription_id },
    effect,
    access: 'session',
    faults: ['not_found', 'wrong_role', 'subscription_ended', 'open_obligations'],
    rest: [{ method: 'POST', path: `/api/subscriptions/{subscription_id}/${verb}` }],
    tools: [
      {
        name: `mesh_${verb}_subscription`,
        title: summary,
        set: 'market',
        access: 'key',
        scope: 'payments:write',
        ...(extension && { extension }),
      },
    ],
    load: async (read, { subscription_id }, ctx) => ({ found: await findSubscription(read, subscription_id, ctx) }),
    decide: ({ found }, _input, ctx) => decide(found, ctx),
  });
}

export const subscriptionCancel = stopping({
  verb: 'cancel',
  summary: 'Cancel a subscription',
  description:
    'Final, by either side. Nothing more is charged, and past charges are not refunded. The other side gets `subscription.updated`. Cancelling again changes nothing; a `completed` one returns `subscription_ended`.',
  effect: 'destroys',
  decide: (found, ctx) => moveBy(found, ctx, null, (row) => cancelled(row, ctx.now_ms)),
});

export const subscriptionPause = stopping({
  verb: 'pause',
  summary: 'Pause a subscription',
  description:
    'By the paying side, while it is `active` or `past_due`. Nothing is charged until it is resumed. The other side gets `subscription.updated`.',
  effect: 'changes',
  extension: true,
  decide: (found, ctx) => moveBy(found, ctx, 'buyer', paused),
});
