// The rankers that are compared: BM25 as everyone knows it, and what the product uses.

import { askFor, StemPostings } from '../../db/vectors/stems.ts';
import { Vocabulary } from '../../db/vectors/vocabulary.ts';
import { packSignature } from '../../src/domain/text/signature.ts';
import { embedText, terms } from '../../src/outbound/embedder/built-in.ts';
import { signatureOf } from '../../src/outbound/embedder/signature.ts';

/** Gives every document a score for a query; more is better. */
export type Ranker = (query: string) => Float64Array;

/** Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, with the usual constants. */
const K1 = 1.2;
const B = 0.75;

function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Okapi BM25 over the same stems as the embedder's; a repeated word of the query counts each time. */
export function bm25(documents: readonly string[]): Ranker {
  const postings = new Map<string, { document: number; count: number }[]>();
  const lengths = new Float64Array(documents.length);
  documents.forEach((text, document) => {
    for (const [term, count] of countTerms(text)) {
      lengths[document] = (lengths[document] ?? 0) + count;
      const list = postings.get(term);
      if (list) list.push({ document, count });
      else postings.set(term, [{ document, count }]);
    }
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  return (query) => {
    const scores = new Float64Array(documents.length);
    for (const [term, repeats] of countTerms(query)) {
      const list = postings.get(term) ?? [];
      const idf = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5));
      for (const { document, count } of list) {
        const length = 1 - B + (B * (lengths[document] ?? 0)) / average;
        scores[document] = (scores[document] ?? 0) + (repeats * idf * count * (K1 + 1)) / (count + K1 * length);
      }
    }
    return scores;
  };
}

/** Cosine of the embedder's vectors, as stored: signed bytes. */
export function byVector(documents: readonly string[]): Ranker {
  const vectors = documents.map((text) => embedText(text));
  const lengths = vectors.map(lengthOf);
  return (query) => {
    const asked = embedText(query);
    const askedLength = lengthOf(asked);
    return Float64Array.from(vectors, (vector, document) => {
      let product = 0;
      for (let i = 0; i < vector.length; i += 1) product += (vector[i] ?? 0) * (asked[i] ?? 0);
      return product / (askedLength * (lengths[document] ?? 1));
    });
  };
}

/** Length of a vector, 1 for one of zeros. */
function lengthOf(vector: Int8Array): number {
  let squares = 0;
  for (const x of vector) squares += x * x;
  return Math.sqrt(squares) || 1;
}

/** Closeness in words, weighted by the embedder's table and by how rare each is among the documents. */
export function byWords(documents: readonly string[]): Ranker {
  const vocabulary = new Vocabulary();
  const stems = new StemPostings(vocabulary);
  documents.forEach((text, row) => {
    stems.add(row, packSignature(signatureOf(text)), null);
  });
  const rows = Array.from(documents.keys());
  return (query) => {
    const asked = askFor(vocabulary, packSignature(signatureOf(query)));
    return Float64Array.from(stems.closeness(asked, rows));
  };
}

/** What closeness in words counts beside closeness of vectors, chosen on the tuning half. */
export const WORDS_WEIGHT = 1.5;

/** One ranker's scores plus `weight` times another's. */
export function blend(first: Float64Array, weight: number, second: Float64Array): Float64Array {
  return first.map((score, i) => score + weight * (second[i] ?? 0));
}
