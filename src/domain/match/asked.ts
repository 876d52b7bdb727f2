// The options and the result of matching a listing, and what needs the index for it.
import type { Explained } from './missing.ts';

/** The internal operations that need the index of matching: nodes without it leave their reminders to those with it. */
export const NEEDS_INDEX = ['match.run_listing', 'match.tell_unmatched', 'listing.weigh_words'] as const;

export interface MatchAsked {
  /** The answer explains what is missing. */
  readonly explains?: boolean;
  /** Where an earlier search for listings whose best pairs may include this one ended. */
  readonly below?: number;
}

export interface Matched {
  /** Candidates that were scored. */
  readonly considered: number;
  /** What its matches lack; null where it was not requested, or the listing takes no part in matching. */
  readonly explained: Explained | null;
  /** It takes part in matching and has no match. */
  readonly unmatched: boolean;
}
