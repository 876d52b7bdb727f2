// The leading right singular vectors of a large sparse matrix, by subspace iteration from a seeded random start (Halko,
// Martinsson, Tropp, "Finding structure with randomness", 2011, algorithm 4.4). One thread and a fixed order of
// additions: equal input gives equal bytes.

import { eigenSymmetric } from './eigen.ts';
import type { Matrix } from './matrix.ts';

/** Row-major: `rows` x `width`. */
interface Dense {
  readonly rows: number;
  readonly width: number;
  readonly data: Float32Array;
}

export interface Factors {
  /** Singular values, largest first. */
  readonly values: Float64Array;
  /** One row a column of the matrix, one entry a singular value. */
  readonly vectors: Float32Array;
}

/** More directions than asked for, which the last ones need to settle. */
const OVERSAMPLING = 32;
const ITERATIONS = 4;

const dense = (rows: number, width: number): Dense => ({ rows, width, data: new Float32Array(rows * width) });

/** mulberry32: uniform in [0, 1), 32 bits of state. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The transpose times the matrix times `q`, row by row, so that no product of the matrix's height is kept. */
function gramTimes(a: Matrix, q: Dense): Dense {
  const { width } = q;
  const out = dense(q.rows, width);
  const line = new Float64Array(width);
  for (let i = 0; i < a.rows; i += 1) {
    const from = a.starts[i] ?? 0;
    const to = a.starts[i + 1] ?? 0;
    line.fill(0);
    for (let e = from; e < to; e += 1) {
      const value = a.value[e] ?? 0;
      const at = (a.column[e] ?? 0) * width;
      for (let c = 0; c < width; c += 1) line[c] = (line[c] ?? 0) + value * (q.data[at + c] ?? 0);
    }
    for (let e = from; e < to; e += 1) {
      const value = a.value[e] ?? 0;
      const at = (a.column[e] ?? 0) * width;
      for (let c = 0; c < width; c += 1) out.data[at + c] = (out.data[at + c] ?? 0) + value * (line[c] ?? 0);
    }
  }
  return out;
}

/** The small matrix `left` transposed times `right`, of which only the lower triangle is filled. */
function inner(left: Dense, right: Dense): Float64Array {
  const { width } = left;
  const out = new Float64Array(width * width);
  for (let i = 0; i < left.rows; i += 1) {
    const at = i * width;
    for (let r = 0; r < width; r += 1) {
      const value = left.data[at + r] ?? 0;
      if (value === 0) continue;
      for (let c = 0; c <= r; c += 1)
        out[r * width + c] = (out[r * width + c] ?? 0) + value * (right.data[at + c] ?? 0);
    }
  }
  return out;
}

/** In place: the lower Cholesky factor of a positive definite matrix. */
function cholesky(m: Float64Array, n: number): void {
  for (let r = 0; r < n; r += 1) {
    for (let c = 0; c <= r; c += 1) {
      let sum = m[r * n + c] ?? 0;
      for (let k = 0; k < c; k += 1) sum -= (m[r * n + k] ?? 0) * (m[c * n + k] ?? 0);
      m[r * n + c] = r === c ? Math.sqrt(Math.max(sum, 1e-30)) : sum / (m[c * n + c] ?? 1);
    }
  }
}

/** Makes the columns orthonormal in place, by the Cholesky factor of their inner products. */
function orthonormalise(q: Dense): void {
  const { width } = q;
  const factor = inner(q, q);
  cholesky(factor, width);
  for (let i = 0; i < q.rows; i += 1) {
    const at = i * width;
    for (let c = 0; c < width; c += 1) {
      let sum = q.data[at + c] ?? 0;
      for (let k = 0; k < c; k += 1) sum -= (factor[c * width + k] ?? 0) * (q.data[at + k] ?? 0);
      q.data[at + c] = sum / (factor[c * width + c] ?? 1);
    }
  }
}

/** The `count` leading right singular vectors of `a`; `step` is told of each finished part of `steps`. */
export function leadingVectors(
  a: Matrix,
  count: number,
  seed: number,
  step: (done: number, of: number) => void,
): Factors {
  const steps = ITERATIONS + 2;
  const width = count + OVERSAMPLING;
  let q = dense(a.columns, width);
  const random = seeded(seed);
  for (let i = 0; i < q.data.length; i += 1) q.data[i] = random() - 0.5;
  for (let i = 0; i < ITERATIONS; i += 1) {
    q = gramTimes(a, q);
    orthonormalise(q);
    step(i + 1, steps);
  }
  // Once more: a single pass in 32 bits leaves columns that are a little askew.
  orthonormalise(q);
  step(steps - 1, steps);
  const { values, vectors } = eigenSymmetric(inner(q, gramTimes(a, q)), width);
  const out = new Float32Array(a.columns * count);
  for (let i = 0; i < a.columns; i += 1) {
    for (let c = 0; c < count; c += 1) {
      let sum = 0;
      for (let k = 0; k < width; k += 1) sum += (q.data[i * width + k] ?? 0) * (vectors[c * width + k] ?? 0);
      out[i * count + c] = sum;
    }
  }
  step(steps, steps);
  return { values: values.slice(0, count).map((value) => Math.sqrt(Math.max(value, 0))), vectors: out };
}
