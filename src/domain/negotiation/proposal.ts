// Proposals: an amount with terms, made by one side and approved by both. One is open at a time, for three days; that side's person
// decides on an amount beyond its bounds, and a program alone approves only what its person allows (interface.md item 12, Q23, rules.md 6).

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

/** A proposed part of a deal, which becomes a milestone of the escrow. */
export interface Proposed {
  readonly title: string;
  readonly amount_cents: number;
  /** Epoch milliseconds; absent or null without a date. */
  readonly due_at?: number | null;
}

/** The given parts with parsed due times; 400 for one in the past. */
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

/** Until when a proposal can be approved, at most until the end of the escrow that it would open. */
export function standsUntil(escrow_terms: FixedTerms | null, now_ms: number): number {
  return Math.min(now_ms + PROPOSAL_TTL_MS, escrow_terms?.expires_at ?? Number.POSITIVE_INFINITY);
}

export type DealSide = 'buyer' | 'seller';

/** The bounds on proposals. */
export type BoundPassed = 'max_pay_cents' | 'min_charge_cents';

/** The bound of a side that an amount exceeds, or null. */
export function boundPassed(bounds: Partial<Bounds>, side: DealSide, amount_cents: number): BoundPassed | null {
  const { max_pay_cents = null, min_charge_cents = null } = bounds;
  if (side === 'buyer') return max_pay_cents !== null && amount_cents > max_pay_cents ? 'max_pay_cents' : null;
  return min_charge_cents !== null && amount_cents < min_charge_cents ? 'min_charge_cents' : null;
}

/** Whether a side's program may approve an amount without its person. */
export function isAutomatic(bounds: Partial<Bounds>, side: DealSide, amount_cents: number): boolean {
  const { auto_approve_below_cents = null } = bounds;
  if (boundPassed(bounds, side, amount_cents) !== null) return false;
  return auto_approve_below_cents !== null && amount_cents <= auto_approve_below_cents;
}

/** Bounds with the policies for proposals. */
type SideBounds = Partial<Bounds> & {
  readonly policies?: readonly Pick<Policy, 'operation' | 'agent_id' | 'outcome'>[];
};

/** Whether a policy asks a side's person about every proposal of the other, however small. */
export function asksPerson(bounds: SideBounds, other_id: string): boolean {
  return policyFor(bounds.policies, 'proposal.approve', other_id)?.outcome === 'ask';
}

/** The bound or policy that requires a side's person; null where its program may decide. */
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

/** Whether a proposal is withheld from a reader: a proposal beyond its own side's bounds is known to that side only, in every state. If its
 * person approves it, it is proposed again. */
export function isKept({ by_id, buyer_id, seller_id, bound }: Kept, reader_id: string): boolean {
  const of = bound === null ? null : bound === 'max_pay_cents' ? buyer_id : seller_id;
  return by_id !== reader_id && of === by_id;
}

/** The fields of a proposal that tell whether it is withheld. */
interface Kept {
  readonly by_id: string;
  readonly buyer_id: string;
  readonly seller_id: string;
  readonly bound: BoundPassed | null;
}

/** More than the proposals of any conversation. */
const NUMBERS = 2 ** 40;

/** The range of numbers for a side's withheld proposals. They are negative, since a gap among the shared numbers would disclose them; and
 * separate for each side, so that its newest is found at once, however many the other has withheld. */
export function withheldRange(by_opener: boolean): { readonly above: number; readonly below: number } {
  return by_opener ? { above: -NUMBERS, below: 0 } : { above: -2 * NUMBERS, below: -NUMBERS };
}

/** The number of a withheld proposal after the side's newest one. */
export function withheldNumber(newest: number | null, by_opener: boolean): number {
  return (newest ?? withheldRange(by_opener).below) - 1;
}

/** The version of a proposal: its position among those of the conversation, or among its side's withheld ones. */
export function versionOf(number: number): number {
  return number > 0 ? number : -number % NUMBERS;
}

/** The distance of an amount to the bound of a side, in cents; negative beyond it, null without a bound. */
export function boundDistance(bounds: Partial<Bounds>, side: DealSide, amount_cents: number): number | null {
  const bound = (side === 'buyer' ? bounds.max_pay_cents : bounds.min_charge_cents) ?? null;
  if (bound === null) return null;
  return side === 'buyer' ? bound - amount_cents : amount_cents - bound;
}

/** The fault of a proposal's figures, or null: its parts must sum to the amount. */
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

/** Whether it can still be answered, if its time is not over. */
export function isLive(status: ProposalStatus): boolean {
  return status === 'open' || status === 'withheld';
}

/** The status at a time: a live proposal ends by itself. */
export function statusAt(
  { status, expires_at }: { readonly status: ProposalStatus; readonly expires_at: number },
  now_ms: number,
): ProposalStatus | 'expired' {
  return isLive(status) && expires_at <= now_ms ? 'expired' : status;
}

/** The moves of a proposal: its proposer's person releases it, both sides approve, a side rejects, another one replaces it. */
export type ProposalMove = 'let_go' | 'agree' | 'reject' | 'replace';

export const PROPOSAL_AFTER: Readonly<Record<ProposalStatus, Readonly<Partial<Record<ProposalMove, ProposalStatus>>>>> =
  {
    withheld: { let_go: 'open', reject: 'rejected', replace: 'replaced' },
    open: { agree: 'approved', reject: 'rejected', replace: 'replaced' },
    approved: {},
    rejected: {},
    replaced: {},
  };

/** The state after an allowed move. */
export function proposalAfter(status: ProposalStatus, move: ProposalMove): ProposalStatus {
  const next = PROPOSAL_AFTER[status][move];
  assert(next !== undefined, `a proposal that is ${status} takes no ${move}`);
  return next;
}

/** The fields of a proposal that an answer needs. */
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
