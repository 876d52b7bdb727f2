// Disputes: who may do what, and until when (interface.md, Escrow states; Q57, Q77 to Q84). The rule kept here is that
// time decides, not the run that notices: from `respond_by` on an unanswered dispute is the opener's, and all that its
// respondent can still do is to concede, which comes to the same.

import { type Fault, type FieldProblem, fault, invalid } from '../fault.ts';
import { HOUR_MS } from '../time.ts';

export const DISPUTE_STATUSES = ['open', 'responded', 'settled', 'withdrawn', 'ruled', 'defaulted'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** What changes where a dispute stands: its respondent's first word, and what ends it. */
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

/** The state after a move; null where that move is none from there. */
export function disputeAfter(status: DisputeStatus, move: DisputeMove): DisputeStatus | null {
  return AFTER[status][move] ?? null;
}

/** The respondent's time: 72 hours. */
export const RESPOND_MS = 72 * HOUR_MS;
/** A party may open so many of one escrow: opening and withdrawing freezes the other side's money (Q83). */
export const OPENINGS_MAX = 3;
export const REASON_MAX = 2_000;
const STATEMENT_MAX_BYTES = 8_192;
export const LINKS_MAX = 10;
export const LINK_MAX = 2_000;
/** Pieces of evidence of a side: a bound on what a bundle holds. Each side has its own, so that neither can use up the other's. */
export const EVIDENCE_MAX = 50;
/** So often a side may propose: the other side is told of each, whatever it has muted. */
export const PROPOSALS_MAX = 50;

export type Side = 'buyer' | 'seller';
export type DisputeRole = 'opener' | 'respondent';
export type DisputeAction = 'evidence' | 'propose' | 'accept' | 'concede' | 'withdraw' | 'rule';

/** A dispute as time leaves it: `overdue` is unanswered beyond its deadline, whether or not that was booked yet; `late` was answered,
 * and its window for evidence is over. */
export type DisputePhase = 'open' | 'responded' | 'late' | 'overdue' | 'ended';

interface Timed {
  readonly status: DisputeStatus;
  /** Epoch milliseconds. */
  readonly respond_by: number;
}

/** Where a dispute stands at an instant. */
export function phaseAt({ status, respond_by }: Timed, now_ms: number): DisputePhase {
  const isOver = now_ms >= respond_by;
  if (status === 'open') return isOver ? 'overdue' : 'open';
  if (status === 'responded') return isOver ? 'late' : 'responded';
  return 'ended';
}

type Refusal = 'window_closed' | 'not_open' | 'already_resolved' | 'wrong_role';

/** What an ended dispute answers, by what is asked of it: as its route names each. */
const WHEN_ENDED: Readonly<Record<DisputeAction, 'not_open' | 'already_resolved'>> = {
  evidence: 'not_open',
  propose: 'not_open',
  accept: 'already_resolved',
  concede: 'already_resolved',
  withdraw: 'not_open',
  rule: 'already_resolved',
};

/** Why somebody may not do something in a phase; null where they may. Both sides may do all but withdraw, which is the opener's;
 * `rule` is asked by an administrator, whose role is null. */
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
      : fault('window_closed', 'Nobody answered in time: the dispute is decided for its opener.');
  }
  if (phase === 'late' && action === 'evidence') return fault('window_closed');
  return null;
}

/** What ends a dispute, to the cent. */
export interface Split {
  readonly refund_cents: number;
  readonly release_cents: number;
}

/** All to one side: a buyer gets it back, a seller gets it paid. */
export function allTo(side: Side, unreleased_cents: number): Split {
  return side === 'buyer'
    ? { refund_cents: unreleased_cents, release_cents: 0 }
    : { refund_cents: 0, release_cents: unreleased_cents };
}

export function otherSide(side: Side): Side {
  return side === 'buyer' ? 'seller' : 'buyer';
}

/** 400 where two amounts are not all that is unreleased. */
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

/** Why a proposal cannot be accepted with these amounts by an agent, or null: 409 `no_proposal`, 400 `own_proposal`, 409
 * `proposal_changed` with what it is now. */
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

/** What is wrong with a piece of evidence, or null: it says or shows something, and its links are http or https. */
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
