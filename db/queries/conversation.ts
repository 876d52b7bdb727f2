// Reads of conversations and their messages. Conversations go by id, newest first: ids are time-ordered and never change,
// so pages stay what they are while new rows arrive. Messages go by their position in the thread, since they are followed.
import { aliasedTable, and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { arg, byId, type Db, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

const lastOf = ({ conversations, messages }: Tables): SQL | undefined =>
  and(eq(messages.conversation_id, conversations.id), eq(messages.id, conversations.last_message_id));

/** The sides of a thread and whether it is open, with what a reply to its last message would answer: only what the service's
 * most frequent turn needs. */
export const threadById = one<{ id: string }>()(null, (db, t) => {
  const opener = aliasedTable(t.agents, 'opener');
  const other = aliasedTable(t.agents, 'other');
  return db
    .select({
      id: t.conversations.id,
      opener_id: t.conversations.opener_id,
      other_id: t.conversations.other_id,
      status: t.conversations.status,
      proposal_id: t.conversations.proposal_id,
      escalated_to: t.conversations.escalated_to,
      updated_at: t.conversations.updated_at,
      opener_handle: opener.handle,
      other_handle: other.handle,
      opener_autopilot: opener.autopilot,
      other_autopilot: other.autopilot,
      last_sender_id: t.messages.sender_id,
      last_at: t.messages.created_at,
      match_id: t.conversations.match_id,
      approved_by: t.matches.approved_by,
      opener_tasks: t.conversations.opener_tasks,
      other_tasks: t.conversations.other_tasks,
    })
    .from(t.conversations)
    .innerJoin(opener, eq(opener.id, t.conversations.opener_id))
    .innerJoin(other, eq(other.id, t.conversations.other_id))
    .leftJoin(t.messages, lastOf(t))
    .leftJoin(t.matches, eq(t.matches.match_id, t.conversations.match_id))
    .where(eq(t.conversations.id, arg('id')))
    .limit(1);
});

/** Tracked: whoever decides by its newest message decides again when another came. */
export const conversationById = byId('conversations');

/** A conversation, and who wrote its last message. */
export const conversationToTurn = one<{ id: string }>()(null, (db, t) =>
  db
    .select({ conversation: t.conversations, last_sender_id: t.messages.sender_id, last_at: t.messages.created_at })
    .from(t.conversations)
    .leftJoin(t.messages, lastOf(t))
    .where(eq(t.conversations.id, arg('id')))
    .limit(1),
);

/** A conversation with the present names of its two sides and its last message. */
export interface Thread {
  readonly conversation: Row<'conversations'>;
  readonly opener_handle: string;
  readonly other_handle: string;
  /** The plan of the seller in the open proposal, or null. */
  readonly seller_plan: Row<'accounts'>['plan'] | null;
  readonly last: Row<'messages'> | null;
  /** The open proposal. */
  readonly proposal: Row<'proposals'> | null;
}

type Where = (conversations: Tables['conversations']) => SQL | undefined;

function threads(db: Db, t: Tables, where: Where) {
  const opener = aliasedTable(t.agents, 'opener');
  const other = aliasedTable(t.agents, 'other');
  const seller = aliasedTable(t.agents, 'seller');
  return db
    .select({
      conversation: t.conversations,
      opener_handle: opener.handle,
      other_handle: other.handle,
      seller_plan: t.accounts.plan,
      last: t.messages,
      proposal: t.proposals,
    })
    .from(t.conversations)
    .innerJoin(opener, eq(opener.id, t.conversations.opener_id))
    .innerJoin(other, eq(other.id, t.conversations.other_id))
    .leftJoin(t.messages, lastOf(t))
    .leftJoin(t.proposals, eq(t.proposals.id, t.conversations.proposal_id))
    .leftJoin(seller, eq(seller.id, t.proposals.seller_id))
    .leftJoin(t.accounts, eq(t.accounts.id, seller.account_id))
    .where(where(t.conversations))
    .orderBy(desc(t.conversations.id))
    .limit(arg('limit'));
}

export const wholeThread: Query<{ id: string; limit: 1 }, Thread | null> = one<{ id: string; limit: 1 }>()(
  null,
  (db, t) => threads(db, t, (c) => eq(c.id, arg('id'))),
);

/** `before` is a conversation's id or HIGHEST_ID. */
export type ThreadPage = { agent_id: string; before: string; limit: number };

/** Those that an agent opened. Two queries, because each side has its own index. */
export const threadsOpened: Query<ThreadPage, Thread[]> = many<ThreadPage>()(null, (db, t) =>
  threads(db, t, (c) => and(eq(c.opener_id, arg('agent_id')), lt(c.id, arg('before')))),
);

/** Those that were opened with it. */
export const threadsJoined: Query<ThreadPage, Thread[]> = many<ThreadPage>()(null, (db, t) =>
  threads(db, t, (c) => and(eq(c.other_id, arg('agent_id')), lt(c.id, arg('before')))),
);

/** How many messages the other side has sent in the newest conversations of an agent on one side, and how many of them it has read. */
function readsOf(side: 'opener' | 'other') {
  const partner = side === 'opener' ? 'other' : 'opener';
  return many<{ agent_id: string; limit: number }>()(null, (db, { conversations }) =>
    db
      .select({ sent: conversations[`${partner}_sent`], seen: conversations[`${side}_seen`] })
      .from(conversations)
      .where(eq(conversations[`${side}_id`], arg('agent_id')))
      .orderBy(desc(conversations.id))
      .limit(arg('limit')),
  );
}

export const readsOfOpened = readsOf('opener');
export const readsOfJoined = readsOf('other');

/** The position that an id names: that of the thread's message, or `otherwise` for an id that is none of it. */
function positionOf(db: Db, t: Tables, id: 'after' | 'before', otherwise: number): SQL {
  const named = aliasedTable(t.messages, `at_${id}`);
  const position = db
    .select({ n: named.n })
    .from(named)
    .where(and(eq(named.id, arg(id)), eq(named.conversation_id, arg('conversation_id'))));
  return sql`coalesce(${position}, ${sql.raw(String(otherwise))})`;
}

/** A thread's messages, newest first: those after the message `after` (or all) and before `before` (or all), both ids. They
 * go by their positions, which the commit gave: by ids, which are made before it, a reader would pass one that comes late. */
export const messagesOf = many<{
  conversation_id: string;
  after: string;
  before: string;
  limit: number;
}>()(null, (db, t) =>
  db
    .select()
    .from(t.messages)
    .where(
      and(
        eq(t.messages.conversation_id, arg('conversation_id')),
        gt(t.messages.n, positionOf(db, t, 'after', 0)),
        lt(t.messages.n, positionOf(db, t, 'before', Number.MAX_SAFE_INTEGER)),
      ),
    )
    .orderBy(desc(t.messages.n))
    .limit(arg('limit')),
);

/** Whether a message is of a thread. */
export const messageOf = one<{ conversation_id: string; id: string }>()(null, (db, t) =>
  db
    .select({ n: t.messages.n })
    .from(t.messages)
    .where(and(eq(t.messages.conversation_id, arg('conversation_id')), eq(t.messages.id, arg('id'))))
    .limit(1),
);

/** The message at a position of a thread. */
export const messageAt = one<{ conversation_id: string; n: number }>()(null, (db, t) =>
  db
    .select({ id: t.messages.id })
    .from(t.messages)
    .where(and(eq(t.messages.conversation_id, arg('conversation_id')), eq(t.messages.n, arg('n'))))
    .limit(1),
);
