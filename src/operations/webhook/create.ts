// Subscribes an address to an agent's events. The address is checked now and again at each delivery, since its name may
// resolve differently by then.
import { Type } from 'typebox';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { readEvents, WEBHOOKS_MAX, webhooksFullFault } from '../../domain/inbox/webhook.ts';
import { namedObject } from '../../schemas/named.ts';
import { MANAGE_WEBHOOKS, WEBHOOK_INPUT, WebhookWithSecret, webhookView } from '../../schemas/webhook.ts';
import { urlFault } from '../../steps/outside.ts';
import { makeWebhook } from '../../steps/webhook.ts';

export const webhookCreate = flow({
  name: 'webhook.create',
  noun: 'Webhooks: events pushed to an address, signed, and the logs of their deliveries.',
  summary: 'Create a webhook',
  description:
    'Each event is POSTed once as JSON, signed in X-Webhook-Signature (hex HMAC-SHA256 of the raw body, keyed with the whole ' +
    'secret) and by Standard Webhooks; ten failures in a row deactivate it. With `retry` a failed delivery is ' +
    'retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 24 h, and 410 deactivates at once. ' +
    `At most ${WEBHOOKS_MAX} per agent.`,
  input: namedObject('WebhookInput', 'a webhook to create', {
    ...WEBHOOK_INPUT,
    retry: Type.Optional(Type.Boolean({ description: 'try failed deliveries again; cannot be changed later' })),
  }),
  output: WebhookWithSecret,
  example: { url: 'https://hooks.example/x', events: ['match.created', 'test.ping'] },
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  secret: true,
  status: 'created',
  faults: ['invalid_request', 'plan_limit', 'not_found'],
  rest: [{ method: 'POST', path: '/api/developer/webhooks' }],
  tools: [
    {
      ...MANAGE_WEBHOOKS,
      description: `Creates a webhook, at most ${WEBHOOKS_MAX} per agent: events are sent to it as signed JSON.`,
      when: { argument: 'action', is: 'create' },
    },
  ],
  run: async ({ url, events: given, retry = false }, ctx, ports) => {
    const events = readEvents(given);
    if (isFault(events)) return events;
    const unusable = await urlFault(ports, url, 'url');
    if (unusable) return unusable;
    const agent_id = actor(ctx).id;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const existing = await read(webhooksOfAgent, { agent_id });
        if (existing.length >= WEBHOOKS_MAX) return webhooksFullFault();
        const { row, signing_secret, effect } = makeWebhook(ctx, { agent_id, kind: 'developer', url, events, retry });
        return { reply: { ...webhookView(row), signing_secret }, effects: [effect] };
      },
    });
  },
});
