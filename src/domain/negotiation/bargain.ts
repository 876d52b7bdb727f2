// How the built-in negotiator bargains: where it begins, how it concedes, what it takes. The rule kept here: nothing outside the bounds
// is ever named or taken, and the limit itself is never said. A side begins with what it would like best and concedes over seven
// offers along (n / 6)^1.5 of the way to one hundredth before its limit; it takes what is as good as its own next offer, and, when it has no
// offer left, anything within its limit. Amounts are whole cents.
import type { Bounds } from '../agent/bounds.ts';
import type { DealSide } from './proposal.ts';

/** Offers that a side makes before it gives up. */
export const OFFERS_MAX = 7;

/** How far from its limit a buyer begins, and a seller whose listing asks no more than its limit: in hundredths of it. */
const BUYER_BEGINS = 70;
const SELLER_BEGINS = 130;
/** The last offer stays so far from the limit, so that it does not tell it. */
const MARGIN = 0.01;
const CURVE = 1.5;
const DOLLAR = 100;

/** Between what a side would like and what it can agree to, in cents. */
export interface Range {
  readonly side: DealSide;
  readonly best: number;
  readonly limit: number;
}

/** What a side may bargain over, by its bounds and what its own listing says; null where nothing says how far it may go. */
export function rangeOf(side: DealSide, bounds: Partial<Bounds>, listed_cents: number | null): Range | null {
  if (side === 'buyer') {
    const limits = [bounds.max_pay_cents ?? null, listed_cents].filter((cents) => cents !== null);
    if (limits.length === 0) return null;
    const limit = Math.min(...limits);
    return { side, limit, best: Math.floor((limit * BUYER_BEGINS) / 100) };
  }
  const limit = bounds.min_charge_cents ?? listed_cents;
  if (limit === null) return null;
  // Whoever has said no lower limit sells at the price of the listing.
  const floor = Math.max(limit, bounds.min_charge_cents ?? 0);
  const asked = bounds.min_charge_cents == null ? floor : Math.ceil((floor * SELLER_BEGINS) / 100);
  return { side, limit: floor, best: Math.max(asked, listed_cents ?? 0) };
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
  const { side, best, limit } = range;
  const last = side === 'buyer' ? Math.floor(limit * (1 - MARGIN)) : Math.ceil(limit * (1 + MARGIN));
  const goal = side === 'buyer' ? Math.max(best, last) : Math.min(best, last);
  const way = (Math.min(made, OFFERS_MAX - 1) / (OFFERS_MAX - 1)) ** CURVE;
  return rounded(range, best + (goal - best) * way);
}

/** Whether a side takes what the other has named, after `made` offers of its own. */
export function takes(range: Range, made: number, named_cents: number): boolean {
  if (!isWithin(range, named_cents)) return false;
  if (made >= OFFERS_MAX - 1) return true;
  const next = offerAfter(range, made);
  return range.side === 'buyer' ? named_cents <= next : named_cents >= next;
}

const DIGIT = /\d/;

/** The last amount of dollars that a text names (`$1,250.50`), in cents; null where it names none. One pass, whatever the text. */
export function amountNamed(text: string): number | null {
  let found: number | null = null;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at + 1)) {
    let end = at + 1;
    let digits = '';
    for (; end < text.length && digits.length < 12; end += 1) {
      const letter = text[end] ?? '';
      if (DIGIT.test(letter)) digits += letter;
      else if (letter !== ',' || !DIGIT.test(text[end + 1] ?? '')) break;
    }
    if (digits === '') continue;
    const cents = text[end] === '.' && DIGIT.test(text[end + 1] ?? '') && DIGIT.test(text[end + 2] ?? '');
    found = Number(digits) * DOLLAR + (cents ? Number(text.slice(end + 1, end + 3)) : 0);
  }
  return found;
}
