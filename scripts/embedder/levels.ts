// Packs word vectors into four bits a number: sixteen levels, which lie close together where most numbers are.

import { LEVELS, ROW_BYTES } from '../../src/outbound/embedder/table.ts';

/** Numbers are counted in bins of this width; those of unit scale beyond the range count at its end. */
const BIN = 1 / 128;
const RANGE = 16;
const ROUNDS = 200;
/** Scales that are tried for a row: in some rows a few numbers are far larger than all others. */
const SCALES = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5];

/** The scale at which the mean square of the numbers is 1. */
function unitScale(vector: Float32Array): number {
  const squares = vector.reduce((sum, x) => sum + x * x, 0);
  return squares > 0 ? Math.sqrt(vector.length / squares) : 0;
}

/** The upper limits of all levels but the last: the middles between them. */
const limitsOf = (levels: Float32Array): number[] =>
  Array.from(levels.subarray(1), (level, n) => (level + (levels[n] ?? 0)) / 2);

/** The levels with the least mean square error for the numbers of all vectors at unit scale (Lloyd, 1982). */
export function fitLevels(vectors: readonly Float32Array[]): Float32Array {
  const bins = new Float64Array((2 * RANGE) / BIN + 1);
  for (const vector of vectors) {
    const scale = unitScale(vector);
    for (const x of vector) {
      const bin = Math.round((Math.max(-RANGE, Math.min(RANGE, x * scale)) + RANGE) / BIN);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
  }
  let levels = Float32Array.from({ length: LEVELS }, (_, n) => (n - (LEVELS - 1) / 2) * 0.4);
  for (let round = 0; round < ROUNDS; round += 1) {
    const limits = limitsOf(levels);
    const [sums, counts] = [new Float64Array(LEVELS), new Float64Array(LEVELS)];
    let level = 0;
    bins.forEach((count, bin) => {
      const value = bin * BIN - RANGE;
      while (value > (limits[level] ?? Number.POSITIVE_INFINITY)) level += 1;
      sums[level] = (sums[level] ?? 0) + count * value;
      counts[level] = (counts[level] ?? 0) + count;
    });
    levels = levels.map((old, n) => (counts[n] ? (sums[n] ?? 0) / counts[n] : old));
  }
  return levels;
}

/** The number of the level that is nearest to a value. */
function nearest(limits: readonly number[], value: number): number {
  let [low, high] = [0, limits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > (limits[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row of a vector: at the scale whose levels are nearest to its direction. */
export function packRow(vector: Float32Array, levels: Float32Array): Uint8Array {
  const [unit, limits] = [unitScale(vector), limitsOf(levels)];
  let best = new Uint8Array(vector.length);
  let closest = Number.NEGATIVE_INFINITY;
  for (const scale of SCALES) {
    const numbers = Uint8Array.from(vector, (x) => nearest(limits, x * unit * scale));
    let [product, squares] = [0, 0];
    numbers.forEach((n, i) => {
      const level = levels[n] ?? 0;
      product += level * (vector[i] ?? 0);
      squares += level * level;
    });
    const closeness = product / Math.sqrt(squares || 1);
    if (closeness > closest) [best, closest] = [numbers, closeness];
  }
  return Uint8Array.from({ length: ROW_BYTES }, (_, i) => (best[i] ?? 0) | ((best[i + ROW_BYTES] ?? 0) << 4));
}
