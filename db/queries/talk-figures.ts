// Counts of an agent's conversations in a span of time, by day and listing, a slice at a time (analytics.ts). Conversations with the
// service's own agent are left out: it answers questions and makes no deals.
import { aliasedTable, and, count, desc, eq, exists, gte, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { PLATFORM_AGENT_ID } from '../../src/domain/agent/platform.ts';
import type { Phase } from '../../src/domain/conversation/conversation.ts';
import { arg, type Db, many, one, type Query } from '../query.ts';
import type { Tables } from '../schema/tables.ts';
import { between, type DayCount, dayOf, type EndQuery, type Slice, type Span, within } from './analytics.ts';

type Side = 'opener' | 'other';

// One query a side, so that each walks its index.
const ofSide = ({ conversations }: Tables, side: Side) =>
  side === 'opener'
    ? { own: conversations.opener_id, theirs: conversations.other_id }
    : { own: conversations.other_id, theirs: conversations.opener_id };

/** An agent's conversations of a slice. */
const ofAgent = (t: Tables, side: Side): SQL | undefined => {
  const { own, theirs } = ofSide(t, side);
  return and(eq(own, arg('agent_id')), between(t.conversations.id), ne(theirs, PLATFORM_AGENT_ID));
};

/** The agent's listing behind a conversation: that of the match, else the bought one. */
const listingOf = ({ matches, deals, ...t }: Tables, side: Side): SQL<string | null> => {
  const { own } = ofSide({ matches, deals, ...t }, side);
  return sql<string | null>`coalesce(
    case when ${matches.offer_agent_id} = ${own} then ${matches.offer_id} else ${matches.seek_id} end,
    case when ${deals.seller_id} = ${own} then ${deals.listing_id} end)`;
};

function endOf(side: Side): EndQuery<string> {
  return one<Slice<string> & { agent_id: string; skip: number }>()(null, (db: Db, t: Tables) =>
    db
      .select({ place: t.conversations.id })
      .from(t.conversations)
      .where(and(eq(ofSide(t, side).own, arg('agent_id')), between(t.conversations.id)))
      .orderBy(desc(t.conversations.id))
      .limit(1)
      .offset(arg('skip')),
  );
}

/** Conversations, with their farthest phase. */
interface Begun extends DayCount {
  readonly phase: Phase;
  /** 1 where a proposal was shown to the other side, and where a deal was made. */
  readonly proposed: number;
  readonly dealt: number;
}
type BegunQuery = Query<Span & Slice<string>, Begun[]>;

/** Whether a proposal was shown in a conversation. One that passes its own side's bound is withheld from the other; released, it names the
 * other side's bound or none. */
function isProposed(db: Db, { conversations, proposals }: Tables): SQL {
  const own = sql`case when ${proposals.by_id} = ${proposals.buyer_id} then 'max_pay_cents' else 'min_charge_cents' end`;
  const shown = db
    .select({ id: proposals.id })
    .from(proposals)
    .where(
      and(
        eq(proposals.conversation_id, conversations.id),
        or(isNull(proposals.bound), sql`${proposals.bound} <> ${own}`),
      ),
    );
  return sql`case when ${exists(shown)} then 1 else 0 end`;
}

function begun(side: Side): BegunQuery {
  return many<Span & Slice<string>>()(null, (db: Db, t: Tables) => {
    const { conversations, matches, deals } = t;
    const made = db
      .select({
        day: dayOf(conversations.created_at),
        listing_id: listingOf(t, side).as('listing_id'),
        phase: conversations.phase,
        proposed: sql<number>`${isProposed(db, t)}`.as('proposed'),
        dealt: sql<number>`case when ${conversations.deal_id} is null then 0 else 1 end`.as('dealt'),
      })
      .from(conversations)
      .leftJoin(matches, eq(matches.match_id, conversations.match_id))
      .leftJoin(deals, eq(deals.id, conversations.deal_id))
      .where(and(ofAgent(t, side), within(conversations.created_at)))
      .as('made');
    const { day, listing_id, phase, proposed, dealt } = made;
    return db
      .select({
        day: sql`${day}`.mapWith(Number),
        listing_id,
        phase,
        proposed: sql`${proposed}`.mapWith(Number),
        dealt: sql`${dealt}`.mapWith(Number),
        n: count(),
      })
      .from(made)
      .groupBy(sql`${day}`, sql`${listing_id}`, phase, sql`${proposed}`, sql`${dealt}`);
  });
}

/** Conversations that an agent opened, and that others opened with it. */
export const endOfOpened: EndQuery<string> = endOf('opener');
export const endOfJoined: EndQuery<string> = endOf('other');
export const begunByAgent: BegunQuery = begun('opener');
export const begunByOthers: BegunQuery = begun('other');

type NumberQuery = Query<Slice<string> & { agent_id: string }, { readonly n: number } | null>;

/** How many conversations an agent has in a slice: entries of an index alone, so that many cost little. */
function numberOf(side: Side): NumberQuery {
  return one<Slice<string> & { agent_id: string }>()(null, (db: Db, t: Tables) => {
    const { conversations } = t;
    const { own, theirs } = ofSide(t, side);
    const ofSlice = and(eq(own, arg('agent_id')), between(conversations.id));
    // Few: subtracted, since the index of the side does not hold the other side.
    const withService = db
      .select({ n: count() })
      .from(conversations)
      .where(and(ofSlice, eq(theirs, PLATFORM_AGENT_ID)));
    return db
      .select({ n: sql`count(*) - (${withService})`.mapWith(Number) })
      .from(conversations)
      .where(ofSlice);
  });
}

export const numberOpened: NumberQuery = numberOf('opener');
export const numberJoined: NumberQuery = numberOf('other');

type ActiveQuery = Query<
  Slice<string> & { agent_id: string; from_ms: number },
  { readonly id: string; readonly last_n: number }[]
>;

function active(side: Side): ActiveQuery {
  return many<Slice<string> & { agent_id: string; from_ms: number }>()(null, (db: Db, t: Tables) => {
    const { id, last_n, updated_at } = t.conversations;
    return db
      .select({ id, last_n })
      .from(t.conversations)
      .where(and(ofAgent(t, side), gte(updated_at, arg('from_ms'))))
      .orderBy(desc(id));
  });
}

/** Those in which anything happened since then, with how many messages each holds. */
export const activeOpened: ActiveQuery = active('opener');
export const activeJoined: ActiveQuery = active('other');

/** The messages of those conversations at positions from one on, before another. */
type Positions = Span & Slice<string> & { from_n: number; until_n: number };
type RepliesQuery = Query<Positions, (DayCount & { readonly seconds: number })[]>;

function replies(side: Side): RepliesQuery {
  return many<Positions>()(null, (db: Db, t: Tables) => {
    const { conversations, messages, matches, deals } = t;
    const before = aliasedTable(messages, 'before');
    const answers = db
      .select({
        day: dayOf(messages.created_at),
        listing_id: listingOf(t, side).as('listing_id'),
        seconds: sql<number>`(${messages.created_at} - ${before.created_at} + 500) / 1000`.as('seconds'),
      })
      .from(conversations)
      .innerJoin(
        messages,
        and(
          eq(messages.conversation_id, conversations.id),
          gte(messages.n, arg('from_n')),
          lt(messages.n, arg('until_n')),
          eq(messages.sender_id, arg('agent_id')),
          ne(messages.kind, 'system'),
          within(messages.created_at),
        ),
      )
      .innerJoin(
        before,
        and(
          eq(before.conversation_id, messages.conversation_id),
          eq(before.n, sql`${messages.n} - 1`),
          ne(before.sender_id, arg('agent_id')),
          ne(before.kind, 'system'),
        ),
      )
      .leftJoin(matches, eq(matches.match_id, conversations.match_id))
      .leftJoin(deals, eq(deals.id, conversations.deal_id))
      .where(and(ofAgent(t, side), gte(conversations.updated_at, arg('from_ms'))))
      .as('answers');
    const { day, listing_id, seconds } = answers;
    return db
      .select({
        day: sql`${day}`.mapWith(Number),
        listing_id,
        seconds: sql`${seconds}`.mapWith(Number),
        n: count(),
      })
      .from(answers)
      .groupBy(sql`${day}`, sql`${listing_id}`, sql`${seconds}`);
  });
}

/** An agent's direct replies to messages of the other side, with the response time. */
export const repliesAsOpener: RepliesQuery = replies('opener');
export const repliesAsOther: RepliesQuery = replies('other');

/** When the message at a position was written. */
export const writtenAt = one<{ conversation_id: string; n: number }>()(null, (db, { messages }) =>
  db
    .select({ at: messages.created_at })
    .from(messages)
    .where(and(eq(messages.conversation_id, arg('conversation_id')), eq(messages.n, arg('n')))),
);
