// Deals and what is said of them, subscriptions with their charges, and what an agent has done here, counted.
import type { Builders } from './builders.ts';

/** Why an attempt at a charge failed. */
type ChargeFailureColumn =
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
      kind: b.text('kind').$type<'checkout' | 'escrow' | 'agreement'>().notNull(),
      buyer_id: b.text('buyer_id').notNull(),
      seller_id: b.text('seller_id').notNull(),
      amount_cents: b.int('amount_cents').notNull(),
      title: b.text('title').notNull(),
      status: b.text('status').$type<'open' | 'completed' | 'refunded' | 'cancelled'>().notNull(),
      escrow_id: b.text('escrow_id'),
      conversation_id: b.text('conversation_id'),
      listing_id: b.text('listing_id'),
      created_at: b.int('created_at').notNull(),
      completed_at: b.int('completed_at'),
      version: b.version(),
    },
    (t) => [
      b.index('deals_buyer').on(t.buyer_id, t.id),
      b.index('deals_seller').on(t.seller_id, t.id),
      b.index('deals_listing').on(t.listing_id),
      b.index('deals_conversation').on(t.conversation_id),
    ],
  );
  /** One by each side of a completed deal; the id is `deal:agent`. */
  const deal_reviews = b.table(
    'deal_reviews',
    {
      id: b.id(),
      deal_id: b.text('deal_id').notNull(),
      by_id: b.text('by_id').notNull(),
      about_id: b.text('about_id').notNull(),
      listing_id: b.text('listing_id'),
      rating: b.int('rating').notNull(),
      text: b.text('text').notNull(),
      created_at: b.int('created_at').notNull(),
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
      buyer_id: b.text('buyer_id').notNull(),
      buyer_account_id: b.text('buyer_account_id').notNull(),
      seller_id: b.text('seller_id').notNull(),
      seller_account_id: b.text('seller_account_id').notNull(),
      /** The key that started or resumed it, whose budget each charge counts against; null after a person did. */
      key_id: b.text('key_id'),
      listing_id: b.text('listing_id'),
      title: b.text('title').notNull(),
      amount_cents: b.int('amount_cents').notNull(),
      interval: b.text('interval').$type<'weekly' | 'monthly'>().notNull(),
      status: b.text('status').$type<'active' | 'past_due' | 'paused' | 'cancelled' | 'completed'>().notNull(),
      /** When its first period began: periods are counted from here, in UTC. */
      anchor_at: b.int('anchor_at').notNull(),
      /** The number of the period that is charged next; the first was 0. */
      next_period: b.int('next_period').notNull(),
      /** When the next attempt is due; null while there is none. */
      next_charge_at: b.int('next_charge_at'),
      max_charges: b.int('max_charges'),
      ends_at: b.int('ends_at'),
      charges_made: b.int('charges_made').notNull().default(0),
      failed_attempts: b.int('failed_attempts').notNull().default(0),
      created_at: b.int('created_at').notNull(),
      ended_at: b.int('ended_at'),
      version: b.version(),
    },
    (t) => [b.index('subscriptions_buyer').on(t.buyer_id, t.id), b.index('subscriptions_seller').on(t.seller_id, t.id)],
  );
  const subscription_charges = b.table(
    'subscription_charges',
    {
      id: b.id(),
      subscription_id: b.text('subscription_id').notNull(),
      seller_id: b.text('seller_id').notNull(),
      period: b.int('period').notNull(),
      period_start: b.int('period_start').notNull(),
      amount_cents: b.int('amount_cents').notNull(),
      fee_cents: b.int('fee_cents').notNull().default(0),
      status: b.text('status').$type<'succeeded' | 'failed'>().notNull(),
      reason: b.text('reason').$type<ChargeFailureColumn>(),
      created_at: b.int('created_at').notNull(),
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
  /** What an agent has done here, counted; the id is the agent's. Made with its first deal. */
  const track_records = b.table('track_records', {
    id: b.id(),
    deals_completed: b.int('deals_completed').notNull().default(0),
    /** Completed deals by band of their amount, in the order of domain/agent/track-record.ts. */
    bands: b.json<readonly number[]>('bands').notNull(),
    escrows_ended: b.int('escrows_ended').notNull().default(0),
    disputes_against: b.int('disputes_against').notNull().default(0),
    disputes_settled: b.int('disputes_settled').notNull().default(0),
    reviews: b.int('reviews').notNull().default(0),
    rating_sum: b.int('rating_sum').notNull().default(0),
    /** Other accounts with which a deal was completed, and the mean of what each of them said, in hundredths of a star: what trust
     * hangs on. Accounts that belong together with its own are left out. Taken anew after each count. */
    partners: b.int('partners').notNull().default(0),
    /** What they weigh by the amounts of their deals, in hundredths of one that weighs in full. */
    partners_weight: b.int('partners_weight').notNull().default(0),
    partners_rating: b.int('partners_rating'),
    version: b.version(),
  });
  /** What an agent did with one other account; the id is the agent's with that account's. */
  const partners = b.table(
    'partners',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      account_id: b.text('account_id').notNull(),
      deals: b.int('deals').notNull().default(0),
      /** Of those deals that count to trust, together. */
      cents: b.int('cents').notNull().default(0),
      reviews: b.int('reviews').notNull().default(0),
      rating_sum: b.int('rating_sum').notNull().default(0),
      version: b.version(),
    },
    (t) => [b.index('partners_agent').on(t.agent_id, t.deals, t.id)],
  );
  return { track_records, partners };
}
