// Escrows: the state machine of an escrow and its milestones (interface.md, Escrow states). Each cent is paid out once: a
// milestone ends once, and an escrow without money takes no more actions.
import { assert } from '../assert.ts';
import { type Fault, fault, invalid, isFault } from '../fault.ts';
import { DAY_MS } from '../time.ts';

export const ESCROW_STATUSES = ['active', 'completed', 'disputed', 'refunded'] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];

export const MILESTONE_STATUSES = ['held', 'released', 'refunded', 'settled'] as const;
type MilestoneStatus = (typeof MILESTONE_STATUSES)[number];

/** The end states of a held milestone. */
export const MILESTONE_AFTER = {
  release: 'released',
  refund: 'refunded',
  settle: 'settled',
} as const satisfies Partial<Record<EscrowTrigger, MilestoneStatus>>;

/** The triggers of an escrow: a release of part or all of it (by its buyer, on evidence, by its terms), a refund of part or all of it
 * (by its seller, by its terms), a dispute opened, withdrawn, or settled, which ends the rest. */
export type EscrowTrigger = 'release' | 'refund' | 'dispute' | 'withdraw' | 'settle';

/** `moves`: money is paid out, and the escrow ends with the last of it. */
const TABLE: Readonly<Record<EscrowStatus, Readonly<Partial<Record<EscrowTrigger, EscrowStatus | 'moves'>>>>> = {
  active: { release: 'moves', refund: 'moves', dispute: 'disputed' },
  disputed: { withdraw: 'active', settle: 'moves' },
  completed: {},
  refunded: {},
};

/** The sums of an escrow in cents. */
export interface EscrowSums {
  readonly total_cents: number;
  /** Paid to the seller, including the fee, and refunded to the buyer. */
  readonly released_cents: number;
  readonly refunded_cents: number;
}

export function unreleasedCents({ total_cents, released_cents, refunded_cents }: EscrowSums): number {
  return total_cents - released_cents - refunded_cents;
}

/**
 * The state after a trigger, or null where the state does not allow it; `after` are the sums after the trigger. An empty escrow
 * has ended: `refunded` where any cent was refunded, else `completed` (Q57).
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

/** Why a milestone takes no action, or null: 400 `no_such_milestone`, `already_released` (however it ended),
 * `escrow_not_active`, in this order, so that a repeated release always answers `already_released`. */
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

// The ids of the journals that move money into and out of an escrow. A journal's id is also the id of its receipt.

/** Funds the escrow. */
export function fundingJournal(escrow_id: string): string {
  return `escrow:${escrow_id}`;
}

/** Pays one milestone out. */
export function releaseJournal(milestone_id: string): string {
  return `release:${milestone_id}`;
}

/** Each occurs once for an escrow: a refund by its seller, an expiry by its terms, the end of a dispute. */
export const CLOSINGS = ['refund', 'expire', 'settle'] as const;

/** Refunds or splits the rest. */
export function closingJournal(closing: (typeof CLOSINGS)[number], escrow_id: string): string {
  return `${closing}:${escrow_id}`;
}

/** The fields of a milestone that tell how it ended. */
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

// The terms of an escrow, fixed at its opening (Q62): a delivered milestone is released after so many days without an objection, and
// undelivered ones are refunded at a date. The buyer sets them, or both sides agreed to them in a proposal. Without terms only the buyer releases.

/** How far ahead an escrow may expire. */
export const EXPIRES_WITHIN_DAYS = 366;

export interface TermsAsked {
  readonly auto_release_after_days?: number;
  /** ISO 8601. */
  readonly expires_at?: string;
}

/** The stored terms; `expires_at` is epoch milliseconds. */
export interface FixedTerms {
  readonly auto_release_after_days: number | null;
  readonly expires_at: number | null;
}

export const NO_TERMS: FixedTerms = { auto_release_after_days: null, expires_at: null };

/** The terms to store, or 400 for an end that has passed or is too far ahead. */
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

/** The terms of an escrow that pays for a deal: agreed terms apply, and the buyer sets the others. After the agreed end has passed, the
 * buyer sets a later one. */
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
