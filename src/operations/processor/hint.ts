// Takes what the processor tells of by itself. A hint and no proof: its signature is verified, its id remembered, and what it
// points at is asked for; so hints may come late, twice, in any order or not at all.

import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { processorEventById } from '../../../db/queries/processor.ts';
import { flow } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { DAY_MS } from '../../domain/time.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { followHint } from '../../steps/processor/hint.ts';
import { reconcileLater } from '../../steps/processor/reconcile.ts';

/** Objects with long lists in them; Stripe's events are some kilobytes. */
const BYTES_MAX = 1_048_576;
/** Stripe sends an event again for three days. */
const KEPT_MS = 30 * DAY_MS;

export const processorHint = flow({
  name: 'processor.hint',
  noun: 'What the payment processor tells of.',
  summary: 'Take a webhook of the payment processor',
  description: [
    'For Stripe alone. The signature is verified and the event id remembered; what the event says of the state of anything is',
    'not believed, but asked for.',
  ].join(' '),
  input: Type.Object({
    raw: Type.String(),
    signature: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  output: namedObject('Received', 'that it was taken', { received: Type.Literal(true) }),
  example: { raw: SAMPLE.processor_event, signature: SAMPLE.processor_signature },
  effect: 'changes',
  open_world: true,
  access: 'public',
  signed: true,
  no_tool: 'the payment processor calls it',
  raw: { type: 'application/json', bytes_max: BYTES_MAX },
  faults: ['bad_signature', 'processor_not_configured'],
  rest: [{ method: 'POST', path: '/webhooks/stripe', headers: { signature: 'Stripe-Signature' } }],
  run: async ({ raw, signature = '' }, ctx, { processor, clock }) => {
    if (!processor) return fault('processor_not_configured');
    const hint = await processor.readWebhook(Buffer.from(raw, 'latin1'), signature);
    if (!hint) return fault('bad_signature', 'The signature does not match the body.');
    const { event_id: id, kind, object_id } = hint;
    return ctx.turn({
      attempt: async (read) => {
        if (await read(processorEventById, { id })) return { reply: { received: true as const }, effects: [] };
        const created_at = clock.now();
        const row = { id, kind, object_id, created_at, expires_at: created_at + KEPT_MS };
        const follows = await followHint(read, hint, created_at);
        const remembered = insert('processor_events', row, 'ignore');
        const effects = [remembered, ...follows, ...reconcileLater(processor, created_at)];
        return { reply: { received: true as const }, effects };
      },
    });
  },
});
