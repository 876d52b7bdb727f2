// The inverted index of one side's words with their weights: the word similarity of one listing to all others is computed from the
// lists of its own words. It is the cosine of two signatures whose words weigh more the rarer they are among the indexed
// listings: symmetric to the last bit.

import { codeAt, hashAt, termsOf, WEIGHTS } from '../../src/domain/text/signature.ts';
import { CODE, CODE_BITS, RowTerms } from './row-terms.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The class of listings with a card type of an older version. */
const NO_TYPE = '';

/** The most list entries read in one search, the rarest words first: more than the 454,000 of any listing of the benchmark among
 * 100,000 others (0.6 ms). Only words of a large share of all listings are left out. */
const ENTRIES_MAX = 1_000_000;
/** Lengths are recomputed once one in this many listings was added or removed, which takes some milliseconds among 100,000. With
 * fewer listings they are always exact; beyond, those with a newly shared word are off until then, by less than SLACK in the
 * benchmark's texts. That only affects which candidates are read. */
const STALE_SHARE = 10_000;

/** A text's words as the index knows them. */
export interface Asked {
  /** By the words' hashes, ascending: their numbers (-1 for a word in no text), codes and rarity. */
  readonly numbers: readonly number[];
  readonly codes: readonly number[];
  readonly rarity: readonly number[];
  /** One over the length of the whole, 0 for a text without words. */
  readonly inverse: number;
}

/** A text's words in the index's numbers. */
export function askFor(vocabulary: Vocabulary, terms: Uint8Array | null): Asked {
  const count = terms ? termsOf(terms) : 0;
  const [numbers, codes, rarity]: [number[], number[], number[]] = [[], [], []];
  let squares = 0;
  for (let i = 0; terms && i < count; i += 1) {
    const number = vocabulary.find(hashAt(terms, i));
    const code = codeAt(terms, i);
    numbers.push(number);
    codes.push(code);
    rarity.push(vocabulary.rarity(number));
    squares += ((WEIGHTS[code] ?? 0) * vocabulary.rarity(number)) ** 2;
  }
  return { numbers, codes, rarity, inverse: squares > 0 ? 1 / Math.sqrt(squares) : 0 };
}

export class StemPostings {
  readonly #vocabulary: Vocabulary;
  /** The words of rows, by ascending hash, with the codes of their weights. */
  readonly #words = new RowTerms();
  /** One over the length of each row's signature, about; 0 until it is first needed. */
  #inverse = new Float32Array(64);
  #freshAt = 0;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Bytes of all lists. */
  get room(): number {
    return this.#words.room;
  }

  /** Whether a row has just these words. */
  holds(row: number, terms: Uint8Array | null): boolean {
    const count = terms ? termsOf(terms) : 0;
    if (this.#words.lengthOf(row) !== count) return false;
    const start = this.#words.startOf(row);
    for (let i = 0; terms && i < count; i += 1) {
      const entry = this.#words.numbers[start + i] ?? 0;
      if ((entry & CODE) !== codeAt(terms, i)) return false;
      if (this.#vocabulary.hashOf(entry >>> CODE_BITS) !== hashAt(terms, i)) return false;
    }
    return true;
  }

  /** Puts in the words of a row that has none so far. */
  add(row: number, terms: Uint8Array | null, card_type: string | null): void {
    if (row >= this.#inverse.length) {
      const longer = new Float32Array(this.#inverse.length * 2);
      longer.set(this.#inverse);
      this.#inverse = longer;
    }
    this.#inverse[row] = 0;
    const count = terms ? termsOf(terms) : 0;
    const kind = card_type ?? NO_TYPE;
    if (count > 0) this.#vocabulary.count(kind, 1);
    const entries: number[] = [];
    for (let i = 0; terms && i < count; i += 1) {
      const word = this.#vocabulary.enter(hashAt(terms, i), kind);
      if (word >= 0) entries.push((word << CODE_BITS) | codeAt(terms, i));
    }
    this.#words.add(row, entries);
  }

  /** Takes the words of a row out. */
  remove(row: number, card_type: string | null): void {
    if (this.#words.lengthOf(row) === 0) return;
    const kind = card_type ?? NO_TYPE;
    this.#words.remove(row, (word) => this.#vocabulary.leave(word, kind));
    this.#vocabulary.count(kind, -1);
  }

  /** Gives the words of one row to another, which has none. */
  move(from: number, to: number): void {
    this.#words.move(from, to);
    this.#inverse[to] = this.#inverse[from] ?? 0;
  }

  /** Adds to each row what it shares with a text; times `inverseOf` the row that is their closeness, about. */
  gather({ numbers, codes, rarity, inverse }: Asked, sums: Float32Array): void {
    const shared = numbers
      .map((word, i) => ({ word, length: this.#words.rowsWith(word), i }))
      .filter(({ length }) => length > 0);
    shared.sort((a, b) => a.length - b.length);
    let left = ENTRIES_MAX;
    for (const { word, length, i } of shared) {
      left -= length;
      if (left < 0) return;
      const factor = (WEIGHTS[codes[i] ?? 0] ?? 0) * (rarity[i] ?? 0) ** 2 * inverse;
      const [list, start] = this.#words.placeOf(word);
      addList(list, start, start + length, factor, sums);
    }
  }

  /** Works out again what lengths have become, where enough has changed. */
  refresh(rows: number): void {
    const { changes, listings, end } = this.#vocabulary;
    if (changes === this.#freshAt || (changes - this.#freshAt) * STALE_SHARE < listings) return;
    this.#freshAt = changes;
    const rarity = Float64Array.from({ length: end }, (_, word) => this.#vocabulary.rarity(word));
    for (let row = 0; row < rows; row += 1) {
      const start = this.#words.startOf(row);
      const until = start + this.#words.lengthOf(row);
      this.#inverse[row] = inverseLength(this.#words.numbers, start, until, rarity);
    }
  }

  /** One over the length of a row's signature, about. */
  inverseOf(row: number): number {
    const known = this.#inverse[row] ?? 0;
    if (known !== 0) return known;
    const exact = this.#exactInverse(row);
    this.#inverse[row] = exact;
    return exact;
  }

  #exactInverse(row: number): number {
    const start = this.#words.startOf(row);
    let squares = 0;
    for (let at = start; at < start + this.#words.lengthOf(row); at += 1) {
      const entry = this.#words.numbers[at] ?? 0;
      squares += ((WEIGHTS[entry & CODE] ?? 0) * this.#vocabulary.rarity(entry >>> CODE_BITS)) ** 2;
    }
    return squares > 0 ? 1 / Math.sqrt(squares) : 0;
  }

  /** The closeness of a text to each of some rows, 0 to 1, exactly as it now is. */
  closeness(asked: Asked, rows: readonly number[]): number[] {
    const mine = new Map(asked.numbers.map((word, i) => [word, i]));
    return rows.map((row) => {
      const start = this.#words.startOf(row);
      let shared = 0;
      for (let at = start; at < start + this.#words.lengthOf(row); at += 1) {
        const entry = this.#words.numbers[at] ?? 0;
        const i = mine.get(entry >>> CODE_BITS);
        if (i === undefined) continue;
        shared += (WEIGHTS[asked.codes[i] ?? 0] ?? 0) * (WEIGHTS[entry & CODE] ?? 0) * (asked.rarity[i] ?? 0) ** 2;
      }
      return shared > 0 ? shared * (asked.inverse * this.#exactInverse(row)) : 0;
    });
  }
}

/** A separate function, so that the loop is compiled by itself. */
function addList(list: Uint32Array, from: number, until: number, factor: number, sums: Float32Array): void {
  for (let at = from; at < until; at += 1) {
    const entry = list[at] ?? 0;
    const row = entry >>> CODE_BITS;
    sums[row] = (sums[row] ?? 0) + factor * (WEIGHTS[entry & CODE] ?? 0);
  }
}

function inverseLength(texts: Uint32Array, from: number, until: number, rarity: Float64Array): number {
  let squares = 0;
  for (let at = from; at < until; at += 1) {
    const entry = texts[at] ?? 0;
    squares += ((WEIGHTS[entry & CODE] ?? 0) * (rarity[entry >>> CODE_BITS] ?? 0)) ** 2;
  }
  return squares > 0 ? 1 / Math.sqrt(squares) : 0;
}
