// Guarantees of matching: a pair that may not meet never does, in either order; a better fit never scores less; the
// reasons say in words what spoke for the pair.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CARD_TYPES } from '../../../src/domain/listing/listing.ts';
import {
  counterpartOf,
  FIT_WEIGHTS,
  labelRarity,
  MIN_SCORE,
  orderPair,
  type PairFacts,
  scoreMatch,
  textCloseness,
} from '../../../src/domain/match/match.ts';
import { reasonClause } from '../../../src/domain/match/reason-clause.ts';
import { makeMatchSide } from '../../../src/domain/match/side.ts';
import { matchListing, type ListingPart as Part, WANT } from '../../support/match-listing.ts';

/** As a model has it whose unrelated texts are at .35. */
const FACTS = { cosine: 0.6, floor: 0.35 };
const pair = (offer: Part, seek: Part, facts: Partial<PairFacts> = {}): ReturnType<typeof scoreMatch> =>
  scoreMatch(makeMatchSide(matchListing(offer)), makeMatchSide(matchListing({ ...WANT, ...seek })), {
    ...FACTS,
    ...facts,
  });
const refusalOf = (result: ReturnType<typeof scoreMatch>): string | null =>
  'refused' in result ? result.refused : null;
const clausesOf = (result: ReturnType<typeof scoreMatch>): string[] =>
  'reasons' in result ? result.reasons.map(reasonClause) : [];
const scoreOf = (result: ReturnType<typeof scoreMatch>): number => ('score' in result ? result.score : 0);

describe('a pair never meets', () => {
  test.each<[string, Part, Part, Partial<PairFacts>, string]>([
    ['of types that do not pair', {}, { card_type: 'hiring' }, {}, 'type'],
    ['of two offers', {}, { card_type: 'selling', direction: 'offer' }, {}, 'type'],
    [
      'of two link seeks',
      { card_type: 'link_building', direction: 'seek' },
      { card_type: 'link_building' },
      {},
      'type',
    ],
    ['of one account', { account_id: 'account-s' }, {}, {}, 'own_account'],
    ['with a hidden agent', { visibility: 'hidden' }, {}, {}, 'hidden'],
    ['with a hidden seeker', {}, { visibility: 'hidden' }, {}, 'hidden'],
    ['after a block', {}, {}, { blocked: true }, 'blocked'],
    ['after a refusal', {}, {}, { declined: true }, 'declined'],
    ['in two countries', { geo: 'Berlin, Germany' }, { geo: 'Lyon, France' }, {}, 'geography'],
    ['more than 60 % over the budget', { price_cents: 1601 }, { budget_cents: 1000 }, {}, 'price'],
    [
      'a cent over a firm budget',
      { price_cents: 1001 },
      { budget_cents: 1000, conditions: { price_firm: true } },
      {},
      'price',
    ],
    [
      'a cent under a firm price',
      { price_cents: 1001, conditions: { price_firm: true } },
      { budget_cents: 1000 },
      {},
      'price',
    ],
    [
      'over a budget that is among the dealbreakers',
      { price_cents: 1001 },
      { budget_cents: 1000, conditions: { dealbreakers: ['over my budget'] } },
      {},
      'price',
    ],
    [
      'with a dealbreaker of the seek',
      { description: 'We are an agency of ten.' },
      { conditions: { dealbreakers: ['no agencies'] } },
      {},
      'dealbreaker',
    ],
    [
      'with a dealbreaker of the offer',
      { conditions: { dealbreakers: ['casino'] } },
      { labels: ['kubernetes', 'terraform', 'online-casinos'] },
      {},
      'dealbreaker',
    ],
    ['with a dealbreaker place', { geo: 'Texas, US' }, { conditions: { dealbreakers: ['Texas'] } }, {}, 'dealbreaker'],
    [
      'without a common word or meaning',
      { labels: ['bakery'] },
      { labels: ['chess'] },
      { cosine: 0.1 },
      'below_minimum',
    ],
    ['without labels or vectors', { labels: [] }, { labels: [] }, { cosine: null }, 'below_minimum'],
  ])('%s', (_why, offer, seek, facts, reason) => {
    expect(refusalOf(pair(offer, seek, facts))).toBe(reason);
    const [a, b] = [makeMatchSide(matchListing(offer)), makeMatchSide(matchListing({ ...WANT, ...seek }))];
    expect(scoreMatch(b, a, { ...FACTS, ...facts })).toEqual(scoreMatch(a, b, { ...FACTS, ...facts }));
  });

  test('yet does above the budget where neither is firm, the worse the dearer', () => {
    const at = (price_cents: number) => pair({ price_cents }, { budget_cents: 160_000 });
    const scores = [80_000, 160_000, 160_001, 240_000, 256_000].map((cents) => {
      const result = at(cents);
      return 'score' in result ? result.score : 0;
    });
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(5);
    expect(clausesOf(at(240_000))).toContain('asks $2,400, the budget is $1,600; neither is firm');
  });

  test('yet does where the two say nothing against each other', () => {
    expect(refusalOf(pair({ visibility: 'stealth' }, {}))).toBeNull();
    expect(refusalOf(pair({ price_cents: 1001, price_period: 'hour' }, { budget_cents: 1000 }))).toBeNull();
    expect(refusalOf(pair({ geo: 'somewhere nice' }, { geo: 'Lyon, France' }))).toBeNull();
    expect(refusalOf(pair({ geo: 'Remote' }, { geo: 'Lyon, France' }))).toBeNull();
    expect(
      refusalOf(pair({ description: 'We take no casinos.' }, { conditions: { dealbreakers: ['casino'] } })),
    ).toBeNull();
  });
});

test.each([
  [1, 1, 1],
  [20, 20, 1],
  [100, 100_000, 1],
  [1_000, 100_000, 0.67],
  [10_000, 100_000, 0.33],
  [100_000, 100_000, 0.1],
])('a label with %p uses among %p listings tells %p', (uses, listings, rarity) => {
  expect(labelRarity(uses, listings)).toBeCloseTo(rarity, 2);
});

test('each card type meets its counterpart, and the counterpart meets it', () => {
  const met = CARD_TYPES.map(
    (card_type) => `${card_type}–${counterpartOf({ card_type, direction: 'offer' }).card_type}`,
  );
  expect(met).toEqual([
    'selling–buying',
    'buying–selling',
    'hiring–job_seeking',
    'job_seeking–hiring',
    'fundraising–investing',
    'investing–fundraising',
    'partnering–partnering',
    'link_building–link_building',
    'link_exchange–link_exchange',
  ]);
  for (const card_type of ['partnering', 'link_exchange'] as const) {
    expect(refusalOf(pair({ card_type }, { card_type, direction: 'offer' }))).toBeNull();
    expect(orderPair({ id: '2', direction: 'offer' }, { id: '1', direction: 'offer' }).offer.id).toBe('1');
  }
  expect(refusalOf(pair({ card_type: 'link_building' }, { card_type: 'link_building' }))).toBeNull();
});

describe('the score', () => {
  test('of labels in common alone is a match, and so is a close text alone', () => {
    expect(scoreOf(pair({}, {}, { cosine: null }))).toBeGreaterThan(MIN_SCORE);
    expect(scoreOf(pair({ labels: ['k8s-ops'] }, { labels: ['kubernetes'] }, { cosine: 0.7 }))).toBeGreaterThan(
      MIN_SCORE,
    );
  });

  const base = scoreOf(pair({}, {}));
  test.each<[string, Part, Part, Partial<PairFacts>]>([
    ['closer texts', {}, {}, { cosine: 0.7 }],
    [
      'more shared labels',
      { labels: ['kubernetes', 'terraform', 'aws'] },
      { labels: ['kubernetes', 'terraform', 'aws'] },
      {},
    ],
    ['a price within budget', { price_cents: 90 }, { budget_cents: 100 }, {}],
    ['one city', { geo: 'Portland, Oregon' }, { geo: 'Portland, OR' }, {}],
    [
      'a preference met',
      { labels: ['kubernetes', 'terraform', 'aws'] },
      { conditions: { preferences: [{ label: 'aws', weight: 1 }] } },
      {},
    ],
    ['more trust', { trust_score: 90 }, {}, {}],
    ['fast answers', { responsiveness: 'fast' }, {}, {}],
  ])('rises with %s', (_what, offer, seek, facts) => expect(scoreOf(pair(offer, seek, facts))).toBeGreaterThan(base));

  test.each<[string, Part, Part, Partial<PairFacts>]>([
    ['distant texts', {}, {}, { cosine: 0.4 }],
    ['a preference missed', {}, { conditions: { preferences: [{ label: 'aws', weight: 1 }] } }, {}],
    ['a silent agent', { responsiveness: 'silent' }, {}, {}],
    ['labels that everybody has', {}, {}, { rarity: () => 0.1 }],
  ])('falls with %s', (_what, offer, seek, facts) => expect(scoreOf(pair(offer, seek, facts))).toBeLessThan(base));

  test('is 0 to 1, the same in either order, and never falls as the cosine rises', () => {
    const label = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const part = fc.record({
      labels: fc.uniqueArray(label, { maxLength: 5 }),
      trust_score: fc.integer({ min: 0, max: 100 }),
      price: fc.option(fc.integer({ min: 0, max: 1000 })),
      responsiveness: fc.constantFrom('fast' as const, 'silent' as const, null),
    });
    fc.assert(
      fc.property(part, part, fc.double({ min: -1, max: 1, noNaN: true }), (x, y, cosine) => {
        const a = makeMatchSide(matchListing({ ...x, price_cents: x.price }));
        const b = makeMatchSide(matchListing({ ...WANT, ...y, budget_cents: y.price }));
        const result = scoreMatch(a, b, { ...FACTS, cosine });
        expect(scoreMatch(b, a, { ...FACTS, cosine })).toEqual(result);
        expect(scoreOf(result)).toBeLessThanOrEqual(1);
        if ('score' in result) {
          expect(result.score).toBeGreaterThanOrEqual(MIN_SCORE);
          expect(result.reasons.length).toBeGreaterThan(0);
          expect(scoreOf(scoreMatch(a, b, { ...FACTS, cosine: Math.min(1, cosine + 0.1) }))).toBeGreaterThanOrEqual(
            result.score,
          );
        }
      }),
    );
  });

  test('gives more for shared words at the same meaning', () => {
    const scores = [0, 0.1, 0.3].map((wording) => scoreOf(pair({}, {}, { cosine: 0.5, wording })));
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(new Set(scores).size).toBe(3);
  });

  test('weighs its parts to one whole', () => {
    expect(Object.values(FIT_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 10);
    const { floor } = FACTS;
    expect([null, -1, 1].map((cosine) => textCloseness(floor, cosine))).toEqual([0, 0, 1]);
    expect([textCloseness(floor, null, 1), textCloseness(floor, 0.5, 1), textCloseness(floor, 0, 0.1)]).toEqual([
      ...[0, 1, 0],
    ]);
  });

  test('counts closeness from the floor of the model on', () => {
    expect([0.2, 0.35, 0.7].map((floor) => textCloseness(floor, floor))).toEqual([0, 0, 0]);
    expect([0.2, 0.35, 0.7].map((floor) => textCloseness(floor, 1))).toEqual([1, 1, 1]);
    expect(textCloseness(0.2, 0.6)).toBeCloseTo(0.5, 10);
    expect(scoreOf(pair({}, {}, { floor: 0.7 }))).toBeLessThan(scoreOf(pair({}, {})));
  });
});

describe('the reasons', () => {
  test('name labels, closeness, price, place, preferences and trust', () => {
    const result = pair(
      { price_cents: 120_000, geo: 'US', trust_score: 80, responsiveness: 'fast' },
      {
        budget_cents: 150_000,
        geo: 'United States',
        trust_score: 70,
        responsiveness: 'fast',
        conditions: { preferences: [{ label: 'terraform', weight: 1 }] },
      },
      { cosine: 0.71 },
    );
    expect(clausesOf(result).sort()).toEqual([
      'both answer within minutes',
      'both are in the US',
      'both are well trusted (70 or more of 100)',
      'both name kubernetes and terraform',
      'meets the preference for terraform',
      'price $1,200 is within the $1,500 budget',
      'the texts are close in meaning (0.71)',
    ]);
  });

  test.each<[Part, Part, string]>([
    [{ geo: 'Portland, Oregon' }, { geo: 'Portland, OR' }, 'both are in Portland'],
    [{ geo: 'Oregon, US' }, { geo: 'Salem, Oregon' }, 'both are in OR, US'],
    [{ geo: 'Remote' }, {}, 'the work can be remote'],
    [{ geo: 'Global' }, { geo: 'Oslo, Norway' }, 'one side works worldwide'],
    [
      { card_type: 'job_seeking', price_cents: 5000, price_period: 'hour' },
      { card_type: 'hiring', budget_cents: 6000, price_period: 'hour' },
      'asked pay $50 an hour is within the $60 an hour budget',
    ],
    [
      { card_type: 'investing', price_cents: 5_000_000 },
      { card_type: 'fundraising', budget_cents: 100_000_000 },
      'ticket $50,000 is within the $1,000,000 round',
    ],
    [
      { labels: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { labels: ['a', 'b', 'c', 'd', 'e', 'f'] },
      'both name a, b, c, d and 2 more',
    ],
  ])('%p with %p: %s', (offer, seek, reason) => {
    const result = pair(offer, seek);
    expect(clausesOf(result)).toContain(reason);
  });
});
