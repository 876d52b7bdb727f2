// How the built-in negotiator bargains. Nothing outside the bounds is ever named or taken. A side begins with what it would like best and
// concedes over seven offers along (n / 6)^c of the way to just before its limit; it takes what is as good as its own next offer, at its last
// too, since what it took beyond could be searched for. Where it begins, how fast it comes and how near its last offer lies differ by agent
// and limit (`Temper`), so that this rule, which everybody can read, does not turn an offer into the limit. A buyer pays no more than the
// seller's listing asks, but its way is that to its own limit, or whoever edits a listing would find that. Amounts are whole cents.
import type { Bounds } from '../agent/bounds.ts';
import type { DealSide } from './proposal.ts';

/** Offers that a side makes before it gives up. */
export const OFFERS_MAX = 7;

/**
 * How a side bargains up to one limit: three shares from 0 up to 1, the same with everybody, drawn from a secret that no side knows. Talking
 * again, or from another account, tells nothing more.
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
  /** What the seller's listing asks, above which a buyer offers nothing; null where it says nothing, and for a seller. */
  readonly asked: number | null;
}

/** What the listings of a talk name, in cents. */
export interface Listed {
  /** One's own price, or budget. */
  readonly own: number | null;
  /** The most that the other side's listing asks for. */
  readonly asked: number | null;
}

/** The last that a side could agree to, by its bounds and its own listing; null where nothing says how far it may go. */
export function limitOf(side: DealSide, bounds: Partial<Bounds>, own: number | null): number | null {
  if (side === 'seller') return bounds.min_charge_cents ?? own;
  const limits = [bounds.max_pay_cents ?? null, own].filter((cents) => cents !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

/** The next whole dollar, as people name prices; of less than one, the next cent. */
function wholeAbove(cents: number): number {
  return cents < DOLLAR ? Math.ceil(cents) : Math.ceil(cents / DOLLAR) * DOLLAR;
}

/** What a side may bargain over, by its bounds and what its own listing says; null where nothing says how far it may go. A price that a
 * seller has listed is what it asks: nobody pays more than that, as everybody has read it. */
export function rangeOf(
  side: DealSide,
  bounds: Partial<Bounds>,
  { own, asked }: Listed,
  { begins, pace, ends }: Temper,
): Range | null {
  const [curve, margin] = [between(CURVE, pace), between(MARGIN, ends)];
  const limit = limitOf(side, bounds, own);
  if (limit === null) return null;
  if (side === 'buyer') {
    if (limit <= 0) return null;
    const best = Math.floor(limit * between(BUYER_BEGINS, begins));
    return { side, limit, curve, best, goal: Math.max(best, Math.floor(limit * (1 - margin))), asked };
  }
  if (Math.max(limit, own ?? 0) <= 0) return null;
  const listed = own !== null && own >= limit ? own : null;
  const best = listed ?? wholeAbove(limit * between(SELLER_BEGINS, begins));
  return { side, limit, curve, best, goal: Math.min(best, Math.ceil(limit * (1 + margin))), asked: null };
}

/** How far a side goes; null where nothing says so. */
type Far = Pick<Range, 'side' | 'asked'> & { readonly limit: number | null };

/** Whether an amount is within a side's limit, and no more than is asked. */
export function isWithin({ side, limit, asked }: Far, cents: number): boolean {
  return side === 'buyer' ? cents <= Math.min(limit ?? cents, asked ?? cents) : cents >= (limit ?? cents);
}

/** Whether one amount is better for a side than another. */
export function isBetter({ side }: Pick<Range, 'side'>, cents: number, than: number): boolean {
  return side === 'buyer' ? cents < than : cents > than;
}

/** To whole dollars, in the side's own favour and never past its limit. */
function rounded({ side, limit }: Range, cents: number): number {
  if (side === 'seller') return Math.max(1, wholeAbove(cents), limit);
  return cents < DOLLAR ? Math.max(1, Math.floor(cents)) : Math.min(Math.floor(cents / DOLLAR) * DOLLAR, limit);
}

/** The offer of a side after `made` of its own. */
export function offerAfter(range: Range, made: number): number {
  const { best, goal, curve, asked } = range;
  const way = (Math.min(made, OFFERS_MAX - 1) / (OFFERS_MAX - 1)) ** curve;
  const offer = rounded(range, best + (goal - best) * way);
  // A listed price is named as it is listed.
  return range.side === 'seller' ? Math.min(offer, Math.max(best, range.limit)) : Math.min(offer, asked ?? offer);
}

/** Whether a side takes what the other has named, after `made` offers of its own: what is as good as its next one, which is within its limit. */
export function takes(range: Range, made: number, named_cents: number): boolean {
  const next = offerAfter(range, made);
  return range.side === 'buyer' ? named_cents <= next : named_cents >= next;
}
