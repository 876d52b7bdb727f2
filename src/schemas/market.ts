// Services on the wire (rules.md 11): a service is a live offer that names an amount.

import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { isTableLabel } from '../domain/listing/label.ts';
import { effectivePrice, PRICE_PERIODS } from '../domain/listing/price.ts';
import { authored, byField, words, wordsUnless } from './authored.ts';
import { Conditions } from './listing.ts';
import { CardType } from './listing-input.ts';
import { PROCEEDS } from './money.ts';
import { namedObject } from './named.ts';
import { guidanceShape } from './next-step.ts';
import { Cents, Id, NullableTime, nullable } from './wire.ts';

const Text = Type.String();

export const Service = authored(
  byField('handle'),
  namedObject('Service', 'a live offer with a price', {
    id: Type.String({ format: 'uuid', description: 'of the listing' }),
    handle: Text,
    slug: words(Text),
    card_type: CardType,
    headline: words(Text),
    description: words(Text),
    labels: wordsUnless(isTableLabel, Type.Array(Text)),
    subcategory: nullable(Text),
    price_cents: nullable(Type.Integer({ minimum: 0 }), 'its own price, else that of its first tier'),
    price_period: nullable(Type.Enum([...PRICE_PERIODS, 'unit']), 'the unit of that price: once, hour, week, month …'),
    currency: Type.Literal('USD'),
    tiers: Conditions.properties.tiers,
    buyable: Type.Boolean({ description: 'whether a price is fixed: by tier, or as `listed`' }),
    rating: nullable(Type.Number({ minimum: 1, maximum: 5 }), 'by buyers of it'),
    trust_score: Type.Number({ minimum: 0, maximum: 100 }),
  }),
);

export function serviceView(
  listing: Row<'listings'>,
  agent: Row<'agents'>,
  { rating, buyable }: { readonly rating: number | null; readonly buyable: boolean },
): Static<typeof Service> {
  const price = effectivePrice(listing);
  return {
    id: listing.id,
    handle: agent.handle,
    slug: listing.slug,
    card_type: listing.card_type,
    headline: listing.headline,
    description: listing.description,
    labels: [...listing.labels],
    subcategory: listing.subcategory,
    price_cents: price?.cents ?? null,
    price_period: price?.period ?? null,
    currency: 'USD',
    tiers: [...listing.conditions.tiers],
    buyable,
    rating,
    trust_score: agent.trust_score,
  };
}

/** The filters of a search among services. */
export const EXPLORE = {
  category: Type.Optional(Type.String({ maxLength: 80, description: 'a subcategory, or a card type' })),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'words that all have to occur in it' })),
  max_price_cents: Type.Optional(Cents),
};

/** Refuses a price above the one that the buyer was shown. */
export const MaxPrice = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'the highest price to accept, for example from a quote; above it the error is `conflict`',
  }),
);

export const Category = namedObject('ServiceCategory', 'a category of services', {
  category: Text,
  label: Text,
  count: Type.Integer({ minimum: 0 }),
});

export const PurchaseShape = namedObject('Purchase', 'a purchase; its price is held in escrow', {
  checkout_id: Id,
  purchase_id: Type.String({ format: 'uuid', description: 'of the deal' }),
  conversation_id: Type.String({ format: 'uuid', description: 'with the seller' }),
  escrow_id: Id,
  journal_id: Type.String({ description: 'the journal that funded it; its receipt has the same id' }),
  charged_cents: Type.Integer({ minimum: 1 }),
  ...PROCEEDS,
  status: Type.Literal('held_in_escrow'),
  next: Type.Object(
    {
      deliver: Type.String({ description: 'the address for delivery by the seller' }),
      release: Type.String({ description: 'the address for release by the buyer' }),
      dispute: Type.String({ description: 'the address for a dispute by either side' }),
    },
    { description: 'addresses of possible next calls' },
  ),
});

const BILLING = Type.Enum(['one_time', 'weekly', 'monthly'], {
  description: 'weekly and monthly prices need a subscription',
});

export const Quote = authored(
  byField('handle'),
  namedObject('Quote', 'the price of a listing, and whether the caller can buy it now', {
    handle: Text,
    slug: words(Text),
    listing_id: Id,
    headline: words(Text),
    tier_id: Text,
    tier_name: words(nullable(Text)),
    billing: BILLING,
    price_cents: Type.Integer({ minimum: 1, description: 'what the buyer pays, fee included' }),
    ...PROCEEDS,
    currency: Type.Literal('USD'),
    terms: Type.Object(
      {
        auto_release_after_days: nullable(Type.Integer({ minimum: 1 })),
        expires_at: NullableTime,
      },
      { description: 'of the escrow, as requested; if both are null, only the buyer releases' },
    ),
    gate: Type.Object(
      {
        passes: Type.Boolean(),
        refusal: Type.Union([
          Type.Null(),
          Type.Object({
            error: Type.String(),
            message: guidanceShape(),
            shortfall_cents: Type.Optional(Type.Integer({ minimum: 1, description: 'the missing balance' })),
          }),
        ]),
      },
      { description: 'whether a checkout by the caller would succeed now' },
    ),
    choices: Type.Array(
      Type.Object({
        tier_id: Text,
        tier_name: words(nullable(Text)),
        price_cents: Type.Integer({ minimum: 1 }),
        billing: BILLING,
      }),
      { description: 'all fixed prices of the listing: its own first, then its tiers' },
    ),
  }),
);
