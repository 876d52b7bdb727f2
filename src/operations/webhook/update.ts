// Changes a webhook's address or subscription, or switches it on and off. Switching it on resets its failures (Q89).
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { flow } from '../../contract/operation.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { readEvents } from '../../domain/inbox/webhook.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { MANAGE_WEBHOOKS, WEBHOOK_INPUT, WebhookShape, webhookView } from '../../schemas/webhook.ts';
import { PathId } from '../../schemas/wire.ts';
import { ownWebhook } from '../../steps/agent/load.ts';
import { urlFault } from '../../steps/outside.ts';

export const webhookUpdate = flow({
  name: 'webhook.update',
  summary: 'Edit a webhook',
  description: 'Omitted fields are unchanged. `active: true` also resets failure_count to 0.',
  input: namedObject('WebhookChanges', 'the fields of a webhook to change', {
    id: PathId,
    url: Type.Optional(WEBHOOK_INPUT.url),
    events: Type.Optional(WEBHOOK_INPUT.events),
    active: Type.Optional(Type.Boolean()),
  }),
  output: WebhookShape,
  example: { id: SAMPLE.webhook_id, events: ['*'] },
  effect: 'changes',
  open_world: true,
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  faults: ['invalid_request', 'not_found'],
  rest: [{ method: 'PATCH', path: '/api/developer/webhooks/{id}' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'update' } }],
  run: async ({ id, url, events: given, active }, ctx, ports) => {
    if (!(await ownWebhook(ctx.read, ctx, id))) return fault('not_found');
    const events = given && readEvents(given);
    if (isFault(events)) return events;
    const unusable = await urlFault(ports, url, 'url');
    if (unusable) return unusable;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const row = await ownWebhook(read, ctx, id);
        if (!row) return fault('not_found');
        if (events && row.kind === 'agent') {
          return invalid({
            path: 'events',
            message: "The agent's own webhook gets every event; mute some by wake.mute.",
          });
        }
        const set = {
          ...(url !== undefined && { url }),
          ...(events && { events }),
          ...(active !== undefined && { active: active ? 1 : 0 }),
          ...(active && { failure_count: 0 }),
        };
        const effects = Object.keys(set).length > 0 ? [patch('webhooks', row, set)] : [];
        return { reply: webhookView({ ...row, ...set }), effects };
      },
    });
  },
});
