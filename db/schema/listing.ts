// Listings, the label table they resolve against, their vectors (int8 rows; every index is derived from these), and
// the matches between them.
import type { Signal } from '../../src/domain/match/signal.ts';
import type { Builders } from './builders.ts';

export type CardType =
  | 'selling'
  | 'buying'
  | 'hiring'
  | 'job_seeking'
  | 'fundraising'
  | 'investing'
  | 'partnering'
  | 'link_building'
  | 'link_exchange';

export type ListingStatus = 'draft' | 'live' | 'inactive' | 'pending_verification' | 'pending_review';

export type PricePeriod = 'once' | 'hour' | 'day' | 'week' | 'month' | 'year';

export interface TierColumn {
  readonly id: string;
  readonly name: string;
  readonly price_cents: number;
  readonly currency: string;
  readonly billing: 'one_time' | 'weekly' | 'monthly' | 'hourly' | 'per_unit';
}

export interface ConditionsColumn {
  readonly tiers: readonly TierColumn[];
  readonly dealbreakers: readonly string[];
  readonly preferences: readonly { readonly label: string; readonly weight: number }[];
  readonly price_firm?: boolean;
}

// Without a return type: drizzle infers the row types from this literal.
export function listingTables(b: Builders) {
  const listings = b.table(
    'listings',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      account_id: b.text('account_id').notNull(),
      slug: b.text('slug').notNull(),
      card_type: b.text('card_type').$type<CardType>().notNull(),
      direction: b.text('direction').$type<'offer' | 'seek'>().notNull(),
      headline: b.text('headline').notNull(),
      description: b.text('description').notNull(),
      geo: b.text('geo'),
      labels: b.json<readonly string[]>('labels').notNull(),
      subcategory: b.text('subcategory'),
      price_cents: b.int('price_cents'),
      budget_cents: b.int('budget_cents'),
      price_period: b.text('price_period').$type<PricePeriod>().notNull().default('once'),
      currency: b.text('currency').notNull().default('USD'),
      per_week_cents: b.int('per_week_cents'),
      per_month_cents: b.int('per_month_cents'),
      conditions: b.json<ConditionsColumn>('conditions').notNull(),
      fields: b.json<Record<string, unknown>>('fields').notNull(),
      status: b.text('status').$type<ListingStatus>().notNull(),
      /** `intake` listings do not count to the plan's cap (interface.md, Limits). */
      origin: b.text('origin').$type<'direct' | 'intake'>().notNull(),
      /** What the crawler measured of the site that the listing names; null until it has. */
      verified_attributes: b.json<Record<string, unknown> | null>('verified_attributes'),
      measured_at: b.int('measured_at'),
      created_at: b.int('created_at').notNull(),
      updated_at: b.int('updated_at').notNull(),
      version: b.version(),
    },
    // An agent may hold any number of listings, so that a page of them, those of one state and the one of a headline are each
    // walked to and not picked out of all.
    (t) => [
      b.uniqueIndex('listings_slug').on(t.agent_id, t.slug),
      b.index('listings_agent').on(t.agent_id, t.id),
      b.index('listings_status').on(t.agent_id, t.status, t.id),
      b.index('listings_headline').on(t.agent_id, t.headline, t.direction, t.id),
      b.index('listings_account').on(t.account_id),
    ],
  );
  /** The id is the label. The index holds all that autocomplete reads, so that it walks from the most used down and stops. */
  const labels = b.table(
    'labels',
    {
      id: b.id(),
      uses: b.int('uses').notNull().default(0),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('labels_uses').on(t.uses, t.id)],
  );
  /**
   * The id is the listing's. `vector` holds 256 int8 values of the model named beside it, `terms` the weightiest words of
   * the text (null where they have not been kept yet).
   */
  const listing_vectors = b.table(
    'listing_vectors',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      side: b.text('side').$type<'offer' | 'seek'>().notNull(),
      labels: b.json<readonly string[]>('labels').notNull(),
      model: b.text('model').notNull(),
      vector: b.bytes('vector').notNull(),
      card_type: b.text('card_type'),
      terms: b.bytes('terms'),
    },
    (t) => [b.index('listing_vectors_model').on(t.model)],
  );
  /**
   * Words that so many live listings of a card type carry that they tell nothing apart; the id is the card type. `shares`
   * says by the word's hash in how many of a hundred listings it stands, as the stored vectors were made with.
   */
  const template_words = b.table('template_words', {
    id: b.id(),
    shares: b.json<Readonly<Record<string, number>>>('shares').notNull(),
    version: b.version(),
  });
  /** What an agent's answers to matches say of what it wants; the id is the agent's. */
  const tastes = b.table('tastes', {
    id: b.id(),
    signals: b.json<readonly Signal[]>('signals').notNull(),
    updated_at: b.int('updated_at').notNull(),
    version: b.version(),
  });
  /** The id is derived from the pair of listings, so a pair exists once; `match_id` is what the wire shows. */
  const matches = b.table(
    'matches',
    {
      id: b.id(),
      match_id: b.text('match_id').notNull(),
      offer_id: b.text('offer_id').notNull(),
      seek_id: b.text('seek_id').notNull(),
      offer_agent_id: b.text('offer_agent_id').notNull(),
      seek_agent_id: b.text('seek_agent_id').notNull(),
      offer_headline: b.text('offer_headline').notNull(),
      seek_headline: b.text('seek_headline').notNull(),
      /** 0 to 1,000,000: the wire's score times a million, so that both engines order it alike. */
      score_ppm: b.int('score_ppm').notNull(),
      reasons: b.json<readonly string[]>('reasons').notNull(),
      status: b.text('status').$type<'pending' | 'approved' | 'declined' | 'expired' | 'superseded'>().notNull(),
      approved_by: b.json<readonly string[]>('approved_by').notNull(),
      saved_by: b.json<readonly string[]>('saved_by').notNull(),
      shown_to: b.json<readonly string[]>('shown_to').notNull(),
      /** False while one side's agent is unverified: only the other, its owner, sees the match (Q8). */
      offer_visible: b.int('offer_visible').notNull().default(1),
      seek_visible: b.int('seek_visible').notNull().default(1),
      /** 1 while the pair is among the best of the offer, or of the seek; an open pair that is neither makes room. */
      offer_best: b.int('offer_best').notNull().default(1),
      seek_best: b.int('seek_best').notNull().default(1),
      /** Why a superseded pair is no longer open; null for all others. */
      ended_by: b.text('ended_by').$type<'listing' | 'unfit' | 'outranked' | null>(),
      feedback: b.json<{ agent_id: string; action: string; reason: string | null } | null>('feedback'),
      conversation_id: b.text('conversation_id'),
      created_at: b.int('created_at').notNull(),
      updated_at: b.int('updated_at').notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('matches_match_id').on(t.match_id),
      b.index('matches_offer_agent').on(t.offer_agent_id, t.score_ppm, t.id),
      b.index('matches_seek_agent').on(t.seek_agent_id, t.score_ppm, t.id),
      b.index('matches_offer_newest').on(t.offer_agent_id, t.match_id),
      b.index('matches_seek_newest').on(t.seek_agent_id, t.match_id),
      b.index('matches_pair').on(t.offer_agent_id, t.seek_agent_id),
      // The weakest of a listing's best is walked to, however many want it.
      b.index('matches_offer').on(t.offer_id, t.offer_best, t.score_ppm),
      b.index('matches_seek').on(t.seek_id, t.seek_best, t.score_ppm),
    ],
  );
  return { listings, labels, listing_vectors, template_words, tastes, matches };
}
