// How close two texts are that have nothing to do with one another, by the vectors of one model: below it closeness says
// nothing. Models differ much in it (0.1 to 0.8), so it is measured for each and written down nowhere by hand.

import { cosine } from '../../domain/text/cosine.ts';
import { UNRELATED_TEXTS } from './unrelated.ts';

/**
 * Which of the unrelated pairs, ordered by their cosine, gives the floor. In the middle, half of all pairs of strangers
 * would have something in common; near the end, fit pairs that say little would have nothing.
 */
const FLOOR_QUANTILE = 0.9;
/** The stored digits: enough for any score, and the precision of 32-bit floats. */
const DIGITS = 4;

export function roundFloor(floor: number): number {
  return Number(floor.toFixed(DIGITS));
}

/** The floor of a model by its vectors of UNRELATED_TEXTS, in their order. */
export function closenessFloor(vectors: readonly Int8Array[]): number {
  if (vectors.length !== UNRELATED_TEXTS.length) throw new Error('The floor is made of the vectors of all its texts.');
  const cosines: number[] = [];
  vectors.forEach((a, i) => {
    for (const b of vectors.slice(0, i)) cosines.push(cosine(a, b));
  });
  cosines.sort((a, b) => a - b);
  return roundFloor(Math.max(0, cosines[Math.floor(cosines.length * FLOOR_QUANTILE)] ?? 0));
}
