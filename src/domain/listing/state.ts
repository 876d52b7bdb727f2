// The states of a listing and the moves between them (interface.md "States", questions.md 8, 10, 38 to 40). One rule
// says where a listing belongs; every write asks it, so that no path can make a listing live that another would hold.

import { type Fault, fault } from '../fault.ts';
import type { Completeness } from './listing.ts';

export const LISTING_STATUSES = ['draft', 'live', 'inactive', 'pending_verification', 'pending_review'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** What decides whether a listing may be live. */
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

// Where a listing that wants to be live belongs. Review comes before proof: a person should not be asked for a DNS
// record for a listing that may be refused.
function wantedStatus(facts: ListingFacts): ListingStatus {
  if (!facts.completeness.complete) return 'draft';
  if (facts.review_needed) return 'pending_review';
  return facts.gates_passed ? 'live' : 'pending_verification';
}

/** The state of a new listing; `active: false` keeps a complete one inactive, an incomplete one is always a draft. */
export function statusAtCreation(active: boolean, facts: ListingFacts): ListingStatus {
  const status = wantedStatus(facts);
  return active || status === 'draft' ? status : 'inactive';
}

/**
 * The state after a PATCH, `active` as sent. An edit without it can take a listing out of live, never into it, but for one
 * that is held for its words and has mended them. Faults:
 * `listing_incomplete` (with `completeness`) and `pending` for `active: true` where it cannot be followed.
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

/** The state after the verify call or the agent's first verification: a held listing goes live when nothing holds it. */
export function statusAfterVerify(current: ListingStatus, facts: ListingFacts): ListingStatus {
  return current === 'pending_verification' ? wantedStatus(facts) : current;
}

/** The state after an administrator's word on a held listing; a refused one stays with its owner as inactive. */
export function statusAfterReview(
  current: ListingStatus,
  approve: boolean,
  facts: Omit<ListingFacts, 'review_needed'>,
): ListingStatus {
  if (current !== 'pending_review') return current;
  return approve ? wantedStatus({ ...facts, review_needed: false }) : 'inactive';
}
