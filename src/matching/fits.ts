// How well a listing fits each of its candidates: the hard filters and the score of domain/match/match.ts, on the few that
// candidates.ts found. Reads committed state and writes nothing.
import { pairsOfListing } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import { type Refusal, scoreMatch } from '../domain/match/match.ts';
import { gatherCandidates, type Scoring, type Subject, subjectOf } from './candidates.ts';
import { type Lacks, lacksOf } from './explain.ts';
import type { Prepared } from './sides.ts';

/** Known pairs that are scored again; more than these have been found by others' runs, and wait for theirs. */
const KNOWN_MAX = 500;

/** A pair that fits. */
export interface Fit {
  readonly other: Prepared;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Pairs that exist already, by the other listing's id. */
type Known = ReadonlyMap<string, Row<'matches'>>;

/** What became of a listing's candidates. */
export interface Scored {
  readonly own: Prepared;
  /** Best first. */
  readonly fits: readonly Fit[];
  /** Listings of undecided matches that fit no more. */
  readonly misfits: readonly Prepared[];
  readonly known: Known;
  readonly considered: number;
  /** How many of the considered each rule kept apart. */
  readonly refused: ReadonlyMap<Refusal, number>;
  /** What kept them apart, for the listing's owner; null where nobody asks. */
  readonly lacks: Lacks | null;
}

/** Scores a listing, stored or only drafted, against its candidates. */
export async function scoreCandidates(
  scoring: Scoring,
  subject: Subject,
  known: Known,
  lacks: Lacks | null,
): Promise<Scored> {
  const { own, rarity } = subject;
  const fits: Fit[] = [];
  const misfits: Prepared[] = [];
  const refused = new Map<Refusal, number>();
  const floor = scoring.embedder.closeness_floor;
  let considered = 0;
  const { candidates } = await gatherCandidates(scoring, subject, new Set(known.keys()));
  for (const { other, cosine, wording } of candidates) {
    const pair = known.get(other.id);
    // A listing that only its owner may use is no candidate of others, save for a match that its owner found (Q8).
    if (other.part === 'none' || (other.part === 'own' && !pair)) continue;
    considered += 1;
    const declined = pair?.status === 'declined';
    const facts = { cosine, floor, wording, rarity, declined };
    const result = scoreMatch(own.side, other.side, facts);
    lacks?.note(other, facts, 'refused' in result ? result.refused : null, pair);
    if ('score' in result) {
      fits.push({ other, ...result });
      continue;
    }
    refused.set(result.refused, (refused.get(result.refused) ?? 0) + 1);
    if (pair?.status === 'pending') misfits.push(other);
  }
  fits.sort((a, b) => b.score - a.score || (a.other.id < b.other.id ? -1 : 1));
  return { own, fits, misfits, known, considered, refused, lacks };
}

/** Scores a stored listing against its candidates; null when it takes no part in matching. `explains`: somebody wants to know
 * what is missing. */
export async function findFits(
  scoring: Scoring,
  read: Read,
  listing_id: string,
  explains = false,
): Promise<Scored | null> {
  const own = await scoring.sides.get(listing_id);
  if (!own || own.part === 'none') return null;
  const rows = await read.peek(pairsOfListing, { listing_id, limit: KNOWN_MAX });
  const known = new Map(rows.map((row) => [row.offer_id === listing_id ? row.seek_id : row.offer_id, row]));
  const lacks = explains ? await lacksOf(read, own) : null;
  return scoreCandidates(scoring, await subjectOf(scoring, read, own), known, lacks);
}
