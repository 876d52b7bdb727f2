// Retries a failed delivery. It runs as a background task, since a slow receiver must not delay other reminders; meanwhile the
// reminder is due again a minute later, so that a crash loses no attempt.
import { Type } from 'typebox';
import { eventById } from '../../../db/queries/inbox.ts';
import { webhookById } from '../../../db/queries/webhook.ts';
import { flow } from '../../contract/operation.ts';
import { attempt } from '../../delivery/attempt.ts';
import { hookOf } from '../../delivery/route.ts';
import { RETRY, retryKey } from '../../delivery/settle.ts';
import { remind } from '../../steps/reminder.ts';

const AGAIN_MS = 60_000;

export const webhookRetry = flow({
  ...RETRY,
  summary: 'Retry a failed delivery',
  output: Type.Object({ tried: Type.Boolean() }),
  effect: 'adds',
  open_world: true,
  access: 'internal',
  run: async (input, ctx, { http, tracer, clock, tasks, restored, settle }) => {
    const { webhook_id, event_id, number } = input;
    const row = await ctx.read(webhookById, { id: webhook_id });
    const hook = row?.active === 1 ? hookOf(row, ctx.secrets.seal_key) : null;
    const event = row && hook && (await ctx.read(eventById, { agent_id: row.agent_id, id: event_id }));
    if (!hook || !event) return { reply: { tried: false } };
    const { now_ms } = ctx;
    const again = remind(RETRY, input, { at: now_ms + AGAIN_MS, key: retryKey(webhook_id, event_id), now_ms });
    await ctx.turn({ attempt: async () => ({ reply: null, effects: [again] }) });
    const work = async (gone: AbortSignal): Promise<void> => {
      const made = await attempt({ http, tracer, clock, restored, id: ctx.id }, hook, event, number, gone);
      if (!gone.aborted) settle(made);
    };
    tasks.run(again.id, { hosts: [hook.host], deadline_ms: AGAIN_MS, work });
    return { reply: { tried: true } };
  },
});
