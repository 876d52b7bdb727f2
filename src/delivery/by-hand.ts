// A manual delivery: made at once, also to an inactive webhook, logged and counted like any other.
import type { Static } from 'typebox';
import type { Outcome } from '../../db/store.ts';
import type { FlowCtx } from '../contract/context.ts';
import type { FlowPorts } from '../contract/ports.ts';
import { fault } from '../domain/fault.ts';
import { type Attempt, DEADLINE_MS } from '../domain/inbox/webhook.ts';
import { attemptView, type WebhookLogShape } from '../schemas/webhook.ts';
import { ownWebhook } from '../steps/agent/load.ts';
import { attempt, type SentEvent } from './attempt.ts';
import { hookOf } from './route.ts';
import { settle } from './settle.ts';

/** How long a delivery waits for a slot at its host. */
const SLOT_MS = 5_000;

/** Delivers an event to a webhook and returns its log. */
export async function deliverByHand(
  ctx: FlowCtx,
  { http, tracer, clock, tasks, restored }: Pick<FlowPorts, 'http' | 'tracer' | 'clock' | 'tasks' | 'restored'>,
  webhook_id: string,
  event: SentEvent,
): Promise<Outcome<Static<typeof WebhookLogShape>>> {
  const row = await ownWebhook(ctx.read, ctx, webhook_id);
  const hook = row && hookOf(row, ctx.secrets.seal_key);
  if (!hook) return fault('not_found');
  // The trace of this call, rather than that of the event's cause.
  const sent = { ...event, trace: ctx.trace ?? event.trace };
  const ports = { http, tracer, clock, restored, id: ctx.id };
  const work = (gone: AbortSignal): Promise<Attempt> => attempt(ports, hook, sent, null, gone);
  const made = await tasks.call({ hosts: [hook.host], deadline_ms: DEADLINE_MS + SLOT_MS, work });
  if (!made) return fault('overloaded', 'Other deliveries to this host are still under way; try again.');
  return ctx.turn({
    final: true,
    attempt: async (read) => ({
      reply: attemptView(made),
      effects: await settle([{ attempts: [made], effects: [] }], read),
    }),
  });
}
