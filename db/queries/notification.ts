// Reads of what a person is notified of: their settings, and how far each agent's inbox has come and was read by them.
// Notifications themselves are the events of the inboxes.
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

/** An account's settings; null while the defaults apply. The id is the account's. */
export const notificationSettings = byId('notification_settings');

export const pushSubscriptionById = byId('push_subscriptions');

export const pushSubscriptionByHash = one<{ hash: string }>()('push_subscriptions', (db, t) =>
  db
    .select()
    .from(t.push_subscriptions)
    .where(eq(t.push_subscriptions.hash, arg('hash')))
    .limit(1),
);

/** All of an account's, oldest first; a counter bounds them. */
export const pushSubscriptionsOfAccount = many<{ account_id: string }>()('push_subscriptions', (db, t) =>
  db
    .select()
    .from(t.push_subscriptions)
    .where(eq(t.push_subscriptions.account_id, arg('account_id')))
    .orderBy(asc(t.push_subscriptions.id)),
);

/** The inboxes of an account's agents: their heads (null while empty), what they are woken by, and the seqs that the person has read. */
export const inboxesOfAccount = many<{ account_id: string }>()(null, (db, t) => {
  const own = db
    .select({ id: t.agents.id })
    .from(t.agents)
    .where(eq(t.agents.account_id, arg('account_id')));
  const heads = db
    .select({ id: t.inboxes.id, last_seq: t.inboxes.last_seq })
    .from(t.inboxes)
    .where(inArray(t.inboxes.id, own))
    .as('heads');
  const reads = db
    .select({ id: t.inbox_reads.id, noticed: t.inbox_reads.noticed })
    .from(t.inbox_reads)
    .where(inArray(t.inbox_reads.id, own))
    .as('reads');
  return db
    .select({
      agent_id: t.agents.id,
      handle: t.agents.handle,
      wake: t.agents.wake,
      last_seq: heads.last_seq,
      noticed: reads.noticed,
    })
    .from(t.agents)
    .leftJoin(heads, eq(heads.id, t.agents.id))
    .leftJoin(reads, eq(reads.id, t.agents.id))
    .where(and(eq(t.agents.account_id, arg('account_id')), isNull(t.agents.deactivated_at)))
    .orderBy(asc(t.agents.id));
});
