// Reads of what has been kept for long: each page goes by ids, and says where the next begins. Of a sequence its first rows are walked to,
// so that one whose beginning is young costs a single look.
import { aliasedTable, and, asc, count, eq, gt, lt, min, or, sql } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

type Page = { after: string; limit: number };
/** For rows whose ids contain times: those before one. */
export type AgedPage = Page & { until: string };

/** Inboxes after an id, each with the time of its first event; 0 when it has only its newest. */
export const inboxBeginnings = many<Page>()(null, (db, { inboxes, events }) =>
  db
    .select({
      id: inboxes.id,
      last_seq: inboxes.last_seq,
      delivered_seq: inboxes.delivered_seq,
      begins_at: sql`${db
        .select({ at: events.created_at })
        .from(events)
        .where(and(eq(events.agent_id, inboxes.id), lt(events.seq, inboxes.last_seq)))
        .orderBy(asc(events.seq))
        .limit(1)}`
        .mapWith(Number)
        .as('begins_at'),
    })
    .from(inboxes)
    .where(gt(inboxes.id, arg('after')))
    .orderBy(asc(inboxes.id))
    .limit(arg('limit')),
);

/** The first events of an inbox, each with how many webhooks are to be tried again with it. */
export const firstEvents = many<{ agent_id: string; limit: number }>()(null, (db, { events, webhooks, reminders }) => {
  const first = db
    .select({
      id: events.id,
      agent_id: events.agent_id,
      seq: events.seq,
      awaiting: events.awaiting,
      respond_by: events.respond_by,
      created_at: events.created_at,
      version: events.version,
    })
    .from(events)
    .where(eq(events.agent_id, arg('agent_id')))
    .orderBy(asc(events.seq))
    .limit(arg('limit'))
    .as('first');
  return db
    .select({
      ...first._.selectedFields,
      retries: sql`${db
        .select({ n: count() })
        .from(webhooks)
        .innerJoin(reminders, eq(reminders.id, sql`'webhook.retry:' || ${webhooks.id} || ':' || ${first.id}`))
        .where(eq(webhooks.agent_id, arg('agent_id')))}`.mapWith(Number),
    })
    .from(first)
    .orderBy(asc(first.seq));
});

/** Conversations after an id without waiting work, each with the time of its first message; 0 when it has only its
 * newest. */
export const threadBeginnings = many<Page>()(null, (db, { conversations, messages }) =>
  db
    .select({
      id: conversations.id,
      opener_id: conversations.opener_id,
      other_id: conversations.other_id,
      last_n: conversations.last_n,
      status: conversations.status,
      proposal_id: conversations.proposal_id,
      opener_sent: conversations.opener_sent,
      other_sent: conversations.other_sent,
      opener_seen: conversations.opener_seen,
      other_seen: conversations.other_seen,
      tasks: sql`${conversations.opener_tasks} + ${conversations.other_tasks}`.mapWith(Number).as('tasks'),
      begins_at: sql`${db
        .select({ at: messages.created_at })
        .from(messages)
        .where(and(eq(messages.conversation_id, conversations.id), lt(messages.n, conversations.last_n)))
        .orderBy(asc(messages.n))
        .limit(1)}`
        .mapWith(Number)
        .as('begins_at'),
    })
    .from(conversations)
    .where(gt(conversations.id, arg('after')))
    .orderBy(asc(conversations.id))
    .limit(arg('limit')),
);

/** The time of the oldest undelivered event in the inboxes of two agents, or null. */
export const undeliveredSince = one<{ opener_id: string; other_id: string }>()(null, (db, { inboxes, events }) =>
  db
    .select({ at: min(events.created_at) })
    .from(inboxes)
    .innerJoin(events, and(eq(events.agent_id, inboxes.id), eq(events.seq, sql`${inboxes.delivered_seq} + 1`)))
    .where(or(eq(inboxes.id, arg('opener_id')), eq(inboxes.id, arg('other_id')))),
);

/** The first messages of a conversation, each with the account whose storage it takes. */
export const firstMessages = many<{ conversation_id: string; limit: number }>()(null, (db, { messages, agents }) =>
  db
    .select({
      id: messages.id,
      conversation_id: messages.conversation_id,
      n: messages.n,
      content: messages.content,
      account_id: agents.account_id,
      created_at: messages.created_at,
    })
    .from(messages)
    .leftJoin(agents, eq(agents.id, messages.sender_id))
    .where(eq(messages.conversation_id, arg('conversation_id')))
    .orderBy(asc(messages.n))
    .limit(arg('limit')),
);

/** Matches, with when their listings were last changed; null of one that is gone. */
export const agedMatches = many<AgedPage>()(null, (db, t) => {
  const offer = aliasedTable(t.listings, 'offer');
  const seek = aliasedTable(t.listings, 'seek');
  return db
    .select({ match: t.matches, offer_edited_at: offer.updated_at, seek_edited_at: seek.updated_at })
    .from(t.matches)
    .leftJoin(offer, eq(offer.id, t.matches.offer_id))
    .leftJoin(seek, eq(seek.id, t.matches.seek_id))
    .where(and(gt(t.matches.match_id, arg('after')), lt(t.matches.match_id, arg('until'))))
    .orderBy(asc(t.matches.match_id))
    .limit(arg('limit'));
});

/** Calls of capabilities that expire by nothing else. */
export const agedCalls = many<AgedPage>()(null, (db, { router_calls: calls }) =>
  db
    .select({ id: calls.id, status: calls.status, expires_at: calls.expires_at, version: calls.version })
    .from(calls)
    .where(and(gt(calls.id, arg('after')), lt(calls.id, arg('until'))))
    .orderBy(asc(calls.id))
    .limit(arg('limit')),
);

export const agedAttempts = many<AgedPage>()(null, (db, { router_attempts: attempts }) =>
  db
    .select({
      id: attempts.id,
      gathered_at: attempts.gathered_at,
      expires_at: attempts.expires_at,
      version: attempts.version,
    })
    .from(attempts)
    .where(and(gt(attempts.id, arg('after')), lt(attempts.id, arg('until'))))
    .orderBy(asc(attempts.id))
    .limit(arg('limit')),
);

/** Actions before a time. */
export const agedActions = many<AgedPage>()(null, (db, { actions }) =>
  db
    .select()
    .from(actions)
    .where(and(gt(actions.id, arg('after')), lt(actions.id, arg('until'))))
    .orderBy(asc(actions.id))
    .limit(arg('limit')),
);

/** Model calls before a time. */
export const agedModelCalls = many<AgedPage>()(null, (db, { model_calls: calls }) =>
  db
    .select({ id: calls.id, version: calls.version })
    .from(calls)
    .where(and(gt(calls.id, arg('after')), lt(calls.id, arg('until'))))
    .orderBy(asc(calls.id))
    .limit(arg('limit')),
);

/** Meetings that were set before a time. */
export const agedMeetings = many<AgedPage>()(null, (db, { meetings }) =>
  db
    .select({ id: meetings.id, starts_at: meetings.starts_at, version: meetings.version })
    .from(meetings)
    .where(and(gt(meetings.id, arg('after')), lt(meetings.id, arg('until'))))
    .orderBy(asc(meetings.id))
    .limit(arg('limit')),
);

/** Money set aside before a time. */
export const agedHolds = many<AgedPage>()(null, (db, { holds }) =>
  db
    .select({ id: holds.id, status: holds.status, version: holds.version })
    .from(holds)
    .where(and(gt(holds.id, arg('after')), lt(holds.id, arg('until'))))
    .orderBy(asc(holds.id))
    .limit(arg('limit')),
);

/** Labels that no live listing carries. */
export const unusedLabels = many<Page>()(null, (db, { labels }) =>
  db
    .select({ id: labels.id, created_at: labels.created_at, version: labels.version })
    .from(labels)
    .where(and(eq(labels.uses, 0), gt(labels.id, arg('after'))))
    .orderBy(asc(labels.id))
    .limit(arg('limit')),
);

/** The reasons of turns that were taken for agents, with the state of their conversations. */
export const agedTurns = many<AgedPage>()(null, (db, { turns, conversations }) =>
  db
    .select({ id: turns.id, status: conversations.status, updated_at: conversations.updated_at })
    .from(turns)
    .leftJoin(conversations, eq(conversations.id, turns.conversation_id))
    .where(and(gt(turns.id, arg('after')), lt(turns.id, arg('until'))))
    .orderBy(asc(turns.id))
    .limit(arg('limit')),
);

/** Daily counts of views, whose ids begin with their day. */
export const agedViews = many<AgedPage>()(null, (db, { views }) =>
  db
    .select({ id: views.id, version: views.version })
    .from(views)
    .where(and(gt(views.id, arg('after')), lt(views.id, arg('until'))))
    .orderBy(asc(views.id))
    .limit(arg('limit')),
);
