// The terms that a buyer may give an escrow when it is opened, and never later (Q62): a milestone that was delivered is released after so
// many days without a word, what is not delivered by a day comes back. Left out there are none: the buyer releases.
import { type Fault, invalid } from '../fault.ts';

const DAY_MS = 86_400_000;
/** How far ahead an escrow may expire. */
export const EXPIRES_WITHIN_DAYS = 366;

/** As a buyer says them. */
export interface TermsAsked {
  readonly auto_release_after_days?: number;
  /** ISO 8601. */
  readonly expires_at?: string;
}

/** As an escrow keeps them; `expires_at` is epoch milliseconds. */
export interface FixedTerms {
  readonly auto_release_after_days: number | null;
  readonly expires_at: number | null;
}

/** The terms to be, or 400 for an end that has passed or is too far away. */
export function fixedTerms(
  { auto_release_after_days, expires_at }: TermsAsked,
  now_ms: number,
): FixedTerms | Fault<'invalid_request'> {
  const at = expires_at === undefined ? null : Date.parse(expires_at);
  if (at === null || (at > now_ms && at <= now_ms + EXPIRES_WITHIN_DAYS * DAY_MS)) {
    return { auto_release_after_days: auto_release_after_days ?? null, expires_at: at };
  }
  return invalid({ path: 'expires_at', message: `Name a time to come, within ${EXPIRES_WITHIN_DAYS} days.` });
}
