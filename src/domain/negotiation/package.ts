// Bargaining over several issues at once: a side weighs them by one additive utility, and offers packages. How much it gives is
// decided by the step at which it is (pace.ts); where it gives is decided by what the other
// side seems to want most, learnt from its offers alone. No side ever offers or takes a value beyond one of its limits.

import type { Temper } from './bargain.ts';
import { type Issue, type IssueName, rankOf } from './issue.ts';
import { type Given, wayAt } from './pace.ts';

export type PackageIssue = 'price' | IssueName;

/** Values by issue: cents, whole numbers, and the ranks of choices. */
export type Package = Readonly<Partial<Record<PackageIssue, number>>>;

/** What a side puts: an amount, and the issues beside it. */
export interface Bid {
  readonly amount_cents: number;
  readonly issues: readonly Issue[];
}

export function ranksOf(issues: readonly Issue[]): Package {
  return Object.fromEntries(
    issues.flatMap(({ issue, value }) => {
      const rank = rankOf(issue, value);
      return rank === null ? [] : [[issue, rank] as const];
    }),
  );
}

export function packageOf({ amount_cents, issues }: Bid): Package {
  return { ...ranksOf(issues), price: amount_cents };
}

/** What a side wants of an issue: from `limit`, the last acceptable value, to `wish`, beyond which it gains nothing. */
export interface Preference {
  readonly issue: PackageIssue;
  readonly limit: number;
  readonly wish: number;
  /** How much it counts beside the others; from 0 up. */
  readonly weight: number;
  /** Where limit and wish are one value: whether more of it is better. */
  readonly more?: boolean;
}

export type Preferences = readonly Preference[];

/** The share of the way from limit to wish: 0 and 1 there, negative beyond the limit. Only a price gains beyond the wish. */
function share({ issue, limit, wish, more }: Preference, value: number): number {
  if (limit === wish) return value === wish || value > wish === (more ?? true) ? 1 : -1;
  const way = (value - limit) / (wish - limit);
  return issue === 'price' ? way : Math.min(1, way);
}

const totalOf = (mine: Preferences): number => mine.reduce((sum, { weight }) => sum + weight, 0) || 1;

/** What a package is worth, from 0 (all at the limits) to 1 (all wishes), less where a limit is passed. What it does not name counts as at
 * the limit. */
export function scoreOf(mine: Preferences, values: Package): number {
  const sum = mine.reduce((all, each) => {
    const value = values[each.issue];
    return value === undefined ? all : all + each.weight * share(each, value);
  }, 0);
  return sum / totalOf(mine);
}

/** The same where all limits are kept; null for a package that is not acceptable. */
export function utility(mine: Preferences, values: Package): number | null {
  const kept = mine.every((each) => share(each, values[each.issue] ?? each.limit) >= 0);
  return kept ? scoreOf(mine, values) : null;
}

/** Whether a package names all issues that a side cares about. */
export function isWhole(mine: Preferences, values: Package): boolean {
  return mine.every(({ issue }) => values[issue] !== undefined);
}

/** The package with what it does not name taken from another, else from the wishes. */
export function completed(mine: Preferences, values: Package, from: Package | null): Package {
  return { ...Object.fromEntries(mine.map(({ issue, wish }) => [issue, from?.[issue] ?? wish])), ...values };
}

/** Where a side is in the bargaining. */
export interface Bargaining {
  readonly mine: Preferences;
  /** The step of its next offer. */
  readonly step: number;
  /** The other side's packages, oldest first. */
  readonly heard: readonly Package[];
  readonly temper: Pick<Temper, 'pace' | 'ends'>;
  /** What it has elsewhere: it offers and takes nothing that is worth less. */
  readonly elsewhere?: number | null;
}

/** What the last offer is worth. */
const LAST = [0.01, 0.03] as const;
/** By how much an offer has to beat what it has elsewhere. */
const STEP = 0.005;

/** What its offer at a step is worth, from 1 on. */
export function goalAt({ pace, ends }: Bargaining['temper'], step: number): number {
  return 1 - (1 - LAST[0] - (LAST[1] - LAST[0]) * ends) * wayAt(step, pace);
}

/** What its offers have given. */
export function givenBy(temper: Bargaining['temper']): Given {
  return (step) => 1 - goalAt(temper, step);
}

/** The least that its next offer, and what it takes, is worth. */
function aspiration({ step, temper, elsewhere = null }: Bargaining): number {
  const goal = goalAt(temper, step);
  return elsewhere === null ? goal : Math.max(goal, elsewhere + STEP);
}

/** The pace at which the other side is taken to give. */
const MIDDLE = 0.5;

/** Rounds in which the weights settle, and how strongly they are held to equal ones. */
const ROUNDS = 30;
const EQUAL = 0.05;
const LEAST = 0.01;

/** How much the other side seems to want each issue over this side's range: the weights that best explain what it gave with each offer (least
 * squares, one weight after another). What it moves early and far it wants little; what it never named, not at all. */
function wantsOf(mine: Preferences, heard: readonly Package[]): ReadonlyMap<PackageIssue, number> {
  const named = mine.filter(({ issue }) => heard.length === 0 || heard.some((each) => each[issue] !== undefined));
  const equal = 1 / Math.max(1, named.length);
  const wants = new Map(named.map(({ issue }) => [issue, equal]));
  const given = heard.slice(1).map((each, n) => ({
    way: wayAt(n + 1, MIDDLE),
    moves: named.map(({ issue, limit, wish }) => {
      const [from, to] = [heard[0]?.[issue] ?? 0, each[issue] ?? heard[0]?.[issue] ?? 0];
      return Math.abs(to - from) / Math.max(1, Math.abs(wish - limit));
    }),
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { issue }] of named.entries()) {
      let [sum, norm] = [EQUAL * equal, EQUAL];
      for (const { way, moves } of given) {
        const all = named.reduce((total, other, n) => total + (wants.get(other.issue) ?? 0) * (moves[n] ?? 0), 0);
        const others = all - (wants.get(issue) ?? 0) * (moves[at] ?? 0);
        sum += (moves[at] ?? 0) * (way - others);
        norm += (moves[at] ?? 0) ** 2;
      }
      wants.set(issue, Math.max(LEAST, sum / norm));
    }
  }
  return wants;
}

const DOLLAR = 100;

/** The nearest whole value on the side of the wish; of a price, whole dollars. */
function towards({ issue, wish }: Preference, value: number): number {
  const step = issue === 'price' && value >= DOLLAR ? DOLLAR : 1;
  return value < wish
    ? Math.min(wish, Math.ceil(value / step) * step)
    : Math.max(wish, Math.floor(value / step) * step);
}

/** The end of a side's way on an issue: what the other side asks for, but never beyond the limit. */
function endOf({ issue, limit, wish }: Preference, asked: Package | undefined): number {
  const value = asked?.[issue] ?? limit;
  return wish < limit ? Math.max(wish, Math.min(limit, value)) : Math.min(wish, Math.max(limit, value));
}

/** The package that is worth at least `target` to the side and, of those, most to the other as far as its offers show. */
function packageAt({ mine, heard }: Pick<Bargaining, 'mine' | 'heard'>, target: number): Package {
  const wants = wantsOf(mine, heard);
  const ratio = ({ issue, weight }: Preference): number => (wants.get(issue) ?? 0) / Math.max(weight, 1e-9);
  let left = Math.max(0, 1 - target) * totalOf(mine) + 1e-9;
  const values = new Map<PackageIssue, number>();
  for (const each of mine.toSorted((a, b) => ratio(b) - ratio(a))) {
    const { issue, limit, wish, weight } = each;
    const end = endOf(each, heard[0]);
    const cost = limit === wish ? 0 : (weight * Math.abs(wish - end)) / Math.abs(wish - limit);
    const given = cost <= left ? end : towards(each, wish + ((end - wish) * left) / cost);
    left -= limit === wish ? 0 : (weight * Math.abs(wish - given)) / Math.abs(wish - limit);
    values.set(issue, given);
  }
  return raised(mine, Object.fromEntries(values), target);
}

/** The package with a price beyond the wish where all wishes are worth less than the target, as they may be beside a better offer. */
function raised(mine: Preferences, values: Package, target: number): Package {
  const price = mine.find(({ issue }) => issue === 'price');
  const lacks = (target - scoreOf(mine, values)) * totalOf(mine);
  if (!price || values.price === undefined || price.weight === 0 || lacks <= 1e-9) return values;
  const more = (lacks / price.weight) * Math.abs(price.wish - price.limit);
  const is_less = price.wish < price.limit;
  const moved = is_less ? Math.floor(values.price - more) : Math.ceil(values.price + more);
  return { ...values, price: Math.max(1, moved) };
}

/** The side's next offer. */
export function nextPackage(state: Bargaining): Package {
  return packageAt(state, aspiration(state));
}

/** Whether it takes a package now: within all limits, and worth what its own next offer is worth at least. */
export function takesPackage(state: Bargaining, values: Package): boolean {
  const worth = isWhole(state.mine, values) ? utility(state.mine, values) : null;
  return worth !== null && worth >= aspiration(state);
}
