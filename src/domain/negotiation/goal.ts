// What an owner wants of the issues of one of its listings: stored for its own side, and never shown to another. A key may narrow what a
// person set, as with bounds.
import type { Bounds } from '../agent/bounds.ts';
import { type Fault, invalid } from '../fault.ts';
import { TRANSFER_MAX_CENTS } from '../money/ledger.ts';
import { offerAt, type Range } from './bargain.ts';
import { ISSUE_NAMES, ISSUES, type Licence, rankOf, takesText } from './issue.ts';
import type { Bid, PackageIssue, Preference, Preferences } from './package.ts';
import { type DealSide, isAutomatic } from './proposal.ts';

export const GOAL_ISSUES = ['price', ...ISSUE_NAMES] as const;

/** How much an issue counts. */
export const WEIGHT_MAX = 100;

/** One issue as its owner sets it. */
export interface Goal {
  readonly issue: PackageIssue;
  /** The last acceptable value; null, for a price alone, where the bounds have it. */
  readonly limit: number | Licence | null;
  /** The value beyond which nothing is gained; null, for a price alone, where the negotiator begins as without goals. */
  readonly wish: number | Licence | null;
  readonly weight: number;
}

/** All of a listing. */
export interface Goals {
  readonly issues: readonly Goal[];
  /** Whether a person set them last. */
  readonly by_person: boolean;
}

function rank(issue: PackageIssue, value: number | string): number | null {
  if (issue !== 'price') return rankOf(issue, value);
  const whole = typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= TRANSFER_MAX_CENTS;
  return whole ? value : null;
}

/** Whether more of an issue is better for a side, by its wish, else by its nature. */
function isMore(side: DealSide, { issue, limit, wish }: Goal): boolean {
  const [from, to] = [limit === null ? null : rank(issue, limit), wish === null ? null : rank(issue, wish)];
  if (from !== null && to !== null && from !== to) return to > from;
  return issue === 'price' ? side === 'seller' : ISSUES[issue].more_for === side;
}

/** The fault of given goals, or null: each issue once, with values of its own. */
export function goalsFault(side: DealSide, given: readonly Goal[]): Fault<'invalid_request'> | null {
  const wrong = given.flatMap((each, n) => {
    const { issue, limit, wish } = each;
    if (given.findIndex((other) => other.issue === issue) < n) {
      return [{ path: `goals.${n}.issue`, message: 'Name each issue once.' }];
    }
    const values = Object.entries({ limit, wish }).flatMap(([name, value]) => {
      const path = `goals.${n}.${name}`;
      if (value === null) return issue === 'price' ? [] : [{ path, message: 'Set a value.' }];
      if (rank(issue, value) !== null) return [];
      return [{ path, message: issue === 'price' ? 'Use whole cents above 0.' : takesText(issue) }];
    });
    const turned = issue === 'price' && values.length === 0 && isMore(side, each) !== (side === 'seller');
    return turned ? [{ path: `goals.${n}.wish`, message: 'Wish for a better price than the limit.' }] : values;
  });
  if (wrong.length > 0) return invalid(...wrong);
  // Without a goal the price has the usual weight.
  const is_weightless = given.some(({ issue }) => issue === 'price') && given.every(({ weight }) => weight === 0);
  return is_weightless ? invalid({ path: 'goals', message: 'Give one of them a weight above 0.' }) : null;
}

/** Whether a value lies beyond a limit. */
function isBeyond(side: DealSide, { issue, limit, wish, weight }: Goal, value: number | string | null): boolean {
  if (limit === null) return false;
  if (value === null) return true;
  const [from, to] = [rank(issue, limit), rank(issue, value)];
  if (from === null || to === null) return true;
  return isMore(side, { issue, limit, wish, weight }) ? to < from : to > from;
}

/** The first issue for which `after` lets an agent agree to more than `before`: one with a wider limit or without it, or one of which
 * nothing was said, for which its person had to be asked. */
export function widenedGoal(side: DealSide, before: readonly Goal[], after: readonly Goal[]): PackageIssue | null {
  const isWider = (each: Goal): boolean => {
    const now = after.find(({ issue }) => issue === each.issue);
    if (!now) return each.limit !== null;
    return isBeyond(side, each, now.limit) || isMore(side, now) !== isMore(side, each);
  };
  const added = after.find(({ issue }) => issue !== 'price' && !before.some((each) => each.issue === issue));
  return (before.find(isWider) ?? added)?.issue ?? null;
}

/** Whether a bid passes no limit, says all that its owner cares about, and nothing of which the owner has set no goal. */
export function keepsLimits(side: DealSide, goals: Goals | null, { amount_cents, issues }: Bid): boolean {
  const set = goals?.issues ?? [];
  const said = (issue: PackageIssue): number | string | null =>
    issue === 'price' ? amount_cents : (issues.find((each) => each.issue === issue)?.value ?? null);
  const decided = issues.every(({ issue }) => set.some((each) => each.issue === issue));
  return decided && set.every((each) => !isBeyond(side, each, said(each.issue)));
}

/** What an agent agrees to without its person. */
export interface Alone {
  readonly side: DealSide;
  readonly bounds: Partial<Bounds>;
  readonly goals: Goals | null;
  /** The highest price of the whole in the other side's listing, which a buyer never exceeds. */
  readonly asked_cents: number | null;
}

/** Whether an agent agrees to a bid without its person: within the bounds and all limits, and to no issue without a goal. */
export function agreesAlone({ side, bounds, goals, asked_cents }: Alone, bid: Bid): boolean {
  const is_dearer = side === 'buyer' && asked_cents !== null && bid.amount_cents > asked_cents;
  return !is_dearer && keepsLimits(side, goals, bid) && isAutomatic(bounds, side, bid.amount_cents);
}

/** The bounds of an agent for a listing: the narrower of its own and of the listing's price limit. */
export function boundsWith<B extends Partial<Bounds>>(side: DealSide, bounds: B, goals: Goals | null): B {
  const limit = goals?.issues.find(({ issue }) => issue === 'price')?.limit ?? null;
  if (typeof limit !== 'number') return bounds;
  if (side === 'buyer') return { ...bounds, max_pay_cents: Math.min(bounds.max_pay_cents ?? limit, limit) };
  return { ...bounds, min_charge_cents: Math.max(bounds.min_charge_cents ?? limit, limit) };
}

/** The wished price within a range. */
function wishedPrice(range: Range, wish: number | string | null | undefined): number {
  const { side, goal } = range;
  if (typeof wish !== 'number') return offerAt(range, 0);
  return side === 'buyer' ? Math.min(wish, goal) : Math.max(wish, goal);
}

/** The scale by which a side bargains within a range; null where its owner has set no goals. */
export function scaleIn(range: Range, goals: Goals | null): Preferences | null {
  if (!goals || goals.issues.length === 0) return null;
  const { side, goal } = range;
  const priced = goals.issues.find(({ issue }) => issue === 'price');
  const price: Preference = {
    issue: 'price',
    limit: goal,
    wish: wishedPrice(range, priced?.wish),
    weight: priced?.weight ?? 1,
    more: side === 'seller',
  };
  const others = goals.issues.flatMap((each): Preference[] => {
    const { issue, limit, wish, weight } = each;
    if (issue === 'price' || limit === null || wish === null) return [];
    const [from, to] = [rankOf(issue, limit), rankOf(issue, wish)];
    return from === null || to === null ? [] : [{ issue, limit: from, wish: to, weight, more: isMore(side, each) }];
  });
  return [price, ...others];
}
