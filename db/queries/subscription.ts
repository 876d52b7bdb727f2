// Reads of subscriptions and of the attempts at charging them. Lists are newest first: ids are UUIDs of version 7.
import { and, desc, eq, lt } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const subscriptionById = byId('subscriptions');

/** Those that an agent pays, before the cursor's id. */
export const subscriptionsPaid = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.subscriptions)
    .where(and(eq(t.subscriptions.buyer_id, arg('agent_id')), lt(t.subscriptions.id, arg('before'))))
    .orderBy(desc(t.subscriptions.id))
    .limit(arg('limit')),
);

/** Those that an agent is paid by, before the cursor's id. */
export const subscriptionsEarned = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.subscriptions)
    .where(and(eq(t.subscriptions.seller_id, arg('agent_id')), lt(t.subscriptions.id, arg('before'))))
    .orderBy(desc(t.subscriptions.id))
    .limit(arg('limit')),
);

/** The newest attempts at charging one. */
export const chargesOf = many<{ subscription_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.subscription_charges)
    .where(eq(t.subscription_charges.subscription_id, arg('subscription_id')))
    .orderBy(desc(t.subscription_charges.id))
    .limit(arg('limit')),
);
