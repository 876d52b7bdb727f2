// What of a listing is bought, and for how much (interface.md, Marketplace and router; decisions.md 8): a tier, or its single fixed price, which
// checkout calls `listed`. What is paid once goes through checkout, what is paid by the week or month is subscribed to;
// what hangs on hours, units or talk has no fixed price.
import { type Fault, fault, invalid } from '../fault.ts';
import { TRANSFER_MAX_CENTS } from '../money/ledger.ts';
import type { Interval } from '../subscription/period.ts';
import { LISTED_TIER_ID } from './conditions.ts';
import type { Billing, Priced, PricePeriod } from './price.ts';

/** The parts of a listing that say what can be bought of it. */
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

/** Something to buy at a price. */
export interface Purchase {
  readonly tier_id: string;
  /** Null for the listing's own price. */
  readonly tier_name: string | null;
  readonly price_cents: number;
}

const BILLED = { weekly: 'week', monthly: 'month' } as const satisfies Record<Interval, PricePeriod>;

/** How a listing's pricing model reads its amount; what is missing here is settled in talk. */
const PERIODS: Readonly<Record<string, PricePeriod>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  yearly: 'year',
};

/** The listing's own price, for what it is; null where it names none, or none that is fixed. */
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

function absentTier({ conditions }: Sold): Fault<'not_found'> {
  const tiers = conditions.tiers.map(({ id }) => id);
  return fault('not_found', 'The listing has no such tier.', { tiers });
}

/** What a subscription of an interval costs: the tier that is named, else the fixed price, else the only tier that is billed so. */
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
