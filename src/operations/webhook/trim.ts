// Lets the pruner have the logs of a webhook beyond its newest thousand.
import { Type } from 'typebox';
import { apply, type Effect } from '../../../db/effects.ts';
import { webhookLogsBeyond } from '../../../db/queries/webhook.ts';
import { command } from '../../contract/operation.ts';
import { TRIM } from '../../delivery/settle.ts';
import { LOGS_MAX } from '../../domain/inbox/webhook.ts';

const BITE = 500;

export const webhookTrim = command({
  ...TRIM,
  summary: 'Keep the newest logs of a webhook',
  output: Type.Object({ trimmed: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, { webhook_id }) => read.peek(webhookLogsBeyond, { webhook_id, kept: LOGS_MAX, limit: BITE }),
  decide: (found, _input, ctx) => {
    const { now_ms } = ctx;
    // What is taken now is still there, but expired: further bites begin behind it once it is pruned.
    const effects: Effect<never>[] = found.map(({ id }) => apply('webhook_logs', id, () => ({ expires_at: now_ms })));
    return { reply: { trimmed: found.length }, effects };
  },
});
