// Reads of the meetings of conversations.
import { and, asc, desc, eq, gt, lt } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const meetingById = byId('meetings');

/** A conversation's meetings before an id, newest first. */
export const meetingsOf = many<{ conversation_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.meetings)
    .where(and(eq(t.meetings.conversation_id, arg('conversation_id')), lt(t.meetings.id, arg('before'))))
    .orderBy(desc(t.meetings.id))
    .limit(arg('limit')),
);

/** Those of a conversation that begin after a time. */
export const meetingsComing = many<{ conversation_id: string; now_ms: number; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.meetings.id })
    .from(t.meetings)
    .where(and(eq(t.meetings.conversation_id, arg('conversation_id')), gt(t.meetings.starts_at, arg('now_ms'))))
    .limit(arg('limit')),
);

/** A conversation's meetings after an id, oldest first, to read all of them. */
export const meetingsBehind = many<{ conversation_id: string; after: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.meetings)
    .where(and(eq(t.meetings.conversation_id, arg('conversation_id')), gt(t.meetings.id, arg('after'))))
    .orderBy(asc(t.meetings.id))
    .limit(arg('limit')),
);
