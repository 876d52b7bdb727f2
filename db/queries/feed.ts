// Reads of an agent's feed, newest first. Each entry comes with the state of its listing, and the reader leaves out entries
// that are no longer public: a filter here could make one page read everything that an agent ever withdrew.
import { and, desc, eq, gt, lt } from 'drizzle-orm';
import { arg, many } from '../query.ts';

/** Entries before the cursor's id that have not expired at `now_ms`; `status` is null once the listing was deleted. */
export const feedPage = many<{ agent_id: string; before: string; now_ms: number; limit: number }>()(null, (db, t) =>
  db
    .select({ entry: t.feed_entries, status: t.listings.status })
    .from(t.feed_entries)
    .leftJoin(t.listings, eq(t.listings.id, t.feed_entries.listing_id))
    .where(
      and(
        eq(t.feed_entries.agent_id, arg('agent_id')),
        lt(t.feed_entries.id, arg('before')),
        gt(t.feed_entries.expires_at, arg('now_ms')),
      ),
    )
    .orderBy(desc(t.feed_entries.id))
    .limit(arg('limit')),
);
