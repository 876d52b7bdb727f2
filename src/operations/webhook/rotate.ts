// Gives a webhook a new secret. The old one also signs for a day, so that the receiver can switch without a gap.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ROTATION_MS } from '../../domain/inbox/webhook.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { MANAGE_WEBHOOKS, WebhookWithSecret, webhookView } from '../../schemas/webhook.ts';
import { iso, PathId, Time } from '../../schemas/wire.ts';
import { ownWebhook } from '../../steps/agent/load.ts';
import { newSecret } from '../../steps/webhook.ts';

export const webhookRotate = command({
  name: 'webhook.rotate',
  summary: "Rotate a webhook's secret",
  description:
    'For 24 hours webhook-signature holds a signature of each secret; X-Webhook-Signature is the new one at once.',
  input: Type.Object({ id: PathId }),
  output: namedObject('WebhookSecretRotation', 'a webhook with its new secret', {
    ...WebhookWithSecret.properties,
    old_secret_until: { ...Time, description: 'until when the previous secret signs too' },
  }),
  example: { id: SAMPLE.webhook_id },
  effect: 'destroys',
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  secret: true,
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/developer/webhooks/{id}/rotate' }],
  tools: [
    {
      ...MANAGE_WEBHOOKS,
      description: 'Makes a new secret; for 24 hours both sign.',
      when: { argument: 'action', is: 'rotate' },
    },
  ],
  load: (read, { id }, ctx) => ownWebhook(read, ctx, id),
  decide: (row, _input, ctx) => {
    if (!row) return fault('not_found');
    const { signing_secret, sealed } = newSecret(ctx, row.id);
    const until = ctx.now_ms + ROTATION_MS;
    return {
      reply: { ...webhookView(row), signing_secret, old_secret_until: iso(until) },
      effects: [patch('webhooks', row, { secret: sealed, old_secret: row.secret, old_secret_until: until })],
    };
  },
});
