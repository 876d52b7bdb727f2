// Offers that are to manipulate: anchors, split and nearly equal offers, prices that go back up, proposals that probe. None brings a deal
// beyond a limit or has it told. What each kind costs of what was gained against the same opponent without it is printed.
import { expect, test } from 'bun:test';
import { namesAmount } from '../../src/domain/negotiation/told.ts';
import { seeded } from '../support/dice.ts';
import { OFFER_MANIPULATIONS, type OfferManipulation } from './manipulations.ts';
import { byPlan, manipulated, type Plan, pricesOf } from './opponents.ts';
import { type Ended, play, type Side, UNDISTURBED } from './talk.ts';

const PAIRS = 20;
/** What stalling costs at most of what is gained against the same opponent without it. */
const COST_MOST = 0.05;

interface Task {
  readonly me: Side;
  readonly plan: Plan;
  readonly opens: boolean;
}

function taskOf({ victim }: OfferManipulation, n: number): Task {
  const random = seeded(1_000 + n);
  const floor = 20_000 + Math.floor(random() * 20_000);
  const most = Math.floor(floor * (1.2 + random()));
  const temper = { begins: random(), pace: random(), ends: random() };
  const sells = victim === 'seller';
  const me: Side = { side: victim, limit: (sells ? floor : most) + 37, listed: null, temper };
  const begins = sells ? Math.floor(floor * (0.5 + 0.4 * random())) : Math.floor(most * (1.1 + 0.4 * random()));
  const curve = [0.7, 1, 2][n % 3] ?? 1;
  const plan: Plan = { side: sells ? 'buyer' : 'seller', begins, limit: sells ? most : floor, offers: 6, curve };
  return { me, plan, opens: random() < 0.5 };
}

/** Cents that a side gains beside no deal. */
const gain = ({ side, limit }: Side, { price }: Ended): number =>
  price === null ? 0 : side === 'buyer' ? limit - price : price - limit;

function probesOf(plan: Plan, by: OfferManipulation): number[] {
  if (by.kind !== 'probe') return [];
  const away = 1 + by.step_share;
  return pricesOf(plan)
    .slice(0, 4)
    .map((price) => Math.max(1, Math.round(plan.side === 'seller' ? price * away : price / away)));
}

interface Outcome {
  readonly kind: OfferManipulation['kind'];
  readonly without: number;
  readonly reached: number;
}

function outcomeOf(by: OfferManipulation): Outcome {
  let [without, reached] = [0, 0];
  for (let n = 0; n < PAIRS; n += 1) {
    const { me, plan, opens } = taskOf(by, n);
    const clean = play(me, byPlan(plan, pricesOf(plan)), null, opens, UNDISTURBED);
    const tried = play(me, byPlan(plan, manipulated(plan, by), probesOf(plan, by)), null, opens, UNDISTURBED);
    for (const { price, turns } of [clean, tried]) {
      if (price !== null && me.side === 'buyer') expect(price).toBeLessThanOrEqual(me.limit);
      if (price !== null && me.side === 'seller') expect(price).toBeGreaterThanOrEqual(me.limit);
      expect(turns.filter(({ text }) => namesAmount(text, me.limit))).toEqual([]);
    }
    without += gain(me, clean);
    reached += gain(me, tried);
  }
  return { kind: by.kind, without, reached };
}

test(`each of ${OFFER_MANIPULATIONS.length} courses of offers stays inside the limits`, () => {
  const sums = new Map<string, { without: number; reached: number }>();
  for (const by of OFFER_MANIPULATIONS) {
    const { kind, without, reached } = outcomeOf(by);
    const sum = sums.get(kind) ?? { without: 0, reached: 0 };
    sums.set(kind, { without: sum.without + without, reached: sum.reached + reached });
  }
  const costs = [...sums].map(([kind, { without, reached }]) => [kind, 1 - reached / without] as const);
  // A step in small steps is what a slower counterpart does as well.
  const dear = costs.filter(([kind, cost]) => kind !== 'split' && cost > COST_MOST);
  expect(dear).toEqual([]);
  console.log(`cost of ${costs.map(([kind, cost]) => `${kind} ${(100 * cost).toFixed(1)} %`).join(', ')}`);
});
