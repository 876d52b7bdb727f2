// Delivers an event of the inbox to a webhook again, under the same id.
import { Type } from 'typebox';
import { eventById } from '../../../db/queries/inbox.ts';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { deliverByHand } from '../../delivery/by-hand.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { MANAGE_WEBHOOKS, WebhookLogShape } from '../../schemas/webhook.ts';
import { PathId } from '../../schemas/wire.ts';

export const webhookRedeliver = flow({
  name: 'webhook.redeliver',
  summary: 'Deliver an event again',
  description: 'One attempt at once, regardless of the subscribed events; returns the result.',
  input: Type.Object({ id: PathId, event_id: PathId }),
  output: WebhookLogShape,
  example: { id: SAMPLE.webhook_id, event_id: SAMPLE.event_id },
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/developer/webhooks/{id}/redeliver' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'redeliver' } }],
  run: async ({ id, event_id }, ctx, ports) => {
    const event = await ctx.read(eventById, { agent_id: actor(ctx).id, id: event_id });
    if (!event) return fault('not_found');
    return deliverByHand(ctx, ports, id, event);
  },
});
