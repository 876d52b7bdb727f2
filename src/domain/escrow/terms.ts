// The terms of an escrow, fixed when it is opened and never later (Q62): a milestone that was delivered is released after so many days
// without a word, what is not delivered by a day comes back. A buyer gives them, or both sides agreed to them in a proposal. Left out
// there are none: the buyer releases.

import { type Fault, fault, invalid, isFault } from '../fault.ts';
import { DAY_MS } from '../time.ts';

/** How far ahead an escrow may expire. */
export const EXPIRES_WITHIN_DAYS = 366;

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

export const NO_TERMS: FixedTerms = { auto_release_after_days: null, expires_at: null };

/** The terms to be, or 400 for an end that has passed or is too far away. */
export function fixedTerms(
  { auto_release_after_days, expires_at }: TermsAsked,
  now_ms: number,
  path = 'expires_at',
): FixedTerms | Fault<'invalid_request'> {
  const at = expires_at === undefined ? null : Date.parse(expires_at);
  if (at === null || (at > now_ms && at <= now_ms + EXPIRES_WITHIN_DAYS * DAY_MS)) {
    return { auto_release_after_days: auto_release_after_days ?? null, expires_at: at };
  }
  return invalid({ path, message: `Name a time to come, within ${EXPIRES_WITHIN_DAYS} days.` });
}

/** The terms of an escrow that pays for a deal: what both sides agreed to holds, and the rest is the buyer's to give. Once the agreed end has
 * passed, the buyer names a later one. */
export function termsOfDeal(
  agreed: FixedTerms | null,
  asked: TermsAsked,
  now_ms: number,
): FixedTerms | Fault<'invalid_request' | 'conflict'> {
  const given = fixedTerms(asked, now_ms);
  if (isFault(given) || agreed === null) return given;
  const days = agreed.auto_release_after_days;
  if (days !== null && ![null, days].includes(given.auto_release_after_days)) {
    return invalid({ path: 'auto_release_after_days', message: `The two of you agreed to ${days}.` });
  }
  const terms = { auto_release_after_days: days ?? given.auto_release_after_days, expires_at: given.expires_at };
  if (agreed.expires_at === null) return terms;
  const end = new Date(agreed.expires_at).toISOString();
  if (agreed.expires_at > now_ms) {
    if ([null, agreed.expires_at].includes(given.expires_at)) return { ...terms, expires_at: agreed.expires_at };
    return invalid({ path: 'expires_at', message: `The two of you agreed to ${end}.` });
  }
  if (given.expires_at !== null) return terms;
  return fault('conflict', `The end that the two of you agreed to, ${end}, has passed: name a later \`expires_at\`.`);
}
