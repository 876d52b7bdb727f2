// The order of a listing's pairs, and how many of them are open at once: its best, of which a better one that comes later
// displaces the weakest.

/**
 * Open pairs that a listing has of its own account: as many as a person looks through. Beside them stand those where it is
 * among the best of the other side, however many.
 */
export const MATCHES_BEST = 30;

/** What a pair's place at a listing hangs on. Nothing of it depends on when or in which order listings came. */
export interface Place {
  /** The score in millionths, moved by the taste of the listing's agent where it has shown any. */
  readonly rank_ppm: number;
  /** Whether the counterpart's plan goes before others of the same score. */
  readonly priority: boolean;
  readonly handle: string;
  /** What its listing says, asked for where all else is level. */
  readonly text: () => string;
  /** Its listing's slug, which no other of the agent's has. It may tell which came first, so it has the last word only. */
  readonly slug: string;
}

/** Puts the better of two pairs of a listing first. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.rank_ppm !== b.rank_ppm) return b.rank_ppm - a.rank_ppm;
  if (a.priority !== b.priority) return a.priority ? -1 : 1;
  if (a.handle !== b.handle) return a.handle < b.handle ? -1 : 1;
  const [ours, theirs] = [a.text(), b.text()];
  if (ours !== theirs) return ours < theirs ? -1 : 1;
  return a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0;
}
