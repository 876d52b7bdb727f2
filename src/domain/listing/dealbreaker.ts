// Dealbreakers: free phrases of a listing that the other side's words must not meet (interface.md "Listing",
// rules.md 6). The reading is literal on purpose: a phrase is met when one sentence, label or place of the other
// side holds all its words, in singular or plural; no meaning is guessed, so a person can foresee what is refused.

import { hyphenate, singularOf } from '../text/fold.ts';

// Words that carry nothing in a phrase such as "work with an agency" or "any casino".
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an the any of with for to be is are we i you who that which do does must please and or'.split(' '),
);
// "No agencies" among dealbreakers means agencies. "Not" and "without" stay words of the phrase: "not remote" and
// "without insurance" name a lack, which only the same words on the other side meet.
const LEADING_NO: ReadonlySet<string> = new Set(['no', 'never', 'avoid']);
// "No casinos" in the other's text is the opposite of a casino.
const NEGATORS: ReadonlySet<string> = new Set(['no', 'not', 'non', 'without', 'never', 'anti']);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'any', 'the']);

const SENTENCE_END = /[.!?;](?=\s|$)|[\n\r•|]+/;

/** A phrase ready to be looked for. */
export interface Dealbreaker {
  /** As its author wrote it. */
  readonly text: string;
  readonly words: readonly string[];
}

/** One side's words, a list a sentence, and each of them once: a phrase with a word that occurs nowhere is done with at
 * one look, so that long texts and long lists of phrases do not multiply. */
export interface Haystack {
  readonly sentences: readonly (readonly string[])[];
  readonly words: ReadonlySet<string>;
}

function wordsOf(text: string): string[] {
  const folded = hyphenate(text);
  return folded === '' ? [] : folded.split('-').map(singularOf);
}

/** Reads dealbreakers; a phrase without a word of its own is left out, since it would refuse everybody. */
export function readDealbreakers(phrases: readonly string[]): Dealbreaker[] {
  return phrases.flatMap((text) => {
    const [head, ...rest] = wordsOf(text);
    if (head === undefined) return [];
    const all = LEADING_NO.has(head) && rest.length > 0 ? rest : [head, ...rest];
    const words = [...new Set(all.filter((word) => !EMPTY_WORDS.has(word)))];
    return words.length > 0 ? [{ text: text.trim(), words }] : [];
  });
}

/** Splits a side's texts into sentences of folded words. */
export function haystackOf(texts: readonly (string | null | undefined)[]): Haystack {
  const sentences = texts
    .flatMap((text) => (text ? text.split(SENTENCE_END) : []))
    .map(wordsOf)
    .filter((words) => words.length > 0);
  return { sentences, words: new Set(sentences.flat()) };
}

function isNegated(sentence: readonly string[], at: number): boolean {
  const before = sentence[at - 1];
  if (before === undefined) return false;
  if (NEGATORS.has(before)) return true;
  const earlier = sentence[at - 2];
  return ARTICLES.has(before) && earlier !== undefined && NEGATORS.has(earlier);
}

function meets(sentence: readonly string[], words: readonly string[]): boolean {
  if (!words.every((word) => sentence.includes(word))) return false;
  const [first] = words;
  return (
    first === undefined ||
    NEGATORS.has(first) ||
    sentence.some((word, at) => word === first && !isNegated(sentence, at))
  );
}

/** The first dealbreaker that the other side's words meet; null when none is. */
export function metDealbreaker(dealbreakers: readonly Dealbreaker[], haystack: () => Haystack): Dealbreaker | null {
  if (dealbreakers.length === 0) return null;
  const { sentences, words: occurring } = haystack();
  const met = ({ words }: Dealbreaker): boolean =>
    words.every((word) => occurring.has(word)) && sentences.some((sentence) => meets(sentence, words));
  return dealbreakers.find(met) ?? null;
}
