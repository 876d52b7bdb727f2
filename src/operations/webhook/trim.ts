// Expires the logs of a webhook beyond its newest thousand, for the pruner.
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
  load: (read, { webhook_id }) => read.peek(webhookLogsBeyond, { webhook_id, kept: LOGS_MAX, limit: BITE }),
  decide: (found, _input, ctx) => {
    const { now_ms } = ctx;
    // Expired rows stay until they are pruned; later slices begin after them then.
    const effects: Effect<never>[] = found.map(({ id }) => apply('webhook_logs', id, () => ({ expires_at: now_ms })));
    return { reply: { trimmed: found.length }, effects };
  },
});
