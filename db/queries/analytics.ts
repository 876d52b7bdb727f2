// Reads of what happened around an agent in a span of time, counted by day and listing. Each walks an index of the agent's own rows and
// looks at so many of them at most, so that no span and no agent holds up the others; `rows` tells how many were looked at.
import { type AnyColumn, aliasedTable, and, count, desc, eq, gt, gte, lt, ne, type SQL, sql } from 'drizzle-orm';
import { arg, type Db, many, type Query } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

const DAY_MS = 86_400_000;

/** From `from_ms` on, before `until_ms`. */
type Span = { agent_id: string; from_ms: number; until_ms: number; limit: number };
/** The same with ids between which those of rows from then lie. */
type SpanOfIds = Span & { from_id: string; until_id: string };

/** What was counted on a day (days since 1970, UTC), of a listing of the agent's or of none. */
export interface Counted {
  readonly day: number;
  readonly listing_id: string | null;
  readonly n: number;
  readonly rows: number;
}

const within = (created_at: AnyColumn): SQL | undefined =>
  and(gte(created_at, arg('from_ms')), lt(created_at, arg('until_ms')));

const dayOf = (created_at: AnyColumn): SQL.Aliased<number> =>
  sql<number>`${created_at} / ${sql.raw(String(DAY_MS))}`.as('day');

type CountedQuery = Query<Span, Counted[]>;

// One query a side, so that each walks its index.
function matchesMade(side: 'offer' | 'seek'): CountedQuery {
  return many<Span>()(null, (db: Db, { matches }: Tables) => {
    const [agent, listing, visible] =
      side === 'offer'
        ? [matches.offer_agent_id, matches.offer_id, matches.offer_visible]
        : [matches.seek_agent_id, matches.seek_id, matches.seek_visible];
    const made = db
      .select({ day: dayOf(matches.created_at), listing_id: sql<string | null>`${listing}`.as('listing_id') })
      .from(matches)
      .where(and(eq(agent, arg('agent_id')), eq(visible, 1), within(matches.created_at)))
      .limit(arg('limit'))
      .as('made');
    return db
      .select({ day: sql`${made.day}`.mapWith(Number), listing_id: made.listing_id, n: count(), rows: count() })
      .from(made)
      .groupBy(sql`${made.day}`, sql`${made.listing_id}`);
  });
}

/** Matches of an agent's offers, and of what it seeks, that it may see. */
export const matchesAsOffer: CountedQuery = matchesMade('offer');
export const matchesAsSeek: CountedQuery = matchesMade('seek');

function dealsMade(side: 'buyer' | 'seller'): CountedQuery {
  return many<Span>()(null, (db: Db, { deals }: Tables) => {
    // The listing of a purchase is the other side's.
    const listing = side === 'seller' ? deals.listing_id : sql`null`;
    const made = db
      .select({ day: dayOf(deals.created_at), listing_id: sql<string | null>`${listing}`.as('listing_id') })
      .from(deals)
      .where(
        and(
          eq(side === 'seller' ? deals.seller_id : deals.buyer_id, arg('agent_id')),
          ne(deals.status, 'cancelled'),
          within(deals.created_at),
        ),
      )
      .limit(arg('limit'))
      .as('made');
    return db
      .select({ day: sql`${made.day}`.mapWith(Number), listing_id: made.listing_id, n: count(), rows: count() })
      .from(made)
      .groupBy(sql`${made.day}`, sql`${made.listing_id}`);
  });
}

/** Deals in which an agent sells, and in which it buys, but for those that were taken back. */
export const dealsSold: CountedQuery = dealsMade('seller');
export const dealsBought: CountedQuery = dealsMade('buyer');

/** Conversations with the phase in which they are. */
type Begun = Counted & { readonly phase: string };
type BegunQuery = Query<SpanOfIds, Begun[]>;

function begun(side: 'opener' | 'other'): BegunQuery {
  return many<SpanOfIds>()(null, (db: Db, t: Tables) => {
    const { conversations, matches, deals } = t;
    const own = side === 'opener' ? conversations.opener_id : conversations.other_id;
    // What brought the two together: a listing of the agent's in a match, else the one that was bought.
    const listing = sql<string | null>`coalesce(
      case when ${matches.offer_agent_id} = ${own} then ${matches.offer_id} else ${matches.seek_id} end,
      case when ${deals.seller_id} = ${own} then ${deals.listing_id} end)`;
    const made = db
      .select({
        day: dayOf(conversations.created_at),
        phase: conversations.phase,
        listing_id: listing.as('listing_id'),
      })
      .from(conversations)
      .leftJoin(matches, eq(matches.match_id, conversations.match_id))
      .leftJoin(deals, eq(deals.id, conversations.deal_id))
      .where(
        and(
          eq(own, arg('agent_id')),
          gte(conversations.id, arg('from_id')),
          lt(conversations.id, arg('until_id')),
          within(conversations.created_at),
        ),
      )
      .orderBy(desc(conversations.id))
      .limit(arg('limit'))
      .as('made');
    return db
      .select({
        day: sql`${made.day}`.mapWith(Number),
        listing_id: made.listing_id,
        phase: made.phase,
        n: count(),
        rows: count(),
      })
      .from(made)
      .groupBy(sql`${made.day}`, sql`${made.listing_id}`, made.phase);
  });
}

/** Conversations that an agent opened, and that others opened with it. */
export const begunByAgent: BegunQuery = begun('opener');
export const begunByOthers: BegunQuery = begun('other');

type Replies = Span & { threads: number; newest: number };
type RepliesQuery = Query<Replies, { at: number; took_ms: number }[]>;

function replies(side: 'opener' | 'other'): RepliesQuery {
  return many<Replies>()(null, (db: Db, { conversations, messages }: Tables) => {
    const own = side === 'opener' ? conversations.opener_id : conversations.other_id;
    const active = db
      .select({ id: conversations.id, last_n: conversations.last_n })
      .from(conversations)
      .where(and(eq(own, arg('agent_id')), gte(conversations.updated_at, arg('from_ms'))))
      .orderBy(desc(conversations.id))
      .limit(arg('threads'))
      .as('active');
    const before = aliasedTable(messages, 'before');
    return db
      .select({
        at: messages.created_at,
        took_ms: sql`${messages.created_at} - ${before.created_at}`.mapWith(Number),
      })
      .from(active)
      .innerJoin(
        messages,
        and(
          eq(messages.conversation_id, active.id),
          gt(messages.n, sql`${active.last_n} - ${arg('newest')}`),
          eq(messages.sender_id, arg('agent_id')),
          gte(messages.created_at, arg('from_ms')),
          lt(messages.created_at, arg('until_ms')),
        ),
      )
      .innerJoin(
        before,
        and(
          eq(before.conversation_id, messages.conversation_id),
          eq(before.n, sql`${messages.n} - 1`),
          ne(before.sender_id, arg('agent_id')),
        ),
      )
      .where(and(ne(messages.kind, 'system'), ne(before.kind, 'system')))
      .limit(arg('limit'));
  });
}

/** What an agent wrote behind a word of the other side, in the conversations in which anything happened since then: of each
 * conversation its `newest` messages are looked at. */
export const repliesAsOpener: RepliesQuery = replies('opener');
export const repliesAsOther: RepliesQuery = replies('other');

/** How often an agent's profile and listings were looked at, from a day up to another (as in 2026-11-30). */
export const viewsInSpan = many<{ agent_id: string; from: string; to: string; limit: number }>()(
  null,
  (db, { views }) =>
    db
      .select({ day: views.day, listing_id: views.listing_id, n: views.n })
      .from(views)
      .where(and(eq(views.agent_id, arg('agent_id')), gte(views.day, arg('from')), sql`${views.day} <= ${arg('to')}`))
      .orderBy(desc(views.day))
      .limit(arg('limit')),
);

/** What an agent got for serving calls on each day, net of fees. */
export const routedInSpan: Query<SpanOfIds, Counted[]> = many<SpanOfIds>()(null, (db: Db, t: Tables) => {
  const { router_attempts: attempts } = t;
  const served = db
    .select({
      day: dayOf(attempts.created_at),
      cents: sql<number>`${attempts.price_cents} - ${attempts.fee_cents}`.as('cents'),
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.provider_agent_id, arg('agent_id')),
        gte(attempts.id, arg('from_id')),
        lt(attempts.id, arg('until_id')),
        within(attempts.created_at),
        gt(attempts.price_cents, 0),
      ),
    )
    .orderBy(desc(attempts.id))
    .limit(arg('limit'))
    .as('served');
  return db
    .select({
      day: sql`${served.day}`.mapWith(Number),
      listing_id: sql<string | null>`null`,
      n: sql`sum(${served.cents})`.mapWith(Number),
      rows: count(),
    })
    .from(served)
    .groupBy(sql`${served.day}`);
});

/** The names of an agent's newest listings. */
export const headlinesOf = many<{ agent_id: string; limit: number }>()(null, (db, { listings }) =>
  db
    .select({ id: listings.id, headline: listings.headline })
    .from(listings)
    .where(eq(listings.agent_id, arg('agent_id')))
    .orderBy(desc(listings.id))
    .limit(arg('limit')),
);

/** What is left of a gone agent's views. */
export const viewsOfAgent = many<{ agent_id: string; limit: number }>()(null, (db, { views }) =>
  db
    .select({ id: views.id, version: views.version })
    .from(views)
    .where(eq(views.agent_id, arg('agent_id')))
    .limit(arg('limit')),
);
