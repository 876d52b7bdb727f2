// Enables a webhook that was disabled after too many failures.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { MANAGE_WEBHOOKS, WebhookShape, webhookView } from '../../schemas/webhook.ts';
import { PathId } from '../../schemas/wire.ts';
import { ownWebhook } from '../../steps/agent/load.ts';

export const webhookEnable = command({
  name: 'webhook.enable',
  summary: 'Enable a webhook again',
  description: 'Resets failure_count to 0. Missed events are in the inbox; redeliver sends one of them.',
  input: Type.Object({ id: PathId }),
  output: WebhookShape,
  example: { id: SAMPLE.webhook_id },
  effect: 'changes',
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/developer/webhooks/{id}/enable' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'enable' } }],
  load: (read, { id }, ctx) => ownWebhook(read, ctx, id),
  decide: (row) => {
    if (!row) return fault('not_found');
    const set = { active: 1, failure_count: 0 };
    return { reply: webhookView({ ...row, ...set }), effects: [patch('webhooks', row, set)] };
  },
});
