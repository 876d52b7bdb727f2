// The purchasable parts of a listing and their prices (interface.md, Marketplace and router; rules.md 8): a tier, or the single fixed
// price, which checkout calls `listed`. One-time prices go through checkout, weekly and monthly ones are subscriptions; prices by hour,
// by unit or by negotiation are not fixed.
import { type Fault, fault, invalid, isFault } from '../fault.ts';
import { TRANSFER_MAX_CENTS } from '../money/ledger.ts';
import { INTERVALS, type Interval } from '../subscription/period.ts';
import { LISTED_TIER_ID } from './conditions.ts';
import type { Billing, Priced, PricePeriod } from './price.ts';

/** The fields of a listing that decide what can be bought. */
export interface Sold extends Priced {
  readonly conditions: {
    readonly tiers: readonly {
      readonly id: string;
      readonly name: string;
      readonly price_cents: number;
      readonly billing: Billing;
    }[];
  };
}

export interface Purchase {
  readonly tier_id: string;
  /** Null for the listing's own price. */
  readonly tier_name: string | null;
  readonly price_cents: number;
}

const BILLED = { weekly: 'week', monthly: 'month' } as const satisfies Record<Interval, PricePeriod>;

/** The period of each pricing model; other models are negotiated. */
const PERIODS: Readonly<Record<string, PricePeriod>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  yearly: 'year',
};

/** The listing's own price and its period; null without a fixed one. */
function ownPrice({ price_cents, price_period, fields }: Sold): { cents: number; period: PricePeriod } | null {
  const cents = price_cents ?? fields?.price_cents;
  const model = fields?.pricing_model;
  if (typeof cents !== 'number') return null;
  if (model === undefined || model === 'fixed') return { cents, period: price_period ?? 'once' };
  const period = typeof model === 'string' ? PERIODS[model] : undefined;
  return period === undefined ? null : { cents, period };
}

function recurringOwn(listing: Sold, interval: Interval): number | null {
  const fixed = interval === 'weekly' ? listing.per_week_cents : listing.per_month_cents;
  if (typeof fixed === 'number') return fixed;
  const own = ownPrice(listing);
  return own?.period === BILLED[interval] ? own.cents : null;
}

function bought(tier_id: string, tier_name: string | null, price_cents: number): Purchase | Fault<'no_fixed_price'> {
  const payable = price_cents >= 1 && price_cents <= TRANSFER_MAX_CENTS;
  return payable ? { tier_id, tier_name, price_cents } : fault('no_fixed_price', 'Nothing can be charged for that.');
}

/** The refusal of a price above the buyer's maximum, or null. */
export function dearerThan(most_cents: number | undefined, price_cents: number): Fault<'conflict'> | null {
  if (most_cents === undefined || price_cents <= most_cents) return null;
  return fault('conflict', 'It costs more than that by now; nothing was charged.', { price_cents });
}

/** The 404 that names the existing tiers, and `listed` where the own price is fixed. */
function absentTier(listing: Sold): Fault<'not_found'> {
  const own = hasOwnPrice(listing) ? [LISTED_TIER_ID] : [];
  const tiers = [...own, ...listing.conditions.tiers.map(({ id }) => id)];
  return fault('not_found', 'The listing has no such tier.', { tiers });
}

/** Whether a listing names any amount. */
export function isPriced(listing: Sold): boolean {
  const { price_cents, per_week_cents, per_month_cents, fields, conditions } = listing;
  const amounts = [price_cents, per_week_cents, per_month_cents, fields?.price_cents];
  return conditions.tiers.length > 0 || amounts.some((amount) => typeof amount === 'number');
}

/** One-time prices of a listing: its own price and its tiers, lowest first. Hourly prices say nothing about the whole. */
export function wholePrices(listing: Sold): readonly number[] {
  const own = ownPrice(listing);
  const tiers = listing.conditions.tiers.filter(({ billing }) => billing === 'one_time');
  const prices = [...(own?.period === 'once' ? [own.cents] : []), ...tiers.map(({ price_cents }) => price_cents)];
  return [...new Set(prices)].filter((cents) => cents > 0).sort((a, b) => a - b);
}

/** Whether it can be bought at its own price, apart from tiers. */
function hasOwnPrice(listing: Sold): boolean {
  if (ownPrice(listing)?.period === 'once') return true;
  return recurringOwn(listing, 'weekly') !== null || recurringOwn(listing, 'monthly') !== null;
}

/** Whether a listing can be bought at a fixed price, once or as a subscription. */
export function hasFixedPrice(listing: Sold): boolean {
  if (hasOwnPrice(listing)) return true;
  return listing.conditions.tiers.some(({ billing }) => billing !== 'hourly' && billing !== 'per_unit');
}

/** The price of a tier at checkout; 404 for an unknown tier, 409 `use_subscription` or `no_fixed_price`. */
export function boughtOnce(
  listing: Sold,
  tier_id: string,
): Purchase | Fault<'not_found' | 'no_fixed_price' | 'use_subscription'> {
  if (tier_id !== LISTED_TIER_ID) {
    const tier = listing.conditions.tiers.find(({ id }) => id === tier_id);
    if (!tier) return absentTier(listing);
    if (tier.billing === 'weekly' || tier.billing === 'monthly') return fault('use_subscription');
    return tier.billing === 'one_time' ? bought(tier.id, tier.name, tier.price_cents) : fault('no_fixed_price');
  }
  const own = ownPrice(listing);
  if (own?.period === 'once') return bought(LISTED_TIER_ID, null, own.cents);
  if (recurringOwn(listing, 'weekly') !== null || recurringOwn(listing, 'monthly') !== null) {
    return fault('use_subscription');
  }
  return own === null && listing.conditions.tiers.length > 0 ? absentTier(listing) : fault('no_fixed_price');
}

/** The price of a subscription of an interval: the named tier, else the fixed price, else the only tier with this billing. */
export function boughtRecurring(
  listing: Sold,
  interval: Interval,
  tier_id: string | null,
): Purchase | Fault<'not_found' | 'no_fixed_price' | 'invalid_request'> {
  const { tiers } = listing.conditions;
  const own = recurringOwn(listing, interval);
  if (tier_id === LISTED_TIER_ID || (tier_id === null && own !== null)) {
    return own === null ? fault('no_fixed_price') : bought(LISTED_TIER_ID, null, own);
  }
  const fitting = tiers.filter(({ id, billing }) => billing === interval && (tier_id === null || id === tier_id));
  const [tier, another] = fitting;
  if (another) return invalid({ path: 'tier_id', message: `Name one of ${fitting.map(({ id }) => id).join(', ')}.` });
  if (tier) return bought(tier.id, tier.name, tier.price_cents);
  const named = tier_id === null || tiers.some(({ id }) => id === tier_id);
  return named ? fault('no_fixed_price', `That has no ${interval} price.`) : absentTier(listing);
}

/** A purchase with its billing. */
export interface Quoted extends Purchase {
  readonly billing: 'one_time' | Interval;
}

/** The price of a tier with any billing, for quotes. */
export function quoted(listing: Sold, tier_id: string): Quoted | Fault<'not_found' | 'no_fixed_price'> {
  const once = boughtOnce(listing, tier_id);
  if (!isFault(once)) return { ...once, billing: 'one_time' };
  for (const billing of INTERVALS) {
    const recurring = boughtRecurring(listing, billing, tier_id);
    if (!isFault(recurring)) return { ...recurring, billing };
  }
  return once.fault === 'not_found' ? fault('not_found', once.message, once.data) : fault('no_fixed_price');
}

/** All fixed prices: the listing's own first, then its tiers. */
export function quotedAll(listing: Sold): Quoted[] {
  const ids = [LISTED_TIER_ID, ...listing.conditions.tiers.map(({ id }) => id)];
  return ids.flatMap((id) => {
    const found = quoted(listing, id);
    return isFault(found) ? [] : [found];
  });
}
