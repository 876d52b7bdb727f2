// Medians and percentiles of what was measured.

/** The value below which `share` (0 to 1) of the values lie; NaN for none. */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The middle value; a round that something else on the machine disturbed does not move it. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A median with the least and the greatest beside it. */
export interface Spread {
  readonly mid: number;
  readonly min: number;
  readonly max: number;
}

/** Sums up one figure over all rounds. */
export function spread(values: readonly number[]): Spread {
  return { mid: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The ratio of two series, round by round: what disturbed a round disturbed both of its halves. */
export function ratios(ours: readonly number[], ceiling: readonly number[]): Spread {
  return spread(ours.map((value, round) => value / (ceiling[round] ?? Number.NaN)));
}
