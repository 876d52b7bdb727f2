// What is asked of matching a listing, and what comes of it.
import type { Explained } from './missing.ts';

export interface MatchAsked {
  /** The answer tells what is missing. */
  readonly explains?: boolean;
  /** Where an earlier look for listings of whose best a pair may be ended. */
  readonly below?: number;
}

/** What came of matching a listing. */
export interface Matched {
  /** Candidates that were scored. */
  readonly considered: number;
  /** What is missing among its matches; null where nobody asked, or it takes no part in matching. */
  readonly explained: Explained | null;
  /** It takes part in matching, and nothing fits it. */
  readonly unmatched: boolean;
}
