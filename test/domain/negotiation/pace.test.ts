// Where a side is in a talk, by what both have offered: what the other side writes beside its offers, or in their place, takes it nowhere.
import { describe, expect, test } from 'bun:test';
import { paceNow } from '../../../src/domain/negotiation/bid.ts';
import { rangeOfFacts, takeTurn } from '../../../src/domain/negotiation/negotiator.ts';
import { TURNS_MAX } from '../../../src/domain/negotiation/pace.ts';
import type { Preferences } from '../../../src/domain/negotiation/package.ts';
import type { SaidBefore, TurnFacts, TurnRule } from '../../../src/domain/negotiation/turn.ts';

const SCALE: Preferences = [
  { issue: 'price', limit: 100_000, wish: 60_000, weight: 1 },
  { issue: 'days_to_deliver', limit: 30, wish: 5, weight: 1 },
];
const turns = (...rules: TurnRule[]): TurnFacts['before'] =>
  rules.map((rule) => ({ action: 'say', rule, phase: 'negotiation' }));
const offers = (count: number): TurnFacts['before'] =>
  turns(...Array.from({ length: count }, (_, n) => (n < count - 1 ? ('concede' as const) : ('first_offer' as const))));
const mine = (content: string): SaidBefore => ({ mine: true, content });
const theirs = (content: string, kind: SaidBefore['kind'] = 'text'): SaidBefore => ({ mine: false, content, kind });

/** A buyer that pays up to $1,000; what was said oldest first. */
function factsOf(said: readonly SaidBefore[], more: Partial<TurnFacts> = {}): TurnFacts {
  return {
    side: 'buyer',
    opened_by_me: false,
    phase: 'negotiation',
    listing: null,
    asked_cents: null,
    bounds: { max_pay_cents: 100_000, auto_approve_below_cents: 100_000 },
    agrees_alone: true,
    temper: { begins: 0.5, pace: 0.5, ends: 0.5 },
    said: said.toReversed(),
    before: offers(said.filter((each) => each.mine).length),
    proposal: null,
    has_deal: false,
    known: null,
    instruction: null,
    ...more,
  };
}

function stepOf(said: readonly SaidBefore[], more: Partial<TurnFacts> = {}): number {
  const facts = factsOf(said, more);
  const range = rangeOfFacts(facts);
  if (!range) throw new Error('it has a limit');
  return paceNow(facts, range).step;
}

test('takes no price after its last turn, so that naming one more does not find how far it goes', () => {
  const said = [theirs('$800 would do.')];
  const last = factsOf(said, { before: offers(TURNS_MAX - 1) });
  expect(takeTurn(last)).toMatchObject({ action: 'propose', amount_cents: 80_000 });
  const after = factsOf([...said, theirs('$810 would do.')], { before: [...turns('take_offer'), ...last.before] });
  expect(takeTurn(after)).toMatchObject({ action: 'close', rule: 'turns_used_up' });
});

test('comes to its last price early where offers took its turns, and not where answers did', () => {
  const said = [mine('$700'), theirs('$1,300')];
  const answered = [...Array<TurnRule>(9).fill('answers'), 'first_offer' as const];
  expect(stepOf(said, { before: turns(...answered) })).toBe(1);
  const offered = [...said, mine('$701'), theirs('$1,300'), mine('$701'), theirs('$1,300'), mine('$701')];
  const before = [...offers(4), ...turns(...Array<TurnRule>(6).fill('answers'))];
  expect(stepOf([...offered, theirs('$1,300')], { before })).toBe(5);
});

test('waits where the other side stalls, but not with another offer to compare', () => {
  const stalls = [mine('$700'), theirs('$1,300'), mine('$705'), theirs('$1,300')];
  const compare = {
    ...{ decides_at: 0, due: false, elsewhere_cents: null, elsewhere_score: null },
    ...{ is_best: false, chosen_elsewhere: false },
  };
  expect([stepOf(stalls), stepOf(stalls, { compare })]).toEqual([1, 1]);
  expect(stepOf(stalls, { compare: { ...compare, elsewhere_cents: 90_000 } })).toBe(2);
});

describe('the pace is the same', () => {
  const course = [
    ...[mine('$700'), theirs('$1,300'), mine('$705'), theirs('$1,250'), mine('$720'), theirs('$1,200')],
    ...[mine('$750'), theirs('$1,200')],
  ];

  test('beside sixty short messages, which leave none of its own offers to be read', () => {
    const before = offers(6);
    const noise = Array.from({ length: 60 }, (_, n) => theirs(`Are you there? ${n}`));
    expect(stepOf(noise, { before })).toBeGreaterThan(1);
    expect(stepOf(noise, { before })).toBeGreaterThan(stepOf(noise, { before: [] }));
  });

  test('beside long texts', () => {
    const long = Array.from({ length: 8 }, () =>
      theirs('All of this is what I think of it. '.repeat(200).slice(0, 4_000)),
    );
    const [waits, goes_on] = [stepOf(course), stepOf([...course.slice(0, -1), theirs('$1,100')])];
    expect(goes_on).toBe(waits + 1);
    expect(stepOf([...course.slice(0, -1), ...long, theirs('$1,200')])).toBe(waits);
  });

  test('beside words of other issues, which are no offer without a price', () => {
    const issues = [theirs('We deliver within 9 days.'), mine('$620, within 5 days'), mine('$640, within 5 days')];
    const priced = [...issues, theirs('$700, within 9 days')];
    // What is named first is where it begins, and no answer.
    expect(stepOf(priced, { scale: SCALE })).toBe(stepOf(priced.slice(1), { scale: SCALE }));
  });

  test.each([
    ['prices', null],
    ['packages', SCALE],
  ] as const)('where %s are proposed instead of said', (_, scale) => {
    const said = (kind: SaidBefore['kind']) => {
      const put = (price: string) =>
        theirs(
          kind === 'proposal'
            ? `We know it all: $9.\nProposal: ${price}\nAll, within 9 days`
            : `${price}, within 9 days`,
          kind,
        );
      return stepOf(
        [
          mine('$620, within 5 days'),
          put('$990'),
          mine('$640, within 5 days'),
          put('$900'),
          mine('$660, within 5 days'),
          put('$800'),
        ],
        { scale },
      );
    };
    expect(said('proposal')).toBe(said('text'));
    expect(said('proposal')).toBe(3);
  });
});
