// Prices and budgets of listings in comparable form (questions.md 36 and 37): integer cents in USD, each for a period. Two
// prices are compared only for the same period, since "a month" says nothing about "an hour".

import { type Fault, fault } from '../fault.ts';
import { thousands } from '../text/thousands.ts';

/** The period of a price; a field of listings, `once` by default (rules.md 5). */
export const PRICE_PERIODS = ['once', 'hour', 'day', 'week', 'month', 'year'] as const;
export type PricePeriod = (typeof PRICE_PERIODS)[number];

/** How a tier is billed (rules.md 5). */
export const BILLINGS = ['one_time', 'weekly', 'monthly', 'hourly', 'per_unit'] as const;
export type Billing = (typeof BILLINGS)[number];

/** The excess over the budget, in per cent of the budget, up to which a pair may still negotiate. */
const TALK_PERCENT = 60;

export interface Tier {
  readonly id?: string;
  readonly name: string;
  readonly price_cents: number;
  readonly currency?: string;
  readonly billing?: Billing;
}

/** The fields of a listing with its amounts, in USD cents. */
export interface Priced {
  readonly card_type: string;
  readonly direction: 'offer' | 'seek';
  readonly price_cents?: number | null;
  readonly budget_cents?: number | null;
  readonly per_week_cents?: number | null;
  readonly per_month_cents?: number | null;
  readonly currency?: string | null;
  readonly price_period?: PricePeriod | null;
  readonly conditions?: { readonly tiers?: readonly Tier[] } | null;
  readonly fields?: Readonly<Record<string, unknown>> | null;
}

/** An amount for a period. `unit` is a tier billed per unit, which the other side never has, so it is not compared. */
export interface Price {
  readonly cents: number;
  readonly period: PricePeriod | 'unit';
}

const TIER_PERIOD = {
  one_time: 'once',
  weekly: 'week',
  monthly: 'month',
  hourly: 'hour',
  per_unit: 'unit',
} as const satisfies Record<Billing, Price['period']>;

// Card types whose listings are complete without an amount (questions.md 36).
const UNPRICED_TYPES: ReadonlySet<string> = new Set(['partnering', 'link_exchange', 'job_seeking', 'hiring']);

/** Whether a listing needs an amount to be complete: not for Q36's card types, `fields.pricing_model: free`, and seeks that ask for quotes. */
export function needsPrice({
  card_type,
  direction,
  fields,
}: Pick<Priced, 'card_type' | 'direction' | 'fields'>): boolean {
  const model = fields?.pricing_model;
  return !UNPRICED_TYPES.has(card_type) && model !== 'free' && !(direction === 'seek' && model === 'quote');
}

function cents(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/**
 * All amounts of a listing, one for each period: an offer's lowest, a seek's highest, since an offer is affordable when its
 * cheapest option is, and a seek can pay up to its largest. The listing's own column precedes its tiers and fields; a link
 * seek's `fields.budget_cents_per_link` precedes a total, since it is the budget of one link.
 */
export function effectivePrices(listing: Priced): readonly Price[] {
  const period = listing.price_period ?? 'once';
  const fields = listing.fields ?? {};
  const seek = listing.direction === 'seek';
  const own = cents(listing.price_cents) ?? cents(fields.price_cents);
  const budget = cents(fields.budget_cents_per_link) ?? cents(listing.budget_cents);
  const main = seek ? (budget ?? own) : (own ?? budget);
  const found = new Map<Price['period'], number>();
  const add = (at: Price['period'], amount: number | null): void => {
    if (amount === null) return;
    const before = found.get(at);
    found.set(at, before === undefined ? amount : seek ? Math.max(before, amount) : Math.min(before, amount));
  };
  if (main !== null) found.set(period, main);
  for (const tier of listing.conditions?.tiers ?? []) {
    const at = TIER_PERIOD[tier.billing ?? 'one_time'];
    if (at !== period || main === null) add(at, cents(tier.price_cents));
  }
  add('week', cents(listing.per_week_cents));
  add('month', cents(listing.per_month_cents));
  return [...found].map(([at, amount]) => ({ period: at, cents: amount }));
}

/** The amount to show: of the listing's own period, else of the first tier or fixed field; null without an amount. */
export function effectivePrice(listing: Priced): Price | null {
  const prices = effectivePrices(listing);
  return prices.find((price) => price.period === (listing.price_period ?? 'once')) ?? prices[0] ?? null;
}

/** Compares an offer's price with a seek's budget of the same period. */
export interface PriceFit {
  readonly within: boolean;
  /** Above the budget, within the range of negotiation. */
  readonly near: boolean;
  readonly price: Price;
  readonly budget: Price;
}

/** The highest price near a budget, and the lowest budget near a price. */
export const nearestPrice = (budget: Price): Price => ({
  ...budget,
  cents: Math.floor((budget.cents * (100 + TALK_PERCENT)) / 100),
});
export const nearestBudget = (price: Price): Price => ({
  ...price,
  cents: Math.ceil((price.cents * 100) / (100 + TALK_PERCENT)),
});

/** The excess of a near price, above 0 to 1 of the range of negotiation. */
export const distanceOf = ({ price, budget }: PriceFit): number =>
  ((price.cents / budget.cents - 1) * 100) / TALK_PERCENT;

/** Compares in the common period that fits best; null without a common period. */
export function comparePrices(offer: readonly Price[], seek: readonly Price[]): PriceFit | null {
  let over: PriceFit | null = null;
  for (const price of offer) {
    if (price.period === 'unit') continue;
    const budget = seek.find((candidate) => candidate.period === price.period);
    if (!budget) continue;
    const within = price.cents <= budget.cents;
    const near = !within && price.cents <= nearestPrice(budget).cents;
    if (within) return { within, near, price, budget };
    if (over === null || (near && !over.near)) over = { within, near, price, budget };
  }
  return over;
}

/** USD is the only currency (questions.md 5); fault `unsupported_currency` naming the field. */
export function checkCurrency(listing: Priced): Fault<'unsupported_currency'> | null {
  const named = [
    { path: 'currency', currency: listing.currency },
    { path: 'fields.currency', currency: listing.fields?.currency },
    ...(listing.conditions?.tiers ?? []).map((tier, index) => ({
      path: `conditions.tiers.${index}.currency`,
      currency: tier.currency,
    })),
  ];
  const wrong = named.find(({ currency }) => currency !== undefined && currency !== null && currency !== 'USD');
  if (!wrong) return null;
  return fault('unsupported_currency', undefined, {
    fields: [{ path: wrong.path, message: 'Only USD is supported.' }],
  });
}

const PER: Readonly<Record<Price['period'], string>> = {
  once: '',
  hour: ' an hour',
  day: ' a day',
  week: ' a week',
  month: ' a month',
  year: ' a year',
  unit: ' a unit',
};

/** An amount for people: `$1,200`, `$49.50 an hour`. */
export function moneyText(price: Price): string {
  const dollars = thousands(Math.floor(price.cents / 100));
  const rest = price.cents % 100;
  return `$${dollars}${rest === 0 ? '' : `.${rest.toString().padStart(2, '0')}`}${PER[price.period]}`;
}
