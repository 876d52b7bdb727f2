// Makes the signatures of texts: their words, each with its weight from the embedder's table.

import { codeOf, SIGNATURE_TERMS_MAX, type Signature } from '../../domain/text/signature.ts';
import { stemOf, termWeight, words } from './built-in.ts';
import { hashWord } from './table.ts';

/** A cached stem; words with the same stem share it. */
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
  // Of two words with the same hash, the heavier one is kept.
  kept.sort((a, b) => a.hash - b.hash || b.weight - a.weight);
  const distinct = kept.filter(({ hash }, i) => hash !== kept[i - 1]?.hash);
  return {
    hashes: Uint32Array.from(distinct, ({ hash }) => hash),
    codes: Uint8Array.from(distinct, ({ weight }) => codeOf(weight)),
  };
}
