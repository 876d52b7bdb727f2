// Listings as skills of a card.
import { expect, test } from 'bun:test';
import { type Advertised, activeModes, skillOf } from '../../../src/domain/agent/card.ts';

const listing: Advertised = {
  id: 'a',
  card_type: 'selling',
  direction: 'offer',
  headline: 'Ropes',
  description: '',
  geo: null,
  labels: ['ropes'],
  currency: 'USD',
  conditions: { dealbreakers: [] },
  fields: {},
};
const pricing = (more: Partial<Advertised>) => skillOf({ ...listing, ...more }).metadata.pricing;

test.each([
  [{ price_cents: 1_999 }, 'fixed', 19.99, 1_999],
  [{ price_cents: 5_000, price_period: 'month' as const }, 'monthly', 50, 5_000],
  [{ direction: 'seek' as const, budget_cents: 250 }, 'fixed', 2.5, 250],
  [{ per_week_cents: 700 }, 'weekly', 7, 700],
  [{ price_cents: 100, fields: { pricing_model: 'negotiable' } }, 'negotiable', 1, 100],
])('%o is priced in dollars, with the cents beside', (more, model, amount, amount_cents) => {
  expect(pricing(more)).toEqual({ model, amount, amount_cents, currency: 'USD' });
});

test('what is free says so, and what names no amount has no price', () => {
  expect(pricing({ fields: { pricing_model: 'free' } })).toEqual({
    model: 'free',
    amount: null,
    amount_cents: null,
    currency: 'USD',
  });
  expect(pricing({})).toBeNull();
});

test('a long description is cut between characters, and the headline stands in for none', () => {
  expect(skillOf(listing).description).toBe('Ropes');
  const { description } = skillOf({ ...listing, description: '🪢'.repeat(400) });
  expect(description).toBe(`${'🪢'.repeat(249)}…`);
});

test('capacity and stage are told as they stand, and nothing that is a structure', () => {
  const { metadata } = skillOf({ ...listing, fields: { capacity: 3, stage: { secret: 1 } } });
  expect([metadata.capacity, metadata.stage]).toEqual([3, null]);
});

test('the modes are the sides of its listings', () => {
  expect(activeModes([], false)).toEqual([]);
  expect(activeModes([{ direction: 'seek' }, { direction: 'offer' }, { direction: 'seek' }], false)).toEqual([
    'offer',
    'seek',
  ]);
});
