// One flat matrix of int8 rows in WebAssembly memory, scanned whole for each query: exact, and below a million rows
// faster than an index would be worth. Rows stay dense: the last one moves into the place of a removed one.

import { LANE_BYTES, PAGE_BYTES, type ScanModule, startScan } from './scan-module.ts';

export interface Scored {
  readonly row: number;
  /** Cosine, -1 to 1; 0 when either vector is all zeros. */
  readonly score: number;
}

/** Rows scored per call: their 4-byte products stay in the first-level cache until they are read. */
const BLOCK_ROWS = 4096;
/** The first page holds the widened query and one block of products; rows follow. */
const PRODUCTS_AT = PAGE_BYTES - BLOCK_ROWS * 4;
const QUERY_AT = 0;

/** Euclidean length of a row. */
function lengthOf(vector: Int8Array): number {
  let squares = 0;
  // By index: the iterator of a typed array costs ten times as much until it is compiled, and a start loads every row.
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] ?? 0) ** 2;
  return Math.sqrt(squares);
}

export class Matrix {
  readonly #dimensions: number;
  readonly #rowBytes: number;
  readonly #module: ScanModule;
  /** Views of the module's memory, made anew whenever it grows. */
  #bytes: Int8Array;
  #query: Int16Array;
  #products: Int32Array;
  /** One over each row's length, 0 for a row of zeros. */
  #inverse = new Float64Array(64);
  #count = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#rowBytes = Math.ceil(dimensions / LANE_BYTES) * LANE_BYTES;
    if (this.#rowBytes * 2 > PRODUCTS_AT) throw new RangeError('The vectors are too long for the scan.');
    this.#module = startScan(this.#rowBytes, QUERY_AT, 2);
    [this.#bytes, this.#query, this.#products] = this.#views();
  }

  get count(): number {
    return this.#count;
  }

  /** Appends a row and returns its number. */
  add(vector: Int8Array): number {
    const row = this.#count;
    this.#makeRoom(row + 1);
    this.#count += 1;
    this.replace(row, vector);
    return row;
  }

  replace(row: number, vector: Int8Array): void {
    if (vector.length !== this.#dimensions) throw new RangeError(`A vector has ${vector.length} dimensions.`);
    this.#bytes.set(vector, this.#at(row));
    const length = lengthOf(vector);
    this.#inverse[row] = length > 0 ? 1 / length : 0;
  }

  /** Removes a row by moving the last one into its place, and returns the number that the moved one had. */
  remove(row: number): number {
    const last = this.#count - 1;
    if (row !== last) {
      this.#bytes.copyWithin(this.#at(row), this.#at(last), this.#at(last) + this.#rowBytes);
      this.#inverse[row] = this.#inverse[last] ?? 0;
    }
    this.#count = last;
    return last;
  }

  /** The `k` rows nearest to a query by cosine, best first; `accept` may turn rows down. */
  nearest(query: Int8Array, k: number, accept?: (row: number) => boolean): Scored[] {
    const queryLength = this.#widen(query);
    const best = new Best(Math.min(k, this.#count));
    for (let from = 0; from < this.#count; from += BLOCK_ROWS) {
      const rows = Math.min(BLOCK_ROWS, this.#count - from);
      this.#module.scan(this.#at(from), rows, PRODUCTS_AT);
      for (let i = 0; i < rows; i += 1) {
        const score = (this.#products[i] ?? 0) * (this.#inverse[from + i] ?? 0);
        if (score > best.least && (accept === undefined || accept(from + i))) best.add(from + i, score);
      }
    }
    return best.scored(queryLength);
  }

  /** The cosine of a query with one row. */
  cosine(query: Int8Array, row: number): number {
    const start = this.#at(row);
    let product = 0;
    for (let i = 0; i < query.length; i += 1) product += (query[i] ?? 0) * (this.#bytes[start + i] ?? 0);
    const length = lengthOf(query);
    return length > 0 ? (product * (this.#inverse[row] ?? 0)) / length : 0;
  }

  /** Writes the query as 16-bit numbers where the module reads it, and returns its length. */
  #widen(query: Int8Array): number {
    if (query.length !== this.#dimensions) throw new RangeError(`A query has ${query.length} dimensions.`);
    this.#query.set(query);
    return lengthOf(query);
  }

  #at(row: number): number {
    return PAGE_BYTES + row * this.#rowBytes;
  }

  #makeRoom(rows: number): void {
    if (rows > this.#inverse.length) {
      const longer = new Float64Array(this.#inverse.length * 2);
      longer.set(this.#inverse);
      this.#inverse = longer;
    }
    const { memory } = this.#module;
    const held = memory.buffer.byteLength / PAGE_BYTES;
    const needed = Math.ceil(this.#at(rows) / PAGE_BYTES);
    if (needed <= held) return;
    // Doubling keeps the number of grown memories, each of which may be copied, to a few.
    memory.grow(Math.max(needed - held, Math.min(held, GROWTH_PAGES_MAX)));
    [this.#bytes, this.#query, this.#products] = this.#views();
  }

  #views(): [Int8Array, Int16Array, Int32Array] {
    const { buffer } = this.#module.memory;
    return [
      new Int8Array(buffer),
      new Int16Array(buffer, QUERY_AT, this.#rowBytes),
      new Int32Array(buffer, PRODUCTS_AT, BLOCK_ROWS),
    ];
  }
}

/** From 64 MiB on, memory grows by that much instead of doubling, since what is grown is resident. */
const GROWTH_PAGES_MAX = 1024;

/** The best rows of a scan, sorted, best first; of equals the earlier row stands first. Two flat arrays, since a list of
 * a thousand objects would cost more to keep sorted than the whole scan. */
class Best {
  readonly #scores: Float64Array;
  readonly #rows: Int32Array;
  #held = 0;
  /** What a score must exceed to be let in. */
  least: number;

  constructor(room: number) {
    this.#scores = new Float64Array(Math.max(room, 0));
    this.#rows = new Int32Array(Math.max(room, 0));
    this.least = room > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  add(row: number, score: number): void {
    let at = 0;
    for (let end = this.#held; at < end; ) {
      const middle = (at + end) >>> 1;
      if ((this.#scores[middle] ?? 0) >= score) at = middle + 1;
      else end = middle;
    }
    const room = this.#scores.length;
    const kept = Math.min(this.#held, room - 1);
    this.#scores.copyWithin(at + 1, at, kept);
    this.#rows.copyWithin(at + 1, at, kept);
    this.#scores[at] = score;
    this.#rows[at] = row;
    this.#held = kept + 1;
    if (this.#held === room) this.least = this.#scores[room - 1] ?? this.least;
  }

  /** The rows with their cosines: the products so far lack the query's length. */
  scored(queryLength: number): Scored[] {
    return Array.from(this.#rows.subarray(0, this.#held), (row, i) => {
      return { row, score: queryLength > 0 ? (this.#scores[i] ?? 0) / queryLength : 0 };
    });
  }
}
