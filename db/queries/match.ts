// Reads of matches, and of listings in the narrow form that matching needs.
import { and, desc, eq, gt, gte, inArray, isNull, like, lt, ne, or, sql } from 'drizzle-orm';
import { arg, byId, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

/** By the pair of listings, `offer_id:seek_id`. */
export const matchByPair = byId('matches');

/** By the id that the wire shows. */
export const matchById = one<{ match_id: string }>()('matches', (db, t) =>
  db
    .select()
    .from(t.matches)
    .where(eq(t.matches.match_id, arg('match_id')))
    .limit(1),
);

/** A listing's pairs in any state, best first. */
export const pairsOfListing = many<{ listing_id: string; limit: number }>()('matches', (db, t) =>
  db
    .select()
    .from(t.matches)
    .where(or(eq(t.matches.offer_id, arg('listing_id')), eq(t.matches.seek_id, arg('listing_id'))))
    .orderBy(desc(t.matches.score_ppm))
    .limit(arg('limit')),
);

/** The conversations about a listing that are under way and led to no deal. */
function openTalksOf(side: 'offer' | 'seek'): Query<{ listing_id: string; limit: number }, { id: string }[]> {
  return many<{ listing_id: string; limit: number }>()(null, (db, { matches, conversations }: Tables) =>
    db
      .select({ id: conversations.id })
      .from(matches)
      .innerJoin(conversations, eq(conversations.id, matches.conversation_id))
      .where(
        and(
          eq(matches[`${side}_id`], arg('listing_id')),
          inArray(conversations.status, ['open', 'escalated']),
          isNull(conversations.deal_id),
        ),
      )
      .limit(arg('limit')),
  );
}
export const openTalksOfOffer = openTalksOf('offer');
export const openTalksOfSeek = openTalksOf('seek');

/** A pair that is among a listing's best, as far as ranking it takes. */
export type BestPair = Pick<Row<'matches'>, 'id' | 'offer_id' | 'seek_id' | 'score_ppm' | 'created_at'>;

type BestQuery = Query<{ listing_id: string; since_ms: number; limit: number }, BestPair[]>;

// Walks the index of a listing's best from the top; those that a side decided, saved or let expire take no place.
function bestOf(side: 'offer' | 'seek'): BestQuery {
  return many<{ listing_id: string; since_ms: number; limit: number }>()(null, (db, { matches }: Tables) => {
    const { id, offer_id, seek_id, score_ppm, status, saved_by, created_at } = matches;
    const [listing, best] = side === 'offer' ? [offer_id, matches.offer_best] : [seek_id, matches.seek_best];
    return db
      .select({ id, offer_id, seek_id, score_ppm, created_at })
      .from(matches)
      .where(
        and(
          eq(listing, arg('listing_id')),
          eq(best, 1),
          eq(status, 'pending'),
          eq(saved_by, []),
          gt(created_at, arg('since_ms')),
        ),
      )
      .orderBy(desc(score_ppm))
      .limit(arg('limit'));
  });
}

/** The open pairs among a listing's best by score, as the offer and as the seek. */
export const bestAsOffer: BestQuery = bestOf('offer');
export const bestAsSeek: BestQuery = bestOf('seek');

/** A listing's undecided pairs that have not expired: younger than `since_ms`, or saved by a side. */
export const pendingOfListing = many<{ listing_id: string; since_ms: number; limit: number }>()('matches', (db, t) =>
  db
    .select()
    .from(t.matches)
    .where(
      and(
        or(eq(t.matches.offer_id, arg('listing_id')), eq(t.matches.seek_id, arg('listing_id'))),
        eq(t.matches.status, 'pending'),
        or(gt(t.matches.created_at, arg('since_ms')), ne(t.matches.saved_by, [])),
      ),
    )
    .limit(arg('limit')),
);

/** The filter of an agent's open matches. `since_ms`: older unsaved ones have expired. */
interface OpenArgs extends Record<string, unknown> {
  readonly agent_id: string;
  readonly listing_id: string | null;
  readonly since_ms: number;
  /** Scores from the first on, below the second. */
  readonly from_ppm: number;
  readonly below_ppm: number;
  readonly limit: number;
}

/** The range of all scores. */
export const ANY_SCORE = { from_ppm: 0, below_ppm: 1_000_001 } as const;

type OpenQuery = Query<OpenArgs & { readonly seen: string }, Row<'matches'>[]>;

// One query a side, so that each walks its index of scores from the top and stops at the limit.
function openOf(side: 'offer' | 'seek', shown: boolean): OpenQuery {
  return many<OpenArgs & { readonly seen: string }>()('matches', (db, t: Tables) => {
    const { matches } = t;
    const agent = side === 'offer' ? matches.offer_agent_id : matches.seek_agent_id;
    const listing = side === 'offer' ? matches.offer_id : matches.seek_id;
    const visible = side === 'offer' ? matches.offer_visible : matches.seek_visible;
    const fresh = or(eq(matches.status, 'approved'), gt(matches.created_at, arg('since_ms')), ne(matches.saved_by, []));
    return db
      .select()
      .from(matches)
      .where(
        and(
          eq(agent, arg('agent_id')),
          eq(visible, 1),
          inArray(matches.status, ['pending', 'approved']),
          fresh,
          gte(matches.score_ppm, arg('from_ppm')),
          lt(matches.score_ppm, arg('below_ppm')),
          or(sql`cast(${arg('listing_id')} as text) IS NULL`, eq(listing, arg('listing_id'))),
          shown ? like(sql`${matches.shown_to}`, arg('seen')) : undefined,
        ),
      )
      .orderBy(desc(matches.score_ppm))
      .limit(arg('limit'));
  });
}

/** An agent's open matches by score, as the offer's and as the seek's side; `listing_id: null` means any listing. */
export const openAsOffer: OpenQuery = openOf('offer', false);
export const openAsSeek: OpenQuery = openOf('seek', false);
/** The same, only those that the agent was shown before; `seen` is its id between percent signs. */
export const seenAsOffer: OpenQuery = openOf('offer', true);
export const seenAsSeek: OpenQuery = openOf('seek', true);

type NewestQuery = Query<{ agent_id: string; before: string; limit: number }, Row<'matches'>[]>;

// One query a side, because each side has its own index.
function newestOf(side: 'offer' | 'seek'): NewestQuery {
  return many<{ agent_id: string; before: string; limit: number }>()('matches', (db, { matches }: Tables) => {
    const agent = side === 'offer' ? matches.offer_agent_id : matches.seek_agent_id;
    const visible = side === 'offer' ? matches.offer_visible : matches.seek_visible;
    return db
      .select()
      .from(matches)
      .where(and(eq(agent, arg('agent_id')), eq(visible, 1), lt(matches.match_id, arg('before'))))
      .orderBy(desc(matches.match_id))
      .limit(arg('limit'));
  });
}

/** An agent's visible matches in any state, newest first; `before` is a match id, or above all of them. */
export const newestAsOffer: NewestQuery = newestOf('offer');
export const newestAsSeek: NewestQuery = newestOf('seek');

/** The listing for scoring. */
export const listingToMatch = one<{ id: string }>()(null, (db, t) =>
  db
    .select({
      id: t.listings.id,
      agent_id: t.listings.agent_id,
      account_id: t.listings.account_id,
      slug: t.listings.slug,
      card_type: t.listings.card_type,
      direction: t.listings.direction,
      headline: t.listings.headline,
      description: t.listings.description,
      geo: t.listings.geo,
      labels: t.listings.labels,
      price_cents: t.listings.price_cents,
      budget_cents: t.listings.budget_cents,
      price_period: t.listings.price_period,
      currency: t.listings.currency,
      per_week_cents: t.listings.per_week_cents,
      per_month_cents: t.listings.per_month_cents,
      conditions: t.listings.conditions,
      fields: t.listings.fields,
      status: t.listings.status,
      origin: t.listings.origin,
      updated_at: t.listings.updated_at,
      version: t.listings.version,
    })
    .from(t.listings)
    .where(eq(t.listings.id, arg('id')))
    .limit(1),
);

/** The columns of an agent that scoring, events and views need, out of a wide row. */
export type Counterparty = Pick<
  Row<'agents'>,
  | 'id'
  | 'account_id'
  | 'handle'
  | 'display_name'
  | 'headline'
  | 'wake'
  | 'visibility'
  | 'provisional'
  | 'deactivated_at'
  | 'trust_score'
  | 'autopilot'
  | 'created_at'
>;

export const agentToMatch: Query<{ id: string }, Counterparty | null> = one<{ id: string }>()(null, (db, t) =>
  db
    .select({
      id: t.agents.id,
      account_id: t.agents.account_id,
      handle: t.agents.handle,
      display_name: t.agents.display_name,
      headline: t.agents.headline,
      wake: t.agents.wake,
      visibility: t.agents.visibility,
      provisional: t.agents.provisional,
      deactivated_at: t.agents.deactivated_at,
      trust_score: t.agents.trust_score,
      autopilot: t.agents.autopilot,
      created_at: t.agents.created_at,
    })
    .from(t.agents)
    .where(eq(t.agents.id, arg('id')))
    .limit(1),
);

/** Whether a listing is still as it was scored. */
export const listingStamp = one<{ id: string }>()('listings', (db, t) =>
  db
    .select({ id: t.listings.id, status: t.listings.status, version: t.listings.version })
    .from(t.listings)
    .where(eq(t.listings.id, arg('id')))
    .limit(1),
);

/** An agent's listings that may take part in matching, newest first. */
export const matchableOfAgent = many<{ agent_id: string; limit: number }>()('listings', (db, t) =>
  db
    .select({
      id: t.listings.id,
      agent_id: t.listings.agent_id,
      headline: t.listings.headline,
      status: t.listings.status,
      version: t.listings.version,
    })
    .from(t.listings)
    .where(and(eq(t.listings.agent_id, arg('agent_id')), inArray(t.listings.status, ['live', 'pending_verification'])))
    .orderBy(desc(t.listings.id))
    .limit(arg('limit')),
);

/** An agent's taste, learnt from its answers. */
export const tasteById = byId('tastes');

export const vectorOfListing = byId('listing_vectors', null);

/** How many listings carry a label. */
export const usesOfLabel = one<{ id: string }>()(null, (db, t) =>
  db
    .select({ id: t.labels.id, uses: t.labels.uses })
    .from(t.labels)
    .where(eq(t.labels.id, arg('id')))
    .limit(1),
);
