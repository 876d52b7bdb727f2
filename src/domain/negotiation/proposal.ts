// Proposals: an amount with its terms, put by one side and approved by both. The rules kept here: one stands at a time and for three
// days, an amount outside a side's bounds is for that side's person to decide, and a program alone agrees only to what its person
// lets pass unseen (interface.md item 12, Q23, rules.md 6).

import type { Bounds } from '../agent/bounds.ts';
import { type Policy, policyFor } from '../agent/policy.ts';
import { assert } from '../assert.ts';
import type { FixedTerms } from '../escrow/escrow.ts';
import { type Fault, fault, invalid } from '../fault.ts';
import { TRANSFER_MAX_CENTS } from '../money/ledger.ts';
import { HOUR_MS } from '../time.ts';

/** How long a proposal can be approved. */
export const PROPOSAL_TTL_MS = 72 * HOUR_MS;

export const PROPOSAL_REASONS = ['price', 'terms', 'timing', 'low_trust', 'other'] as const;

/** As a part of a deal is proposed; an escrow holds it as a milestone. */
export interface Proposed {
  readonly title: string;
  readonly amount_cents: number;
  /** Epoch milliseconds; none where it was left open. */
  readonly due_at?: number | null;
}

/** The parts as they are given, each with the time at which it is due, if any; 400 for one that has passed. */
export function datedParts(
  given: readonly { readonly title: string; readonly amount_cents: number; readonly due_at?: string }[],
  now_ms: number,
): readonly Proposed[] | Fault<'invalid_request'> {
  const parts = given.map(({ due_at, ...part }) => ({
    ...part,
    ...(due_at !== undefined && { due_at: Date.parse(due_at) }),
  }));
  const late = parts.findIndex(({ due_at }) => due_at !== undefined && due_at <= now_ms);
  return late < 0 ? parts : invalid({ path: `milestones.${late}.due_at`, message: 'Name a time to come.' });
}

/** Until when a proposal can be approved: not past the end of the escrow that it would open. */
export function standsUntil(escrow_terms: FixedTerms | null, now_ms: number): number {
  return Math.min(now_ms + PROPOSAL_TTL_MS, escrow_terms?.expires_at ?? Number.POSITIVE_INFINITY);
}

export type DealSide = 'buyer' | 'seller';

/** The bound that a side may be held to. */
export type BoundPassed = 'max_pay_cents' | 'min_charge_cents';

/** Which of its bounds an amount passes for a side; null where it keeps them. */
export function boundPassed(bounds: Partial<Bounds>, side: DealSide, amount_cents: number): BoundPassed | null {
  const { max_pay_cents = null, min_charge_cents = null } = bounds;
  if (side === 'buyer') return max_pay_cents !== null && amount_cents > max_pay_cents ? 'max_pay_cents' : null;
  return min_charge_cents !== null && amount_cents < min_charge_cents ? 'min_charge_cents' : null;
}

/** Whether a side's program may agree to an amount without its person. */
export function isAutomatic(bounds: Partial<Bounds>, side: DealSide, amount_cents: number): boolean {
  const { auto_approve_below_cents = null } = bounds;
  if (boundPassed(bounds, side, amount_cents) !== null) return false;
  return auto_approve_below_cents !== null && amount_cents <= auto_approve_below_cents;
}

/** Bounds with what a person said of proposals, by whom they come. */
type SideBounds = Partial<Bounds> & {
  readonly policies?: readonly Pick<Policy, 'operation' | 'agent_id' | 'outcome'>[];
};

/** Whether a policy asks a side's person about all that the other proposes, however small. */
export function asksPerson(bounds: SideBounds, other_id: string): boolean {
  return policyFor(bounds.policies, 'proposal.approve', other_id)?.outcome === 'ask';
}

/** What of a side's bounds and policies asks for its person; null where its program may decide. */
export function askingBound(
  bounds: SideBounds,
  side: DealSide,
  amount_cents: number,
  other_id: string,
): BoundPassed | 'auto_approve_below_cents' | 'policy' | null {
  const passed = boundPassed(bounds, side, amount_cents);
  if (passed !== null) return passed;
  if (asksPerson(bounds, other_id)) return 'policy';
  return isAutomatic(bounds, side, amount_cents) ? null : 'auto_approve_below_cents';
}

/** Whether a proposal was never shown to a reader: whose own bounds it passes, that side alone knows of it, whatever became of it. One that its
 * person lets go is put anew. */
export function isKept({ by_id, buyer_id, seller_id, bound }: Kept, reader_id: string): boolean {
  const of = bound === null ? null : bound === 'max_pay_cents' ? buyer_id : seller_id;
  return by_id !== reader_id && of === by_id;
}

/** What of a proposal tells whether its other side was ever shown it. */
interface Kept {
  readonly by_id: string;
  readonly buyer_id: string;
  readonly seller_id: string;
  readonly bound: BoundPassed | null;
}

/** More than anybody ever puts. */
const NUMBERS = 2 ** 40;

/** Between which the numbers lie of what a side withholds. Below nothing, since a gap among those that both sides see would tell the other of
 * it; and apart for each side, so that its newest is found at once, however much the other has withheld. */
export function withheldRange(by_opener: boolean): { readonly above: number; readonly below: number } {
  return by_opener ? { above: -NUMBERS, below: 0 } : { above: -2 * NUMBERS, below: -NUMBERS };
}

/** The number of what a side withholds, behind its newest such one. */
export function withheldNumber(newest: number | null, by_opener: boolean): number {
  return (newest ?? withheldRange(by_opener).below) - 1;
}

/** The version of a proposal: its place among those of the conversation, or among those that its side withheld. */
export function versionOf(number: number): number {
  return number > 0 ? number : -number % NUMBERS;
}

/** How far an amount is within the bound of a side, in cents; negative outside, null without a bound. */
export function boundDistance(bounds: Partial<Bounds>, side: DealSide, amount_cents: number): number | null {
  const bound = (side === 'buyer' ? bounds.max_pay_cents : bounds.min_charge_cents) ?? null;
  if (bound === null) return null;
  return side === 'buyer' ? bound - amount_cents : amount_cents - bound;
}

/** What is wrong with the figures of a proposal: its parts make the whole. */
export function figuresFault(amount_cents: number, milestones: readonly Proposed[]): Fault<'invalid_request'> | null {
  if (amount_cents <= 0) return invalid({ path: 'amount_cents', message: 'Use at least one cent.' });
  if (amount_cents > TRANSFER_MAX_CENTS) {
    return invalid({ path: 'amount_cents', message: `Use at most ${TRANSFER_MAX_CENTS} cents.` });
  }
  if (milestones.length === 0) return null;
  const sum = milestones.reduce((total, part) => total + part.amount_cents, 0);
  if (sum === amount_cents) return null;
  const message = `Together they are ${sum} cents, and the proposal is ${amount_cents}: make them the same.`;
  return invalid({ path: 'milestones', message });
}

export type ProposalStatus = 'withheld' | 'open' | 'approved' | 'rejected' | 'replaced';

/** What happens to one: its proposer's person lets the other side see it, both sides approve, a side rejects, another takes its place. */
export type ProposalMove = 'let_go' | 'agree' | 'reject' | 'replace';

export const PROPOSAL_AFTER: Readonly<Record<ProposalStatus, Readonly<Partial<Record<ProposalMove, ProposalStatus>>>>> =
  {
    withheld: { let_go: 'open', reject: 'rejected', replace: 'replaced' },
    open: { agree: 'approved', reject: 'rejected', replace: 'replaced' },
    approved: {},
    rejected: {},
    replaced: {},
  };

/** The state after a move that can be made from there. */
export function proposalAfter(status: ProposalStatus, move: ProposalMove): ProposalStatus {
  const next = PROPOSAL_AFTER[status][move];
  assert(next !== undefined, `a proposal that is ${status} takes no ${move}`);
  return next;
}

/** The state of a proposal as somebody finds it who answers it. */
export interface Answerable {
  readonly id: string;
  readonly status: ProposalStatus;
  readonly expires_at: number;
}

/** Why a proposal takes no answer: 409 `proposal_replaced`, `proposal_expired` or `proposal_decided`. */
export function answerFault(
  { status, expires_at }: Answerable,
  now_ms: number,
): Fault<'proposal_replaced' | 'proposal_expired' | 'proposal_decided'> | null {
  if (status === 'replaced') return fault('proposal_replaced');
  if (status === 'approved' || status === 'rejected') {
    return fault('proposal_decided', `The proposal was ${status} already.`, { status });
  }
  return expires_at <= now_ms ? fault('proposal_expired') : null;
}
