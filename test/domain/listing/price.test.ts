// Guarantees of prices: amounts of one period are compared and no others, and a listing's amount is found wherever the
// interface lets it stand.

import { describe, expect, test } from 'bun:test';
import {
  checkCurrency,
  comparePrices,
  effectivePrice,
  effectivePrices,
  moneyText,
  nearestBudget,
  nearestPrice,
  needsPrice,
  type Price,
  type Priced,
} from '../../../src/domain/listing/price.ts';

const offer = (part: Partial<Priced>): Priced => ({ card_type: 'selling', direction: 'offer', ...part });
const seek = (part: Partial<Priced>): Priced => ({ card_type: 'buying', direction: 'seek', ...part });

describe('which listings need an amount', () => {
  test.each([
    ['selling', {}, true],
    ['buying', {}, true],
    ['fundraising', {}, true],
    ['investing', {}, true],
    ['link_building', {}, true],
    ['partnering', {}, false],
    ['link_exchange', {}, false],
    ['job_seeking', {}, false],
    ['hiring', {}, false],
    ['selling', { pricing_model: 'free' }, false],
    ['selling', { pricing_model: 'fixed' }, true],
  ])('%p with fields %p: %p', (card_type, fields, needed) =>
    expect(needsPrice({ card_type, direction: 'offer', fields })).toBe(needed),
  );
});

describe('the amount of a listing is found', () => {
  const tiers = [
    { name: 'Pro', price_cents: 9900, billing: 'monthly' as const },
    { name: 'Basic', price_cents: 4900, billing: 'monthly' as const },
    { name: 'Set-up', price_cents: 20000 },
  ];
  test.each<[string, Priced, Price | null]>([
    ['in price_cents', offer({ price_cents: 100 }), { cents: 100, period: 'once' }],
    ['free of charge', offer({ price_cents: 0 }), { cents: 0, period: 'once' }],
    ['for its period', offer({ price_cents: 100, price_period: 'hour' }), { cents: 100, period: 'hour' }],
    ['in fields.price_cents', offer({ fields: { price_cents: 7 } }), { cents: 7, period: 'once' }],
    ['in tiers, once first', offer({ conditions: { tiers } }), { cents: 20000, period: 'once' }],
    ['in the cheapest tier', offer({ conditions: { tiers: tiers.slice(0, 2) } }), { cents: 4900, period: 'month' }],
    ['in per_month_cents', offer({ per_month_cents: 5 }), { cents: 5, period: 'month' }],
    ['in budget_cents', seek({ budget_cents: 300 }), { cents: 300, period: 'once' }],
    [
      'in a link budget',
      seek({ budget_cents: 900, fields: { budget_cents_per_link: 50 } }),
      { cents: 50, period: 'once' },
    ],
    ['in a seek with a price', seek({ price_cents: 40 }), { cents: 40, period: 'once' }],
    ['nowhere', offer({}), null],
    ['nowhere when it is no integer', offer({ fields: { price_cents: '7' } }), null],
  ])('%s', (_where, listing, price) => expect(effectivePrice(listing)).toEqual(price));

  test('one for each period, the column before the tiers', () => {
    expect(effectivePrices(offer({ price_cents: 10, conditions: { tiers } }))).toEqual([
      { period: 'once', cents: 10 },
      { period: 'month', cents: 4900 },
    ]);
  });
});

describe('an offer against a budget', () => {
  const p = (cents: number, period: Price['period'] = 'once'): Price => ({ cents, period });
  test.each<[string, Price[], Price[], boolean | null]>([
    ['below', [p(99)], [p(100)], true],
    ['exactly at it', [p(100)], [p(100)], true],
    ['one cent above', [p(101)], [p(100)], false],
    ['of another period', [p(101, 'hour')], [p(100, 'year')], null],
    ['without a price', [], [p(100)], null],
    ['without a budget', [p(1)], [], null],
    ['within in one of two periods', [p(101), p(5, 'month')], [p(100), p(9, 'month')], true],
    ['a unit, which is for nothing', [p(5, 'unit')], [p(1)], null],
  ])('%s', (_case, prices, budgets, within) => {
    expect(comparePrices(prices, budgets)?.within ?? null).toBe(within);
  });

  test('is near up to 60 % above it, in the period that fits best', () => {
    expect(comparePrices([p(160)], [p(100)])).toMatchObject({ within: false, near: true });
    expect(comparePrices([p(161)], [p(100)])).toMatchObject({ within: false, near: false });
    expect(comparePrices([p(1)], [p(0)])).toMatchObject({ within: false, near: false });
    const both = comparePrices([p(900), p(15, 'month')], [p(100), p(10, 'month')]);
    expect(both).toMatchObject({ near: true, price: { period: 'month' } });
    for (let cents = 1; cents < 400; cents++) {
      const meets = (price: Price, budget: Price): boolean => {
        const fit = comparePrices([price], [budget]);
        return fit !== null && (fit.within || fit.near);
      };
      const [price, budget] = [nearestPrice(p(cents)), nearestBudget(p(cents))];
      expect([meets(price, p(cents)), meets(p(price.cents + 1), p(cents))]).toEqual([true, false]);
      expect([meets(p(cents), budget), meets(p(cents), p(budget.cents - 1))]).toEqual([true, false]);
    }
  });
});

describe('currency', () => {
  test.each<[Partial<Priced>, string | null]>([
    [{}, null],
    [{ currency: 'USD' }, null],
    [{ currency: 'EUR' }, 'currency'],
    [{ fields: { currency: 'EUR' } }, 'fields.currency'],
    [
      {
        conditions: {
          tiers: [
            { name: 'a', price_cents: 1 },
            { name: 'b', price_cents: 1, currency: 'usd' },
          ],
        },
      },
      'conditions.tiers.1.currency',
    ],
  ])('%p is refused at %p', (part, path) => {
    const refused = checkCurrency(offer(part));
    if (path === null) expect(refused).toBeNull();
    else expect(refused).toMatchObject({ fault: 'unsupported_currency', data: { fields: [{ path }] } });
  });
});

test.each<[Price, string]>([
  [{ cents: 120000, period: 'once' }, '$1,200'],
  [{ cents: 4950, period: 'hour' }, '$49.50 an hour'],
  [{ cents: 123456789, period: 'year' }, '$1,234,567.89 a year'],
  [{ cents: 5, period: 'month' }, '$0.05 a month'],
])('%p reads %p', (price, text) => expect(moneyText(price)).toBe(text));
