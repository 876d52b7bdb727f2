// Folding of free text to a-z 0-9, the same for labels, slugs and dealbreakers, so that the three agree on equal words
// (rules.md 5). NFKC, lower case, other scripts transliterated, every run of other characters becomes one hyphen.

import anyAscii from 'any-ascii';
import { normalForm, writeOut } from './normal-form.ts';

// Names that plain folding would merge with others ("c++" and "c#" with "c", ".net" with "net", "disney+" with "disney")
// are spelled out first. The signs stand for a word only beside a letter or digit.
const LEADING_DOT = /(?<![\p{L}\p{N}.])\.(?=[a-z])/gu;
const TRAILING_PLUSES = /(?<=[\p{L}\p{N}])\++(?![\p{L}\p{N}])/gu;
const TRAILING_SHARP = /(?<=[\p{L}\p{N}])#(?![\p{L}\p{N}])/gu;
const LEADING_STAR = /(?<![\p{L}\p{N}])\*(?=[a-z])/gu;

const NON_ASCII = /[^\0-\x7f]/;
const FOREIGN_SIGN = /[^\0-\x7f]/gu;
const FOREIGN_LETTERS = /(?:(?![\0-\x7f])[\p{L}\p{M}])+/gu;
const OTHERS = /[^a-z0-9]+/g;
const EDGES = /^-|-$/g;

// A transliteration may contain an apostrophe (Arabic ain, Ukrainian soft sign), which is no word break.
function toAscii(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  const spelled = text.replace(FOREIGN_LETTERS, (letters) => anyAscii(letters).replace(/[`'"]/g, ''));
  // The name of a symbol may have forty letters: a text of symbols must not cost forty times its length.
  return writeOut(spelled, FOREIGN_SIGN, anyAscii);
}

/** Folds text to `[a-z0-9]` words joined by single hyphens; empty when no letter or digit is left. Idempotent. */
export function hyphenate(text: string): string {
  const spelled = normalForm(text, 'NFKC')
    .toLowerCase()
    .replace(LEADING_DOT, ' dot ')
    .replace(TRAILING_PLUSES, (pluses) => ' plus'.repeat(Math.min(pluses.length, 2)))
    .replace(TRAILING_SHARP, ' sharp')
    .replace(LEADING_STAR, ' star ');
  return toAscii(spelled).toLowerCase().replace(OTHERS, '-').replace(EDGES, '');
}

/** Cuts folded text at a hyphen so that at most `max_chars` remain; one longer word is cut hard. */
export function cutAtWord(folded: string, max_chars: number): string {
  if (folded.length <= max_chars) return folded;
  const cut = folded.slice(0, max_chars + 1);
  const at = cut.lastIndexOf('-');
  return at > 0 ? cut.slice(0, at) : folded.slice(0, max_chars);
}

/**
 * Reduces a folded English word to a rough singular, so that "agencies" matches "agency" and "casinos" matches "casino".
 * Only plural endings are removed: a stemmer that also cut "-ing" and "-er" would make dealbreakers match unnamed words.
 */
export function singularOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** A text's words, folded and in the singular. */
export function singularWords(text: string): string[] {
  const folded = hyphenate(text);
  return folded === '' ? [] : folded.split('-').map(singularOf);
}
