// Reads of deals, what is said of them, and what an agent has done here.
import { and, eq } from 'drizzle-orm';
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
