// Bargaining over several issues: nothing beyond a limit is offered or taken, sides that can agree do, near the best for both together, and
// the scale is worked out from limit, wish and weight.
import { describe, expect, test } from 'bun:test';
import { OFFERS_MAX } from '../../../src/domain/negotiation/pace.ts';
import {
  goalAt,
  nextPackage,
  type Package,
  type PackageIssue,
  type Preference,
  type Preferences,
  scoreOf,
  takesPackage,
  utility,
} from '../../../src/domain/negotiation/package.ts';
import { seeded } from '../../support/dice.ts';
import { stepIn } from '../../support/packages.ts';

const PRICE: Preference = { issue: 'price', limit: 40_000, wish: 20_000, weight: 1 };
const DAYS: Preference = { issue: 'days_to_deliver', limit: 14, wish: 4, weight: 3 };
const BUYER: Preferences = [PRICE, DAYS];

describe('a package is worth', () => {
  test.each<[Package, number | null]>([
    [{ price: 20_000, days_to_deliver: 4 }, 1],
    [{ price: 40_000, days_to_deliver: 14 }, 0],
    [{ price: 30_000, days_to_deliver: 9 }, 0.5],
    // A wish that is surpassed adds nothing, but for a price.
    [{ price: 20_000, days_to_deliver: 1 }, 1],
    [{ price: 0, days_to_deliver: 4 }, 1.25],
    // What is not said counts as at the limit.
    [{ price: 20_000 }, 0.25],
    [{ price: 40_001, days_to_deliver: 4 }, null],
    [{ price: 20_000, days_to_deliver: 15 }, null],
  ])('%j: %j', (values, worth) => expect(utility(BUYER, values)).toBe(worth));

  test('what its one acceptable value says, where limit and wish are one', () => {
    const exact: Preferences = [{ issue: 'revisions', limit: 3, wish: 3, weight: 1, more: true }];
    expect([2, 3, 4].map((revisions) => utility(exact, { revisions }))).toEqual([null, 1, 1]);
  });
});

const TEMPER = { pace: 0.5, ends: 0.5 };

describe('an offer', () => {
  test('begins with all wishes, and ends near the limits', () => {
    expect(nextPackage({ mine: BUYER, step: 0, heard: [], temper: TEMPER })).toEqual({
      price: 20_000,
      days_to_deliver: 4,
    });
    const worth = [0, 1, 2, 3, 4, 5, 6].map((step) => goalAt(TEMPER, step));
    expect(worth).toEqual(worth.toSorted((a, b) => b - a));
    expect([worth[0], worth[5]]).toEqual([1, expect.closeTo(0.02)]);
  });

  test('gives on what counts least for it and most for the other side', () => {
    const heard: Package[] = [
      { price: 45_000, days_to_deliver: 12 },
      { price: 45_000, days_to_deliver: 8 },
    ];
    const next = nextPackage({ mine: BUYER, step: 2, heard, temper: TEMPER });
    expect(next.days_to_deliver).toBe(4);
    expect(next.price).toBeGreaterThan(20_000);
  });

  test('is better than what the side has elsewhere, if need be beyond its wishes', () => {
    const state = { mine: BUYER, step: 6, heard: [], temper: TEMPER };
    for (const elsewhere of [0.6, 1.1]) {
      const next = nextPackage({ ...state, elsewhere });
      expect(scoreOf(BUYER, next)).toBeGreaterThan(elsewhere);
    }
  });
});

const NAMES: readonly PackageIssue[] = [
  ...(['price', 'days_to_deliver', 'revisions', 'quantity', 'warranty_days', 'milestones'] as const),
];

type Dice = () => number;

/** Two sides whose limits leave a zone on each issue. */
function pairOf(dice: Dice, issues: number): [Preferences, Preferences] {
  const pairs = NAMES.slice(0, issues).map((issue): [Preference, Preference] => {
    const size = issue === 'price' ? 100_000 : 40;
    const seller = Math.round(size * (0.1 + 0.3 * dice()));
    const buyer = Math.round(seller * (1.1 + dice()));
    const weight = (): number => Math.ceil(5 * dice());
    return [
      { issue, limit: buyer, wish: Math.floor(seller * (0.4 + 0.5 * dice())), weight: weight() },
      { issue, limit: seller, wish: Math.ceil(buyer * (1.1 + 0.5 * dice())), weight: weight() },
    ];
  });
  return [pairs.map(([buyer]) => buyer), pairs.map(([, seller]) => seller)];
}

interface Side {
  readonly mine: Preferences;
  readonly temper: { readonly pace: number; readonly ends: number };
  readonly said: Package[];
}

/** Plays until one takes what the other named last. */
function play(first: Side, second: Side): Package | null {
  for (let turn = 0; turn < 24; turn += 1) {
    const [me, other] = turn % 2 === 0 ? [first, second] : [second, first];
    const step = stepIn(me.mine, me.temper, me.said.length, other.said);
    const state = { mine: me.mine, step, heard: other.said, temper: me.temper };
    const last = other.said.at(-1);
    if (last && takesPackage(state, last)) return last;
    if (step > OFFERS_MAX) return null;
    const next = nextPackage(state);
    expect(utility(me.mine, next)).not.toBeNull();
    me.said.push(next);
  }
  return null;
}

/** What the buyer could have with as much for the seller: issue by issue, what costs the buyer least for what it gives the seller goes first. */
function bestBeside(buyer: Preferences, seller: Preferences, deal: Package): number {
  const total = (side: Preferences): number => side.reduce((sum, { weight }) => sum + weight, 0);
  const ends = buyer.flatMap((one, at) => {
    const other = seller[at];
    if (!other) return [];
    // The buyer wants less of each, the seller more.
    const from = Math.max(other.limit, one.issue === 'price' ? -Infinity : one.wish);
    const to = Math.min(one.limit, Math.max(other.issue === 'price' ? one.limit : other.wish, from));
    const costs = one.weight / total(buyer) / (one.limit - one.wish);
    const gives = other.weight / total(seller) / (other.wish - other.limit);
    return [{ issue: one.issue, from, to, costs, gives }];
  });
  const values = new Map(ends.map(({ issue, from }) => [issue, from]));
  let lacks = scoreOf(seller, deal) - scoreOf(seller, Object.fromEntries(values));
  for (const { issue, from, to, gives } of ends.toSorted((a, b) => b.gives / b.costs - a.gives / a.costs)) {
    const moved = Math.max(0, Math.min(to - from, lacks / gives));
    values.set(issue, from + moved);
    lacks -= moved * gives;
  }
  return scoreOf(buyer, Object.fromEntries(values));
}

test.each([1, 2, 3, 4, 6])(
  'of 200 pairs over %d issues nearly all agree, and little is left on the table',
  (issues) => {
    const dice = seeded(4_000 + issues);
    const shares: number[] = [];
    let agreed = 0;
    for (let n = 0; n < 200; n += 1) {
      const [buyer, seller] = pairOf(dice, issues);
      const side = (mine: Preferences): Side => ({ mine, temper: { pace: dice(), ends: dice() }, said: [] });
      const sides = [side(buyer), side(seller)] as const;
      const deal = dice() < 0.5 ? play(sides[0], sides[1]) : play(sides[1], sides[0]);
      if (!deal) continue;
      agreed += 1;
      const gets = scoreOf(seller, deal);
      shares.push((scoreOf(buyer, deal) + gets) / (bestBeside(buyer, seller, deal) + gets));
    }
    expect(agreed).toBeGreaterThanOrEqual(196);
    expect(shares.reduce((sum, share) => sum + share, 0) / agreed).toBeGreaterThan(0.98);
  },
);
