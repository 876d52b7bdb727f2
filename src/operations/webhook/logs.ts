// The deliveries to a webhook, newest first: the last 1,000 attempts of the last 30 days.
import { Type } from 'typebox';
import { logsOfWebhook } from '../../../db/queries/webhook.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { logView, MANAGE_WEBHOOKS, WebhookLogShape } from '../../schemas/webhook.ts';
import { PAGE, PAGE_DEFAULT, PathId } from '../../schemas/wire.ts';
import { ownWebhook } from '../../steps/agent/load.ts';
import { cutPage } from '../../steps/page.ts';

export const webhookLogs = query({
  name: 'webhook.logs',
  summary: "Read a webhook's deliveries",
  description: 'Newest first. The newest 1,000 of the last 30 days are kept.',
  input: Type.Object({ id: PathId, ...PAGE }),
  output: Type.Array(WebhookLogShape),
  example: { id: SAMPLE.webhook_id },
  access: 'key',
  scope: 'webhooks:write',
  agent: 'required',
  paged: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/developer/webhooks/{id}/logs' }],
  tools: [{ ...MANAGE_WEBHOOKS, when: { argument: 'action', is: 'logs' } }],
  run: async (read, { id, limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const hook = await ownWebhook(read, ctx, id);
    if (!hook) return fault('not_found');
    const rows = await read(logsOfWebhook, { webhook_id: id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, (log) => log.id);
    return { items: shown.map(logView), next_cursor };
  },
});
