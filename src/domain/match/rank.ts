// The order of a listing's pairs, and how many are open at once: its best ones; a better pair that comes later displaces the weakest.

/**
 * Open pairs among a listing's own best: as many as a person looks through. In addition, any number of pairs may be open
 * where it is among the best of the other side; with these the median is 30 at most (matching.md, How well it ranks).
 */
export const MATCHES_BEST = 26;

/** The sort key of a pair at a listing. It is independent of the time and order of arrival. */
export interface Place {
  /** The score in millionths, shifted by the taste of the listing's agent. */
  readonly rank_ppm: number;
  /** Whether the counterpart's plan has priority at equal scores. */
  readonly priority: boolean;
  readonly handle: string;
  /** The text of its listing, computed only where all else is equal. */
  readonly text: () => string;
  /** Its listing's slug, unique for the agent. It may depend on the order of arrival, so it is compared last. */
  readonly slug: string;
}

/** Sorts pairs of a listing, the better first. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.rank_ppm !== b.rank_ppm) return b.rank_ppm - a.rank_ppm;
  if (a.priority !== b.priority) return a.priority ? -1 : 1;
  if (a.handle !== b.handle) return a.handle < b.handle ? -1 : 1;
  const [ours, theirs] = [a.text(), b.text()];
  if (ours !== theirs) return ours < theirs ? -1 : 1;
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0;
}
