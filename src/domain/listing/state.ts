// The states of a listing and their transitions (interface.md "States", questions.md 8, 10, 38 to 40). Every write uses one
// rule for the state, so that no path can publish a listing that another would hold.

import { type Fault, fault } from '../fault.ts';
import type { Completeness } from './listing.ts';

export const LISTING_STATUSES = ['draft', 'live', 'inactive', 'pending_verification', 'pending_review'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** The facts that decide whether a listing may be live. */
export interface ListingFacts {
  readonly completeness: Completeness;
  /** All gates passed: the named domain is proven, and the agent verified where an intake listing waits for that. */
  readonly gates_passed: boolean;
  /** The niche classifier is unsure and no administrator has approved this text. */
  readonly review_needed: boolean;
}

/** `active` on the wire: active if and only if live (questions.md 38). */
export function isActive(status: ListingStatus): boolean {
  return status === 'live';
}

// The state of a listing that should be live. Review comes before proof, so that no DNS record is requested for a listing
// that may be refused.
function wantedStatus(facts: ListingFacts): ListingStatus {
  if (!facts.completeness.complete) return 'draft';
  if (facts.review_needed) return 'pending_review';
  return facts.gates_passed ? 'live' : 'pending_verification';
}

/** The state of a new listing; `active: false` makes a complete one inactive, an incomplete one is always a draft. */
export function statusAtCreation(active: boolean, facts: ListingFacts): ListingStatus {
  const status = wantedStatus(facts);
  return active || status === 'draft' ? status : 'inactive';
}

/**
 * The state after a PATCH, `active` as sent. Without it an edit can end the live state but not start it, except for a
 * listing that was held for its text and has corrected it. Faults: `listing_incomplete` (with `completeness`) and `pending`
 * for `active: true` where it is not possible.
 */
export function statusAfterPatch(
  current: ListingStatus,
  active: boolean | undefined,
  facts: ListingFacts,
): { status: ListingStatus } | Fault<'listing_incomplete' | 'pending'> {
  if (active === true) {
    if (!facts.completeness.complete) {
      return fault('listing_incomplete', undefined, { completeness: facts.completeness });
    }
    const held = current === 'pending_review' && facts.review_needed;
    if (held || current === 'pending_verification') {
      return fault('pending', `This listing is ${current.replace('_', ' ')}; see gate_report.`, { status: current });
    }
    return { status: wantedStatus(facts) };
  }
  if (active === false) return { status: current === 'draft' ? 'draft' : 'inactive' };
  switch (current) {
    case 'live':
      return { status: wantedStatus(facts) };
    case 'pending_verification':
      return { status: facts.review_needed ? 'pending_review' : current };
    case 'pending_review':
      return { status: wantedStatus(facts) };
    case 'draft':
    case 'inactive':
      return { status: current };
  }
}

/** The state after the verify call or the agent's first verification: a held listing goes live when its gates are open. */
export function statusAfterVerify(current: ListingStatus, facts: ListingFacts): ListingStatus {
  return current === 'pending_verification' ? wantedStatus(facts) : current;
}

/** The state after an administrator's decision on a held listing; a refused one stays with its owner as inactive. */
export function statusAfterReview(
  current: ListingStatus,
  approve: boolean,
  facts: Omit<ListingFacts, 'review_needed'>,
): ListingStatus {
  if (current !== 'pending_review') return current;
  return approve ? wantedStatus({ ...facts, review_needed: false }) : 'inactive';
}
