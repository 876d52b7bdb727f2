// Escrows: what may become of one, and of its milestones (interface.md, Escrow states). The rule kept here is that each
// cent goes out once: a milestone ends once, and an escrow whose money is gone takes nothing more.
import { assert } from '../assert.ts';
import { type Fault, fault } from '../fault.ts';

export const ESCROW_STATUSES = ['active', 'completed', 'disputed', 'refunded'] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];

export const MILESTONE_STATUSES = ['held', 'released', 'refunded', 'settled'] as const;
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number];

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
