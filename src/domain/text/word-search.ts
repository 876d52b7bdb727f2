// Searches texts by the words of a question (BM25 over four fields). The index is built once; a question is cut to a limit first, so
// that its cost is bounded.
import { cosine } from './cosine.ts';
import { plainWords, rememberingForm, saysNothing, termsOf, termsOfWords } from './search-words.ts';

// Corrects misspelt words by the words of the texts: those within one or two edits (insertion, deletion, substitution, transposition).
// Words are indexed by their forms without one letter, so that a lookup depends on the word's length, not on the number of words.

/** Shorter words are one edit away from too many others. */
const LENGTH_MIN = 4;
/** The longest meaningful word. */
const LENGTH_MAX = 32;
/** From this length on two edits are allowed. */
const TWO_SLIPS_LENGTH = 7;
/** Words that are compared under one key. */
const CANDIDATES_MAX = 40;
/** Words indexed before yielding: a few milliseconds. */
const SPELLED_AT_ONCE = 300;

const LETTERS = /^[a-z]+$/;

const isSpellable = (word: string): boolean =>
  word.length >= LENGTH_MIN && word.length <= LENGTH_MAX && LETTERS.test(word);

/** A word, and its forms without one letter. */
function* withoutOne(word: string): Generator<string> {
  yield word;
  for (let at = 0; at < word.length; at += 1) yield word.slice(0, at) + word.slice(at + 1);
}

/** The edit distance of two words (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const differs = one[i - 1] === other[j - 1] ? 0 : 1;
      let slips = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + differs);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (swapped) slips = Math.min(slips, (before[j - 2] ?? 0) + 1);
      row.push(slips);
    }
    [before, above] = [above, row];
  }
  return above[other.length] ?? 0;
}

/** The first letter is rarely wrong, except by a transposition. */
const beginAlike = (one: string, other: string): boolean =>
  one[0] === other[0] || (one[0] === other[1] && one[1] === other[0]);

/** Corrects a word: the nearest known word, the most frequent of equally near ones, or null. */
type Spelling = (word: string) => string | null;

/** Indexes words with their frequencies, in slices. */
export function* makeSpelling(said: ReadonlyMap<string, number>): Generator<void, Spelling> {
  const kept = new Map<string, string[]>();
  let learnt = 0;
  for (const word of said.keys()) {
    if (!isSpellable(word)) continue;
    for (const key of new Set(withoutOne(word))) {
      const words = kept.get(key);
      if (!words) kept.set(key, [word]);
      else if (words.length < CANDIDATES_MAX) words.push(word);
    }
    learnt += 1;
    if (learnt % SPELLED_AT_ONCE === 0) yield;
  }
  return (word) => {
    if (!isSpellable(word)) return null;
    const near = new Set<string>();
    for (const key of withoutOne(word)) for (const known of kept.get(key) ?? []) near.add(known);
    const slips_max = word.length >= TWO_SLIPS_LENGTH ? 2 : 1;
    let best: { readonly word: string; readonly slips: number; readonly said: number } | null = null;
    for (const known of near) {
      if (Math.abs(known.length - word.length) > slips_max || !beginAlike(word, known)) continue;
      const [slips, often] = [slipsBetween(word, known), said.get(known) ?? 0];
      if (slips > slips_max) continue;
      if (!best || slips < best.slips || (slips === best.slips && often > best.said)) {
        best = { word: known, slips, said: often };
      }
    }
    return best?.word ?? null;
  };
}

/** A searched text with its other fields. */
export interface Searched {
  /** The subject; its words weigh most. */
  readonly title: string;
  /** Other search words. */
  readonly keywords: string;
  /** Further names. */
  readonly about: string;
  readonly text: string;
  /** Above 1 it is preferred to equally good texts. */
  readonly merit: number;
}

/** Knowledge of the language beyond the texts. */
export interface Language {
  /** Whether a word exists, and so is not misspelt. */
  isWord(word: string): boolean;
  /** The vector of a text's meaning. */
  meaningOf(text: string): Int8Array;
}

interface Ranked {
  /** The index of the text. */
  readonly at: number;
  readonly score: number;
  /** The share of the question that its words answer, from 0 to 1. */
  readonly answered: number;
}

/** The result of a question. */
export interface Ranking {
  /** The matching texts, the best first; equal ones in their order. */
  readonly ranked: readonly Ranked[];
  /** The share of the question's words that occur in any text. */
  readonly known: number;
  /** The closeness in meaning of a text's subject to the question, from -1 to 1. */
  closeness(one: Ranked): number;
}

export type WordSearch = (question: string) => Ranking;

/** The part of a question that is read. */
const QUESTION_MAX = 2_000;
const WORDS_MAX = 40;
/** Corrected words of a question. */
const PUT_RIGHT_MAX = 8;
/** Names of agents say nothing about the subject of a question. */
const NAMED_AGENT = /@\w{1,40}/g;
const FIGURE = /^\d+$/;

/** For each field, the weight of a word, the penalty for length, and the share of a question's word that it answers: a heading names
 * the subject of a section, while its text may mention anything. */
const FIELDS = {
  title: { weight: 5, by_length: 0.2, answers: 1 },
  keywords: { weight: 3, by_length: 0.2, answers: 1 },
  about: { weight: 0.7, by_length: 0.3, answers: 1 },
  text: { weight: 1, by_length: 0.6, answers: 0.6 },
} as const;
/** Limits the effect of frequent words. */
const SATURATION = 3;

type Field = keyof typeof FIELDS;
const NAMES: readonly Field[] = ['title', 'keywords', 'about', 'text'];

interface Posting {
  readonly at: number;
  readonly weight: number;
  readonly answers: number;
}

/** The words of a text by field, with their counts. */
type Counts = Readonly<Record<Field, { readonly words: ReadonlyMap<string, number>; readonly length: number }>>;

function countsOf(text: string, form: (word: string) => string): Counts[Field] {
  const words = new Map<string, number>();
  const terms = termsOf(text, form);
  for (const term of terms) words.set(term, (words.get(term) ?? 0) + 1);
  return { words, length: terms.length };
}

/** The weights of a text's words and the shares that they answer, by the usual lengths of fields. */
function weightsOf(
  counts: Counts,
  usual: Readonly<Record<Field, number>>,
  merit: number,
): Map<string, Pick<Posting, 'weight' | 'answers'>> {
  const found = new Map<string, { sum: number; answers: number }>();
  for (const field of NAMES) {
    const { weight, by_length, answers } = FIELDS[field];
    const { words, length } = counts[field];
    const by = 1 - by_length + (by_length * length) / Math.max(1, usual[field]);
    for (const [word, count] of words) {
      const before = found.get(word) ?? { sum: 0, answers: 0 };
      found.set(word, { sum: before.sum + (weight * count) / by, answers: Math.max(before.answers, answers) });
    }
  }
  return new Map(
    [...found].map(([word, { sum, answers }]) => [word, { weight: (merit * sum) / (sum + SATURATION), answers }]),
  );
}

/** Texts read before yielding: a few milliseconds. */
const SLICE = 12;

/** The postings of each word with weights. */
function* indexOf(texts: readonly Searched[]): Generator<void, ReadonlyMap<string, readonly Posting[]>> {
  const form = rememberingForm();
  const counted: Counts[] = [];
  const usual = { title: 0, keywords: 0, about: 0, text: 0 };
  for (const { title, keywords, about, text } of texts) {
    const counts = {
      title: countsOf(title, form),
      keywords: countsOf(keywords, form),
      about: countsOf(about, form),
      text: countsOf(text, form),
    };
    for (const field of NAMES) usual[field] += counts[field].length / texts.length;
    if (counted.push(counts) % SLICE === 0) yield;
  }
  const index = new Map<string, Posting[]>();
  for (const [at, counts] of counted.entries()) {
    for (const [word, worth] of weightsOf(counts, usual, texts[at]?.merit ?? 1)) {
      const postings = index.get(word);
      if (postings) postings.push({ at, ...worth });
      else index.set(word, [{ at, ...worth }]);
    }
    if (at % SLICE === 0) yield;
  }
  return index;
}

/** The frequency of each word in its original spelling. */
function* spelledIn(texts: readonly Searched[]): Generator<void, ReadonlyMap<string, number>> {
  const said = new Map<string, number>();
  for (const [at, one] of texts.entries()) {
    for (const field of NAMES) {
      for (const word of plainWords(one[field])) said.set(word, (said.get(word) ?? 0) + FIELDS[field].weight);
    }
    if (at % SLICE === 0) yield;
  }
  return said;
}

/** A question's words; those unknown to both the texts and the language are corrected. */
function wordsAsked(
  question: string,
  said: ReadonlyMap<string, number>,
  spelling: Spelling,
  language: Language,
): string[] {
  let put_right = 0;
  return plainWords(question.slice(0, QUESTION_MAX).replaceAll(NAMED_AGENT, ' ')).map((word) => {
    if (put_right >= PUT_RIGHT_MAX || said.has(word) || saysNothing(word) || language.isWord(word)) return word;
    put_right += 1;
    return spelling(word) ?? word;
  });
}

/** Indexes texts, in slices. */
export function* makeWordSearch(texts: readonly Searched[], language: Language): Generator<void, WordSearch> {
  const index = yield* indexOf(texts);
  const said = yield* spelledIn(texts);
  const spelling = yield* makeSpelling(said);
  return (question) => {
    const asked = wordsAsked(question, said, spelling, language);
    // A number that no text contains is the asker's own.
    const words = [...new Set(termsOfWords(asked))]
      .filter((word) => index.has(word) || !FIGURE.test(word))
      .slice(0, WORDS_MAX);
    const scores = new Map<number, { score: number; answered: number }>();
    let [known, known_worth] = [0, 0];
    for (const word of words) {
      const postings = index.get(word);
      if (!postings) continue;
      const worth = Math.log(1 + (texts.length - postings.length + 0.5) / (postings.length + 0.5));
      known += 1;
      known_worth += worth;
      for (const { at, weight, answers } of postings) {
        const before = scores.get(at) ?? { score: 0, answered: 0 };
        scores.set(at, { score: before.score + worth * weight, answered: before.answered + worth * answers });
      }
    }
    // An unknown word has the mean weight of the others: it may be the subject, or irrelevant.
    const whole = (known_worth / Math.max(1, known)) * words.length;
    const ranked = [...scores]
      .map(([at, { score, answered }]) => ({ at, score, answered: answered / whole }))
      .sort((a, b) => b.score - a.score || a.at - b.at);
    return {
      ranked,
      known: known / Math.max(1, words.length),
      closeness: ({ at }) => {
        const { title = '', keywords = '', about = '' } = texts[at] ?? {};
        return cosine(language.meaningOf(asked.join(' ')), language.meaningOf(`${title} ${keywords} ${about}`));
      },
    };
  };
}
