// How the built-in negotiator bargains. It never names or accepts anything beyond the bounds. A side begins with its best amount and
// concedes in steps (pace.ts) along the way to just before its limit; it accepts what is as good as its own next offer, also at
// its last one, since accepting more could be probed. Beginning, pace and last offer differ by agent and limit (`Temper`), so that this
// public rule does not let others compute the limit from an offer. A buyer pays at most what the seller's listing asks, but concedes toward
// its own limit, which a seller could otherwise find by editing the listing. Amounts are whole cents.
import type { Bounds } from '../agent/bounds.ts';
import { OFFERS_MAX, wayAt } from './pace.ts';
import type { DealSide } from './proposal.ts';

/**
 * How a side bargains toward one limit: three shares from 0 up to 1, the same for all counterparties, derived from a secret that no side
 * knows. Another conversation, or another account, reveals nothing more.
 */
export interface Temper {
  /** The distance of the first offer from the limit. */
  readonly begins: number;
  /** The pace of concessions. */
  readonly pace: number;
  /** How near the last offer comes to the limit. */
  readonly ends: number;
}

/** Interpolates between two values by a share of a temper. */
const between = ([least, most]: readonly [number, number], share: number): number => least + (most - least) * share;

/** First offers of a buyer, and of a seller without a listed price, as shares of the limit. */
const BUYER_BEGINS = [0.6, 0.8] as const;
const SELLER_BEGINS = [1.2, 1.45] as const;
/** The distance of the last offer from the limit, as a share of it. */
const MARGIN = [0.003, 0.02] as const;
/** The share of the way that a side offers where the other side speaks after it, and so names its own last price before the talk is over. */
const NAMES_FIRST = 0.5;
const DOLLAR = 100;

/** The range between a side's best amount and its limit, in cents. */
export interface Range {
  readonly side: DealSide;
  readonly best: number;
  /** The worst amount that it takes or offers. */
  readonly goal: number;
  /** Its last offer; before the goal where it names its prices first. */
  readonly last: number;
  readonly limit: number;
  readonly pace: number;
  /** The price of the seller's listing, which a buyer never exceeds; null without one, and for a seller. */
  readonly asked: number | null;
}

/** The amounts of the listings of a conversation, in cents. */
export interface Listed {
  /** The own price or budget. */
  readonly own: number | null;
  /** The highest price of the other side's listing. */
  readonly asked: number | null;
}

/** A side's limit by its bounds and its own listing; null without one. */
export function limitOf(side: DealSide, bounds: Partial<Bounds>, own: number | null): number | null {
  if (side === 'seller') return bounds.min_charge_cents ?? own;
  const limits = [bounds.max_pay_cents ?? null, own].filter((cents) => cents !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

/** Rounds up to a whole dollar, below one dollar to a whole cent. */
function wholeAbove(cents: number): number {
  return cents < DOLLAR ? Math.ceil(cents) : Math.ceil(cents / DOLLAR) * DOLLAR;
}

/** A side's range by its bounds and its own listing; null without a limit. A seller starts at its listed price, since buyers have read
 * it and pay no more. */
export function rangeOf(
  side: DealSide,
  bounds: Partial<Bounds>,
  { own, asked }: Listed,
  { begins, pace, ends }: Temper,
): Range | null {
  const margin = between(MARGIN, ends);
  const limit = limitOf(side, bounds, own);
  if (limit === null) return null;
  if (side === 'buyer') {
    if (limit <= 0) return null;
    const best = Math.floor(limit * between(BUYER_BEGINS, begins));
    const goal = Math.max(best, Math.floor(limit * (1 - margin)));
    return { side, limit, pace, best, goal, last: goal, asked };
  }
  if (Math.max(limit, own ?? 0) <= 0) return null;
  const listed = own !== null && own >= limit ? own : null;
  const best = listed ?? wholeAbove(limit * between(SELLER_BEGINS, begins));
  const goal = Math.min(best, Math.ceil(limit * (1 + margin)));
  return { side, limit, pace, best, goal, last: goal, asked: null };
}

/** A side's limit; null without one. */
type Far = Pick<Range, 'side' | 'asked'> & { readonly limit: number | null };

/** Whether an amount is within a side's limit, and at most the asked price. */
export function isWithin({ side, limit, asked }: Far, cents: number): boolean {
  return side === 'buyer' ? cents <= Math.min(limit ?? cents, asked ?? cents) : cents >= (limit ?? cents);
}

/** Whether one amount is better for a side than another. */
export function isBetter({ side }: Pick<Range, 'side'>, cents: number, than: number): boolean {
  return side === 'buyer' ? cents < than : cents > than;
}

/** Rounds to whole dollars in the side's favour, never beyond its limit. */
function rounded({ side, limit }: Range, cents: number): number {
  if (side === 'seller') return Math.max(1, wholeAbove(cents), limit);
  return cents < DOLLAR ? Math.max(1, Math.floor(cents)) : Math.min(Math.floor(cents / DOLLAR) * DOLLAR, limit);
}

/** A side's offer at a step. */
export function offerAt(range: Range, step: number): number {
  const { best, last, pace, asked } = range;
  const offer = rounded(range, best + (last - best) * wayAt(step, pace));
  // A listed price is not rounded.
  return range.side === 'seller' ? Math.min(offer, Math.max(best, range.limit)) : Math.min(offer, asked ?? offer);
}

/** The shares of the way from a standing amount to the last offer that a side concedes where the other has a better one: it comes to its last
 * offer soon, or who was asked less often would win. */
const NEARER = [0.5, 1] as const;

/** A side's next amount where the other has a better one than that which stands, after `asked` such offers. */
export function nearerAfter(range: Range, stands: number, asked: number): number {
  const share = NEARER[Math.min(asked, NEARER.length - 1)] ?? 1;
  const next = rounded(range, stands + (range.goal - stands) * share);
  return range.side === 'buyer' ? Math.min(next, range.asked ?? next) : next;
}

/** The range of a side that names its prices before the other: it keeps back what the other's last price, which it then takes, may give. */
export function namingFirst(range: Range): Range {
  return { ...range, last: Math.round(range.best + (range.goal - range.best) * NAMES_FIRST) };
}

/** Whether a side accepts the other's amount at a step: if it is as good as its next offer, after its last one as good as its goal, which is
 * within its limit. */
export function takes(range: Range, step: number, named_cents: number): boolean {
  const next = offerAt(step < OFFERS_MAX ? range : { ...range, last: range.goal }, step);
  return range.side === 'buyer' ? named_cents <= next : named_cents >= next;
}
