// The embedder that needs nobody: word vectors from the table beside it. Pure CPU; the table is read once, at the first
// text.

import { readFileSync } from 'node:fs';
import type { WordWeights } from '../../domain/listing/template-words.ts';
import type { Language } from '../../domain/text/word-search.ts';
import { EMBEDDING_DIMENSIONS, type Embedder } from './embedder.ts';
import { UNKNOWN_WEIGHT } from './hashed.ts';
import tableFile from './table.bin' with { type: 'file' };
import { openTable, type Table } from './table.ts';
import { type TextVector, textVectorOver } from './text-vector.ts';
import { stemOf } from './words.ts';

/** Named after the table's content; a new table, text or formula takes a new number, and stored vectors are made again. */
export const BUILT_IN_MODEL = 'meshwork-lsa-2';

/** Some two milliseconds of work. */
const SLICE_CHARACTERS = 10_000;

interface Loaded {
  readonly table: Table;
  readonly vectorOf: TextVector;
}

let loaded: Loaded | undefined;

function load(): Loaded {
  if (!loaded) {
    const table = openTable(readFileSync(tableFile));
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

/** What searches by words know of the language. */
export const builtInLanguage: Language = {
  isWord: (word) => load().table.find(stemOf(word)) >= 0,
  meaningOf: (text) => embedText(text),
};

/** Other requests have their turn between slices: an intake with forty long texts would hold them up for 60 ms. */
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
