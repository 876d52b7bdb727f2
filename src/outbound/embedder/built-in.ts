// The embedder that needs nobody: a weighted sum of word vectors from the table beside it, with a hashed direction for
// each word that the table lacks, so that names and new words still tell two texts alike. Pure CPU; the table is read
// once, at the first text.

import { readFileSync } from 'node:fs';
import { EMBEDDING_DIMENSIONS, type Embedder, toInt8 } from './embedder.ts';
import { addHashed, UNKNOWN_WEIGHT } from './hashed.ts';
import { stem } from './stem.ts';
import tableFile from './table.bin' with { type: 'file' };
import { openTable, type Table } from './table.ts';
import { words } from './words.ts';

/** Named after the table's content; a new table or formula takes a new number, and stored vectors are made again. */
export const BUILT_IN_MODEL = 'meshwork-lsa-1';

/** Known words are remembered by spelling, which saves the stemmer; the bound keeps strangers from filling memory. */
const REMEMBERED_WORDS_MAX = 32_768;

/** Some two milliseconds of work. */
const SLICE_CHARACTERS = 10_000;

let loaded: Table | undefined;
const rowOf = new Map<string, number>();
const sum = new Float32Array(EMBEDDING_DIMENSIONS);

function table(): Table {
  loaded ??= openTable(readFileSync(tableFile));
  return loaded;
}

function findRow(word: string, source: Table): number {
  const remembered = rowOf.get(word);
  if (remembered !== undefined) return remembered;
  const row = source.find(stem(word));
  if (row >= 0) {
    if (rowOf.size >= REMEMBERED_WORDS_MAX) rowOf.clear();
    rowOf.set(word, row);
  }
  return row;
}

/** How much a stem counts in a text: its weight in the table, or that of an unknown word. */
export function termWeight(term: string): number {
  const source = table();
  const row = source.find(term);
  return row < 0 ? UNKNOWN_WEIGHT : (source.weights[row] ?? 0);
}

/** The vector of one text (see Embedded for its shape); about 20 µs for a headline, 100 µs for 1,500 characters. */
export function embedText(text: string): Int8Array {
  const source = table();
  const { rows, factors } = source;
  sum.fill(0);
  for (const word of words(text)) {
    const row = findRow(word, source);
    if (row < 0) {
      addHashed(sum, word);
      continue;
    }
    const factor = factors[row] ?? 0;
    const start = row * EMBEDDING_DIMENSIONS;
    for (let i = 0; i < EMBEDDING_DIMENSIONS; i += 1) sum[i] = (sum[i] ?? 0) + factor * (rows[start + i] ?? 0);
  }
  return toInt8(sum);
}

/** Other requests have their turn between slices: an intake with forty long texts would hold them up for 60 ms. */
async function embedInSlices(texts: readonly string[]): Promise<Int8Array[]> {
  const vectors: Int8Array[] = [];
  let characters = 0;
  for (const text of texts) {
    if (characters > 0 && characters + text.length > SLICE_CHARACTERS) {
      await new Promise((resolve) => setImmediate(resolve));
      characters = 0;
    }
    vectors.push(embedText(text));
    characters += text.length;
  }
  return vectors;
}

export const builtInEmbedder: Embedder = {
  model: BUILT_IN_MODEL,
  dimensions: EMBEDDING_DIMENSIONS,
  embed: async (texts) => ({ model: BUILT_IN_MODEL, vectors: await embedInSlices(texts) }),
};
