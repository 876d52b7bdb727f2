// The best of many rows by one number each. A row's rank key is at least its relevance and no two are equal, so that who
// looks on from a key meets nobody twice, however many listings say the same.

/** A key is a multiple of 2^-52 up to 4: its upper 26 bits are the relevance, rounded up, the lower 26 the row. */
const FINE = 2 ** 26;
/** By how much the relevance that is worked out for all rows at once may be too small. Scores are rounded to four decimals, and
 * beyond some thousands of listings lengths of signatures lag behind: among 10,001 texts of the benchmark by 0.13 % at most, some
 * 0.0035 of relevance, among 100,000 by a tenth of that. */
const SLACK = 0.005;
/** Keys are counted by so many steps of relevance, to find where the best end without sorting all. */
const STEPS = 2_048;
const MOST = 1 + SLACK;

/** The key of the `n`-th row of its kind. */
export function keyOf(relevance: number, n: number): number {
  return (Math.ceil((relevance + SLACK) * FINE) + n / FINE) / FINE;
}

export function rowOf(key: number): number {
  const scaled = key * FINE;
  return (scaled - Math.floor(scaled)) * FINE;
}

/** The best of what was looked through. */
export interface Ranked {
  /** In falling order. */
  readonly keys: readonly number[];
  /** Whether these are all. */
  readonly all: boolean;
}

const stepOf = (key: number): number => Math.min(STEPS - 1, Math.floor((key / MOST) * (STEPS - 1)));

/** The `most` greatest of some keys that are accepted. */
export function best(keys: Float64Array, most: number, accept: (key: number) => boolean = () => true): Ranked {
  const counts = new Uint32Array(STEPS);
  let found = 0;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? 0;
    if (!accept(key)) continue;
    counts[stepOf(key)] = (counts[stepOf(key)] ?? 0) + 1;
    found += 1;
  }
  let least = STEPS;
  for (let above = 0; least > 0 && above < most; ) {
    least -= 1;
    above += counts[least] ?? 0;
  }
  const kept: number[] = [];
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? 0;
    if (stepOf(key) >= least && accept(key)) kept.push(key);
  }
  const sorted = Float64Array.from(kept).sort().reverse();
  return { keys: Array.from(sorted.subarray(0, most)), all: found <= most };
}
