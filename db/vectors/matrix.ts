// One flat matrix of int8 rows in WebAssembly memory, scanned whole for each query: exact, and below a million rows
// faster than an index would be worth. Rows stay dense: the last one moves into the place of a removed one.

import { LANE_BYTES, PAGE_BYTES, type ScanModule, startScan } from './scan-module.ts';

/** Rows multiplied per call: their 4-byte products stay in the first-level cache until they are copied. */
const BLOCK_ROWS = 4096;
/** The first page holds the widened query and one block of products; rows follow. */
const PRODUCTS_AT = PAGE_BYTES - BLOCK_ROWS * 4;
const QUERY_AT = 0;

/** One over the Euclidean length of a vector, 0 for one of zeros. */
export function inverseLength(vector: Int8Array): number {
  let squares = 0;
  // By index: the iterator of a typed array costs ten times as much until it is compiled, and a start loads every row.
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] ?? 0) ** 2;
  return squares > 0 ? 1 / Math.sqrt(squares) : 0;
}

export class Matrix {
  readonly #dimensions: number;
  readonly #rowBytes: number;
  readonly #module: ScanModule;
  /** Views of the module's memory, recreated when it grows. */
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
    this.#inverse[row] = inverseLength(vector);
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

  /** Writes the dot product of a query with each row. */
  multiply(query: Int8Array, out: Int32Array): void {
    this.#widen(query);
    for (let from = 0; from < this.#count; from += BLOCK_ROWS) {
      const rows = Math.min(BLOCK_ROWS, this.#count - from);
      this.#module.scan(this.#at(from), rows, PRODUCTS_AT);
      out.set(rows === BLOCK_ROWS ? this.#products : this.#products.subarray(0, rows), from);
    }
  }

  /** The dot product of a query with one row. */
  product(query: Int8Array, row: number): number {
    this.#widen(query);
    this.#module.scan(this.#at(row), 1, PRODUCTS_AT);
    return this.#products[0] ?? 0;
  }

  /** The cosine that a row's product with a query makes, -1 to 1: 0 when either is all zeros. `inverse` is one over the
   * query's length. Symmetric to the last bit. */
  cosineOf(product: number, row: number, inverse: number): number {
    return product * (inverse * (this.#inverse[row] ?? 0));
  }

  /** Writes the query as 16-bit numbers where the module reads it. */
  #widen(query: Int8Array): void {
    if (query.length !== this.#dimensions) throw new RangeError(`A query has ${query.length} dimensions.`);
    this.#query.set(query);
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

/** From 64 MiB on, memory grows by that much instead of doubling, because grown memory is resident. */
const GROWTH_PAGES_MAX = 1024;
