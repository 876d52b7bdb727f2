// Directions for words that the table lacks: names, products, misspellings. The whole word and its runs of four
// letters each add a few signed components, so equal words agree fully and near spellings in part.

import { EMBEDDING_DIMENSIONS } from './embedder.ts';
import { hashWord } from './table.ts';

/** Between a rare word of the table (about 1.2) and a common one: an unknown word is rare, but its meaning is not known. */
export const UNKNOWN_WEIGHT = 1;
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
export function addHashed(sum: Float32Array, word: string, part: number): void {
  const runs = word.length - RUN_CHARS + 1;
  const weight = UNKNOWN_WEIGHT * part;
  addPiece(sum, word, weight * Math.sqrt(runs > 1 ? WHOLE_SHARE : 1));
  if (runs <= 1) return;
  const length = weight * Math.sqrt((1 - WHOLE_SHARE) / runs);
  for (let i = 0; i < runs; i += 1) addPiece(sum, `~${word.slice(i, i + RUN_CHARS)}`, length);
}
