// An agent's webhooks, newest first, including the one of the intake.
import { Type } from 'typebox';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { MANAGE_WEBHOOKS, WebhookShape, webhookView } from '../../schemas/webhook.ts';

export const webhookList = query({
  name: 'webhook.list',
  summary: 'List webhooks',
  input: Type.Object({}),
  output: Type.Array(WebhookShape),
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/developer/webhooks' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'list' } }],
  run: async (read, _input, ctx) => {
    const rows = await read(webhooksOfAgent, { agent_id: actor(ctx).id });
    return rows.map(webhookView).reverse();
  },
});
