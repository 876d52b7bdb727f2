// The price that words name, as a side of a bargain reads it: dollars in digits, with the sign or the word before or after them. Other
// currencies are no price here, since wallets hold dollars.

const DOLLAR = 100;
/** What nobody sees parts no number. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;

/** Digits with commas between the thousands, a fraction, and a k for thousands; with what says before or after that they are dollars. */
const PRICE =
  /((?<![-a-z]|\d)\$ ?|\bus\$ ?|\busd ?)?(?<![\d.,-]|\d )(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?!\d|\.\d{3}| ?(?:million|thousand|bn|mm?|mn)\b)(\.\d{1,2}(?!\d))?( ?k\b)?( ?(?:dollars?\b|bucks\b|usd\b|\$(?!\d)))?/giu;

/** What makes a price that of a part, or what is taken off one; and what says that it is none. */
const OF_A_PART =
  /^ ?(?:\/ ?[a-z]|per\b|each\b|apiece\b|an? (?:hour|day|week|month|year|page|word|piece)\b|off\b|less\b|cheaper\b|discount\b)/iu;
const NOT_THAT = /\b(?:not|never|instead of|rather than) $/iu;

/** A bare number that ends a sentence in which somebody bargains. */
const COUNTERED =
  /\b(?:what about|how about|make it|let us say|let's say) (\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(\.\d{1,2})?(?=[?.!](?:\s|$)|$)/giu;

/** The last amount of dollars that a text names (`$1,250.50`, `1.2k USD`, `40 dollars`), in cents; null where it names none. Behind one a bare
 * number may be another (`Your $500 is too much. What about 310?`). */
export function amountNamed(said: string): number | null {
  const text = said.replace(UNSEEN, '');
  let found: number | null = null;
  let ends = 0;
  for (const match of text.matchAll(PRICE)) {
    const [all, before, whole = '', fraction = '', thousands, after] = match;
    if (before === undefined && after === undefined) continue;
    const end = match.index + all.length;
    if (OF_A_PART.test(text.slice(end, end + 16)) || NOT_THAT.test(text.slice(0, match.index).slice(-16))) continue;
    const value = Number(`${whole.replaceAll(',', '')}${fraction}`) * (thousands === undefined ? 1 : 1_000);
    // Nothing is no price: it is what a part costs, or a mistake.
    if (value > 0) [found, ends] = [Math.round(value * DOLLAR), end];
  }
  if (found === null) return null;
  for (const [, whole = '', fraction = ''] of text.slice(ends).matchAll(COUNTERED)) {
    const value = Number(`${whole.replaceAll(',', '')}${fraction}`);
    if (value > 0) found = Math.round(value * DOLLAR);
  }
  return found;
}
