// Escrows: what may become of one, and of its milestones (interface.md, Escrow states). The rule kept here is that each
// cent goes out once: a milestone ends once, and an escrow whose money is gone takes nothing more.
import { assert } from '../assert.ts';
import { type Fault, fault, invalid, isFault } from '../fault.ts';
import { DAY_MS } from '../time.ts';

export const ESCROW_STATUSES = ['active', 'completed', 'disputed', 'refunded'] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];

export const MILESTONE_STATUSES = ['held', 'released', 'refunded', 'settled'] as const;
type MilestoneStatus = (typeof MILESTONE_STATUSES)[number];

/** What becomes of a held milestone. It ends once. */
export const MILESTONE_AFTER = {
  release: 'released',
  refund: 'refunded',
  settle: 'settled',
} as const satisfies Partial<Record<EscrowTrigger, MilestoneStatus>>;

/** What is done to an escrow: part or all of it released (by its buyer, on evidence, by its terms), part or all of it given back (by
 * its seller, by its terms), a dispute opened, withdrawn, or settled, which ends all that is left. */
export type EscrowTrigger = 'release' | 'refund' | 'dispute' | 'withdraw' | 'settle';

/** `moves`: money goes out, and the escrow ends with the last of it. */
const TABLE: Readonly<Record<EscrowStatus, Readonly<Partial<Record<EscrowTrigger, EscrowStatus | 'moves'>>>>> = {
  active: { release: 'moves', refund: 'moves', dispute: 'disputed' },
  disputed: { withdraw: 'active', settle: 'moves' },
  completed: {},
  refunded: {},
};

/** What an escrow holds, in cents. */
export interface EscrowSums {
  readonly total_cents: number;
  /** What went to the seller, the fee in it, and what went back to the buyer. */
  readonly released_cents: number;
  readonly refunded_cents: number;
}

export function unreleasedCents({ total_cents, released_cents, refunded_cents }: EscrowSums): number {
  return total_cents - released_cents - refunded_cents;
}

/**
 * The state after a trigger, or null where the state does not take it; `after` are the sums once it is done. An escrow that is
 * empty has ended: `refunded` where any money went back, be it a cent, else `completed` (Q57).
 */
export function nextStatus(status: EscrowStatus, trigger: EscrowTrigger, after: EscrowSums): EscrowStatus | null {
  const next = TABLE[status][trigger];
  if (next === undefined) return null;
  if (next !== 'moves') return next;
  const left = unreleasedCents(after);
  assert(left >= 0, 'more went out of an escrow than was in it');
  if (left > 0) return status;
  return after.refunded_cents > 0 ? 'refunded' : 'completed';
}

type MilestoneRefusal = 'no_such_milestone' | 'already_released' | 'escrow_not_active';

/** Why a milestone takes nothing more, or null where it does: 400 `no_such_milestone`, `already_released` (however it ended),
 * `escrow_not_active`, in this order, so that the same release again always hears that it is done. */
export function milestoneFault(
  status: EscrowStatus,
  milestone: { readonly status: MilestoneStatus } | undefined,
): Fault<MilestoneRefusal> | null {
  if (!milestone) return fault('no_such_milestone');
  if (milestone.status !== 'held') {
    const message = milestone.status === 'released' ? undefined : `That milestone was ${milestone.status} already.`;
    return fault('already_released', message, { milestone_status: milestone.status });
  }
  return activeFault(status);
}

/** 400 `escrow_not_active` unless the escrow is. */
export function activeFault(status: EscrowStatus): Fault<'escrow_not_active'> | null {
  return status === 'active' ? null : fault('escrow_not_active', undefined, { status });
}

// The journals by which money comes into an escrow and goes out again, as their ids are made. A journal's id is that of its receipt.

/** Puts the money in. */
export function fundingJournal(escrow_id: string): string {
  return `escrow:${escrow_id}`;
}

/** Pays one milestone out. */
export function releaseJournal(milestone_id: string): string {
  return `release:${milestone_id}`;
}

/** Each happens to an escrow once: its seller or its terms give back, or a dispute ends. */
export const CLOSINGS = ['refund', 'expire', 'settle'] as const;

/** Gives back what is left, or shares it out. */
export function closingJournal(closing: (typeof CLOSINGS)[number], escrow_id: string): string {
  return `${closing}:${escrow_id}`;
}

/** What of a milestone says how it ended. */
interface EndedMilestone {
  readonly id: string;
  readonly escrow_id: string;
  readonly status: 'held' | 'released' | 'refunded' | 'settled';
  readonly ended_by: string | null;
}

/** The journal that ended a milestone; null while it is held. */
export function endingJournal({ id, escrow_id, status, ended_by }: EndedMilestone): string | null {
  switch (status) {
    case 'held':
      return null;
    case 'released':
      return releaseJournal(id);
    case 'refunded':
      return closingJournal(ended_by === 'terms' ? 'expire' : 'refund', escrow_id);
    case 'settled':
      return closingJournal('settle', escrow_id);
  }
}

// The terms of an escrow, fixed when it is opened and never later (Q62): a milestone that was delivered is released after so many days
// without a word, what is not delivered by a day comes back. A buyer gives them, or both sides agreed to them in a proposal. Left out
// there are none: the buyer releases.

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
