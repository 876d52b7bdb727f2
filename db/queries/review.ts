// Reads of what administrators decide. Ids are UUIDs of version 7, so they sort by age.
import { and, desc, eq, lt } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const reviewById = byId('reviews');

/** The newest review of a listing. */
export const reviewOfListing = one<{ listing_id: string }>()('reviews', (db, t) =>
  db
    .select()
    .from(t.reviews)
    .where(eq(t.reviews.listing_id, arg('listing_id')))
    .orderBy(desc(t.reviews.id))
    .limit(1),
);

/** Reviews of one status, newest first, before the cursor's id. */
export const reviewsInStatus = many<{ status: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.reviews)
    .where(and(eq(t.reviews.status, arg('status')), lt(t.reviews.id, arg('before'))))
    .orderBy(desc(t.reviews.id))
    .limit(arg('limit')),
);
