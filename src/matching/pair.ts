// A pair of listings as a row: found, found again, or fitting no more, and what its owners are told. The row's key is
// made of the two ids, so a pair has one row for ever and two runs at once cannot both believe that they found it.
import { type Effect, insert, patch } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import { fault } from '../domain/fault.ts';
import { orderPair } from '../domain/match/match.ts';
import { MATCH_TTL_MS, refreshOf, statusAt, statusWithoutListing } from '../domain/match/state.ts';
import type { Ctx } from '../operations/context.ts';
import { factsOf } from '../schemas/match.ts';
import { tell } from '../steps/event.ts';
import type { Fit } from './fits.ts';
import type { Prepared } from './sides.ts';

/** A fitting pair put in order. */
interface Pair {
  readonly offer: Prepared;
  readonly seek: Prepared;
  readonly fit: Fit;
}

function pairOf(own: Prepared, fit: Fit): Pair {
  const first = orderPair(own.side, fit.other.side).offer === own.side;
  return first ? { offer: own, seek: fit.other, fit } : { offer: fit.other, seek: own, fit };
}

/** The key of a pair's row. */
export function pairId(own: Prepared, other: Prepared): string {
  const { offer, seek } = orderPair(own.side, other.side);
  return `${offer.id}:${seek.id}`;
}

/** `match.created` for a side, if its owner wants to be woken for this score; an answer is awaited for 30 days. */
function matchCreated(
  ctx: Ctx,
  { fit }: Pair,
  side: Prepared,
  other: Prepared,
  match_id: string,
  from_ms: number,
): Effect<never>[] {
  const { id, handle, wake } = side.agent;
  if (fit.score * 100 < (wake.min_match_score ?? 0)) return [];
  const data = { match_id, counterparty_handle: other.agent.handle, score: fit.score };
  return [
    tell(ctx, { id, handle }, 'match.created', data, { subject_id: match_id, respond_by: from_ms + MATCH_TTL_MS }),
  ];
}

function pairColumns({ offer, seek, fit }: Pair) {
  return {
    offer_headline: offer.headline,
    seek_headline: seek.headline,
    score_ppm: Math.round(fit.score * 1_000_000),
    reasons: fit.reasons,
    // A side sees the match when others may see the listing on the other side (Q8).
    offer_visible: seek.part === 'both' ? 1 : 0,
    seek_visible: offer.part === 'both' ? 1 : 0,
  };
}

/** A pair found for the first time. The turn is refused with `conflict` when another run found it meanwhile. */
export function newPair(ctx: Ctx, own: Prepared, fit: Fit): Effect<'conflict'>[] {
  if (fit.other.part !== 'both') return [];
  const pair = pairOf(own, fit);
  const { offer, seek } = pair;
  const set = pairColumns(pair);
  const match_id = ctx.id();
  const row = insert(
    'matches',
    {
      ...set,
      id: pairId(own, fit.other),
      match_id,
      offer_id: offer.id,
      seek_id: seek.id,
      offer_agent_id: offer.agent.id,
      seek_agent_id: seek.agent.id,
      status: 'pending',
      approved_by: [],
      saved_by: [],
      shown_to: [],
      feedback: null,
      created_at: ctx.now_ms,
      updated_at: ctx.now_ms,
    },
    fault('conflict'),
  );
  return [
    row,
    ...(set.offer_visible === 1 ? matchCreated(ctx, pair, offer, seek, match_id, ctx.now_ms) : []),
    ...(set.seek_visible === 1 ? matchCreated(ctx, pair, seek, offer, match_id, ctx.now_ms) : []),
  ];
}

/** Scores move by so much, in millionths, as the network learns which words are rare; that alone is no news. */
const SCORE_NOISE_PPM = 10_000;

/** What finding a known pair again changes. `anew`: both sides are told again. */
interface Change {
  readonly pair: Pair;
  readonly set: ReturnType<typeof pairColumns>;
  readonly anew: boolean;
}

/** What becomes of a known pair that still fits; null when all stays as it is. */
export function changeOf(own: Prepared, fit: Fit, row: Row<'matches'>, now_ms: number): Change | null {
  const move = refreshOf(factsOf(row), Math.max(own.updated_at, fit.other.updated_at), now_ms);
  if (move === 'leave') return null;
  const pair = pairOf(own, fit);
  const now = pairColumns(pair);
  // Who has seen a match goes on seeing it.
  const set = {
    ...now,
    offer_visible: Math.max(now.offer_visible, row.offer_visible),
    seek_visible: Math.max(now.seek_visible, row.seek_visible),
  };
  const { offer_headline, seek_headline, reasons, offer_visible, seek_visible } = row;
  const drift = Math.abs(row.score_ppm - set.score_ppm);
  const score_ppm = drift < SCORE_NOISE_PPM ? set.score_ppm : row.score_ppm;
  const before = { offer_headline, seek_headline, score_ppm, reasons, offer_visible, seek_visible };
  const same = move === 'refresh' && row.status === 'pending' && Bun.deepEquals(before, set);
  return same ? null : { pair, set, anew: move === 'anew' };
}

/** Writes a known pair's change; a side that sees the match for the first time is told, and both when it is anew. */
export function changePair(ctx: Ctx, row: Row<'matches'>, { pair, set, anew }: Change): Effect<never>[] {
  const { offer, seek } = pair;
  const from_ms = anew ? ctx.now_ms : row.created_at;
  const first = (sees: number, saw: number): boolean => sees === 1 && (anew || saw === 0);
  return [
    patch('matches', row, { ...set, status: 'pending', created_at: from_ms, updated_at: ctx.now_ms }),
    ...(first(set.offer_visible, row.offer_visible) ? matchCreated(ctx, pair, offer, seek, row.match_id, from_ms) : []),
    ...(first(set.seek_visible, row.seek_visible) ? matchCreated(ctx, pair, seek, offer, row.match_id, from_ms) : []),
  ];
}

/** Takes an undecided match out of both sides' lists; their events wait for no answer any more. */
export function supersedePair(row: Row<'matches'>, now_ms: number): Effect<never>[] {
  const facts = factsOf(row);
  const status = statusWithoutListing(facts, now_ms);
  if (status === statusAt(facts, now_ms)) return [];
  const ends = [row.offer_agent_id, row.seek_agent_id].map((agent_id) => ({
    do: 'answer' as const,
    agent_id,
    subject_id: row.match_id,
    answered: null,
  }));
  return [patch('matches', row, { status, updated_at: now_ms }), ...ends];
}
