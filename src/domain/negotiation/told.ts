// Checks of the texts that an agent sends automatically, from its knowledge and in its turns: no private data (interface.md item 9), neither in
// one text nor in several that are read in sequence. Doubtful listings wait for a reviewer; these texts have none, so doubtful ones are not sent.

import type { Bounds } from '../agent/bounds.ts';
import { disclosureFault, readTogether } from '../disclosure/disclosure.ts';
import { type Disclosable, refusalOf } from '../disclosure/finding.ts';
import { makeLegible } from '../disclosure/legible.ts';
import type { Fault } from '../fault.ts';
import type { SaidBefore } from './turn.ts';

// Finds amounts in a text: neither an instruction nor an answer from knowledge may disclose an owner's limit, which is searched in digits, with
// separators, and in English words, with or without a currency. Descriptions ("twice two hundred and a half") are not found; therefore a model
// never gets a limit, and none of its text is sent.

/** Digits with at most one separator between each two, and an optional word for thousands. */
const NUMBERS = /\d(?:[ .,'’_-]?\d){0,14}(?:\s?(?:k|thousand)\b)?/giu;
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
/** The most words of a message. */
const WORDS_MAX = 3_000;
/** Numbers up to this are common, and in words they do not count as amounts. */
const SMALL_MAX = 12;

/** The numbers in English words in a text, also after digits: "twelve hundred", "a thousand two hundred", "12 hundred". */
function spelledIn(text: string): number[] {
  const words =
    makeLegible(text)
      .toLowerCase()
      .match(/[a-z]+|\d+(?:\.\d+)?/g) ?? [];
  const found: number[] = [];
  let [whole, part, is_spelled] = [0, 0, false];
  for (const [at, word] of [...words.slice(0, WORDS_MAX), ''].entries()) {
    const [value, scale] = [VALUES.get(word), SCALES.get(word)];
    const digits = /^\d/.test(word) && SCALES.has(words[at + 1] ?? '');
    if (digits) part += Number(word);
    else if (value !== undefined) [part, is_spelled] = [part + value, true];
    else if (scale === 100) [part, is_spelled] = [(part || 1) * scale, true];
    else if (scale !== undefined) [whole, part, is_spelled] = [whole + (part || 1) * scale, 0, true];
    else if (word !== 'and') {
      if (is_spelled) found.push(whole + part);
      [whole, part, is_spelled] = [0, 0, false];
    }
  }
  return found;
}

/** The possible meanings of a number in cents. */
function meaningsOf(match: string, cents: boolean): number[] {
  const thousand = /[a-z]/iu.test(match);
  const number = match.replace(/[^\d.,]/gu, '');
  const digits = number.replace(/[.,]/gu, '');
  // `450.00`, `450,5` and `1.200,00` end in a fraction; in `1,200` and `45 000` the mark separates thousands.
  const [, whole = digits, fraction = ''] = /^([\d.,]{0,20})[.,](\d{1,2})$/u.exec(number) ?? [];
  const value = Number(`${whole.replace(/[.,]/gu, '')}.${fraction || '0'}`) * (thousand ? 1_000 : 1);
  const all = Number(digits) * (thousand ? 1_000 : 1);
  return cents ? [Math.round(all)] : [Math.round(value * 100), Math.round(all * 100)];
}

function numbersIn(text: string): number[] {
  const read = makeLegible(text);
  return [...read.matchAll(NUMBERS)].flatMap(({ 0: match, index }) => {
    const end = index + match.length;
    return meaningsOf(match, CENTS_AFTER.test(read.slice(end, end + 10)));
  });
}

/** Whether a text names an amount, with or without a currency, in dollars or in cents. */
export function namesAmount(text: string, cents: number): boolean {
  const found = numbersIn(text);
  if (found.includes(cents) || found.includes(cents * 100)) return true;
  return spelledIn(text).some((value) => value > SMALL_MAX && (value * 100 === cents || value === cents));
}

/** Own earlier messages whose ends are read together with a new one; no number or address is longer than an end. */
const BEFORE_MAX = 5;
const GOES_ON_MAX = 500;
/** A text with more lines is read as one field. */
const LINES_MAX = 100;

/** Splits a text into lines, which are read in sequence as the fields of a listing are. */
function byLine(field: string, text: string): Disclosable[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.length <= LINES_MAX ? lines : [text]).map((line) => ({ field, text: line }));
}

/** The refusal of private data in texts, where those that are `isNew` are sent now. */
function refused(texts: readonly Disclosable[], isNew: (field: string) => boolean): Fault<'disclosure_refused'> | null {
  const alone = disclosureFault(texts.filter(({ field }) => isNew(field)));
  if (alone) return alone;
  const { sure, doubted } = readTogether(texts, isNew);
  return refusalOf([...sure, ...doubted].filter(({ field }) => isNew(field)));
}

/** A public entry as fields for the checks. */
export const toldTexts = (title: string, text: string): Disclosable[] => [
  ...byLine('title', title),
  ...byLine('text', text),
];

/** The refusal of private data in an automatic message, alone or together with the earlier ones. */
export function saidFault(text: string, said: readonly SaidBefore[]): Fault<'disclosure_refused'> | null {
  const before = said.filter(({ mine }) => mine).slice(0, BEFORE_MAX);
  const earlier = before.map(({ content }, at) => ({ field: `before.${at}`, text: content.slice(-GOES_ON_MAX) }));
  return refused([...earlier.reverse(), ...byLine('content', text)], (field) => field === 'content');
}

/** Whether a text for the other side names one of the owner's limits. */
export function tellsBound(text: string, bounds: Partial<Bounds>): boolean {
  const limits = [bounds.max_pay_cents, bounds.min_charge_cents, bounds.auto_approve_below_cents];
  return limits.some((cents) => typeof cents === 'number' && cents > 0 && namesAmount(text, cents));
}
