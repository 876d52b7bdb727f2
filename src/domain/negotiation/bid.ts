// What the two sides of a talk put to one another: an amount, and the issues beside it. An owner without preferences bargains over the amount
// alone; with some, over packages, and what it hears is read from the other side's words or from its proposal.

import { isObject } from '../json.ts';
import { dollars } from '../money/typed.ts';
import { isBetter, isWithin, nearerAfter, offerAt, type Range, takes } from './bargain.ts';
import { beating } from './compare.ts';
import { heardIn, offeredIn, priceHeard, priceProposed, pricesNamed } from './heard.ts';
import { ISSUE_NAMES, issuesFault, issuesNamed, issuesText, ordered, rankOf, valueAt } from './issue.ts';
import { OFFERS_MAX, type Offered, type Pace, paceOf } from './pace.ts';
import {
  type Bargaining,
  type Bid,
  completed,
  givenBy,
  isWhole,
  nextPackage,
  type Package,
  type PackageIssue,
  type Preferences,
  packageOf,
  ranksOf,
  scoreOf,
  takesPackage,
  utility,
} from './package.ts';
import { amountNamed } from './price.ts';
import type { SaidBefore, TurnFacts, TurnRule } from './turn.ts';

/** The facts of a side that bids decide on. */
type Facts = Pick<TurnFacts, 'said' | 'before' | 'proposal' | 'scale' | 'compare' | 'temper'>;

/** As it is said: `$300, within 5 days`. */
export function bidText({ amount_cents, issues }: Bid): string {
  return [dollars(amount_cents), issuesText(issues)].filter((part) => part !== '').join(', ');
}

/** A bid that a program sent as data, `{amount_cents, issues}`; null for anything else, since its text shows nothing else. */
export function readBid(data: unknown): Bid | null {
  if (!isObject(data)) return null;
  const { amount_cents, issues = [], ...others } = data;
  if (Object.keys(others).length > 0) return null;
  if (typeof amount_cents !== 'number' || !Number.isSafeInteger(amount_cents) || amount_cents <= 0) return null;
  if (!Array.isArray(issues) || issues.length > ISSUE_NAMES.length) return null;
  const read = issues.flatMap((each: unknown) => {
    const { issue: named, value } = isObject(each) ? each : {};
    const issue = ISSUE_NAMES.find((name) => name === named);
    if (!issue || (typeof value !== 'number' && typeof value !== 'string')) return [];
    const rank = rankOf(issue, value);
    return rank === null ? [] : [{ issue, value: valueAt(issue, rank) }];
  });
  return read.length === issues.length && issuesFault(read, 0) === null ? { amount_cents, issues: read } : null;
}

/** What a proposal puts. */
export function proposedBid({ amount_cents, issues = [] }: NonNullable<TurnFacts['proposal']>): Bid {
  return { amount_cents, issues };
}

/** The bid of a package, as far as its side cares about the issues. */
function bidOf(scale: Preferences, values: Package, amount_cents: number): Bid {
  const issues = scale.flatMap(({ issue }) => {
    const rank = values[issue];
    return issue === 'price' || rank === undefined ? [] : [{ issue, value: valueAt(issue, rank) }];
  });
  return { amount_cents, issues: ordered(issues) };
}

/** The package that a text names, or null. */
function namedIn({ content, kind = 'text' }: SaidBefore): Package | null {
  return kind === 'text' ? packageNamed(content, amountNamed(content)) : null;
}

function packageNamed(content: string, price: number | null): Package | null {
  const values = ranksOf(issuesNamed(content));
  return price === null && Object.keys(values).length === 0 ? null : { ...values, ...(price !== null && { price }) };
}

/** Packages in the order in which they were named: what one leaves out stands as it was named before. */
function along(named: readonly (Package | null)[]): Package[] {
  let now: Package = {};
  return named.flatMap((each) => {
    if (each === null) return [];
    now = { ...now, ...each };
    return now.price === undefined ? [] : [now];
  });
}

/** The other side's packages, oldest first, its open proposal last. */
function packagesHeard({ said, proposal }: Pick<Facts, 'said' | 'proposal'>): Package[] {
  const put = proposal && !proposal.mine ? packageOf(proposedBid(proposal)) : null;
  return along([...heardIn(said).toReversed().map(namedIn), put]);
}

/** What this side named last. */
function namedLast(said: Facts['said']): Package | null {
  return along(heardIn(said, true).toReversed().map(namedIn)).at(-1) ?? null;
}

/** The price that this side named last. */
export function ownPrice(said: Facts['said']): number | null {
  for (const { content, kind = 'text' } of heardIn(said, true)) {
    const named = kind === 'text' ? amountNamed(content) : null;
    if (named !== null) return named;
  }
  return null;
}

type Heard = Pick<TurnFacts, 'said' | 'proposal' | 'scale' | 'side' | 'asked_cents'>;

/** The price that the other side has named. What it named before a proposal of this side was answered by not agreeing. */
function priceNamed({ said, side, asked_cents }: Heard): number | null {
  const put = said.findIndex(({ mine, kind }) => mine && kind === 'proposal');
  const since = put === -1 ? said : said.slice(0, put);
  return side === null ? null : priceHeard(since, side, side === 'buyer' ? asked_cents : null);
}

/** The other side's bid, proposed or named; issues that it did not name are as this side named them. */
export function theirBid(facts: Heard): Bid | null {
  const { said, proposal, scale } = facts;
  if (!scale) {
    const amount_cents = proposal && !proposal.mine ? proposal.amount_cents : priceNamed(facts);
    return amount_cents === null ? null : { amount_cents, issues: [] };
  }
  const last = packagesHeard({ said, proposal }).at(-1);
  return last?.price === undefined ? null : bidOf(scale, completed(scale, last, namedLast(said)), last.price);
}

/** The same of what was said since this side spoke last, its proposal aside. */
export function bidSince(facts: Heard): Bid | null {
  const { said, scale = null } = facts;
  const own = said.findIndex(({ mine }) => mine);
  const since = own === -1 ? said : said.slice(0, own);
  const bid = theirBid({ ...facts, said: since, proposal: null });
  if (!scale || bid === null) return bid;
  const named = packagesHeard({ said: since, proposal: null }).at(-1) ?? {};
  return bidOf(scale, completed(scale, named, namedLast(said)), bid.amount_cents);
}

function bargainingOf(facts: Facts, scale: Preferences, step: number): Bargaining {
  return { mine: scale, step, heard: packagesHeard(facts), temper: facts.temper };
}

/** A price as it rises for this side. */
const gainOf = ({ side }: Pick<Range, 'side'>, cents: number): number => (side === 'buyer' ? -cents : cents);

/** The prices of both sides as they are offered. */
function pricesOffered({ said }: Facts, range: Range): Offered {
  return pricesNamed(offeredIn(said), range.side, range.asked).map(({ mine, cents }) =>
    mine ? null : gainOf(range, cents),
  );
}

/** The packages of both sides as they are offered, by this side's scale. One without a price is no offer. */
function packagesOffered({ said }: Facts, scale: Preferences): Offered {
  let now: Package = {};
  return offeredIn(said)
    .reverse()
    .flatMap((message) => {
      const { mine, content, kind } = message;
      const is_put = !mine && kind === 'proposal';
      const named = is_put ? packageNamed(content, priceProposed(content)) : namedIn(message);
      if (named === null) return [];
      if (mine) return [null];
      now = { ...now, ...named };
      return now.price === undefined ? [] : [scoreOf(scale, now)];
    });
}

const OFFERS: ReadonlySet<TurnRule> = new Set(['first_offer', 'concede', 'model_offers']);

/** The number of bids that this side has named. */
export function offersMade({ before }: Pick<Facts, 'before'>): number {
  return before.filter(({ rule }) => OFFERS.has(rule)).length;
}

/** What was offered, with each own offer once: own texts that only name a price, as an answer from the agent's knowledge may, are left out,
 * the first ones first; offers before the messages that are read come first. */
function withOwn(offered: Offered, made: number): Offered {
  let more = offered.filter((worth) => worth === null).length - made;
  const unread = Array.from({ length: Math.max(0, -more) }, () => null);
  const read = offered.filter((worth) => {
    if (worth !== null || more <= 0) return true;
    more -= 1;
    return false;
  });
  return [...unread, ...read];
}

/** Where this side is in the talk, by what both have offered. */
export function paceNow(facts: Facts, range: Range): Pace {
  const { before, proposal, scale = null, temper, compare = null } = facts;
  const has_rivals = (compare?.elsewhere_cents ?? null) !== null;
  const put = proposal && !proposal.mine ? proposedBid(proposal) : null;
  const made = offersMade(facts);
  if (scale) {
    const offered = [...packagesOffered(facts, scale), ...(put ? [scoreOf(scale, packageOf(put))] : [])];
    return paceOf(withOwn(offered, made), givenBy(temper), before.length, has_rivals);
  }
  const first = offerAt(range, 0);
  const offered = [...pricesOffered(facts, range), ...(put ? [gainOf(range, put.amount_cents)] : [])];
  return paceOf(withOwn(offered, made), (step) => Math.abs(offerAt(range, step) - first), before.length, has_rivals);
}

/** This side's bid at a step; better than what it has elsewhere. */
export function nextBid(facts: Facts, range: Range, step: number): Bid {
  const { scale = null, compare = null } = facts;
  if (!scale) {
    const elsewhere = compare?.elsewhere_cents ?? null;
    const amount_cents = offerAt(elsewhere === null ? range : beating(range, elsewhere), step);
    return { amount_cents, issues: [] };
  }
  const elsewhere = compare?.elsewhere_score ?? null;
  const values = nextPackage({ ...bargainingOf(facts, scale, step), elsewhere });
  const cents = values.price ?? offerAt(range, step);
  // A small weight would send a seller's price far beyond what its owner ever asked.
  const most = range.side === 'buyer' ? (range.asked ?? cents) : Math.max(range.best, wishOf(scale, 'price'));
  return bidOf(scale, values, Math.min(cents, most));
}

/** Whether a bid is within this side's limits and says all that it cares about. */
export function isWithinBid({ scale = null }: Pick<Facts, 'scale'>, range: Range, bid: Bid): boolean {
  if (!isWithin(range, bid.amount_cents)) return false;
  if (!scale) return true;
  const values = packageOf(bid);
  // The amount is held to the range: the scale ends a little before it.
  return isWhole(scale, values) && utility(scale, { ...values, price: wishOf(scale, 'price') }) !== null;
}

const wishOf = (scale: Preferences, wanted: PackageIssue): number =>
  scale.find(({ issue }) => issue === wanted)?.wish ?? 0;

/** Whether this side takes a bid at a step. */
export function takesBid(facts: Facts, range: Range, step: number, bid: Bid): boolean {
  const { scale = null } = facts;
  if (!scale) return takes(range, step, bid.amount_cents);
  return isWithinBid(facts, range, bid) && takesPackage(bargainingOf(facts, scale, step), packageOf(bid));
}

/** Whether one bid is better for this side than another. */
export function isBetterBid(
  { scale = null }: Pick<Facts, 'scale'>,
  of: Pick<Range, 'side'>,
  bid: Bid,
  than: Bid,
): boolean {
  if (!scale) return isBetter(of, bid.amount_cents, than.amount_cents);
  return scoreOf(scale, packageOf(bid)) > scoreOf(scale, packageOf(than));
}

/** Whether a bid is as good for this side as the last that it named itself. */
export function isAsNamed(facts: Facts, range: Range, bid: Bid): boolean {
  const { said, scale = null } = facts;
  const named = scale ? namedLast(said) : null;
  const price = named?.price ?? ownPrice(said);
  if (price === null || !isWithinBid(facts, range, bid)) return false;
  const own = scale && named ? bidOf(scale, named, price) : { amount_cents: price, issues: [] };
  return !isBetterBid(facts, range, own, bid);
}

/** This side's next bid where the other has a better one than that which stands, after `asked` of this kind. */
export function nearerBid(facts: Facts, range: Range, { amount_cents }: Bid, at: { step: number; asked: number }): Bid {
  const { step, asked } = at;
  if (!facts.scale) return { amount_cents: nearerAfter(range, amount_cents, asked), issues: [] };
  return nextBid({ ...facts, compare: null }, range, Math.max(step, OFFERS_MAX - 2 + asked));
}
