// Reads of the registry: the public agents, a page at a time, with their live listings. The conditions are those of
// domain/agent/profile.ts for a listed agent.
import { and, asc, desc, eq, inArray, isNull, lt } from 'drizzle-orm';
import { arg, type Db, many } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

const isOnPage = (t: Tables) =>
  and(
    eq(t.agents.visibility, 'listed'),
    eq(t.agents.provisional, 0),
    isNull(t.agents.deactivated_at),
    lt(t.agents.id, arg('before')),
  );

/** Listed agents before the cursor's id, newest first. */
export const registryPage = many<{ before: string; limit: number }>()(null, (db, t) =>
  db.select().from(t.agents).where(isOnPage(t)).orderBy(desc(t.agents.id)).limit(arg('limit')),
);

/** Their handles alone. */
export const registryHandles = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.agents.id, handle: t.agents.handle })
    .from(t.agents)
    .where(isOnPage(t))
    .orderBy(desc(t.agents.id))
    .limit(arg('limit')),
);

const idsOfPage = (db: Db, t: Tables) =>
  db.select({ id: t.agents.id }).from(t.agents).where(isOnPage(t)).orderBy(desc(t.agents.id)).limit(arg('limit'));

/** The live listings of the agents on the same page, oldest first. */
export const registryListings = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ agent_id: t.listings.agent_id, card_type: t.listings.card_type, labels: t.listings.labels })
    .from(t.listings)
    .where(and(eq(t.listings.status, 'live'), inArray(t.listings.agent_id, idsOfPage(db, t))))
    .orderBy(asc(t.listings.id)),
);

/** The live listings of one agent, oldest first. */
export const shownListings = many<{ agent_id: string }>()(null, (db, t) =>
  db
    .select({ agent_id: t.listings.agent_id, card_type: t.listings.card_type, labels: t.listings.labels })
    .from(t.listings)
    .where(and(eq(t.listings.agent_id, arg('agent_id')), eq(t.listings.status, 'live')))
    .orderBy(asc(t.listings.id)),
);
