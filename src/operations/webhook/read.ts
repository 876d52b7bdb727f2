// One webhook of the acting agent.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { MANAGE_WEBHOOKS, WebhookShape, webhookView } from '../../schemas/webhook.ts';
import { PathId } from '../../schemas/wire.ts';
import { ownWebhook } from '../../steps/agent/load.ts';

export const webhookRead = query({
  name: 'webhook.read',
  summary: 'Read a webhook',
  input: Type.Object({ id: PathId }),
  output: WebhookShape,
  example: { id: SAMPLE.webhook_id },
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/developer/webhooks/{id}' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'read' } }],
  run: async (read, { id }, ctx) => {
    const row = await ownWebhook(read, ctx, id);
    return row ? webhookView(row) : fault('not_found');
  },
});
