// Splits text into the words that carry meaning, the same way for the table's build, for embedding and for lexical
// scores. Function words and bare numbers are left out; what is in another script or has accents survives folding.

import { normalForm } from '../../domain/text/normal-form.ts';
import { stem } from '../../domain/text/stem.ts';

const STOP_WORDS = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but ' +
    'by can could did do does doing down during each eg either else etc ever few for from further get had has have ' +
    'having he her here hers him his how however i ie if in into is it its itself just many may me might more most ' +
    'much must my neither no nor not of off on once only onto or other our ours out over own per re same shall she ' +
    'should so some such than that the their theirs them then there these they this those through thus to too under ' +
    'until up upon us very via was we were what when where whether which while who whom whose why will with within ' +
    'without would yet you your yours'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}]+[+#]*/gu;
const ACCENTS = /\p{M}+/gu;
const NOT_ASCII = /[^\0-\x7f]/;
/** Longer runs are keys, hashes or other noise; the cut also bounds what one word can cost. */
const WORD_CHARS_MAX = 40;

/** The words of a text in order: lowercase, without accents, stop words, single letters and bare numbers. */
export function words(text: string): string[] {
  const folded = NOT_ASCII.test(text) ? normalForm(text, 'NFKD').replace(ACCENTS, '') : text;
  const out: string[] = [];
  for (const word of folded.toLowerCase().replaceAll("'s", '').match(WORD) ?? []) {
    if (word.length < 2 || STOP_WORDS.has(word) || /^\d+$/.test(word)) continue;
    out.push(word.length > WORD_CHARS_MAX ? word.slice(0, WORD_CHARS_MAX) : word);
  }
  return out;
}

/** Stemming costs far more than a look-up; the bound keeps strangers' words from filling memory. */
const REMEMBERED_STEMS_MAX = 32_768;
const remembered = new Map<string, string>();

/** The stem of one of `words`. */
export function stemOf(word: string): string {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_STEMS_MAX) remembered.clear();
  const found = stem(word);
  remembered.set(word, found);
  return found;
}

/** The stems of a text in order, repeats kept: the terms of a lexical score. */
export function terms(text: string): string[] {
  return words(text).map(stemOf);
}
