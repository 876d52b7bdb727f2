// What a ranking is worth, and how sure that is: normalised discounted cumulative gain, recall, and the bootstrap over
// queries (Efron, 1979) with a fixed seed, so that one file of results gives one interval for ever.

import { Random } from '../../test/sim/random.ts';

const DEPTH = 10;
const RESAMPLES = 1_000;
const SEED = 11;
/** What lies outside of an interval, at each end. */
const TAIL = 0.025;

/** Gain of each document that is right, 1 to 3; what is missing is not. */
export type Gains<D> = ReadonlyMap<D, number>;

/** NDCG of the first ten (Järvelin and Kekäläinen, 2002), gains as 2^g - 1. `ranking` is best first and may be short. */
export function ndcg<D>(ranking: readonly D[], gains: Gains<D>): number {
  const sum = (list: readonly number[]): number =>
    list.slice(0, DEPTH).reduce((total, gain, i) => total + (2 ** gain - 1) / Math.log2(i + 2), 0);
  const ideal = Array.from(gains.values()).sort((a, b) => b - a);
  return sum(ranking.map((document) => gains.get(document) ?? 0)) / sum(ideal);
}

/**
 * Right documents among the first `n`: as a share of all that are right, and of as many as `n` could hold, since of a
 * hundred right ones thirty cannot show more than thirty.
 */
export function recall<D>(ranking: readonly D[], gains: Gains<D>, n: number): { share: number; capped: number } {
  const found = ranking.slice(0, n).filter((document) => gains.has(document)).length;
  return { share: found / gains.size, capped: found / Math.min(gains.size, n) };
}

/** The numbers of the documents, best first, by their scores. */
export function bestFirst(scores: Float64Array): number[] {
  return Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, x) => sum + x, 0) / values.length;

/** A figure with its 95 % interval. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A figure of the whole sample, and of each resample of it. */
export interface Resampled {
  readonly value: number;
  readonly resamples: Float64Array;
}

/**
 * Measures a sample of `size` and 1,000 resamples of it. `measure` gets the numbers of the members drawn, and answers
 * some figures. Samples of one `name` and size are drawn alike, so that figures of the same queries stay in pairs.
 */
export function resample(name: string, size: number, measure: (drawn: Uint32Array) => readonly number[]): Resampled[] {
  const random = new Random(SEED, name);
  const drawn = Uint32Array.from({ length: size }, (_, i) => i);
  const found = measure(drawn).map((value) => ({ value, resamples: new Float64Array(RESAMPLES) }));
  for (let round = 0; round < RESAMPLES; round += 1) {
    for (let i = 0; i < size; i += 1) drawn[i] = random.below(size);
    const values = measure(drawn);
    found.forEach(({ resamples }, at) => {
      resamples[round] = values[at] ?? Number.NaN;
    });
  }
  return found;
}

/** The figure with the interval that 95 % of its resamples lie in. */
export function withInterval({ value, resamples }: Resampled): Figure {
  const sorted = resamples.toSorted();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? value;
  return { value, low: at(TAIL), high: at(1 - TAIL) };
}

/** The mean of several figures that were resampled each, task by task. */
export function meanOf(figures: readonly Resampled[]): Resampled {
  const rounds = figures[0]?.resamples.length ?? 0;
  const at = (round: number): number => mean(figures.map(({ resamples }) => resamples[round] ?? Number.NaN));
  return {
    value: mean(figures.map(({ value }) => value)),
    resamples: Float64Array.from({ length: rounds }, (_, i) => at(i)),
  };
}

/** The difference of two figures that were resampled in pairs. */
export function minus(a: Resampled, b: Resampled): Resampled {
  return { value: a.value - b.value, resamples: a.resamples.map((x, i) => x - (b.resamples[i] ?? Number.NaN)) };
}

/** Quantiles of numbers, by nearest rank. */
export function quantiles(values: Float64Array, shares: readonly number[]): number[] {
  const sorted = values.toSorted();
  return shares.map((share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}
