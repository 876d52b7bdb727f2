// The states of a match between two listings (questions.md 46 to 49). One side's `interested` approves it and opens the
// thread, the other side's makes it mutual; `not_a_fit` by either side ends the pair for good.

import { type Fault, fault } from '../fault.ts';
import { type Guidance, guide, step } from '../next-step.ts';
import { DAY_MS } from '../time.ts';

export const MATCH_STATUSES = ['pending', 'approved', 'declined', 'expired', 'superseded'] as const;
export type MatchStatus = (typeof MATCH_STATUSES)[number];

export const MATCH_ACTIONS = ['interested', 'not_a_fit', 'saved'] as const;
/** Why a pair is no longer open: a listing was deleted or paused, the two no longer fit, or better pairs displaced it. */
export type EndedBy = 'listing' | 'unfit' | 'outranked';

export type MatchAction = (typeof MATCH_ACTIONS)[number];

/** The reason codes of a decline, as the inbox offers them. Free text is accepted too. */
export const DECLINE_REASONS = [
  'price',
  'location',
  'timing',
  'skills',
  'not_relevant',
  'not_trusted',
  'already_found',
  'other',
] as const;

/** A pending match without a save expires after 30 days (questions.md 48): older needs are mostly met elsewhere. */
export const MATCH_TTL_MS = 30 * DAY_MS;

/** The fields of a match row for the rules; agent ids are those of the two listings' owners. */
export interface MatchFacts {
  readonly status: MatchStatus;
  readonly offer_agent_id: string;
  readonly seek_agent_id: string;
  readonly approved_by: readonly string[];
  readonly saved_by: readonly string[];
  readonly created_at_ms: number;
  /** Set where the status is `superseded`; old rows without a stored reason have null. */
  readonly ended_by: EndedBy | null;
}

/** The changes of a decision. `opens_thread` and `ends_pair` are each true at most once for a match. */
export interface MatchChanges {
  readonly status: MatchStatus;
  readonly approved_by: readonly string[];
  readonly saved_by: readonly string[];
  readonly opens_thread: boolean;
  readonly ends_pair: boolean;
}

/** When a match expires without a decision; null when it is decided, or saved by a side (questions.md 47). */
export function expiresAt(match: MatchFacts): number | null {
  return match.status === 'pending' && match.saved_by.length === 0 ? match.created_at_ms + MATCH_TTL_MS : null;
}

/** The status at an instant: expiry applies from its time on, whether or not its reminder has run. */
export function statusAt(match: MatchFacts, now_ms: number): MatchStatus {
  const expires_at_ms = expiresAt(match);
  return expires_at_ms !== null && expires_at_ms <= now_ms ? 'expired' : match.status;
}

/** The status when one of the two listings is deleted: an open match is superseded, a decided one stays. */
export function statusWithoutListing(match: MatchFacts, now_ms: number): MatchStatus {
  const status = statusAt(match, now_ms);
  return status === 'pending' ? 'superseded' : status;
}

/** Whether a pair holds one of a listing's places: an open one that no side has acted on. */
export function takesPlace(match: MatchFacts, now_ms: number): boolean {
  return statusAt(match, now_ms) === 'pending' && match.saved_by.length === 0;
}

/**
 * What a run does with a known pair: `leave` it unchanged, `refresh` its score, or open it `anew`. Decided pairs stay. A
 * superseded one reopens within its 30 days. Afterwards, a pair that better ones displaced is opened anew when it is among
 * the best again, since neither side ignored it; any other only after an edit of a listing. So no side is told of one pair twice a month.
 */
export function refreshOf(match: MatchFacts, edited_at_ms: number, now_ms: number): 'leave' | 'refresh' | 'anew' {
  if (match.status === 'approved' || match.status === 'declined') return 'leave';
  const over = statusAt(match, now_ms) !== 'pending' && match.created_at_ms + MATCH_TTL_MS <= now_ms;
  if (!over) return 'refresh';
  const displaced = match.status === 'superseded' && match.ended_by === 'outranked';
  return displaced || edited_at_ms > match.created_at_ms ? 'anew' : 'leave';
}

/** Whether a fitting pair may take a place: it is open or may reopen, and no side has acted on it. */
export function mayTakePlace(match: MatchFacts, edited_at_ms: number, now_ms: number): boolean {
  return match.saved_by.length === 0 && refreshOf(match, edited_at_ms, now_ms) !== 'leave';
}

// The message for a late answer, by reason, with an alternative.
const CLOSED: Readonly<Record<EndedBy, Guidance>> = {
  outranked: guide`Better matches took the places of both listings before anybody answered; ${step('match.feed')} shows them.`,
  listing: guide`One of the two listings is gone or rests; ${step('match.feed')} shows what is open.`,
  unfit: guide`The two listings changed and fit no more; ${step('match.feed')} shows what is open.`,
};

/** The 409 of an answer to a closed match, with the reason where it is known. */
function closedFault(status: MatchStatus, ended_by: EndedBy | null): Fault<'match_closed'> {
  const reason = status === 'superseded' ? ended_by : null;
  return fault('match_closed', reason === null ? undefined : CLOSED[reason], { status, ...(reason && { reason }) });
}

function isAction(action: string): action is MatchAction {
  return MATCH_ACTIONS.some((known) => known === action);
}

/**
 * Decides a side's feedback. `saved` changes no state; a repeated answer is no change. Faults: `not_found` for other
 * agents, `invalid_action`, `already_decided` (with `status`) once declined or for a `not_a_fit` after the side's own
 * `interested`, `match_closed` when expired or superseded.
 */
export function decideMatch(
  match: MatchFacts,
  agent_id: string,
  action: string,
  now_ms: number,
): MatchChanges | Fault<'not_found' | 'invalid_action' | 'already_decided' | 'match_closed'> {
  if (agent_id !== match.offer_agent_id && agent_id !== match.seek_agent_id) return fault('not_found');
  if (!isAction(action)) return fault('invalid_action', undefined, { allowed: MATCH_ACTIONS });
  const status = statusAt(match, now_ms);
  if (status === 'expired' || status === 'superseded') return closedFault(status, match.ended_by);
  if (status === 'declined') return fault('already_decided', undefined, { status });
  const { approved_by, saved_by } = match;
  const same: MatchChanges = { status, approved_by, saved_by, opens_thread: false, ends_pair: false };
  switch (action) {
    case 'interested':
      if (approved_by.includes(agent_id)) return same;
      return {
        ...same,
        status: 'approved',
        approved_by: [...approved_by, agent_id],
        opens_thread: status === 'pending',
      };
    case 'not_a_fit':
      if (approved_by.includes(agent_id)) return fault('already_decided', undefined, { status });
      return { ...same, status: 'declined', ends_pair: true };
    case 'saved':
      return saved_by.includes(agent_id) ? same : { ...same, saved_by: [...saved_by, agent_id] };
  }
}
