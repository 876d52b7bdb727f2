// Which rows carry a label, for one side: finding those that share labels reads their lists only.
import { CODE_BITS, RowTerms } from './row-terms.ts';

export class Postings {
  readonly #rows = new RowTerms();
  readonly #numbers = new Map<string, number>();
  /** By its number, the label. */
  readonly #labels: string[] = [];
  readonly #free: number[] = [];

  /** Whether a row has just these labels, in this order. */
  holds(row: number, labels: readonly string[]): boolean {
    const distinct = new Set(labels);
    if (this.#rows.lengthOf(row) !== distinct.size) return false;
    let at = this.#rows.startOf(row);
    for (const label of distinct) {
      if (this.#labels[(this.#rows.numbers[at] ?? 0) >>> CODE_BITS] !== label) return false;
      at += 1;
    }
    return true;
  }

  /** Gives labels to a row that has none. One that a listing names twice counts once. */
  add(row: number, labels: readonly string[]): void {
    this.#rows.add(
      row,
      Array.from(new Set(labels), (label) => this.#enter(label) << CODE_BITS),
    );
  }

  #enter(label: string): number {
    const known = this.#numbers.get(label);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#labels.length;
    this.#labels[number] = label;
    this.#numbers.set(label, number);
    return number;
  }

  /** Takes the labels of a row away. */
  remove(row: number): void {
    this.#rows.remove(row, (number) => {
      if (this.#rows.rowsWith(number) > 0) return;
      this.#numbers.delete(this.#labels[number] ?? '');
      this.#labels[number] = '';
      this.#free.push(number);
    });
  }

  /** Gives the labels of one row to another, which has none. */
  move(from: number, to: number): void {
    this.#rows.move(from, to);
  }

  /** Every row that carries a label, in no order. */
  *withLabel(label: string): Generator<number> {
    const number = this.#numbers.get(label);
    if (number === undefined) return;
    const [rows, start] = this.#rows.placeOf(number);
    for (let at = start; at < start + this.#rows.rowsWith(number); at += 1) yield (rows[at] ?? 0) >>> CODE_BITS;
  }

  /** Adds to each row that carries a label how telling that is. */
  gather(label: string, telling: number, sums: Float32Array): void {
    const number = this.#numbers.get(label);
    if (number === undefined) return;
    const [rows, start] = this.#rows.placeOf(number);
    for (let at = start; at < start + this.#rows.rowsWith(number); at += 1) {
      const row = (rows[at] ?? 0) >>> CODE_BITS;
      sums[row] = (sums[row] ?? 0) + telling;
    }
  }
}
