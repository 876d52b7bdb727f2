// Makes the signatures of texts: which words stand in one, each with its weight from the embedder's table.

import { codeOf, SIGNATURE_TERMS_MAX, type Signature, WEIGHTS } from '../../domain/text/signature.ts';
import { termWeight } from './built-in.ts';
import { hashWord } from './table.ts';
import { stemOf, words } from './words.ts';

/** Words are counted by the low bits of their hash; a collision makes a word seem a little more common. */
const BUCKETS = 65_536;
/** Logarithms of n + 1/2 for the usual counts: comparing two texts asks for a hundred of them. */
const LOGS = Float64Array.from({ length: 4096 }, (_, n) => Math.log(n + 0.5));

/** A stem with what is asked of it each time; two words of one stem share it. */
interface Weighed {
  readonly hash: number;
  readonly weight: number;
}

/** Stemming and looking up cost more than all else that is done with a word; strangers' words must not fill memory. */
const REMEMBERED_MAX = 65_536;
const byWord = new Map<string, Weighed>();
const byStem = new Map<string, Weighed>();

function weigh(word: string): Weighed {
  const known = byWord.get(word);
  if (known !== undefined) return known;
  if (byWord.size >= REMEMBERED_MAX) {
    byWord.clear();
    byStem.clear();
  }
  const stem = stemOf(word);
  const found = byStem.get(stem) ?? { hash: hashWord(stem), weight: termWeight(stem) };
  byWord.set(word, found);
  byStem.set(stem, found);
  return found;
}

/** The signature of a text, at most 64 words; some 50 µs for 1,000 characters. */
export function signatureOf(text: string): Signature {
  const counts = new Map<Weighed, number>();
  for (const word of words(text)) {
    const term = weigh(word);
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  let kept = Array.from(counts, ([{ hash, weight }, count]) => ({ hash, weight: weight * Math.sqrt(count) }));
  if (kept.length > SIGNATURE_TERMS_MAX) {
    kept = kept.sort((a, b) => b.weight - a.weight).slice(0, SIGNATURE_TERMS_MAX);
  }
  // Of two words that share a hash the one that counts more stands for both.
  kept.sort((a, b) => a.hash - b.hash || b.weight - a.weight);
  const distinct = kept.filter(({ hash }, i) => hash !== kept[i - 1]?.hash);
  return {
    hashes: Uint32Array.from(distinct, ({ hash }) => hash),
    codes: Uint8Array.from(distinct, ({ weight }) => codeOf(weight)),
  };
}

/** How rare each word is among the texts added so far. */
export class TermRarity {
  readonly #counts = new Uint32Array(BUCKETS);
  #texts = 0;
  #logTexts = 0;

  add(signature: Signature): void {
    this.#count(1);
    for (const hash of signature.hashes) this.#counts[hash % BUCKETS] = (this.#counts[hash % BUCKETS] ?? 0) + 1;
  }

  remove(signature: Signature): void {
    this.#count(-1);
    for (const hash of signature.hashes) this.#counts[hash % BUCKETS] = (this.#counts[hash % BUCKETS] ?? 1) - 1;
  }

  #count(change: number): void {
    this.#texts += change;
    this.#logTexts = Math.log(this.#texts + 1);
  }

  /** BM25's idf: near 0 for a word in every text, the logarithm of their number for a word in none. */
  of(hash: number): number {
    const seen = this.#counts[hash % BUCKETS] ?? 0;
    return Math.max(0, this.#logTexts - (LOGS[seen] ?? Math.log(seen + 0.5)));
  }
}

/** Cosine over shared words, 0 to 1. */
export function lexicalCloseness(a: Signature, b: Signature, rarity: TermRarity): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.hashes.length && j < b.hashes.length; ) {
    const left = a.hashes[i] ?? 0;
    const right = b.hashes[j] ?? 0;
    if (left === right)
      shared += (WEIGHTS[a.codes[i] ?? 0] ?? 0) * (WEIGHTS[b.codes[j] ?? 0] ?? 0) * rarity.of(left) ** 2;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return shared > 0 ? shared / (length(a, rarity) * length(b, rarity)) : 0;
}

function length(signature: Signature, rarity: TermRarity): number {
  let squares = 0;
  signature.hashes.forEach((hash, i) => {
    squares += ((WEIGHTS[signature.codes[i] ?? 0] ?? 0) * rarity.of(hash)) ** 2;
  });
  return Math.sqrt(squares);
}
