// An agent agrees by itself to nothing beyond a limit of its owner, whoever decides the turn; and what a program sends as data is shown whole.
import { describe, expect, test } from 'bun:test';
import { offerAt, rangeOf } from '../../../src/domain/negotiation/bargain.ts';
import { nextBid, readBid } from '../../../src/domain/negotiation/bid.ts';
import { agreesAlone, type Goals, goalsFault, scaleIn } from '../../../src/domain/negotiation/goal.ts';
import type { Issue } from '../../../src/domain/negotiation/issue.ts';
import { turnOfModel } from '../../../src/domain/negotiation/model-turn.ts';
import { takeTurn } from '../../../src/domain/negotiation/negotiator.ts';
import type { TurnFacts } from '../../../src/domain/negotiation/turn.ts';
import { proposalText } from '../../../src/steps/negotiation/propose.ts';

const GOALS: Goals = { issues: [{ issue: 'days_to_deliver', limit: 10, wish: 4, weight: 1 }], by_person: true };
const BOUNDS = { max_pay_cents: 45_000, auto_approve_below_cents: 44_000 };
const TEMPER = { begins: 0.5, pace: 0.5, ends: 0.5 };

const within = (days: number): Issue[] => [{ issue: 'days_to_deliver', value: days }];

/** A buyer before a proposal of the other side, which has agreed. */
function before(amount_cents: number, issues: Issue[], held = false): TurnFacts {
  const range = rangeOf('buyer', BOUNDS, { own: null, asked: null }, TEMPER);
  return {
    side: 'buyer',
    opened_by_me: false,
    phase: 'proposal',
    listing: { headline: 'A logo', labels: [], dealbreakers: [], cents: null },
    asked_cents: null,
    bounds: BOUNDS,
    agrees_alone: true,
    temper: TEMPER,
    goals: GOALS,
    scale: range && scaleIn(range, GOALS),
    said: [],
    before: [],
    proposal: { mine: false, agreed: false, other_agreed: true, amount_cents, terms: 'A logo', issues, held },
    compare: held ? { decides_at: 0, due: true, elsewhere_cents: null, is_best: true, chosen_elsewhere: false } : null,
    has_deal: false,
    known: null,
    instruction: null,
  };
}

describe('beyond a limit', () => {
  test.each<[string, Issue[]]>([
    ['a value', within(14)],
    ['a wanted issue that is not said', []],
    ['an issue without a goal', [...within(5), { issue: 'revisions', value: 1 }]],
  ])('%s is agreed to by no model and by no choice among offers, however low the price', (_what, issues) => {
    const facts = before(100, issues);
    const answer = { action: 'approve', amount_cents: null } as const;
    const made = turnOfModel(facts, answer, takeTurn(facts));
    expect(typeof made === 'string' ? made : made.action).not.toBe('approve');
    expect(takeTurn(facts).action).not.toBe('approve');
    expect(takeTurn(before(100, issues, true)).rule).toBe('person_decides');
    // Without a range there is no scale, and the goals hold all the same.
    const alone = {
      side: 'buyer',
      bounds: { auto_approve_below_cents: 44_000 },
      goals: GOALS,
      asked_cents: null,
    } as const;
    expect(agreesAlone(alone, { amount_cents: 100, issues })).toBe(false);
  });

  test('and within them it agrees', () => {
    const facts = before(100, within(5));
    expect(turnOfModel(facts, { action: 'approve', amount_cents: null }, takeTurn(facts))).toMatchObject({
      action: 'approve',
    });
    expect(takeTurn(before(100, within(5), true)).rule).toBe('chooses');
  });
});

test('goals that weigh nothing are refused: no bid would be worth anything', () => {
  const price = { issue: 'price', limit: 50_000, wish: null, weight: 0 } as const;
  expect(goalsFault('buyer', [price])).toMatchObject({ fault: 'invalid_request' });
  expect(goalsFault('buyer', [{ ...price, weight: 1 }])).toBeNull();
  expect(goalsFault('buyer', [{ issue: 'revisions', limit: 1, wish: 3, weight: 0 }])).toBeNull();
});

test('a seller whose price counts for little asks no more than it ever would', () => {
  const range = rangeOf('seller', { min_charge_cents: 40_000 }, { own: 59_000, asked: null }, TEMPER);
  if (!range) throw new Error('no range');
  const goals: Goals = {
    issues: [
      { issue: 'price', limit: null, wish: null, weight: 1e-9 },
      { issue: 'days_to_deliver', limit: 5, wish: 14, weight: 1 },
    ],
    by_person: true,
  };
  const facts = { ...before(45_000, within(9)), side: 'seller', goals, scale: scaleIn(range, goals) } as const;
  const compare = { decides_at: 0, due: false, elsewhere_cents: 50_000, elsewhere_score: 0.99, is_best: false };
  const bid = nextBid({ ...facts, compare: { ...compare, chosen_elsewhere: false } }, range, 1);
  expect(bid.amount_cents).toBeLessThanOrEqual(Math.max(range.best, offerAt(range, 0)));
});

test('data is shown as a bid only where it says nothing else', () => {
  expect(readBid({ amount_cents: 5_000, issues: within(5) })).toEqual({ amount_cents: 5_000, issues: within(5) });
  expect(readBid({ amount_cents: 5_000, currency: 'EUR' })).toBeNull();
  expect(readBid({ amount_cents: 5_000, issues: [...within(5), ...within(9)] })).toBeNull();
});

test('a proposal says its issues, whatever its terms say', () => {
  const made = { amount_cents: 5_000, milestones: [], issues: [{ issue: 'revisions', value: 3 }] as Issue[] };
  expect(proposalText({ ...made, terms: '13 revisions, as we said' })).toContain('\n3 revisions');
  expect(proposalText({ ...made, terms: '13 revisions' })).toContain('\n3 revisions');
  expect(proposalText({ ...made, terms: 'A logo: 3 revisions' })).not.toContain('\n3 revisions');
});
