// Listings, the label table they resolve against, their vectors (int8 rows; every index is derived from these), and
// the matches between them.
import type { Reason } from '../../src/domain/match/reason.ts';
import type { Signal } from '../../src/domain/match/signal.ts';
import type { Goals } from '../../src/domain/negotiation/goal.ts';
import type { Builders } from './builders.ts';
import { blank, blankBy, gone, keep, type OwnedRow, stays } from './personal.ts';

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
  readonly decide_within_hours?: number;
  readonly deals_wanted?: number;
}

interface FeedbackColumn {
  readonly agent_id: string;
  readonly action: string;
  readonly reason: string | null;
}

/** A side's answer without its reason. */
function withoutReason(feedback: FeedbackColumn | null, _row: OwnedRow, owner_id: string): FeedbackColumn | null {
  return feedback?.agent_id === owner_id ? { ...feedback, reason: null } : feedback;
}

// Without a return type: drizzle infers the row types from this literal.
export function listingTables(b: Builders) {
  const listings = b.table(
    'listings',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      slug: b.text('slug', gone).notNull(),
      card_type: b.code<CardType>('card_type', keep).notNull(),
      direction: b.code<'offer' | 'seek'>('direction', keep).notNull(),
      headline: b.text('headline', gone).notNull(),
      description: b.text('description', gone).notNull(),
      geo: b.text('geo', gone),
      labels: b.json<readonly string[]>('labels', gone).notNull(),
      subcategory: b.text('subcategory', gone),
      price_cents: b.int('price_cents', keep),
      budget_cents: b.int('budget_cents', keep),
      price_period: b.code<PricePeriod>('price_period', keep).notNull().default('once'),
      currency: b.code('currency', keep).notNull().default('USD'),
      per_week_cents: b.int('per_week_cents', keep),
      per_month_cents: b.int('per_month_cents', keep),
      conditions: b.json<ConditionsColumn>('conditions', gone).notNull(),
      /** What its owner wants of each issue of a deal, for its own side alone; null for nothing said. */
      goals: b.json<Goals | null>('goals', gone),
      fields: b.json<Record<string, unknown>>('fields', gone).notNull(),
      status: b.code<ListingStatus>('status', keep).notNull(),
      /** `intake` listings do not count to the plan's cap (interface.md, Limits). */
      origin: b.code<'direct' | 'intake'>('origin', keep).notNull(),
      /** The measurements of the listing's site; null before the first. */
      verified_attributes: b.json<Record<string, unknown> | null>('verified_attributes', gone),
      measured_at: b.int('measured_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      updated_at: b.int('updated_at', keep).notNull(),
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
      uses: b.int('uses', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('labels_uses').on(t.uses, t.id)],
  );
  /**
   * The id is the listing's. `vector` has 256 int8 values of the named model, `terms` the heaviest words of the text (null
   * when they are not stored yet).
   */
  const listing_vectors = b.table(
    'listing_vectors',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      side: b.code<'offer' | 'seek'>('side', keep).notNull(),
      labels: b.json<readonly string[]>('labels', gone).notNull(),
      model: b.code('model', keep).notNull(),
      vector: b.bytes('vector', gone).notNull(),
      card_type: b.code('card_type', keep),
      terms: b.bytes('terms', gone),
    },
    (t) => [b.index('listing_vectors_model').on(t.model)],
  );
  /**
   * Words that are too common among the live listings of a card type to distinguish them; the id is the card type. `shares` has, by the
   * word's hash, the percentage of listings with it, as used for the stored vectors.
   */
  const template_words = b.table('template_words', {
    id: b.id(),
    shares: b.json<Readonly<Record<string, number>>>('shares', stays('counts of all listings')).notNull(),
    version: b.version(),
  });
  /** The taste learnt from an agent's answers to matches; the id is the agent's. */
  const tastes = b.table('tastes', {
    id: b.id(),
    signals: b.json<readonly Signal[]>('signals', gone).notNull(),
    updated_at: b.int('updated_at', keep).notNull(),
    version: b.version(),
  });
  /** The id is derived from the pair of listings, so a pair exists once; `match_id` is what the wire shows. */
  const matches = b.table(
    'matches',
    {
      id: b.id(),
      match_id: b.code('match_id', keep).notNull(),
      offer_id: b.code('offer_id', keep).notNull(),
      seek_id: b.code('seek_id', keep).notNull(),
      offer_agent_id: b.code('offer_agent_id', keep).notNull(),
      seek_agent_id: b.code('seek_agent_id', keep).notNull(),
      offer_headline: b.text('offer_headline', blank('', 'offer_agent_id')).notNull(),
      seek_headline: b.text('seek_headline', blank('', 'seek_agent_id')).notNull(),
      /** 0 to 1,000,000: the wire's score times a million, so that both engines order it alike. */
      score_ppm: b.int('score_ppm', keep).notNull(),
      reasons: b.json<readonly Reason[]>('reasons', stays('codes with labels and figures')).notNull(),
      status: b.code<'pending' | 'approved' | 'declined' | 'expired' | 'superseded'>('status', keep).notNull(),
      approved_by: b.json<readonly string[]>('approved_by', stays('ids')).notNull(),
      saved_by: b.json<readonly string[]>('saved_by', stays('ids')).notNull(),
      shown_to: b.json<readonly string[]>('shown_to', stays('ids')).notNull(),
      /** False while one side's agent is unverified: only the other, its owner, sees the match (Q8). */
      offer_visible: b.int('offer_visible', keep).notNull().default(1),
      seek_visible: b.int('seek_visible', keep).notNull().default(1),
      /** 1 while the pair is among the best of the offer, or of the seek; an open pair that is neither makes room. */
      offer_best: b.int('offer_best', keep).notNull().default(1),
      seek_best: b.int('seek_best', keep).notNull().default(1),
      /** Why a superseded pair is no longer open; null for all others. */
      ended_by: b.code<'listing' | 'unfit' | 'outranked' | null>('ended_by', keep),
      feedback: b.json<FeedbackColumn | null>('feedback', blankBy(withoutReason)),
      conversation_id: b.code('conversation_id', keep),
      created_at: b.int('created_at', keep).notNull(),
      updated_at: b.int('updated_at', keep).notNull(),
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
