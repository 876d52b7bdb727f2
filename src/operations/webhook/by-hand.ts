// A delivery that somebody asks for: made at once, also to a webhook that is not active, logged and counted as any other.
import type { Static } from 'typebox';
import type { Outcome } from '../../../db/store.ts';
import { fault } from '../../domain/fault.ts';
import { attempt } from '../delivery/attempt.ts';
import type { SentEvent } from '../delivery/envelope.ts';
import { hookOf } from '../delivery/route.ts';
import { settle } from '../delivery/settle.ts';
import type { FlowCtx } from '../operation.ts';
import { ownWebhook } from './own.ts';
import { attemptView, type WebhookLogShape } from './view.ts';

/** Delivers an event to a webhook and answers its log. */
export async function deliverByHand(
  ctx: FlowCtx,
  webhook_id: string,
  event: SentEvent,
): Promise<Outcome<Static<typeof WebhookLogShape>>> {
  const row = await ownWebhook(ctx.read, ctx, webhook_id);
  const hook = row && hookOf(row, ctx.world.seal_key);
  if (!hook) return fault('not_found');
  const made = await attempt(ctx.world, hook, event, null);
  return ctx.turn({
    final: true,
    attempt: async (read) => ({
      reply: attemptView(made),
      effects: await settle([{ attempts: [made], effects: [] }], read),
    }),
  });
}
