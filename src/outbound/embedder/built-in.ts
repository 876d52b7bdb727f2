// The built-in embedder: word vectors from the table beside it. Pure CPU; the table is read once, at the first text.

import type { WordWeights } from '../../domain/listing/template-words.ts';
import { normalForm } from '../../domain/text/normal-form.ts';
import { stem } from '../../domain/text/stem.ts';
import type { Language } from '../../domain/text/word-search.ts';
import { EMBEDDING_DIMENSIONS, type Embedder, toInt8 } from './embedder.ts';
import { hashWord, openTable, type Table } from './table.ts';
import { tableBytes } from './table-bytes.ts';

// Directions for words that the table lacks: names, products, misspellings. The whole word and its runs of four
// letters each add a few signed components, so equal words agree fully and near spellings in part.

/** Between a rare word of the table (about 1.2) and a common one: an unknown word is rare, but has no known meaning. */
const UNKNOWN_WEIGHT = 1;
/** Share of the squared length that the whole word has; the rest is spread over its runs of letters. */
const WHOLE_SHARE = 0.7;
const RUN_CHARS = 4;
/** Components a piece; with 16 of 256, two pieces seldom collide by more than one. */
const COMPONENTS = 16;

function addPiece(sum: Float32Array, piece: string, length: number): void {
  let state = hashWord(piece) | 1;
  const step = length / Math.sqrt(COMPONENTS);
  for (let i = 0; i < COMPONENTS; i += 1) {
    // xorshift32: cheap, and every bit of the word's hash reaches every component.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const at = state & (EMBEDDING_DIMENSIONS - 1);
    sum[at] = (sum[at] ?? 0) + ((state >>> 9) & 1 ? step : -step);
  }
}

/** Adds the direction of an unknown word to a running sum, `part` of its weight. */
function addHashed(sum: Float32Array, word: string, part: number): void {
  const runs = word.length - RUN_CHARS + 1;
  const weight = UNKNOWN_WEIGHT * part;
  addPiece(sum, word, weight * Math.sqrt(runs > 1 ? WHOLE_SHARE : 1));
  if (runs <= 1) return;
  const length = weight * Math.sqrt((1 - WHOLE_SHARE) / runs);
  for (let i = 0; i < runs; i += 1) addPiece(sum, `~${word.slice(i, i + RUN_CHARS)}`, length);
}

// Splits text into the words that carry meaning, the same way for the table's build, for embedding and for lexical
// scores. Function words and bare numbers are left out; what is in another script or has accents survives folding.

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
/** Longer runs are keys, hashes or other noise; the cut also bounds the cost of one word. */
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

/** Stemming costs far more than a look-up; the bound keeps rare words from filling memory. */
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

// Makes a text's vector over a table of word vectors: a weighted sum of its words, with a hashed direction for each word
// that the table lacks, so that names and new words still tell two texts alike.

/** Known words are cached by spelling, which saves the stemmer; the bound keeps rare words from filling memory. */
const REMEMBERED_WORDS_MAX = 32_768;

/** A word of the table: its row, what gives the row the length of the word's weight, and the hash of its stem. */
interface Known {
  readonly row: number;
  readonly factor: number;
  readonly hash: number;
}

const NO_WEIGHTS: WordWeights = new Map();

/** The vector of a text, optionally with lower weights for some words. */
type TextVector = (text: string, weights?: WordWeights) => Int8Array;

/** Makes vectors over a table; about 20 µs for a headline, 100 µs for 1,500 characters. */
export function textVectorOver({ weights: wordWeights, lengthOf, add, find }: Table): TextVector {
  const knownWords = new Map<string, Known>();
  const sum = new Float32Array(EMBEDDING_DIMENSIONS);
  const knownOf = (word: string): Known | null => {
    const remembered = knownWords.get(word);
    if (remembered !== undefined) return remembered;
    const stem = stemOf(word);
    const row = find(stem);
    if (row < 0) return null;
    if (knownWords.size >= REMEMBERED_WORDS_MAX) knownWords.clear();
    const known = { row, factor: (wordWeights[row] ?? 0) / (lengthOf(row) || 1), hash: hashWord(stem) };
    knownWords.set(word, known);
    return known;
  };
  return (text, weights = NO_WEIGHTS) => {
    const weighed = weights.size > 0;
    sum.fill(0);
    for (const word of words(text)) {
      const known = knownOf(word);
      if (!known) {
        addHashed(sum, word, weighed ? (weights.get(hashWord(stemOf(word))) ?? 1) : 1);
        continue;
      }
      const { row, factor, hash } = known;
      add(sum, row, weighed ? factor * (weights.get(hash) ?? 1) : factor);
    }
    return toInt8(sum);
  };
}

/** Changes with the table, text or formula, which makes all stored vectors be made again. */
export const BUILT_IN_MODEL = 'meshwork-lsa-3';

/** Some two milliseconds of work. */
const SLICE_CHARACTERS = 10_000;

interface Loaded {
  readonly table: Table;
  readonly vectorOf: TextVector;
}

let loaded: Loaded | undefined;

function load(): Loaded {
  if (!loaded) {
    const table = openTable(tableBytes());
    loaded = { table, vectorOf: textVectorOver(table) };
  }
  return loaded;
}

/** How much a stem counts in a text: its weight in the table, or that of an unknown word. */
export function termWeight(term: string): number {
  const { table } = load();
  const row = table.find(term);
  return row < 0 ? UNKNOWN_WEIGHT : (table.weights[row] ?? 0);
}

/** The vector of one text (see Embedded for its shape); with `weights` some words weigh less. */
export function embedText(text: string, weights?: WordWeights): Int8Array {
  return load().vectorOf(text, weights);
}

/** The language knowledge of word searches. */
export const builtInLanguage: Language = {
  isWord: (word) => load().table.find(stemOf(word)) >= 0,
  meaningOf: (text) => embedText(text),
};

/** Other requests run between slices: an intake with forty long texts would block them for 60 ms. */
export async function embedInSlices(
  texts: readonly string[],
  weightsOf?: (at: number) => WordWeights | undefined,
): Promise<Int8Array[]> {
  const vectors: Int8Array[] = [];
  let characters = 0;
  for (const [at, text] of texts.entries()) {
    if (characters > 0 && characters + text.length > SLICE_CHARACTERS) {
      await new Promise((resolve) => setImmediate(resolve));
      characters = 0;
    }
    vectors.push(embedText(text, weightsOf?.(at)));
    characters += text.length;
  }
  return vectors;
}

export const builtInEmbedder: Embedder = {
  model: BUILT_IN_MODEL,
  dimensions: EMBEDDING_DIMENSIONS,
  get closeness_floor() {
    return load().table.floor;
  },
  embed: async (texts) => ({ model: BUILT_IN_MODEL, vectors: await embedInSlices(texts) }),
};
