// Disputes: who may do what, and until when (interface.md, Escrow states; Q57, Q77 to Q84). Time decides, not the run
// that records it: from `respond_by` on an unanswered dispute is decided for the opener, and its respondent can only
// concede, which has the same outcome.

import { type Fault, type FieldProblem, fault, invalid } from '../fault.ts';
import { HOUR_MS } from '../time.ts';

export const DISPUTE_STATUSES = ['open', 'responded', 'settled', 'withdrawn', 'ruled', 'defaulted'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The transitions of a dispute: its respondent's first answer, and its ends. */
export const DISPUTE_MOVES = ['answered', 'settled', 'conceded', 'withdrawn', 'ruled', 'defaulted'] as const;
export type DisputeMove = (typeof DISPUTE_MOVES)[number];

const ENDS = { settled: 'settled', conceded: 'settled', withdrawn: 'withdrawn', ruled: 'ruled' } as const;

const AFTER: Readonly<Record<DisputeStatus, Readonly<Partial<Record<DisputeMove, DisputeStatus>>>>> = {
  open: { answered: 'responded', ...ENDS, defaulted: 'defaulted' },
  responded: ENDS,
  settled: {},
  withdrawn: {},
  ruled: {},
  defaulted: {},
};

/** The state after a move; null where the state does not allow it. */
export function disputeAfter(status: DisputeStatus, move: DisputeMove): DisputeStatus | null {
  return AFTER[status][move] ?? null;
}

/** The respondent's time: 72 hours. */
export const RESPOND_MS = 72 * HOUR_MS;
/** Disputes of one escrow by one party, since opening and withdrawing freezes the other side's money (Q83). */
export const OPENINGS_MAX = 3;
export const REASON_MAX = 2_000;
const STATEMENT_MAX_BYTES = 8_192;
export const LINKS_MAX = 10;
export const LINK_MAX = 2_000;
/** Pieces of evidence of a side, which limits the size of a bundle. Each side has a limit of its own. */
export const EVIDENCE_MAX = 50;
/** Proposals of a side; the other side is told of each, even if it has muted them. */
export const PROPOSALS_MAX = 50;

export type Side = 'buyer' | 'seller';
export type DisputeRole = 'opener' | 'respondent';
export type DisputeAction = 'evidence' | 'propose' | 'accept' | 'concede' | 'withdraw' | 'rule';

/** The phase of a dispute by time: `overdue` is unanswered after its deadline, whether or not that is recorded yet; `late` is answered,
 * and its window for evidence is over. */
export type DisputePhase = 'open' | 'responded' | 'late' | 'overdue' | 'ended';

interface Timed {
  readonly status: DisputeStatus;
  /** Epoch milliseconds. */
  readonly respond_by: number;
}

/** The phase of a dispute at an instant. */
export function phaseAt({ status, respond_by }: Timed, now_ms: number): DisputePhase {
  const isOver = now_ms >= respond_by;
  if (status === 'open') return isOver ? 'overdue' : 'open';
  if (status === 'responded') return isOver ? 'late' : 'responded';
  return 'ended';
}

type Refusal = 'window_closed' | 'not_open' | 'already_resolved' | 'wrong_role';

/** The fault of an ended dispute, by action. */
const WHEN_ENDED: Readonly<Record<DisputeAction, 'not_open' | 'already_resolved'>> = {
  evidence: 'not_open',
  propose: 'not_open',
  accept: 'already_resolved',
  concede: 'already_resolved',
  withdraw: 'not_open',
  rule: 'already_resolved',
};

/** Why an action is refused in a phase, or null. Both sides may do everything except withdraw, which only the opener may; `rule` is an
 * administrator's action, whose role is null. */
export function disputeFault(
  phase: DisputePhase,
  action: DisputeAction,
  role: DisputeRole | null,
): Fault<Refusal> | null {
  if (action === 'withdraw' && role !== 'opener')
    return fault('wrong_role', 'Only who opened the dispute withdraws it.');
  if (phase === 'ended') return fault(WHEN_ENDED[action]);
  if (phase === 'overdue') {
    const mayConcede = action === 'concede' && role === 'respondent';
    return mayConcede
      ? null
      : fault('window_closed', 'There was no answer in time: the dispute is decided for the side that opened it.');
  }
  if (phase === 'late' && action === 'evidence') return fault('window_closed');
  return null;
}

/** The outcome of a dispute in cents. */
export interface Split {
  readonly refund_cents: number;
  readonly release_cents: number;
}

/** All money to one side: a refund to the buyer, or a release to the seller. */
export function allTo(side: Side, unreleased_cents: number): Split {
  return side === 'buyer'
    ? { refund_cents: unreleased_cents, release_cents: 0 }
    : { refund_cents: 0, release_cents: unreleased_cents };
}

export function otherSide(side: Side): Side {
  return side === 'buyer' ? 'seller' : 'buyer';
}

/** 400 unless the two amounts sum to the unreleased money. */
export function splitFault(
  { refund_cents, release_cents }: Split,
  unreleased_cents: number,
): Fault<'invalid_request'> | null {
  if (refund_cents + release_cents === unreleased_cents) return null;
  const message = `refund_cents and release_cents have to add up to ${unreleased_cents}, all that is unreleased.`;
  return invalid({ path: 'release_cents', message });
}

export interface Proposal extends Split {
  /** The agent that made it. */
  readonly by: string;
}

/** Why an agent cannot accept a proposal with these amounts, or null: 409 `no_proposal`, 400 `own_proposal`, 409
 * `proposal_changed` with the current one. */
export function acceptFault(
  proposal: Proposal | null,
  agent_id: string,
  { refund_cents, release_cents }: Split,
): Fault<'no_proposal' | 'own_proposal' | 'proposal_changed'> | null {
  if (proposal === null) return fault('no_proposal');
  if (proposal.by === agent_id) return fault('own_proposal');
  if (proposal.refund_cents === refund_cents && proposal.release_cents === release_cents) return null;
  const now = { refund_cents: proposal.refund_cents, release_cents: proposal.release_cents };
  return fault('proposal_changed', undefined, { proposal: now });
}

function linkProblem(link: string, n: number): FieldProblem[] {
  const path = `links.${n}`;
  if (!URL.canParse(link)) return [{ path, message: 'Give a whole address, such as https://example.org/photo.jpg.' }];
  const { protocol, username, password } = new URL(link);
  if (protocol !== 'http:' && protocol !== 'https:') return [{ path, message: 'Use http or https.' }];
  return username || password ? [{ path, message: 'Leave name and password out of it.' }] : [];
}

/** The fault of a piece of evidence, or null: it needs a statement or a link, and links are http or https. */
export function evidenceFault(statement: string, links: readonly string[]): Fault<'invalid_request'> | null {
  if (statement.trim() === '' && links.length === 0) {
    return invalid({ path: 'statement', message: 'Say what happened, or give links that show it.' });
  }
  if (new TextEncoder().encode(statement).byteLength > STATEMENT_MAX_BYTES) {
    return invalid({ path: 'statement', message: `At most ${STATEMENT_MAX_BYTES} bytes of UTF-8.` });
  }
  const problems = links.flatMap(linkProblem);
  return problems.length > 0 ? invalid(...problems) : null;
}
