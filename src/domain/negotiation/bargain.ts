// How the built-in negotiator bargains: where it begins, how it concedes, what it takes. The rules kept here: nothing outside the bounds
// is ever named or taken, and the limit itself is neither said nor to be worked out from what is said. A side begins with what it would
// like best and concedes over seven offers along (n / 6)^c of the way to just before its limit; it takes what is as good as its own next
// offer, and at its last what is as good as that: what it would take beyond could be searched for, one talk after the other. Where it begins, how fast it comes and how near its last offer is to its
// limit differ by the counterparty (`Temper`), so that this rule, which everybody can read, does not turn an offer into the limit. Amounts are
// whole cents.
import type { Bounds } from '../agent/bounds.ts';
import type { DealSide } from './proposal.ts';

/** Offers that a side makes before it gives up. */
export const OFFERS_MAX = 7;

/**
 * How a side bargains with one other party: three shares from 0 up to 1, the same whenever the two meet, drawn from a secret that neither
 * knows. Talking again tells nothing more.
 */
export interface Temper {
  /** How far from its limit it begins. */
  readonly begins: number;
  /** How soon it concedes. */
  readonly pace: number;
  /** How near its last offer comes. */
  readonly ends: number;
}

/** Between a least and a most, as a temper says. */
const between = ([least, most]: readonly [number, number], share: number): number => least + (most - least) * share;

/** What a buyer names first, and a seller whose listing names no price, as shares of the limit. */
const BUYER_BEGINS = [0.6, 0.8] as const;
const SELLER_BEGINS = [1.2, 1.45] as const;
/** The last offer stays so far from the limit, as a share of it. */
const MARGIN = [0.003, 0.02] as const;
const CURVE = [1.2, 1.9] as const;
const DOLLAR = 100;

/** Between what a side would like and what it can agree to, in cents. */
export interface Range {
  readonly side: DealSide;
  readonly best: number;
  /** The last that it offers. */
  readonly goal: number;
  readonly limit: number;
  readonly curve: number;
}

/** What a side may bargain over, by its bounds and what its own listing says; null where nothing says how far it may go. A price that a
 * seller has listed is what it asks: nobody pays more than that, as everybody has read it. */
export function rangeOf(
  side: DealSide,
  bounds: Partial<Bounds>,
  listed_cents: number | null,
  { begins, pace, ends }: Temper,
): Range | null {
  const [curve, margin] = [between(CURVE, pace), between(MARGIN, ends)];
  if (side === 'buyer') {
    const limits = [bounds.max_pay_cents ?? null, listed_cents].filter((cents) => cents !== null);
    if (limits.length === 0) return null;
    const limit = Math.min(...limits);
    if (limit <= 0) return null;
    const best = Math.floor(limit * between(BUYER_BEGINS, begins));
    return { side, limit, curve, best, goal: Math.max(best, Math.floor(limit * (1 - margin))) };
  }
  const limit = bounds.min_charge_cents ?? listed_cents;
  if (limit === null || Math.max(limit, listed_cents ?? 0) <= 0) return null;
  const listed = listed_cents !== null && listed_cents >= limit ? listed_cents : null;
  const best = listed ?? Math.ceil(limit * between(SELLER_BEGINS, begins));
  return { side, limit, curve, best, goal: Math.min(best, Math.ceil(limit * (1 + margin))) };
}

/** Whether an amount is within a side's limit. */
export function isWithin({ side, limit }: Range, cents: number): boolean {
  return side === 'buyer' ? cents <= limit : cents >= limit;
}

/** To whole dollars, in the side's own favour and never past its limit. */
function rounded({ side, limit }: Range, cents: number): number {
  if (cents < DOLLAR) return Math.max(1, side === 'buyer' ? Math.floor(cents) : Math.ceil(cents));
  const dollars = side === 'buyer' ? Math.floor(cents / DOLLAR) : Math.ceil(cents / DOLLAR);
  const whole = dollars * DOLLAR;
  return side === 'buyer' ? Math.min(whole, limit) : Math.max(whole, limit);
}

/** The offer of a side after `made` of its own. */
export function offerAfter(range: Range, made: number): number {
  const { best, goal, curve } = range;
  const way = (Math.min(made, OFFERS_MAX - 1) / (OFFERS_MAX - 1)) ** curve;
  const offer = rounded(range, best + (goal - best) * way);
  // A listed price is named as it is listed.
  return range.side === 'seller' ? Math.min(offer, Math.max(best, range.limit)) : offer;
}

/** Whether a side takes what the other has named, after `made` offers of its own: what is as good as its next one, which is within its limit. */
export function takes(range: Range, made: number, named_cents: number): boolean {
  const next = offerAfter(range, made);
  return range.side === 'buyer' ? named_cents <= next : named_cents >= next;
}
