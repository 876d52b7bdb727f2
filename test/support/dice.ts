// Seeded chance for tests: the same seed gives the same numbers.

/** Numbers from 0 to below 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same things in another order. */
export function shuffled<T>(things: readonly T[], random: () => number): T[] {
  const keyed = things.map((thing) => ({ thing, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ thing }) => thing);
}
