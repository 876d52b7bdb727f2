// Deletes a webhook. Its logs expire as usual; pending retries are dropped.
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { MANAGE_WEBHOOKS } from '../../schemas/webhook.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { ownWebhook } from '../../steps/agent/load.ts';

export const webhookDelete = command({
  name: 'webhook.delete',
  summary: 'Delete a webhook',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ removed: Type.Literal(true), id: Id }),
  example: { id: SAMPLE.webhook_id },
  effect: 'destroys',
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/developer/webhooks/{id}' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'delete' } }],
  load: (read, { id }, ctx) => ownWebhook(read, ctx, id),
  decide: (row) =>
    row ? { reply: { removed: true as const, id: row.id }, effects: [remove('webhooks', row)] } : fault('not_found'),
});
