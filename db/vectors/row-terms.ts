// Which rows carry which terms, both ways: of each term its rows, of each row its terms. Each pair has a code of 8 bits.
import { Lists } from './lists.ts';
import { grown, Pool } from './pool.ts';

/** A number stands above its code: a row in the list of a term, a term in the list of a row. */
export const CODE_BITS = 8;
export const CODE = 2 ** CODE_BITS - 1;
/** A row's terms stay as many as they are. */
const ROW_STEPS = 2;

export class RowTerms {
  /** By the term: the rows that carry it, in no order. */
  readonly #lists = new Lists();
  /** By the row: its terms, in the order in which they were given; where they start, and how many they are. */
  readonly #rows = new Pool(ROW_STEPS);
  #starts = new Uint32Array(64);
  #lengths = new Uint32Array(64);

  /** Bytes of all lists. */
  get room(): number {
    return this.#lists.room + this.#rows.numbers.byteLength;
  }

  /** The array that holds the terms of rows; valid until the next change. */
  get numbers(): Uint32Array {
    return this.#rows.numbers;
  }

  /** Where the terms of a row start in it. */
  startOf(row: number): number {
    return this.#starts[row] ?? 0;
  }

  /** How many terms a row has. */
  lengthOf(row: number): number {
    return this.#lengths[row] ?? 0;
  }

  /** How many rows carry a term. */
  rowsWith(term: number): number {
    return this.#lists.lengthOf(term);
  }

  /** The array that holds the rows of a term, and where they start in it; valid until the next change. */
  placeOf(term: number): readonly [numbers: Uint32Array, start: number] {
    return this.#lists.placeOf(term);
  }

  /** Gives terms, each with its code, to a row that has none. */
  add(row: number, entries: readonly number[]): void {
    this.#starts = grown(this.#starts, row + 1);
    this.#lengths = grown(this.#lengths, row + 1);
    this.#lengths[row] = entries.length;
    if (entries.length === 0) return;
    const start = this.#rows.take(entries.length);
    this.#starts[row] = start;
    this.#rows.numbers.set(entries, start);
    for (const entry of entries) this.#lists.append(entry >>> CODE_BITS, (row << CODE_BITS) | (entry & CODE));
  }

  /** Takes all terms of a row away; `left` is called with each, once the row is not in its list any more. */
  remove(row: number, left: (term: number) => void): void {
    const length = this.lengthOf(row);
    if (length === 0) return;
    const start = this.startOf(row);
    for (let at = start; at < start + length; at += 1) {
      const term = (this.#rows.numbers[at] ?? 0) >>> CODE_BITS;
      this.#lists.drop(term, this.#find(row, term));
      left(term);
    }
    this.#rows.give(start, length);
    this.#lengths[row] = 0;
  }

  /** Gives the terms of one row to another, which has none. */
  move(from: number, to: number): void {
    const [start, length] = [this.startOf(from), this.lengthOf(from)];
    for (let at = start; at < start + length; at += 1) {
      const entry = this.#rows.numbers[at] ?? 0;
      const term = entry >>> CODE_BITS;
      const [rows, first] = this.#lists.placeOf(term);
      rows[first + this.#find(from, term)] = (to << CODE_BITS) | (entry & CODE);
    }
    this.#starts[to] = start;
    this.#lengths[to] = length;
    this.#lengths[from] = 0;
  }

  /** The position of a row in a list, searched from the end, where the last row, which is moved, mostly is. */
  #find(row: number, term: number): number {
    const [rows, start] = this.#lists.placeOf(term);
    let place = this.#lists.lengthOf(term) - 1;
    while (place > 0 && (rows[start + place] ?? 0) >>> CODE_BITS !== row) place -= 1;
    return place;
  }
}
