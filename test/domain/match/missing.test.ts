// Guarantees of what is told to be missing: each candidate counts under one rule, a change that is named is enough by itself, and
// what others keep to themselves shows in no figure.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type PairFacts, scoreMatch } from '../../../src/domain/match/match.ts';
import { type Lack, lackOf, missingOf } from '../../../src/domain/match/missing.ts';
import { type MatchSide, makeMatchSide } from '../../../src/domain/match/side.ts';
import { matchListing, type ListingPart as Part, WANT } from '../../support/match-listing.ts';

const side = (part: Part): MatchSide => makeMatchSide(matchListing(part));
const FACTS: PairFacts = { cosine: null, floor: 0.3 };

/** What a seek's owner is told of an offer. */
function lack(seek: Part, offer: Part, facts: PairFacts = FACTS): Lack | null | 'fits' {
  const [own, other] = [side({ ...WANT, ...seek }), side(offer)];
  const result = scoreMatch(own, other, facts);
  return 'refused' in result ? lackOf(own, other, facts, result.refused) : 'fits';
}

describe('a candidate is told as kept apart', () => {
  test.each<[string, Part, Part, Partial<PairFacts>, Lack | null]>([
    ['by nothing, when the types never pair', {}, { card_type: 'hiring', direction: 'seek' }, {}, null],
    ['by nothing, when it is of one account', {}, { account_id: 'account-s' }, {}, null],
    ['by nothing, when it is hidden', {}, { visibility: 'hidden' }, {}, null],
    ['by nothing, after a block', {}, {}, { blocked: true }, null],
    ['by an answer', {}, {}, { declined: true }, { rule: 'declined' }],
    ['by too little in common', {}, { labels: ['welding'] }, {}, { rule: 'floor' }],
    ['by that before a place', { geo: 'US' }, { labels: ['welding'], geo: 'France' }, {}, { rule: 'floor' }],
    ['by that before a price', { budget_cents: 1 }, { labels: ['welding'], price_cents: 2 }, {}, { rule: 'floor' }],
    ['by its place', { geo: 'US' }, { geo: 'France' }, {}, { rule: 'geography', places: ['FR'] }],
    [
      'by a place that is not public',
      { geo: 'US' },
      { geo: 'France', visibility: 'stealth' },
      {},
      { rule: 'geography' },
    ],
    [
      'by its price',
      { budget_cents: 100 },
      { price_cents: 350 },
      {},
      // From 219 on the two may talk.
      { rule: 'price', gap: { cents: 119, period: 'once' } },
    ],
    [
      'by its price, which is firm',
      { budget_cents: 100 },
      { price_cents: 150, conditions: { price_firm: true } },
      {},
      { rule: 'price', gap: { cents: 50, period: 'once' } },
    ],
    [
      'by a price that is not public',
      { budget_cents: 100 },
      { price_cents: 350, visibility: 'stealth' },
      {},
      { rule: 'price' },
    ],
    [
      'by a place, and a price besides that no place would mend',
      { geo: 'US', budget_cents: 100 },
      { geo: 'France', price_cents: 350 },
      {},
      { rule: 'geography' },
    ],
    [
      'by what the reader refuses',
      { conditions: { dealbreakers: ['cluster care'] } },
      {},
      {},
      { rule: 'dealbreaker', phrases: ['cluster care'] },
    ],
    [
      'by what it refuses itself',
      { headline: 'A cluster for a casino' },
      { conditions: { dealbreakers: ['casino'] } },
      {},
      { rule: 'dealbreaker', theirs: true },
    ],
    [
      'by nothing, where that is not public',
      { headline: 'A cluster for a casino' },
      { conditions: { dealbreakers: ['casino'] }, visibility: 'stealth' },
      {},
      null,
    ],
  ])('%s', (_name, seek, offer, facts, expected) => {
    expect(lack(seek, offer, { ...FACTS, ...facts })).toEqual(expected);
  });
});

const PLACES = ['', 'US', 'France', 'Berlin, Germany', 'Remote'];
const anyPart = fc.record({
  geo: fc.constantFrom(...PLACES),
  cents: fc.integer({ min: 1, max: 500 }),
  labels: fc.subarray(['kubernetes', 'terraform', 'welding'], { minLength: 1 }),
  dealbreakers: fc.subarray(['cluster', 'germany', 'welding']),
});

test('a change that is told brings the pair in, whatever else they say', () => {
  fc.assert(
    fc.property(anyPart, anyPart, (mine, theirs) => {
      const seek = { ...mine, budget_cents: mine.cents, conditions: { dealbreakers: mine.dealbreakers } };
      const offer = { ...theirs, price_cents: theirs.cents, conditions: { dealbreakers: theirs.dealbreakers } };
      const told = lack(seek, offer);
      if (told === null || told === 'fits') return;
      const { gap, places = [] } = told;
      if (gap) expect(lack({ ...seek, budget_cents: mine.cents + gap.cents }, offer)).toBe('fits');
      if (gap) expect(lack({ ...seek, budget_cents: mine.cents + gap.cents - 1 }, offer)).not.toBe('fits');
      for (const place of places) expect(lack({ ...seek, geo: `${mine.geo}; ${place}` }, offer)).toBe('fits');
    }),
    { numRuns: 1_000 },
  );
});

test('each candidate counts once, and the rules stand in one order', () => {
  const lacks: Lack[] = [
    { rule: 'floor' },
    { rule: 'rank' },
    { rule: 'price' },
    { rule: 'floor' },
    { rule: 'geography' },
  ];
  const told = missingOf(side(WANT), lacks);
  expect(told.map(({ rule, count }) => [rule, count])).toEqual([
    ['geography', 1],
    ['price', 1],
    ['rank', 1],
    ['floor', 2],
  ]);
});
