// Guarantees of what a listing can be bought for: once at a fixed price, again and again at one for the interval, or not without a word.
import { describe, expect, test } from 'bun:test';
import { isFault } from '../../../src/domain/fault.ts';
import {
  boughtOnce,
  boughtRecurring,
  hasFixedPrice,
  isPriced,
  quoted,
  quotedAll,
  type Sold,
  wholePrices,
} from '../../../src/domain/listing/purchase.ts';

const tier = (id: string, billing: Sold['conditions']['tiers'][number]['billing'], price_cents = 500) => ({
  id,
  name: id.toUpperCase(),
  price_cents,
  billing,
});
const listing = (part: Partial<Sold> = {}): Sold => ({
  card_type: 'selling',
  direction: 'offer',
  fields: {},
  conditions: { tiers: [] },
  ...part,
});
const ALL = listing({
  conditions: { tiers: ['one_time', 'weekly', 'monthly', 'hourly', 'per_unit'].map((b) => tier(b, b as 'weekly')) },
});
/** The price, or the code of the refusal. */
const told = (found: { price_cents: number } | { fault: string }): number | string =>
  'fault' in found ? found.fault : found.price_cents;

describe('the whole', () => {
  test.each<[string, Sold, readonly number[]]>([
    ['a fixed price', listing({ price_cents: 900 }), [900]],
    ['a price by the hour', listing({ price_cents: 900, price_period: 'hour' }), []],
    [
      'a price that the fields say is by the hour',
      listing({ price_cents: 9, fields: { pricing_model: 'hourly' } }),
      [],
    ],
    ['tiers', listing({ conditions: { tiers: [tier('a', 'one_time', 700), tier('b', 'hourly', 5)] } }), [700]],
    [
      'a price and tiers',
      listing({ price_cents: 900, conditions: { tiers: [tier('a', 'one_time', 700), tier('b', 'one_time', 900)] } }),
      [700, 900],
    ],
    ['nothing', listing({ price_cents: 0 }), []],
  ])('costs, of %s', (_what, given, wanted) => expect(wholePrices(given)).toEqual(wanted));
});

describe('a checkout', () => {
  test.each<[string, Sold, string, number | string]>([
    ['a single fixed price', listing({ price_cents: 900 }), 'listed', 900],
    ['a price among the fields', listing({ fields: { price_cents: 800 } }), 'listed', 800],
    ['a price said to be fixed', listing({ price_cents: 900, fields: { pricing_model: 'fixed' } }), 'listed', 900],
    ['a price by the hour', listing({ price_cents: 900, price_period: 'hour' }), 'listed', 'no_fixed_price'],
    [
      'a model by the hour',
      listing({ price_cents: 900, fields: { pricing_model: 'hourly' } }),
      'listed',
      'no_fixed_price',
    ],
    [
      'a price to talk about',
      listing({ price_cents: 900, fields: { pricing_model: 'quote' } }),
      'listed',
      'no_fixed_price',
    ],
    ['a price by the week', listing({ price_cents: 900, price_period: 'week' }), 'listed', 'use_subscription'],
    [
      'a model by the month',
      listing({ price_cents: 9, fields: { pricing_model: 'monthly' } }),
      'listed',
      'use_subscription',
    ],
    ['a weekly price alone', listing({ per_week_cents: 100 }), 'listed', 'use_subscription'],
    ['a price beside a weekly one', listing({ price_cents: 900, per_week_cents: 100 }), 'listed', 900],
    ['no price', listing(), 'listed', 'no_fixed_price'],
    ['nothing to pay', listing({ price_cents: 0 }), 'listed', 'no_fixed_price'],
    ['more than money moves', listing({ price_cents: 10_000_000_001 }), 'listed', 'no_fixed_price'],
    ['tiers and no price', ALL, 'listed', 'not_found'],
    ['a tier', ALL, 'one_time', 500],
    ['a weekly tier', ALL, 'weekly', 'use_subscription'],
    ['a monthly tier', ALL, 'monthly', 'use_subscription'],
    ['an hourly tier', ALL, 'hourly', 'no_fixed_price'],
    ['a tier by the unit', ALL, 'per_unit', 'no_fixed_price'],
    ['a tier that is not there', ALL, 'gold', 'not_found'],
    ['a tier by its name', ALL, 'ONE_TIME', 'not_found'],
    ['a free tier', listing({ conditions: { tiers: [tier('a', 'one_time', 0)] } }), 'a', 'no_fixed_price'],
  ])('of %s', (_what, given, tier_id, wanted) => expect(told(boughtOnce(given, tier_id))).toBe(wanted));
});

describe('a subscription', () => {
  const TWO = listing({ conditions: { tiers: [tier('a', 'weekly'), tier('b', 'weekly', 700)] } });
  test.each<[string, Sold, 'weekly' | 'monthly', string | null, number | string]>([
    ['the weekly price', listing({ per_week_cents: 100 }), 'weekly', null, 100],
    ['the monthly price', listing({ per_month_cents: 300 }), 'monthly', null, 300],
    ['the other interval', listing({ per_week_cents: 100 }), 'monthly', null, 'no_fixed_price'],
    ['a price for that period', listing({ price_cents: 900, price_period: 'month' }), 'monthly', null, 900],
    ['a price that is paid once', listing({ price_cents: 900 }), 'monthly', null, 'no_fixed_price'],
    ['the only tier', ALL, 'monthly', null, 500],
    ['one of two tiers', TWO, 'weekly', 'b', 700],
    ['none of two tiers', TWO, 'weekly', null, 'invalid_request'],
    ['the price before tiers', { ...TWO, per_week_cents: 100 }, 'weekly', null, 100],
    ['the price by its name', { ...TWO, per_week_cents: 100 }, 'weekly', 'listed', 100],
    ['a price by name that is not there', TWO, 'weekly', 'listed', 'no_fixed_price'],
    ['a tier of the other interval', ALL, 'weekly', 'monthly', 'no_fixed_price'],
    ['a tier that is not there', ALL, 'weekly', 'gold', 'not_found'],
  ])('at %s', (_what, given, interval, tier_id, wanted) =>
    expect(told(boughtRecurring(given, interval, tier_id))).toBe(wanted),
  );
});

test('a quote tells how a tier is billed', () => {
  const billed = (given: Sold, tier_id: string): string => {
    const found = quoted(given, tier_id);
    return isFault(found) ? found.fault : found.billing;
  };
  expect(['one_time', 'weekly', 'monthly', 'hourly', 'gold'].map((id) => billed(ALL, id))).toEqual([
    'one_time',
    'weekly',
    'monthly',
    'no_fixed_price',
    'not_found',
  ]);
  expect(billed(listing({ per_month_cents: 5 }), 'listed')).toBe('monthly');
});

test('a tier that is not there is refused with those that are', () => {
  const tiersOf = (given: Sold): unknown => {
    const found = boughtOnce(given, 'gold');
    return isFault(found) && found.data['tiers'];
  };
  expect(tiersOf(listing({ price_cents: 5 }))).toEqual(['listed']);
  expect(tiersOf(listing({ price_cents: 5, conditions: { tiers: [tier('a', 'one_time')] } }))).toEqual(['listed', 'a']);
  expect(tiersOf(listing({ conditions: { tiers: [tier('a', 'one_time')] } }))).toEqual(['a']);
});

test('all that has a fixed price is told, the own price first', () => {
  const ids = (given: Sold): string[] => quotedAll(given).map(({ tier_id }) => tier_id);
  expect(ids(ALL)).toEqual(['one_time', 'weekly', 'monthly']);
  expect(ids({ ...ALL, price_cents: 5 })).toEqual(['listed', 'one_time', 'weekly', 'monthly']);
  expect(ids(listing({ price_cents: 5, price_period: 'hour' }))).toEqual([]);
});

test('an amount makes a service, and a fixed one makes it one to buy', () => {
  const both = (given: Sold): boolean[] => [isPriced(given), hasFixedPrice(given)];
  expect(both(listing())).toEqual([false, false]);
  expect(both(listing({ price_cents: 5, price_period: 'hour' }))).toEqual([true, false]);
  expect(both(listing({ conditions: { tiers: [tier('a', 'hourly')] } }))).toEqual([true, false]);
  expect(both(listing({ price_cents: 5 }))).toEqual([true, true]);
  expect(both(listing({ per_week_cents: 5 }))).toEqual([true, true]);
  expect(both(ALL)).toEqual([true, true]);
});
