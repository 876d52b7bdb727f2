// How well a listing fits each of its candidates, and which of them are its best: the hard filters and the score of
// domain/match/match.ts, on those that candidates.ts found. Reads committed state and writes nothing.
import { matchByPair, pairsOfListing } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { MatchAsked } from '../domain/match/asked.ts';
import { type Refusal, scoreMatch } from '../domain/match/match.ts';
import { comparePlaces, MATCHES_BEST, type Place } from '../domain/match/rank.ts';
import { mayTakePlace } from '../domain/match/state.ts';
import { type Leaning, TASTE_MAX, tasteShift } from '../domain/match/taste.ts';
import { factsOf } from '../schemas/match.ts';
import { nextRound } from '../steps/next-round.ts';
import {
  blockedAround,
  type Candidate,
  type From,
  gatherCandidates,
  type Look,
  type Scoring,
  type Subject,
  subjectOf,
} from './candidates.ts';
import { Lacks } from './explain.ts';
import type { Prepared } from './listing-cache.ts';
import { editedAt, type Fit, inMillionths, pairId } from './pair.ts';

/** Known pairs that are scored again; further ones were found by other listings' runs, which score them again. */
const KNOWN_MAX = 500;
/** The most searches for a listing's best when rules refuse most of its candidates. */
const LOOKS_MAX = 8;
/** Candidates scored before others may have the event loop; some two milliseconds. */
const SCORED_AT_ONCE = 256;

/** Pairs that exist already, by the other listing's id. */
type Known = ReadonlyMap<string, Row<'matches'>>;

/** The result of scoring a listing's candidates. */
export interface Scored {
  readonly own: Prepared;
  /** After the first search, best first, in the order of the listing's places. */
  readonly fits: readonly Fit[];
  /** Listings of undecided matches that no longer fit. */
  readonly misfits: readonly Prepared[];
  readonly known: Known;
  readonly considered: number;
  /** How many of the considered each rule refused. */
  readonly refused: ReadonlyMap<Refusal, number>;
  /** The reasons, for the listing's owner; null when not asked for. */
  readonly lacks: Lacks | null;
}

/** A stored listing's candidates, and which of them are its best. */
export interface Found extends Scored {
  /** The ids of the counterparts that hold its places; null in a further search, which does not change them. */
  readonly best: ReadonlySet<string> | null;
  /** Where a further search for listings that may rank the pair among their best continues; null when there are none. */
  readonly offered: number | null;
}

/** What decides the place of a counterpart at a listing, with the taste of the listing's agent if it has one. */
export function placeOf(own: Prepared, leaning: Leaning | null, other: Prepared, score_ppm: number): Place {
  const shift = leaning === null ? 0 : tasteShift(leaning, own.side, other.side).shift;
  const { agent, slug, text } = other;
  return { rank_ppm: score_ppm + inMillionths(shift), priority: agent.priority, handle: agent.handle, text, slug };
}

interface Tally {
  readonly fits: Fit[];
  readonly misfits: Prepared[];
  readonly refused: Map<Refusal, number>;
  considered: number;
}

/** What scoring knows around a listing. */
interface Around {
  readonly known: Known;
  /** Agents with a block between them and its own. */
  readonly blocked_ids: ReadonlySet<string>;
  readonly lacks: Lacks | null;
  /** Those scored in an earlier search. */
  readonly scored: Set<string>;
}

function scoreInto(
  tally: Tally,
  { own, rarity }: Subject,
  floor: number,
  { other, cosine, wording }: Candidate,
  { known, blocked_ids, lacks, scored }: Around,
): void {
  if (scored.has(other.id)) return;
  scored.add(other.id);
  const pair = known.get(other.id);
  // A listing that only its owner may use is no candidate of others, except for a match that its owner found (Q8).
  if (other.part === 'none' || (other.part === 'own' && !pair)) return;
  tally.considered += 1;
  const declined = pair?.status === 'declined';
  const blocked = other.agent.id !== own.agent.id && blocked_ids.has(other.agent.id);
  const facts = { cosine, floor, wording, rarity, declined, blocked };
  const result = scoreMatch(own.side, other.side, facts);
  lacks?.note(other, facts, 'refused' in result ? result.refused : null, pair);
  if ('score' in result) {
    tally.fits.push({ other, ...result });
    return;
  }
  tally.refused.set(result.refused, (tally.refused.get(result.refused) ?? 0) + 1);
  if (pair?.status === 'pending') tally.misfits.push(other);
}

/** Scores a listing against the candidates of one search. */
async function scoreLook(
  scoring: Scoring,
  subject: Subject,
  around: Around,
  from: From = {},
): Promise<Scored & Pick<Look, 'below' | 'offered'>> {
  const { known, lacks } = around;
  const tally: Tally = { fits: [], misfits: [], refused: new Map(), considered: 0 };
  const { candidates, ...more } = await gatherCandidates(scoring, subject, new Set(known.keys()), from);
  for (const [n, candidate] of candidates.entries()) {
    if (n % SCORED_AT_ONCE === SCORED_AT_ONCE - 1) await nextRound();
    scoreInto(tally, subject, scoring.embedder.closeness_floor, candidate, around);
  }
  return { ...tally, own: subject.own, known, lacks, ...more };
}

/** Appends the result of a further search to the first. */
function joined<T extends Scored>(before: T, more: T): T {
  const refused = new Map(before.refused);
  for (const [rule, count] of more.refused) refused.set(rule, (refused.get(rule) ?? 0) + count);
  return {
    ...more,
    fits: [...before.fits, ...more.fits],
    misfits: [...before.misfits, ...more.misfits],
    considered: before.considered + more.considered,
    refused,
  };
}

/** The fits by their places at the listing, best first. */
function inOrder(own: Prepared, leaning: Leaning | null, fits: readonly Fit[]): Fit[] {
  const placed = fits.map((fit) => ({ fit, place: placeOf(own, leaning, fit.other, inMillionths(fit.score)) }));
  return placed.sort((a, b) => comparePlaces(a.place, b.place)).map(({ fit }) => fit);
}

/** The fits that get a listing's places: the first of those that may take one. */
async function bestOf({ clock }: Scoring, read: Read, { own, fits, known }: Scored): Promise<Fit[]> {
  const best: Fit[] = [];
  for (const fit of fits) {
    if (best.length === MATCHES_BEST) break;
    const { other } = fit;
    if (other.part !== 'both') continue;
    let row = known.get(other.id) ?? null;
    if (row === null && known.size >= KNOWN_MAX) row = await read.peek(matchByPair, { id: pairId(own, other) });
    if (row === null || mayTakePlace(factsOf(row), editedAt(own, other), clock.now())) best.push(fit);
  }
  return best;
}

/** Scores a listing that is only drafted against its candidates. */
export async function scoreDraft(scoring: Scoring, read: Read, subject: Subject, lacks: Lacks | null): Promise<Scored> {
  const { own } = subject;
  const blocked_ids = await blockedAround(read, own.agent.id);
  const scored = await scoreLook(scoring, subject, { known: new Map(), blocked_ids, lacks, scored: new Set() });
  return { ...scored, fits: inOrder(own, await scoring.tastes.of(own.side), scored.fits) };
}

/**
 * Scores a stored listing against its candidates and selects its best; null when it takes no part in matching. With `below` it
 * continues an earlier search for listings that a pair may interest. `explains`: the caller wants the reasons of refusals.
 */
export async function findFits(
  scoring: Scoring,
  read: Read,
  listing_id: string,
  { explains = false, below: offered }: MatchAsked = {},
): Promise<Found | null> {
  const own = await scoring.listings.get(listing_id);
  if (!own || own.part === 'none') return null;
  const rows = await read.peek(pairsOfListing, { listing_id, limit: KNOWN_MAX });
  const known = new Map(rows.map((row) => [row.offer_id === listing_id ? row.seek_id : row.offer_id, row]));
  const subject = await subjectOf(scoring, read, own);
  const blocked_ids = await blockedAround(read, own.agent.id);
  const around = { known, blocked_ids, lacks: explains ? new Lacks(own) : null, scored: new Set<string>() };
  if (offered !== undefined) return { ...(await scoreLook(scoring, subject, around, { offered })), best: null };
  const leaning = await scoring.tastes.of(own.side);
  let scored = await scoreLook(scoring, subject, around);
  const goesOn = scored.offered;
  for (let looks = 1; ; looks += 1) {
    const fits = inOrder(own, leaning, scored.fits);
    const best = await bestOf(scoring, read, { ...scored, fits });
    const last = best.length < MATCHES_BEST ? 0 : (best.at(-1)?.score ?? 0);
    // Neither score nor taste can lift a candidate of lower relevance above the last of the best.
    const least = Math.max(0, leaning === null ? last : last - 2 * TASTE_MAX);
    const whole = scored.below === null || scored.below <= least;
    if (whole || looks === LOOKS_MAX) {
      return { ...scored, fits, best: new Set(best.map(({ other }) => other.id)), offered: goesOn };
    }
    scored = joined(
      scored,
      await scoreLook(scoring, subject, around, { below: scored.below ?? 0, ...(least > 0 && { least }) }),
    );
  }
}
