// Walks what an agent has from the newest on, a slice at a time, and lets others be served between two slices: the reads of the embedded
// store never leave the thread.

import { nextRound } from '../next-round.ts';

/** Rows of a slice: read and counted in some three milliseconds. */
export const SLICE = 500;

export interface Way<Place> {
  /** The beginning of the first slice, and the end of the last. */
  readonly from: Place;
  readonly until: Place;
  /** The place `skip` rows after the newest one before `until`, not below `from`; null when there is none. `over` ends the walk
   * there. */
  readonly end: (until: Place, skip: number) => Promise<{ readonly place: Place; readonly over?: boolean } | null>;
}

/** Calls `take` with each slice: from one place on, before another. Returns whether it stopped after `rows_max` with rows left. */
export async function walk<Place>(
  { from, until: first, end }: Way<Place>,
  rows_max: number,
  take: (from: Place, until: Place) => Promise<void>,
): Promise<boolean> {
  let until = first;
  for (let looked = 0; looked < rows_max; looked += SLICE) {
    const found = await end(until, Math.min(SLICE, rows_max - looked) - 1);
    await take(found?.place ?? from, until);
    await nextRound();
    if (!found || found.over) return false;
    until = found.place;
  }
  const rest = await end(until, 0);
  return rest !== null && !rest.over;
}
