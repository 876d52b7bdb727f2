// Bargaining over several issues against strategies that are not ours, which concede evenly on all issues: never a deal beyond a limit, and in
// all at least what MiCRO and Boulware get in its place.
import { expect, test } from 'bun:test';
import { OFFERS_MAX, TURNS_MAX } from '../../../src/domain/negotiation/pace.ts';
import {
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

type Dice = () => number;

/** By how much it may be behind the better of the two against a single opponent. */
const BEHIND_MOST = 0.05;
/** Turns in which no price is named. */
const OPENING = 3;

interface State {
  readonly mine: Preferences;
  readonly made: number;
  readonly heard: readonly Package[];
  readonly temper: { readonly pace: number; readonly ends: number };
  readonly dice: Dice;
}
/** Whether it takes what it heard last, and what it offers instead. */
interface Strategy {
  readonly takes: (state: State, last: Package) => boolean;
  readonly offers: (state: State) => Package;
  /** Whether it has made its last offer; after its turns unless it says so. */
  readonly ends?: (state: State) => boolean;
}

const bargaining = ({ made, ...state }: State) => ({
  ...state,
  step: stepIn(state.mine, state.temper, made, state.heard),
});
const OURS: Strategy = {
  takes: (state, last) => takesPackage(bargaining(state), last),
  offers: (state) => nextPackage(bargaining(state)),
  ends: (state) => bargaining(state).step > OFFERS_MAX,
};

/** Goes the same share of the way on every issue. */
function evenly(aims: (state: State) => number): Strategy {
  return {
    takes: (state, last) => (utility(state.mine, last) ?? -1) >= aims(state),
    offers: (state) => {
      const aim = aims(state);
      return Object.fromEntries(
        state.mine.map(({ issue, limit, wish }) => {
          const value = wish + (limit - wish) * (1 - aim);
          return [issue, wish < limit ? Math.floor(value) : Math.ceil(value)];
        }),
      );
    },
  };
}

const late = (made: number): number => Math.min(made, OFFERS_MAX - 1) / (OFFERS_MAX - 1);
const news = ({ heard }: State): number => new Set(heard.map((each) => JSON.stringify(each))).size;

const BOULWARE = evenly(({ made }) => 1 - late(made) ** 4);
const MICRO = evenly((state) => Math.max(0, 1 - Math.min(state.made, news(state)) / OFFERS_MAX));

const OPPONENTS: readonly (readonly [string, Strategy])[] = [
  ['ours', OURS],
  ['MiCRO', MICRO],
  ['Boulware', BOULWARE],
  ['conceder', evenly(({ made }) => 1 - late(made) ** 0.4)],
  ['even', evenly(({ made }) => 1 - late(made))],
  ['hardliner', evenly(({ made }) => Math.max(0.6, 1 - made * 0.02))],
  [
    'tit for tat',
    evenly(({ mine, heard }) => {
      const [first, last] = [heard[0] ?? {}, heard.at(-1) ?? {}];
      return Math.max(0, Math.min(1, 1 - (scoreOf(mine, last) - scoreOf(mine, first))));
    }),
  ],
  ['random', evenly(({ dice }) => 0.3 + 0.7 * dice())],
];

const NAMES: readonly PackageIssue[] = ['price', 'days_to_deliver', 'revisions', 'quantity', 'warranty_days'];

/** Two sides with a zone on each issue. */
function pairOf(dice: Dice, issues: number): [Preferences, Preferences] {
  const pairs = NAMES.slice(0, issues).map((issue): [Preference, Preference] => {
    const least = Math.round((issue === 'price' ? 100_000 : 40) * (0.1 + 0.3 * dice()));
    const most = Math.round(least * (1.1 + dice()));
    const weight = (): number => Math.ceil(5 * dice());
    return [
      { issue, limit: most, wish: Math.floor(least * (0.4 + 0.5 * dice())), weight: weight() },
      { issue, limit: least, wish: Math.ceil(most * (1.1 + 0.5 * dice())), weight: weight() },
    ];
  });
  return [pairs.map(([buyer]) => buyer), pairs.map(([, seller]) => seller)];
}

function play(first: [Strategy, Preferences], second: [Strategy, Preferences], dice: Dice): Package | null {
  const sides = [first, second].map(([strategy, mine]) => ({
    ...{ strategy, mine, said: [] as Package[] },
    temper: { pace: dice(), ends: dice() },
  }));
  for (let turn = 0; turn < 2 * TURNS_MAX; turn += 1) {
    const [me, other] = turn % 2 === 0 ? [sides[0], sides[1]] : [sides[1], sides[0]];
    if (!me || !other) return null;
    const state = { mine: me.mine, made: me.said.length, heard: other.said, temper: me.temper, dice };
    const last = other.said.at(-1);
    if (last && me.strategy.takes(state, last)) return last;
    if (me.strategy.ends?.(state) ?? state.made >= TURNS_MAX - OPENING) return null;
    me.said.push(me.strategy.offers(state));
  }
  return null;
}

/** The mean utility of one against another, on the same 150 tasks for all, in both roles and orders. */
function meanOf(mine: Strategy, theirs: Strategy): number {
  let [sum, count] = [0, 0];
  for (const issues of [1, 3, 5]) {
    const dice = seeded(900 + issues);
    for (let n = 0; n < 50; n += 1) {
      const [buyer, seller] = pairOf(dice, issues);
      const [own, other] = n % 2 === 0 ? [buyer, seller] : [seller, buyer];
      const talk = seeded(31 * n + issues);
      const deal = n % 4 < 2 ? play([mine, own], [theirs, other], talk) : play([theirs, other], [mine, own], talk);
      const worth = deal === null ? 0 : utility(own, deal);
      if (mine === OURS) expect(worth).not.toBeNull();
      sum += worth ?? 0;
      count += 1;
    }
  }
  return sum / count;
}

test('against others it gets in all what MiCRO and Boulware get in its place, and never less than nothing', () => {
  const rows = OPPONENTS.map(([name, theirs]) => ({
    name,
    means: [OURS, MICRO, BOULWARE].map((mine) => meanOf(mine, theirs)),
  }));
  for (const { name, means } of rows) console.info(name, ...means.map((mean) => mean.toFixed(3)));
  const behind = rows.filter(({ means: [ours = 0, ...others] }) => ours < Math.max(...others) - BEHIND_MOST);
  expect(behind).toEqual([]);
  const [ours = 0, micro = 0, boulware = 0] = [0, 1, 2].map((at) =>
    rows.reduce((sum, { means }) => sum + (means[at] ?? 0), 0),
  );
  expect(ours).toBeGreaterThanOrEqual(micro);
  expect(ours).toBeGreaterThanOrEqual(boulware);
});
