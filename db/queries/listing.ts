// Reads of listings. Lists are newest first: ids are UUIDs of version 7, so they sort by age.
import { and, asc, desc, eq, gt, gte, lt, or } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const listingById = byId('listings');

/** An agent's listings in every state, before the cursor's id. */
export const listingsOfAgent = many<{ agent_id: string; before: string; limit: number }>()('listings', (db, t) =>
  db
    .select()
    .from(t.listings)
    .where(and(eq(t.listings.agent_id, arg('agent_id')), lt(t.listings.id, arg('before'))))
    .orderBy(desc(t.listings.id))
    .limit(arg('limit')),
);

/** The same of one status, oldest first: the order in which internal operations work them off. */
export const listingsInStatus = many<{ agent_id: string; status: string; limit: number }>()('listings', (db, t) =>
  db
    .select()
    .from(t.listings)
    .where(and(eq(t.listings.agent_id, arg('agent_id')), eq(t.listings.status, arg('status'))))
    .orderBy(asc(t.listings.id))
    .limit(arg('limit')),
);

/** Indexed listings whose vector another model made: its name sorts before that of the model or after it. */
export const listingsOfOtherModels = many<{ model: string; limit: number }>()(null, (db, t) =>
  db
    .select({ listing: t.listings })
    .from(t.listing_vectors)
    .innerJoin(t.listings, eq(t.listings.id, t.listing_vectors.id))
    .where(or(lt(t.listing_vectors.model, arg('model')), gt(t.listing_vectors.model, arg('model'))))
    .limit(arg('limit')),
);

/** An agent's live listings, newest first, before the cursor's id. */
export const liveListingsOfAgent = many<{ agent_id: string; before: string; limit: number }>()('listings', (db, t) =>
  db
    .select()
    .from(t.listings)
    .where(
      and(eq(t.listings.agent_id, arg('agent_id')), eq(t.listings.status, 'live'), lt(t.listings.id, arg('before'))),
    )
    .orderBy(desc(t.listings.id))
    .limit(arg('limit')),
);

/** The slugs of an agent that begin with the text `from`, and so sort before `until`, in their order: the text itself first. */
export const slugsFrom = many<{ agent_id: string; from: string; until: string; limit: number }>()(null, (db, t) =>
  db
    .select({ slug: t.listings.slug })
    .from(t.listings)
    .where(
      and(
        eq(t.listings.agent_id, arg('agent_id')),
        gte(t.listings.slug, arg('from')),
        lt(t.listings.slug, arg('until')),
      ),
    )
    .orderBy(asc(t.listings.slug))
    .limit(arg('limit')),
);

/** The oldest listing of a headline and direction: what an intake that is sent again updates (questions.md 134). */
export const listingByHeadline = one<{ agent_id: string; direction: string; headline: string }>()('listings', (db, t) =>
  db
    .select()
    .from(t.listings)
    .where(
      and(
        eq(t.listings.agent_id, arg('agent_id')),
        eq(t.listings.direction, arg('direction')),
        eq(t.listings.headline, arg('headline')),
      ),
    )
    .orderBy(asc(t.listings.id))
    .limit(1),
);
