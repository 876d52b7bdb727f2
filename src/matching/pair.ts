// A pair of listings as a row: its key, its columns, its events, and its end. The row's key is made of the two ids, so a pair has one
// row for ever and two concurrent runs cannot both create it.
import { type Effect, patch } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import { orderPair } from '../domain/match/match.ts';
import type { Reason } from '../domain/match/reason.ts';
import { type EndedBy, MATCH_TTL_MS, statusAt, statusWithoutListing } from '../domain/match/state.ts';
import { factsOf } from '../schemas/match.ts';
import { tell } from '../steps/event.ts';
import type { Prepared } from './listing-cache.ts';

/** A listing that fits the one at hand. */
export interface Fit {
  readonly other: Prepared;
  readonly score: number;
  readonly reasons: readonly Reason[];
}

export function inMillionths(score: number): number {
  return Math.round(score * 1_000_000);
}

/** A fitting pair put in order. */
export interface Pair {
  readonly offer: Prepared;
  readonly seek: Prepared;
  readonly fit: Fit;
}

/** A listing and one that fits it, put in order. */
export function pairOf(own: Prepared, fit: Fit): Pair {
  const first = orderPair(own.side, fit.other.side).offer === own.side;
  return first ? { offer: own, seek: fit.other, fit } : { offer: fit.other, seek: own, fit };
}

export function pairId(own: Prepared, other: Prepared): string {
  const { offer, seek } = orderPair(own.side, other.side);
  return `${offer.id}:${seek.id}`;
}

/** When one of the two was last changed. */
export function editedAt(own: Prepared, other: Prepared): number {
  return Math.max(own.updated_at, other.updated_at);
}

/** `match.created` for a side, if its owner wants to be woken for this score; an answer is awaited for 30 days. */
export function matchCreated(
  ctx: Ctx,
  { fit }: Pair,
  side: Prepared,
  other: Prepared,
  { match_id, created_at }: Pick<Row<'matches'>, 'match_id' | 'created_at'>,
): Effect<never> | null {
  const { id, handle, wake } = side.agent;
  if (fit.score * 100 < (wake.min_match_score ?? 0)) return null;
  const data = { match_id, counterparty_handle: other.agent.handle, score: fit.score };
  return tell(ctx, { id, handle }, 'match.created', data, {
    subject_id: match_id,
    respond_by: created_at + MATCH_TTL_MS,
  });
}

/** The columns of a pair's fit. */
type PairColumns = Pick<
  Row<'matches'>,
  'offer_headline' | 'seek_headline' | 'score_ppm' | 'reasons' | 'offer_visible' | 'seek_visible'
>;

/** The columns of a pair as it fits now. */
export function pairColumns({ offer, seek, fit }: Pair): PairColumns {
  return {
    offer_headline: offer.headline,
    seek_headline: seek.headline,
    score_ppm: inMillionths(fit.score),
    reasons: fit.reasons,
    // A side sees the match when others may see the listing on the other side (Q8).
    offer_visible: seek.part === 'both' ? 1 : 0,
    seek_visible: offer.part === 'both' ? 1 : 0,
  };
}

/** Ends the wait for answers in the events of both sides. */
export function endAnswers(row: Row<'matches'>): Effect<never>[] {
  return [row.offer_agent_id, row.seek_agent_id].map((agent_id) => ({
    do: 'answer',
    agent_id,
    subject_id: row.match_id,
    answered: null,
  }));
}

/** Removes an undecided match from both sides' lists, and ends their events' wait for answers. */
export function supersedePair(row: Row<'matches'>, ended_by: EndedBy, now_ms: number): Effect<never>[] {
  const facts = factsOf(row);
  const status = statusWithoutListing(facts, now_ms);
  if (status === statusAt(facts, now_ms)) return [];
  const set = { status, ended_by, offer_best: 0, seek_best: 0, updated_at: now_ms };
  return [patch('matches', row, set), ...endAnswers(row)];
}
