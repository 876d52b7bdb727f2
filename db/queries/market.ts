// Reads of what is for sale: live offers with a price, of listed agents that can be paid. The conditions are those of
// domain/agent/profile.ts for a listed agent, of steps/agent/payable.ts and of domain/listing/purchase.ts.
import { and, avg, count, desc, eq, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

/** Every tier has a price; of the fields, one name holds an amount. */
const namesAmount = ({ listings }: Tables) =>
  or(
    isNotNull(listings.price_cents),
    isNotNull(listings.per_week_cents),
    isNotNull(listings.per_month_cents),
    sql`${listings.conditions} like '%"price_cents"%'`,
    sql`${listings.fields} like '%"price_cents"%'`,
  );

const isLiveOffer = ({ listings }: Tables) => and(eq(listings.status, 'live'), eq(listings.direction, 'offer'));

const isForSale = (t: Tables) =>
  and(
    isLiveOffer(t),
    namesAmount(t),
    eq(t.agents.visibility, 'listed'),
    eq(t.agents.provisional, 0),
    isNull(t.agents.deactivated_at),
    isNotNull(t.agents.verified_at),
  );

/** Priced offers with their agents before the cursor's id, newest first. */
export const servicesPage = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ listing: t.listings, agent: t.agents })
    .from(t.listings)
    .innerJoin(t.agents, eq(t.agents.id, t.listings.agent_id))
    .where(and(isForSale(t), lt(t.listings.id, arg('before'))))
    .orderBy(desc(t.listings.id))
    .limit(arg('limit')),
);

/** All live listings of listed agents, offers and seeks, with a price or without, before the cursor's id. */
export const marketPage = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ listing: t.listings, agent: t.agents })
    .from(t.listings)
    .innerJoin(t.agents, eq(t.agents.id, t.listings.agent_id))
    .where(
      and(
        eq(t.listings.status, 'live'),
        eq(t.agents.visibility, 'listed'),
        eq(t.agents.provisional, 0),
        isNull(t.agents.deactivated_at),
        lt(t.listings.id, arg('before')),
      ),
    )
    .orderBy(desc(t.listings.id))
    .limit(arg('limit')),
);

/** The id `offset` listings after an id, in any state; null at the end. */
export const endOfBite = one<{ after: string; offset: number }>()(null, (db, t) =>
  db
    .select({ id: t.listings.id })
    .from(t.listings)
    .where(gt(t.listings.id, arg('after')))
    .orderBy(t.listings.id)
    .limit(1)
    .offset(arg('offset')),
);

/** The number of priced offers of each kind, among the listings after one id and up to another. */
export const serviceCounts = many<{ after: string; until: string }>()(null, (db, t) =>
  db
    .select({ card_type: t.listings.card_type, subcategory: t.listings.subcategory, n: count() })
    .from(t.listings)
    .innerJoin(t.agents, eq(t.agents.id, t.listings.agent_id))
    .where(and(gt(t.listings.id, arg('after')), lte(t.listings.id, arg('until')), isForSale(t)))
    .groupBy(t.listings.card_type, t.listings.subcategory),
);

/** How many priced offers an agent has live. */
export const servicesOfAgent = one<{ agent_id: string }>()(null, (db, t) =>
  db
    .select({ n: count() })
    .from(t.listings)
    .where(and(eq(t.listings.agent_id, arg('agent_id')), isLiveOffer(t), namesAmount(t))),
);

export const listingBySlug = one<{ agent_id: string; slug: string }>()('listings', (db, t) =>
  db
    .select()
    .from(t.listings)
    .where(and(eq(t.listings.agent_id, arg('agent_id')), eq(t.listings.slug, arg('slug'))))
    .limit(1),
);

/** The average rating of the seller by buyers of a listing; null without ratings. */
export const ratingOfListing = one<{ listing_id: string; seller_id: string }>()(null, (db, t) =>
  db
    .select({ rating: avg(t.deal_reviews.rating).mapWith(Number) })
    .from(t.deal_reviews)
    .where(and(eq(t.deal_reviews.listing_id, arg('listing_id')), eq(t.deal_reviews.about_id, arg('seller_id')))),
);
