// Parses amounts as people type them: with a currency sign, thousands separators, and a point or a comma before the cents.
import { thousands } from '../text/thousands.ts';

/** Ignored text: currencies, and spaces and apostrophes between thousands. */
const ASIDE = /usd|eur|[$€£\s'’]/gi;
const FIGURES = /^\d+(?:[.,]\d+)*$/;
/** The most figures of an amount before its cents. */
const WHOLE_MAX = 9;

/** The figures before the cents, without thousands separators; null where these are misplaced. */
function wholeOf(text: string): string | null {
  const [first = '', ...groups] = text.split(/[.,]/);
  const isMixed = text.includes('.') && text.includes(',');
  const fits = groups.length === 0 || (first.length <= 3 && groups.every(({ length }) => length === 3));
  return fits && !isMixed && first.length + 3 * groups.length <= WHOLE_MAX ? [first, ...groups].join('') : null;
}

/** The cents of an amount; null where it is invalid or ambiguous. `decimal` is the decimal mark of the person's language: the other
 * mark, alone before three figures, separates thousands. */
export function typedCents(text: string, decimal: string): number | null {
  const bare = text.replaceAll(ASIDE, '');
  if (!FIGURES.test(bare)) return null;
  const at = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const mark = bare[at];
  const tail = bare.slice(at + 1);
  const isLone = at > 0 && bare.indexOf(mark ?? '') === at;
  const hasCents = isLone && (tail.length <= 2 || mark === decimal);
  const whole = wholeOf(hasCents ? bare.slice(0, at) : bare);
  if (whole === null || (hasCents && tail.length > 2)) return null;
  return Number(whole) * 100 + (hasCents ? Number(tail.padEnd(2, '0')) : 0);
}

// Formats amounts.

/** `$1,250.00` of 125,000 cents. */
export function dollars(cents: number): string {
  const [whole = '', rest = ''] = (cents / 100).toFixed(2).split('.');
  return `$${thousands(Number(whole))}.${rest}`;
}
