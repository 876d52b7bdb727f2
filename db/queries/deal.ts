// Reads of deals, what is said of them, and what an agent has done here.
import { and, desc, eq } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const dealById = byId('deals');
export const trackRecordById = byId('track_records');

/** The deals of a conversation that are not over. */
export const openDealsIn = many<{ conversation_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.deals.id })
    .from(t.deals)
    .where(and(eq(t.deals.conversation_id, arg('conversation_id')), eq(t.deals.status, 'open'))),
);

/** What was last said of an agent. */
export const newestReviews = many<{ about_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.deal_reviews)
    .where(eq(t.deal_reviews.about_id, arg('about_id')))
    .orderBy(desc(t.deal_reviews.created_at))
    .limit(arg('limit')),
);
