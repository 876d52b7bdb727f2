// Counts of an agent's activity in a span of time, by day and listing. Each reads a slice of the agent's own rows, between two places
// of an index, so that no span or agent delays the others; `endOf…` returns the end of a slice, `skip` places before a place.
// Conversations are in talk-figures.ts, earnings in earning.ts.

import { type AnyColumn, and, count, desc, eq, gte, lt, ne, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../src/domain/time.ts';
import { arg, type Db, many, one, type Query } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

/** From `from_ms` on, before `until_ms`. */
export type Span = { agent_id: string; from_ms: number; until_ms: number };
/** The rows of a slice: from one place on, before another. */
export type Slice<Place> = { from: Place; until: Place };
/** Where a slice ends that begins before a place: `skip` places before it, none of them before `from`. */
export type EndQuery<Place> = Query<Slice<Place> & { agent_id: string; skip: number }, { place: Place } | null>;

/** A count of a day (days since 1970, UTC), for a listing of the agent or for none. */
export interface DayCount {
  readonly day: number;
  readonly listing_id: string | null;
  readonly n: number;
}

/** Within a span. */
export const within = (created_at: AnyColumn): SQL | undefined =>
  and(gte(created_at, arg('from_ms')), lt(created_at, arg('until_ms')));

/** Between two places. */
export const between = (column: AnyColumn): SQL | undefined => and(gte(column, arg('from')), lt(column, arg('until')));

/** Days since 1970 (UTC). */
export const dayOf = (created_at: AnyColumn): SQL.Aliased<number> =>
  sql<number>`${created_at} / ${sql.raw(String(DAY_MS))}`.as('day');

type CountQuery<Place> = Query<Span & Slice<Place>, DayCount[]>;

// One query a side, so that each walks its index.
const ofSide = ({ matches }: Tables, side: 'offer' | 'seek') =>
  side === 'offer'
    ? { agent: matches.offer_agent_id, listing: matches.offer_id, visible: matches.offer_visible }
    : { agent: matches.seek_agent_id, listing: matches.seek_id, visible: matches.seek_visible };

function endOfMatches(side: 'offer' | 'seek'): EndQuery<number> {
  return one<Slice<number> & { agent_id: string; skip: number }>()(null, (db: Db, t: Tables) =>
    db
      .select({ place: t.matches.score_ppm })
      .from(t.matches)
      .where(and(eq(ofSide(t, side).agent, arg('agent_id')), between(t.matches.score_ppm)))
      .orderBy(desc(t.matches.score_ppm))
      .limit(1)
      .offset(arg('skip')),
  );
}

function matchesMade(side: 'offer' | 'seek'): CountQuery<number> {
  return many<Span & Slice<number>>()(null, (db: Db, t: Tables) => {
    const { matches } = t;
    const { agent, listing, visible } = ofSide(t, side);
    const made = db
      .select({ day: dayOf(matches.created_at), listing_id: sql<string | null>`${listing}`.as('listing_id') })
      .from(matches)
      .where(and(eq(agent, arg('agent_id')), between(matches.score_ppm), eq(visible, 1), within(matches.created_at)))
      .as('made');
    return db
      .select({ day: sql`${made.day}`.mapWith(Number), listing_id: made.listing_id, n: count() })
      .from(made)
      .groupBy(sql`${made.day}`, sql`${made.listing_id}`);
  });
}

/** Visible matches of an agent's offers and seeks, by their scores, which are indexed. */
export const endOfOffered: EndQuery<number> = endOfMatches('offer');
export const endOfSought: EndQuery<number> = endOfMatches('seek');
export const matchesAsOffer: CountQuery<number> = matchesMade('offer');
export const matchesAsSeek: CountQuery<number> = matchesMade('seek');

function endOfDeals(side: 'buyer_id' | 'seller_id'): EndQuery<string> {
  return one<Slice<string> & { agent_id: string; skip: number }>()(null, (db: Db, { deals }: Tables) =>
    db
      .select({ place: deals.id })
      .from(deals)
      .where(and(eq(deals[side], arg('agent_id')), between(deals.id)))
      .orderBy(desc(deals.id))
      .limit(1)
      .offset(arg('skip')),
  );
}

function dealsMade(side: 'buyer_id' | 'seller_id'): CountQuery<string> {
  return many<Span & Slice<string>>()(null, (db: Db, { deals }: Tables) => {
    // The listing of a purchase is the other side's.
    const listing = side === 'seller_id' ? deals.listing_id : sql`null`;
    const made = db
      .select({ day: dayOf(deals.created_at), listing_id: sql<string | null>`${listing}`.as('listing_id') })
      .from(deals)
      .where(
        and(
          eq(deals[side], arg('agent_id')),
          between(deals.id),
          ne(deals.status, 'cancelled'),
          within(deals.created_at),
        ),
      )
      .as('made');
    return db
      .select({ day: sql`${made.day}`.mapWith(Number), listing_id: made.listing_id, n: count() })
      .from(made)
      .groupBy(sql`${made.day}`, sql`${made.listing_id}`);
  });
}

/** Deals in which an agent sells, and in which it buys, without cancelled ones. */
export const endOfSold: EndQuery<string> = endOfDeals('seller_id');
export const endOfBought: EndQuery<string> = endOfDeals('buyer_id');
export const dealsSold: CountQuery<string> = dealsMade('seller_id');
export const dealsBought: CountQuery<string> = dealsMade('buyer_id');

/** Views of an agent's profile and listings, by day (such as 2026-11-30). */
export const endOfViews: EndQuery<string> = one<Slice<string> & { agent_id: string; skip: number }>()(
  null,
  (db, { views }) =>
    db
      .select({ place: views.day })
      .from(views)
      .where(and(eq(views.agent_id, arg('agent_id')), between(views.day)))
      .orderBy(desc(views.day))
      .limit(1)
      .offset(arg('skip')),
);

/** The latter, on the days from one on, before another. */
export const viewsBetween = many<Slice<string> & { agent_id: string }>()(null, (db, { views }) =>
  db
    .select({ day: views.day, listing_id: views.listing_id, n: views.n })
    .from(views)
    .where(and(eq(views.agent_id, arg('agent_id')), between(views.day))),
);

/** The attempts of a slice that asked an agent as a provider. */
const askedOf = ({ id, provider_agent_id }: Tables['router_attempts']): SQL | undefined =>
  and(eq(provider_agent_id, arg('agent_id')), between(id));

export const endOfRouted: EndQuery<string> = one<Slice<string> & { agent_id: string; skip: number }>()(
  null,
  (db, { router_attempts: attempts }) =>
    db
      .select({ place: attempts.id })
      .from(attempts)
      .where(askedOf(attempts))
      .orderBy(desc(attempts.id))
      .limit(1)
      .offset(arg('skip')),
);

type Called = Span & Slice<string> & { calls_from_ms: number };

/** Calls to an agent as a provider, by day, capability, whether they count for it, success and latency, with what they earned net of
 * fees. Before `calls_from_ms` none counts. */
export const calledBetween = many<Called>()(null, (db: Db, { router_attempts: attempts }: Tables) => {
  const called = db
    .select({
      day: dayOf(attempts.created_at),
      capability: attempts.capability,
      counted:
        sql<number>`case when ${attempts.counted} = 1 and ${attempts.created_at} >= ${arg('calls_from_ms')} then 1 else 0 end`.as(
          'is_counted',
        ),
      served: sql<number>`case when ${attempts.outcome} = 'served' then 1 else 0 end`.as('served'),
      latency_ms: sql<number>`coalesce(${attempts.latency_ms}, 0)`.as('took_ms'),
      cents:
        sql<number>`case when ${attempts.price_cents} > 0 then ${attempts.price_cents} - ${attempts.fee_cents} else 0 end`.as(
          'cents',
        ),
    })
    .from(attempts)
    .where(and(askedOf(attempts), within(attempts.created_at)))
    .as('called');
  const { day, capability, counted, served, latency_ms, cents } = called;
  return db
    .select({
      day: sql`${day}`.mapWith(Number),
      capability,
      counted: sql`${counted}`.mapWith(Number),
      served: sql`${served}`.mapWith(Number),
      latency_ms: sql`${latency_ms}`.mapWith(Number),
      cents: sql`sum(${cents})`.mapWith(Number),
      n: count(),
    })
    .from(called)
    .groupBy(sql`${day}`, capability, sql`${counted}`, sql`${served}`, sql`${latency_ms}`);
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
