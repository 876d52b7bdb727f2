// Words that were taken apart: letters drawn apart ("g m a i l", "g.m.a.i.l"), letters spelled by names ("golf mike alpha"),
// numbers written as one word ("fünfundfünfzig"). Each is put together again before anything is looked for.
import { beginsNumeral, isAnd, meaningOf, spellsLetter } from './lexicon.ts';
import type { Sign } from './reading.ts';

/** Fewer are initials, a list of two, or words of one letter. */
const DRAWN_MIN = 3;
const NAMES_MIN = 3;
const DRAWN_GAP = 4;

/** Latin, Greek and Cyrillic letters; a sign of other scripts may be a word. */
const ALPHABETS_END = '\u0530';
const isLetter = (sign: Sign | undefined): sign is Sign =>
  sign?.kind === 'word' && sign.text.length === 1 && sign.text < ALPHABETS_END;
const asIn = /^(?:as in|like|for|wie|come|como|comme|как|jak|som|van|as)$/;

/** Letters for the names that spell them: three names in a row, or "B as in Boy". */
export function nameLetters(signs: readonly Sign[]): Sign[] {
  const made: Sign[] = [];
  for (let at = 0; at < signs.length; ) {
    const sign = signs[at];
    if (!sign) break;
    const told = isLetter(sign) ? exampleEnd(signs, at) : at;
    if (told > at) {
      made.push({ ...sign, is: 0, digits: null });
      at = told;
      continue;
    }
    let end = at;
    while (signs[end]?.kind === 'word' && signs[end]?.digits === null && spellsLetter(signs[end]?.text ?? '')) end += 1;
    if (end - at < NAMES_MIN) {
      made.push(sign);
      at += 1;
      continue;
    }
    for (const named of signs.slice(at, end)) made.push({ ...named, text: named.text.charAt(0), is: 0, digits: null });
    at = end;
  }
  return made;
}

/** Where "B as in Boy" ends, or the place itself. */
function exampleEnd(signs: readonly Sign[], at: number): number {
  const letter = signs[at]?.text ?? '';
  for (let by = 1; by <= 2; by++) {
    const words = signs.slice(at + 1, at + 1 + by).map(({ text }) => text);
    const example = signs[at + 1 + by];
    if (
      example?.kind === 'word' &&
      example.text.length > 1 &&
      example.text.startsWith(letter) &&
      asIn.test(words.join(' '))
    ) {
      return at + 2 + by;
    }
  }
  return at;
}

interface Chain {
  readonly end: number;
  readonly letters: string;
  readonly last: Sign;
}

/** The joint between two letters: the gap, or a dot with what stands around it. Null when another sign stands there. */
function jointAt(signs: readonly Sign[], at: number): { readonly joint: string; readonly next: number } | null {
  const sign = signs[at];
  if (!sign) return null;
  if (sign.kind === 'dot' && signs[at + 1]) return { joint: `${sign.gap}.${signs[at + 1]?.gap}`, next: at + 1 };
  return sign.gap === '' || sign.gap.length > DRAWN_GAP ? null : { joint: sign.gap, next: at };
}

function chainAt(signs: readonly Sign[], from: number): Chain | null {
  const first = signs[from];
  if (!isLetter(first)) return null;
  let letters = first.text;
  let last = first;
  let end = from + 1;
  let joints: string | null = null;
  for (;;) {
    const step = jointAt(signs, end);
    const next = step ? signs[step.next] : undefined;
    if (!step || !next || next.field !== first.field || next.text.length !== 1 || next.text >= ALPHABETS_END) break;
    if (next.kind !== 'word' && next.kind !== 'number') break;
    joints ??= step.joint;
    if (step.joint !== joints) break;
    letters += next.text;
    last = next;
    end = step.next + 1;
  }
  return { end, letters, last };
}

/** The signs with letters that were drawn apart as one word. Each chain is walked once. */
export function joinDrawn(signs: readonly Sign[]): Sign[] {
  const made: Sign[] = [];
  let seen = -1;
  for (let at = 0; at < signs.length; ) {
    const sign = signs[at];
    if (!sign) break;
    const chain = chainAt(signs, at);
    const behind = made.at(-1);
    // The end of a domain may be short: "g m a i l . d e".
    const domain = behind?.kind === 'dot' || behind?.kind === 'at' || (behind?.is ?? 0) !== 0;
    const least = seen === sign.field && domain ? DRAWN_MIN - 1 : DRAWN_MIN;
    if (!chain || chain.letters.length < least) {
      made.push(sign);
      at += 1;
      continue;
    }
    const { letters, last, end } = chain;
    made.push({
      ...sign,
      ...meaningOf(letters),
      text: letters,
      end: last.end,
      spoken: meaningOf(letters).digits !== null,
      drawn: true,
    });
    seen = sign.field;
    at = end;
  }
  return made;
}

/** No numeral is longer, and no number in one word has more letters than these. */
const NUMERAL_MAX = 14;
const COMPOUND_MAX = 90;
const COMPOUND_MIN = 5;

/** The digits of a number written as one word, or null. */
function digitsOfCompound(text: string): string[] | null {
  if (text.length < COMPOUND_MIN || text.length > COMPOUND_MAX || !beginsNumeral(text)) return null;
  const digits: string[] = [];
  for (let at = 0; at < text.length; ) {
    let size = Math.min(NUMERAL_MAX, text.length - at);
    for (; size > 1; size--) {
      const part = text.slice(at, at + size);
      const known = meaningOf(part);
      // "Oneseven" begins with no plural.
      const numeral = known.weak && part.endsWith('s') && at + size < text.length ? null : known.digits;
      if (numeral === null && !(at > 0 && isAnd(part))) continue;
      if (numeral !== null) digits.push(numeral);
      break;
    }
    if (size <= 1) return null;
    at += size;
  }
  return digits.length > 1 ? digits : null;
}

/** The signs with numbers that were written as one word taken apart. */
export function splitCompounds(signs: readonly Sign[]): Sign[] {
  const made: Sign[] = [];
  for (const sign of signs) {
    const parts = sign.kind === 'word' && sign.digits === null && sign.is === 0 ? digitsOfCompound(sign.text) : null;
    if (!parts) made.push(sign);
    else
      for (const [at, digits] of parts.entries())
        made.push({ ...sign, gap: at === 0 ? sign.gap : '', digits, spoken: true, weak: false, text: digits });
  }
  return made;
}
