// Amounts in a text, however they are written: what a model may not say is looked for in digits, with separators between them, and in
// English words, with or without a currency: "I could go to 900" names a price. What is only described ("twice two hundred and a half") is not
// found; so a model is never told a limit.
import { makeLegible } from '../disclosure/legible.ts';

/** Digits with at most one separator between each two, and what follows that makes thousands of them. */
const NUMBERS = /\d(?:[ .,'’_-]?\d){0,14}(?:\s?(?:k|thousand)\b)?/giu;
const MONEY_BEFORE = /(?:[$€£]|\b(?:usd|eur|gbp))\s?$/iu;
const MONEY_AFTER = /^\s?(?:[$€£]|dollars?\b|bucks?\b|euros?\b|pounds?\b|usd\b|eur\b|gbp\b|cents?\b)/iu;
const CENTS_AFTER = /^\s?cents?\b/iu;

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ' , ,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'.split(',');

const VALUES: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, n) => [word, n] as const),
  ...TENS.map((word, n) => [word, 10 * n] as const),
]);
const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['grand', 1_000],
  ['thousand', 1_000],
  ['million', 1_000_000],
]);
const CURRENCIES: ReadonlySet<string> = new Set(
  'dollar dollars buck bucks usd euro euros eur pound pounds gbp'.split(' '),
);
/** Words of a message that are read; it has at most so many. */
const WORDS_MAX = 3_000;
/** Numbers up to this are said of many things; without a currency they are no amounts. */
const SMALL_MAX = 12;

/** What is counted, where no money is meant: a number before one of these words, or in one of these signs, names no price. */
const COUNTED =
  'percent am pm px dpi kb mb gb second minute hour day week month year night time round draft revision version concept variant sketch page word sentence character slide post article link image photo picture icon logo file format color colour size pixel piece copy copies item unit person people customer client user visitor follower member guest seat employee project job order deal review star proof reference step part milestone question'.split(
    ' ',
  );
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const COUNTED_WORDS: ReadonlySet<string> = new Set([
  ...COUNTED.flatMap((word) => [word, `${word}s`, `${word}es`]),
  ...MONTHS,
]);
const COUNTED_AFTER = /^(?:\s?%|(?:st|nd|rd|th)\b|[:/x×]\d)/iu;
const COUNTED_BEFORE = new RegExp(`(?:\\d[:/x×]|#|\\b(?:${MONTHS.join('|')})\\s)$`, 'iu');
const WORD_AFTER = /^[\s-]{0,2}(\p{L}{2,12})/u;

function isCounted(before: string, after: string): boolean {
  if (COUNTED_AFTER.test(after) || COUNTED_BEFORE.test(before)) return true;
  return COUNTED_WORDS.has(WORD_AFTER.exec(after)?.[1]?.toLowerCase() ?? '');
}

interface Spelled {
  readonly value: number;
  readonly is_amount: boolean;
}

/** The numbers that a text has in English words, also after digits: "twelve hundred", "a thousand two hundred", "12 hundred". */
function spelledIn(text: string): Spelled[] {
  const words =
    makeLegible(text)
      .toLowerCase()
      .match(/[a-z]+|\d+(?:\.\d+)?/g) ?? [];
  const found: Spelled[] = [];
  let [whole, part, is_spelled] = [0, 0, false];
  for (const [at, word] of [...words.slice(0, WORDS_MAX), ''].entries()) {
    const [value, scale] = [VALUES.get(word), SCALES.get(word)];
    const digits = /^\d/.test(word) && SCALES.has(words[at + 1] ?? '');
    if (digits) part += Number(word);
    else if (value !== undefined) [part, is_spelled] = [part + value, true];
    else if (scale === 100) [part, is_spelled] = [(part || 1) * scale, true];
    else if (scale !== undefined) [whole, part, is_spelled] = [whole + (part || 1) * scale, 0, true];
    else if (word !== 'and') {
      const value = whole + part;
      const is_amount = CURRENCIES.has(word) || (value > SMALL_MAX && !COUNTED_WORDS.has(word));
      if (is_spelled) found.push({ value, is_amount });
      [whole, part, is_spelled] = [0, 0, false];
    }
  }
  return found;
}

interface Found {
  /** What it can mean, in cents. */
  readonly meanings: readonly number[];
  /** It has a currency, or nothing that says what else it counts. */
  readonly is_amount: boolean;
}

function meaningsOf(match: string, cents: boolean): number[] {
  const thousand = /[a-z]/iu.test(match);
  const number = match.replace(/[^\d.,]/gu, '');
  const digits = number.replace(/[.,]/gu, '');
  // `450.00`, `450,5` and `1.200,00` end in a fraction; in `1,200` and `45 000` the sign parts the thousands.
  const [, whole = digits, fraction = ''] = /^([\d.,]{0,20})[.,](\d{1,2})$/u.exec(number) ?? [];
  const value = Number(`${whole.replace(/[.,]/gu, '')}.${fraction || '0'}`) * (thousand ? 1_000 : 1);
  const all = Number(digits) * (thousand ? 1_000 : 1);
  return cents ? [Math.round(all)] : [Math.round(value * 100), Math.round(all * 100)];
}

function numbersIn(text: string): Found[] {
  const read = makeLegible(text);
  return [...read.matchAll(NUMBERS)].map((match) => {
    const [before, after] = [read.slice(0, match.index), read.slice(match.index + match[0].length)];
    const is_money = MONEY_BEFORE.test(before.slice(-6)) || MONEY_AFTER.test(after.slice(0, 10));
    const meanings = meaningsOf(match[0], CENTS_AFTER.test(after.slice(0, 10)));
    const is_small = (meanings[0] ?? 0) <= SMALL_MAX * 100;
    return { meanings, is_amount: is_money || !(is_small || isCounted(before.slice(-12), after.slice(0, 16))) };
  });
}

/** Whether a text names an amount, with or without a currency, in dollars or in cents. */
export function namesAmount(text: string, cents: number): boolean {
  const found = numbersIn(text);
  if (found.some(({ meanings }) => meanings.includes(cents) || meanings.includes(cents * 100))) return true;
  return spelledIn(text).some(({ value }) => value > SMALL_MAX && (value * 100 === cents || value === cents));
}

/** The amounts that a text names, in cents: those in digits, then those in words. */
export function amountsNamed(text: string): number[] {
  const digits = numbersIn(text).flatMap(({ is_amount, meanings }) => (is_amount ? [meanings[0] ?? 0] : []));
  const words = spelledIn(text).flatMap(({ is_amount, value }) => (is_amount ? [value * 100] : []));
  return [...digits, ...words];
}
