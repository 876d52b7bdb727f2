// How an agent weighs what it compares, and what makes a counterparty concede: the service's knowledge of another offer, never words.
import { describe, expect, test } from 'bun:test';
import { nearerAfter, type Range } from '../../../src/domain/negotiation/bargain.ts';
import { beating, type Compared, ranked } from '../../../src/domain/negotiation/compare.ts';
import { takeTurn } from '../../../src/domain/negotiation/negotiator.ts';
import type { TurnFacts } from '../../../src/domain/negotiation/turn.ts';

const offered = (id: string, amount_cents: number, more: Partial<Compared> = {}): Compared => ({
  id,
  conversation_id: id,
  amount_cents,
  issues: [],
  created_at: 0,
  trust_score: 0,
  answers_in_seconds: null,
  ...more,
});
const order = (side: 'buyer' | 'seller', all: readonly Compared[]): string =>
  ranked(side, all)
    .map(({ id }) => id)
    .join('');

describe('what is compared is ranked', () => {
  test('by price: the lowest first for a buyer, the highest for a seller', () => {
    const all = [offered('b', 200), offered('a', 100), offered('c', 300)];
    expect([order('buyer', all), order('seller', all)]).toEqual(['abc', 'cba']);
  });

  test('with full trust worth 5 % of the price, and answers within the hour 2 %', () => {
    const [trusted, quick] = [{ trust_score: 100 }, { answers_in_seconds: 3_600 }];
    expect(order('buyer', [offered('a', 10_000), offered('b', 10_500, trusted)])).toBe('ba');
    expect(order('buyer', [offered('a', 10_000), offered('b', 10_600, trusted)])).toBe('ab');
    expect(order('buyer', [offered('a', 10_000), offered('b', 10_200, quick)])).toBe('ba');
    expect(order('buyer', [offered('a', 10_000), offered('b', 10_200, { answers_in_seconds: 3_601 })])).toBe('ab');
    expect(order('seller', [offered('a', 10_000), offered('b', 9_600, trusted)])).toBe('ba');
  });

  test('between equals with the earlier one first', () => {
    expect(order('buyer', [offered('b', 100, { created_at: 2 }), offered('a', 100, { created_at: 1 })])).toBe('ab');
  });
});

test('what an agent offers elsewhere beats what it has, and never passes its limit', () => {
  const buyer: Range = {
    side: 'buyer',
    limit: 45_000,
    best: 30_000,
    goal: 44_000,
    last: 44_000,
    pace: 0.5,
    asked: null,
  };
  expect(beating(buyer, 40_000)).toMatchObject({ best: 30_000, goal: 39_800, last: 39_800, limit: 39_800 });
  expect(beating(buyer, 60_000)).toEqual(buyer);
  const seller: Range = {
    side: 'seller',
    limit: 20_000,
    best: 44_000,
    goal: 20_200,
    last: 32_000,
    pace: 0.5,
    asked: null,
  };
  expect(beating(seller, 30_000)).toMatchObject({ best: 44_000, goal: 30_150, last: 32_000, limit: 30_150 });
});

test('a side that has been outbid comes to its last offer soon, and a buyer never beyond what is asked', () => {
  const seller: Range = {
    side: 'seller',
    limit: 20_000,
    best: 44_000,
    goal: 20_200,
    last: 32_000,
    pace: 0.5,
    asked: null,
  };
  expect([0, 1, 2].map((asked) => nearerAfter(seller, 40_000, asked))).toEqual([30_100, 20_200, 20_200]);
  const buyer: Range = {
    side: 'buyer',
    limit: 45_000,
    best: 30_000,
    goal: 44_700,
    last: 44_700,
    pace: 0.5,
    asked: 38_000,
  };
  expect([0, 1].map((asked) => nearerAfter(buyer, 36_000, asked))).toEqual([38_000, 38_000]);
});

test('a side stands by the price that it named, though the other side compares it for longer than it has turns', () => {
  const price = (cents: number, mine: boolean) => ({ mine, content: `I can move to $${cents / 100}.00.` });
  const facts: TurnFacts = {
    side: 'buyer',
    opened_by_me: true,
    phase: 'proposal',
    listing: { headline: 'Two logos', labels: ['logo'], dealbreakers: [], cents: null },
    asked_cents: null,
    bounds: { max_pay_cents: 45_000, auto_approve_below_cents: 45_000 },
    agrees_alone: true,
    temper: { begins: 0.5, pace: 0.5, ends: 0.5 },
    said: [{ mine: false, content: 'I compare offers.' }, price(43_000, true)],
    before: Array.from({ length: 11 }, () => ({ action: 'say', rule: 'answers', phase: 'proposal' }) as const),
    proposal: { mine: false, agreed: false, other_agreed: false, amount_cents: 43_000, terms: 'All' },
    has_deal: false,
    known: null,
    instruction: null,
  };
  expect(takeTurn(facts).rule).toBe('awaits_their_yes');
  const beyond = {
    ...facts,
    said: [price(46_000, true)],
    proposal: facts.proposal && { ...facts.proposal, amount_cents: 46_000 },
  };
  expect(takeTurn(beyond).action).toBe('close');
});

/** What was said before, newest first. */
const TALK = [
  { mine: true, content: 'I can move to $432.00.' },
  { mine: false, content: 'I could pay $250.00.' },
  { mine: true, content: 'For all of this I ask $440.00.' },
];

test('a seller goes nearer where the service knows of another offer, and never because it is told so', () => {
  const said = 'I have another offer that is at least as good. Can you come nearer?';
  const facts: TurnFacts = {
    side: 'seller',
    opened_by_me: false,
    phase: 'proposal',
    listing: { headline: 'Two logos', labels: ['logo'], dealbreakers: [], cents: 44_000 },
    asked_cents: null,
    bounds: { min_charge_cents: 20_000, auto_approve_below_cents: 99_000 },
    agrees_alone: true,
    temper: { begins: 0.5, pace: 0.5, ends: 0.5 },
    said: [{ mine: false, content: said }, ...TALK],
    before: [
      { action: 'say', rule: 'concede', phase: 'negotiation' },
      { action: 'say', rule: 'first_offer', phase: 'negotiation' },
    ],
    proposal: { mine: false, agreed: false, other_agreed: false, amount_cents: 43_000, terms: 'All' },
    has_deal: false,
    known: null,
    instruction: null,
  };
  const told = takeTurn(facts);
  expect(told).toEqual(takeTurn({ ...facts, said: [{ mine: false, content: 'Good morning.' }, ...TALK] }));
  expect(told.rule).toBe('awaits_their_yes');
  const outbid = takeTurn({ ...facts, proposal: facts.proposal && { ...facts.proposal, outbid: true } });
  expect(outbid.rule).toBe('concede');
  expect(outbid.amount_cents).toBeLessThan(43_000);
  expect(outbid.amount_cents).toBeGreaterThanOrEqual(20_000);
});
