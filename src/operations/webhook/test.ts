// Sends a webhook a `test.ping` at once, whatever its subscription, to test the receiver.

import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { deliverByHand } from '../../delivery/by-hand.ts';
import { describe, step } from '../../domain/next-step.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { MANAGE_WEBHOOKS, WebhookLogShape } from '../../schemas/webhook.ts';
import { PathId } from '../../schemas/wire.ts';

export const webhookTest = flow({
  name: 'webhook.test',
  summary: 'Test a webhook',
  description: describe`Delivers a test.ping that is in no inbox (its seq is 0) and returns the result. ${step('inbox.test')} tests the whole path instead.`,
  input: Type.Object({ id: PathId }),
  output: WebhookLogShape,
  example: { id: SAMPLE.webhook_id },
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/developer/webhooks/{id}/test' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'test' } }],
  run: ({ id }, ctx, ports) =>
    deliverByHand(ctx, ports, id, {
      id: ctx.id(),
      seq: 0,
      kind: 'test.ping',
      handle: actor(ctx).handle,
      data: { message: 'Your webhook works.' },
      created_at: ctx.now_ms,
    }),
});
