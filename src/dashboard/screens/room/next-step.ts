// A conversation's next step: act, party and deadline. Money precedes messages: a dispute, a pending proposal, a payment, a
// delivery and a release each precede a due answer.
import { acceptsMessages, isUnderWay } from '../../../domain/conversation/conversation.ts';
import type { Item, Output } from '../../server.ts';
import type { Proposal } from '../approvals/proposal.ts';

export type Talk = Pick<Output<'conversation.read'>, 'status' | 'counterparty_handle' | 'last_message' | 'updated_at'>;
export type Deal = Output<'deal.read'>;
export type Escrow = Output<'escrow.read'>;
export type Milestone = Escrow['milestones'][number];
export type Dispute = Output<'dispute.read'>;
export type Meeting = Item<'meeting.list'>;

/** A conversation's data, as the acting agent sees it. */
export interface Known {
  readonly me: string;
  readonly talk: Talk;
  /** Those of this conversation. */
  readonly proposals: readonly Proposal[];
  readonly deal: Deal | null;
  readonly escrow: Escrow | null;
  readonly dispute: Dispute | null;
  readonly meetings: readonly Meeting[];
  /** Null while not known. */
  readonly balance_cents: number | null;
  readonly now_ms: number;
}

export type Kind =
  | 'answerDispute'
  | 'awaitAnswer'
  | 'acceptSplit'
  | 'awaitSplit'
  | 'settle'
  | 'decide'
  | 'letGo'
  | 'awaitDecision'
  | 'pay'
  | 'addMoney'
  | 'awaitPayment'
  | 'release'
  | 'deliver'
  | 'awaitDelivery'
  | 'awaitRelease'
  | 'review'
  | 'reply'
  | 'confirmMeeting'
  | 'meet'
  | 'write'
  | 'awaitReply'
  | 'finished';

export interface Step {
  readonly kind: Kind;
  readonly whose: 'you' | 'them' | 'both' | 'nobody';
  /** The end or due date; null without one. */
  readonly until: string | null;
  /** The amount at stake; null without money. */
  readonly amount_cents: number | null;
  readonly milestone: Milestone | null;
  /** The meeting concerned. */
  readonly meeting_id: string | null;
}

type Rest = Partial<Omit<Step, 'kind' | 'whose'>>;

function step(kind: Kind, whose: Step['whose'], rest: Rest = {}): Step {
  return { until: null, amount_cents: null, milestone: null, meeting_id: null, ...rest, kind, whose };
}

function ofDispute({ me, dispute }: Known): Step | null {
  if (!dispute || (dispute.status !== 'open' && dispute.status !== 'responded')) return null;
  const { respondent, respond_by, proposal, unreleased_cents: amount_cents } = dispute;
  if (proposal && proposal.by !== me) return step('acceptSplit', 'you', { amount_cents });
  if (dispute.status === 'open') {
    const mine = respondent === me;
    return step(mine ? 'answerDispute' : 'awaitAnswer', mine ? 'you' : 'them', { until: respond_by, amount_cents });
  }
  return proposal ? step('awaitSplit', 'them', { amount_cents }) : step('settle', 'both', { amount_cents });
}

/** The pending proposal. */
export function standingOf(proposals: readonly Proposal[]): readonly Proposal[] {
  return proposals.filter(({ status }) => status === 'withheld' || status === 'open');
}

function ofProposal({ me, proposals }: Known, whose: 'you' | 'them'): Step | null {
  const waits = standingOf(proposals).find(({ approved_by }) => approved_by.includes(me) === (whose === 'them'));
  if (!waits) return null;
  const { expires_at: until, amount_cents, status } = waits;
  if (whose === 'them') return step('awaitDecision', 'them', { until, amount_cents });
  return step(status === 'withheld' ? 'letGo' : 'decide', 'you', { until, amount_cents });
}

function ofPayment({ deal, balance_cents }: Known): Step | null {
  if (deal?.status !== 'agreed') return null;
  const { amount_cents } = deal;
  if (deal.your_side === 'seller') return step('awaitPayment', 'them', { amount_cents });
  const short_cents = amount_cents - (balance_cents ?? amount_cents);
  return short_cents > 0
    ? step('addMoney', 'you', { amount_cents: short_cents })
    : step('pay', 'you', { amount_cents });
}

function ofEscrow({ me, escrow }: Known): Step | null {
  if (escrow?.status !== 'active') return null;
  const held = escrow.milestones.filter(({ status }) => status === 'held');
  const delivered = held.find(({ deliverable }) => deliverable !== null) ?? null;
  const missing = held.find(({ deliverable }) => deliverable === null) ?? null;
  const buys = escrow.buyer_handle === me;
  // Each side's own act comes before waiting for the other side.
  const part = buys ? (delivered ?? missing) : (missing ?? delivered);
  if (!part) return null;
  const { amount_cents, due_at, auto_release_at } = part;
  const rest = { amount_cents, milestone: part };
  if (part === missing) {
    const until = due_at ?? escrow.expires_at;
    return step(buys ? 'awaitDelivery' : 'deliver', buys ? 'them' : 'you', { ...rest, until });
  }
  return step(buys ? 'release' : 'awaitRelease', buys ? 'you' : 'them', { ...rest, until: auto_release_at });
}

function ofReview({ deal }: Known): Step | null {
  if (deal?.status !== 'completed') return null;
  const said = deal.reviews.some(({ handle }) => handle !== deal.counterparty_handle);
  return said ? null : step('review', 'you');
}

function ofMeeting({ meetings, now_ms }: Known): Step | null {
  const open = meetings.filter(({ status }) => status !== 'completed');
  const begun = open.find(({ starts_at }) => Date.parse(starts_at) <= now_ms);
  if (begun) return step('confirmMeeting', 'both', { meeting_id: begun.meeting_id });
  const next = open.toSorted((a, b) => (a.starts_at < b.starts_at ? -1 : 1))[0];
  return next ? step('meet', 'both', { until: next.starts_at, meeting_id: next.meeting_id }) : null;
}

/** Whether a message can be sent: for a while also after the deal is completed, which opens the conversation again. */
export const mayWrite = ({ status, updated_at }: Talk, now_ms: number): boolean =>
  acceptsMessages({ status, updated_at: Date.parse(updated_at) }, now_ms);

const ENDED: ReadonlySet<Deal['status']> = new Set(['completed', 'refunded', 'cancelled']);

function ofWords({ talk: { last_message, status }, deal }: Known, answers: boolean): Step | null {
  const theirs = last_message?.role === 'other' || status === 'escalated';
  if (answers) return theirs ? step('reply', 'you') : null;
  // After a completed deal no answer is due.
  if (deal !== null && ENDED.has(deal.status)) return null;
  return last_message?.role === 'self' ? step('awaitReply', 'them') : step('write', 'you');
}

/** The next step; `finished` once nothing is left to do. */
export function nextStep(known: Known): Step {
  const takes = isUnderWay(known.talk.status);
  const money =
    ofDispute(known) ??
    (takes ? ofProposal(known, 'you') : null) ??
    ofPayment(known) ??
    ofEscrow(known) ??
    (takes ? ofProposal(known, 'them') : null) ??
    ofReview(known);
  if (money) return money;
  if (!takes) return step('finished', 'nobody');
  return ofWords(known, true) ?? ofMeeting(known) ?? ofWords(known, false) ?? step('finished', 'nobody');
}
