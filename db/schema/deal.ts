// Deals and their reviews, subscriptions with their charges, and agents' records.
import type { Builders } from './builders.ts';
import { keep, stays } from './personal.ts';

/** Why an attempt at a charge failed. */
type ChargeFailureColumn =
  | 'account_suspended'
  | 'verification_required'
  | 'seller_cannot_be_paid'
  | 'account_restricted'
  | 'spending_limit'
  | 'budget'
  | 'payment_required';

// Without a return type: drizzle infers the row types from this literal.
export function dealTables(b: Builders) {
  const deals = b.table(
    'deals',
    {
      id: b.id(),
      kind: b.code<'checkout' | 'escrow' | 'agreement'>('kind', keep).notNull(),
      buyer_id: b.code('buyer_id', keep).notNull(),
      seller_id: b.code('seller_id', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      title: b.text('title', stays('what a deal was about is both sides’ record')).notNull(),
      status: b.code<'open' | 'completed' | 'refunded' | 'cancelled'>('status', keep).notNull(),
      escrow_id: b.code('escrow_id', keep),
      conversation_id: b.code('conversation_id', keep),
      listing_id: b.code('listing_id', keep),
      created_at: b.int('created_at', keep).notNull(),
      completed_at: b.int('completed_at', keep),
      version: b.version(),
    },
    (t) => [
      b.index('deals_buyer').on(t.buyer_id, t.id),
      b.index('deals_seller').on(t.seller_id, t.id),
      b.index('deals_listing').on(t.listing_id, t.id),
      b.index('deals_conversation').on(t.conversation_id),
    ],
  );
  /** One by each side of a completed deal; the id is `deal:agent`. */
  const deal_reviews = b.table(
    'deal_reviews',
    {
      id: b.id(),
      deal_id: b.code('deal_id', keep).notNull(),
      by_id: b.code('by_id', keep).notNull(),
      about_id: b.code('about_id', keep).notNull(),
      listing_id: b.code('listing_id', keep),
      rating: b.int('rating', keep).notNull(),
      text: b.text('text', stays('a word about the other side, which others read')).notNull(),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [
      b.index('deal_reviews_about').on(t.about_id, t.created_at),
      b.index('deal_reviews_listing').on(t.listing_id),
    ],
  );
  const subscriptions = b.table(
    'subscriptions',
    {
      id: b.id(),
      buyer_id: b.code('buyer_id', keep).notNull(),
      buyer_account_id: b.code('buyer_account_id', keep).notNull(),
      seller_id: b.code('seller_id', keep).notNull(),
      seller_account_id: b.code('seller_account_id', keep).notNull(),
      /** The key that started or resumed it, whose budget each charge counts against; null after a person did. */
      key_id: b.code('key_id', keep),
      listing_id: b.code('listing_id', keep),
      title: b.text('title', stays('what a deal was about is both sides’ record')).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      interval: b.code<'weekly' | 'monthly'>('interval', keep).notNull(),
      status: b.code<'active' | 'past_due' | 'paused' | 'cancelled' | 'completed'>('status', keep).notNull(),
      /** When its first period began: periods are counted from here, in UTC. */
      anchor_at: b.int('anchor_at', keep).notNull(),
      /** The number of the period that is charged next; the first was 0. */
      next_period: b.int('next_period', keep).notNull(),
      /** When the next attempt is due; null while there is none. */
      next_charge_at: b.int('next_charge_at', keep),
      max_charges: b.int('max_charges', keep),
      ends_at: b.int('ends_at', keep),
      charges_made: b.int('charges_made', keep).notNull().default(0),
      failed_attempts: b.int('failed_attempts', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      version: b.version(),
    },
    (t) => [b.index('subscriptions_buyer').on(t.buyer_id, t.id), b.index('subscriptions_seller').on(t.seller_id, t.id)],
  );
  /** Each attempt at a charge. */
  const subscription_charges = b.table(
    'subscription_charges',
    {
      id: b.id(),
      subscription_id: b.code('subscription_id', keep).notNull(),
      seller_id: b.code('seller_id', keep).notNull(),
      period: b.int('period', keep).notNull(),
      period_start: b.int('period_start', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      fee_cents: b.int('fee_cents', keep).notNull().default(0),
      status: b.code<'succeeded' | 'failed'>('status', keep).notNull(),
      reason: b.code<ChargeFailureColumn>('reason', keep),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [
      b.index('subscription_charges_subscription').on(t.subscription_id, t.id),
      b.index('subscription_charges_seller').on(t.seller_id),
    ],
  );
  return { deals, deal_reviews, subscriptions, subscription_charges };
}

// Without a return type: drizzle infers the row types from this literal.
export function recordTables(b: Builders) {
  /** The counters of an agent's record; the id is the agent's. Created with its first deal. */
  const track_records = b.table('track_records', {
    id: b.id(),
    deals_completed: b.int('deals_completed', keep).notNull().default(0),
    /** Completed deals by band of their amount, in the order of domain/agent/track-record.ts. */
    bands: b.json<readonly number[]>('bands', stays('figures')).notNull(),
    escrows_ended: b.int('escrows_ended', keep).notNull().default(0),
    disputes_against: b.int('disputes_against', keep).notNull().default(0),
    disputes_settled: b.int('disputes_settled', keep).notNull().default(0),
    reviews: b.int('reviews', keep).notNull().default(0),
    rating_sum: b.int('rating_sum', keep).notNull().default(0),
    /** The facts of trust: accounts with a completed deal, and the mean of their ratings, in hundredths of a star, without accounts
     * linked to its own. Computed again after each count. */
    partners: b.int('partners', keep).notNull().default(0),
    /** Their weight by the amounts of their deals, in hundredths of a full one. */
    partners_weight: b.int('partners_weight', keep).notNull().default(0),
    partners_rating: b.int('partners_rating', keep),
    version: b.version(),
  });
  /** An agent's record with one other account; the id is the agent's with that account's. */
  const partners = b.table(
    'partners',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      deals: b.int('deals', keep).notNull().default(0),
      /** Of those deals that count to trust, together. */
      cents: b.int('cents', keep).notNull().default(0),
      reviews: b.int('reviews', keep).notNull().default(0),
      rating_sum: b.int('rating_sum', keep).notNull().default(0),
      version: b.version(),
    },
    (t) => [b.index('partners_agent').on(t.agent_id, t.deals, t.id)],
  );
  return { track_records, partners };
}
