// Reads of inboxes: events by their seq, what awaits an answer, and what was read.
import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, lte, min, ne, or, type SQL, sql } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

/** Per side; each pull reads them, and few older ones are still active. */
const TALKS_LOOKED_AT = 3;

export const eventById = byId('events');

/** The events after a seq, in order. */
export const eventsAfter = many<{ agent_id: string; after: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.events)
    .where(and(eq(t.events.agent_id, arg('agent_id')), gt(t.events.seq, arg('after'))))
    .orderBy(asc(t.events.seq))
    .limit(arg('limit')),
);

/** The head of an inbox: the last seq that was given; null before the first. */
export const headOf = byId('inboxes', null);

/** The newest events below a seq, newest first. */
export const eventsBefore = many<{ agent_id: string; before: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.events)
    .where(and(eq(t.events.agent_id, arg('agent_id')), lt(t.events.seq, arg('before'))))
    .orderBy(desc(t.events.seq))
    .limit(arg('limit')),
);

/** Whether an event of an agent still awaits an answer in time. */
const isWaiting = ({ events }: Tables): SQL | undefined =>
  and(
    eq(events.agent_id, arg('agent_id')),
    // A literal, not a parameter, so that the partial index of awaited events is used. Awaited events have a subject; without
    // that condition the planner takes the index by seq, and reads the whole inbox.
    sql`${events.awaiting} = 1`,
    gt(events.subject_id, ''),
    or(isNull(events.respond_by), gte(events.respond_by, arg('now_ms'))),
  );

/** The events that still await an answer in time, newest first, without those of matches: of these there may be hundreds. */
export const eventsWaiting = many<{ agent_id: string; now_ms: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.events)
    .where(and(isWaiting(t), ne(t.events.kind, 'match.created')))
    .orderBy(desc(t.events.seq))
    .limit(arg('limit')),
);

/** How many matches still await an answer in time. */
export const matchesWaiting = one<{ agent_id: string; now_ms: number }>()(null, (db, t) =>
  db
    .select({ n: count() })
    .from(t.events)
    .where(and(isWaiting(t), eq(t.events.kind, 'match.created'))),
);

/** How many events still await an answer in time, and the earliest deadline among them. */
export const pendingOf = one<{ agent_id: string; now_ms: number }>()(null, (db, t) =>
  db
    .select({ count: count(), earliest: min(t.events.respond_by) })
    .from(t.events)
    .where(isWaiting(t)),
);

/** Whether a conversation waits for an agent's reply to its newest message, written after the id `since`. */
const waitsFor = ({ conversations }: Tables): SQL | undefined =>
  and(
    eq(conversations.waits_for, arg('agent_id')),
    // A literal, so that the partial index is used.
    sql`${conversations.status} IN ('open', 'escalated')`,
    gt(conversations.last_message_id, arg('since')),
  );

/** How many messages wait for an agent's reply, and the oldest of them. */
export const repliesWaiting = one<{ agent_id: string; since: string }>()(null, (db, t) =>
  db
    .select({ count: count(), oldest: min(t.conversations.last_message_id) })
    .from(t.conversations)
    .where(waitsFor(t)),
);

/** Those of them with an id up to `to`: the ones that may be on a page. */
export const messagesWaiting = many<{ agent_id: string; since: string; to: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.conversations.last_message_id })
    .from(t.conversations)
    .where(and(waitsFor(t), lte(t.conversations.last_message_id, arg('to'))))
    .limit(arg('limit')),
);

/** The events about a subject that still await an agent's answer. */
export const awaitedAbout = many<{ agent_id: string; subject_id: string }>()(null, (db, t) =>
  db
    .select({ agent_id: t.events.agent_id, id: t.events.id })
    .from(t.events)
    .where(
      and(
        eq(t.events.agent_id, arg('agent_id')),
        eq(t.events.subject_id, arg('subject_id')),
        // Written out, as above.
        sql`${t.events.awaiting} = 1`,
      ),
    ),
);

/** The seqs that an agent has read; null before it read any. */
export const readsOf = byId('inbox_reads', null);

/** The id of an open conversation with an update since a time, among an agent's newest on one side. Two queries, because each side
 * has its own index. */
function goingOn(side: 'opener_id' | 'other_id') {
  return many<{ agent_id: string; since_ms: number }>()(null, (db, { conversations }) => {
    const newest = db
      .select({ id: conversations.id, status: conversations.status, updated_at: conversations.updated_at })
      .from(conversations)
      .where(eq(conversations[side], arg('agent_id')))
      .orderBy(desc(conversations.id))
      .limit(TALKS_LOOKED_AT)
      .as('newest');
    return db
      .select({ id: newest.id })
      .from(newest)
      .where(and(inArray(newest.status, ['open', 'escalated']), gte(newest.updated_at, arg('since_ms'))))
      .limit(1);
  });
}

export const talksOpened = goingOn('opener_id');
export const talksJoined = goingOn('other_id');
