// Reads of webhooks and of the logs of their deliveries.
import { and, asc, desc, eq, gte, isNull, lt } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const webhookById = byId('webhooks');

/** All of an agent's, oldest first. */
export const webhooksOfAgent = many<{ agent_id: string }>()('webhooks', (db, t) =>
  db
    .select()
    .from(t.webhooks)
    .where(eq(t.webhooks.agent_id, arg('agent_id')))
    .orderBy(asc(t.webhooks.id)),
);

/** The deliveries of a webhook before a log's id, newest first. */
export const logsOfWebhook = many<{ webhook_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.webhook_logs)
    .where(and(eq(t.webhook_logs.webhook_id, arg('webhook_id')), lt(t.webhook_logs.id, arg('before'))))
    .orderBy(desc(t.webhook_logs.id))
    .limit(arg('limit')),
);

/** The events that an agent's webhooks accepted from a log's id on. */
export const acceptedByHooks = many<{ agent_id: string; from: string; limit: number }>()(null, (db, t) =>
  db
    .select({ event_id: t.webhook_logs.event_id })
    .from(t.webhooks)
    .innerJoin(t.webhook_logs, eq(t.webhook_logs.webhook_id, t.webhooks.id))
    .where(
      and(
        eq(t.webhooks.agent_id, arg('agent_id')),
        gte(t.webhook_logs.id, arg('from')),
        gte(t.webhook_logs.http_status, 200),
        lt(t.webhook_logs.http_status, 300),
        isNull(t.webhook_logs.error),
      ),
    )
    .limit(arg('limit')),
);

/** Logs beyond the newest `kept`, newest first. */
export const webhookLogsBeyond = many<{ webhook_id: string; kept: number; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.webhook_logs.id })
    .from(t.webhook_logs)
    .where(eq(t.webhook_logs.webhook_id, arg('webhook_id')))
    .orderBy(desc(t.webhook_logs.id))
    .limit(arg('limit'))
    .offset(arg('kept')),
);
