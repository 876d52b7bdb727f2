// Finds whom a listing may meet, and how well: the nearest by vector and those that share labels, then the hard
// filters and the score of domain/match.ts on these few only (decisions.md 6). Reads committed state and writes
// nothing.
import { pairsOfListing, usesOfLabel, vectorOfListing } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read, Store } from '../../db/store.ts';
import type { Side } from '../../db/vectors/vector-index.ts';
import { counterpartOf, labelRarity, scoreMatch, typesPair } from '../domain/match/match.ts';
import { embedText } from '../outbound/embedder/built-in.ts';
import type { Embedder } from '../outbound/embedder/embedder.ts';
import { embedsHere } from '../steps/listing/vectors.ts';
import type { Prepared, Sides } from './sides.ts';
import type { Wording } from './wording.ts';

/** Nearest vectors looked at: a match outside of them is both far in meaning and poor in labels. */
const NEAREST = 150;
/** Where most of the nearest are of types that never pair, one deeper look is taken. */
const NEAREST_DEEP = 1_000;
const PAIRING_MIN = 40;
/** Listings sharing a label that are looked at, those with the most and rarest first. */
const LABELLED = 100;
/** The nearest that are compared word by word as well; what is farther in meaning is found by its labels, or not at all. */
const WORDED = 24;
/** Known pairs that are scored again; more than these have been found by others' runs, and wait for theirs. */
const KNOWN_MAX = 500;

/** What scoring looks at beside the rows. */
export interface Scoring {
  /** The index of vectors and labels. */
  readonly store: Pick<Store, 'vectors' | 'nearest'>;
  /** Listings ready for scoring, and how close they are in words. */
  readonly sides: Pick<Sides, 'known' | 'get'>;
  readonly wording: Pick<Wording, 'closeness'>;
  readonly embedder: Pick<Embedder, 'model'>;
}

/** A pair that fits. */
export interface Fit {
  readonly other: Prepared;
  readonly score: number;
  readonly reasons: readonly string[];
}

export interface Found {
  readonly own: Prepared;
  /** Best first. */
  readonly fits: readonly Fit[];
  /** Listings of undecided matches that fit no more. */
  readonly misfits: readonly Prepared[];
  /** Pairs that exist already, by the other listing's id. */
  readonly known: ReadonlyMap<string, Row<'matches'>>;
  readonly considered: number;
}

/** The listing's vector; null while there is none of the service's model. */
async function vectorFor({ embedder }: Scoring, read: Read, own: Prepared): Promise<Int8Array | null> {
  const row = await read.peek(vectorOfListing, { id: own.id });
  if (row?.model === embedder.model) {
    return new Int8Array(row.vector.buffer, row.vector.byteOffset, row.vector.byteLength);
  }
  // A listing that nobody may find has no stored vector, but looks for its own matches all the same.
  return row === null && embedsHere({ embedder }) ? embedText(own.text()) : null;
}

async function rarityOf({ store }: Scoring, read: Read, own: Prepared): Promise<(label: string) => number> {
  const all = store.vectors.size;
  const rarity = new Map<string, number>();
  for (const label of own.side.labels) {
    const row = await read.peek(usesOfLabel, { id: label });
    rarity.set(label, labelRarity(row?.uses ?? 0, all));
  }
  return (label) => rarity.get(label) ?? 1;
}

interface Candidate {
  readonly other: Prepared;
  /** Null when it has no vector. */
  readonly cosine: number | null;
  readonly pairs: boolean;
}

/** The listings to score, each once; `known` ones are always among them, so that a pair that broke is noticed. */
async function gatherCandidates(
  { store, sides }: Scoring,
  own: Prepared,
  vector: Int8Array | null,
  known: Iterable<string>,
): Promise<Candidate[]> {
  const { vectors } = store;
  // Near to nothing: without a vector labels and words decide.
  const query = vector ?? new Int8Array(vectors.dimensions);
  const { direction } = counterpartOf(own.side);
  const found: Candidate[] = [];
  const looked = new Set<string>();
  let pairing = 0;
  const take = async (ids: Iterable<readonly [string, number | null]>): Promise<void> => {
    for (const [id, near] of ids) {
      if (looked.has(id)) continue;
      looked.add(id);
      const other = sides.known(id) ?? (await sides.get(id));
      if (!other) continue;
      const pairs = typesPair(own.side, other.side);
      found.push({ other, cosine: near ?? vectors.cosine(query, id), pairs });
      if (pairs) pairing += 1;
    }
  };
  const nearest = async (side: Side, k: number): Promise<(readonly [string, number])[]> =>
    vector === null ? [] : (await store.nearest(vector, side, k, own.agent.id)).map(({ id, score }) => [id, score]);
  for (const side of direction === null ? (['offer', 'seek'] as const) : [direction]) {
    const near = await nearest(side, NEAREST);
    await take(near);
    if (near.length === NEAREST && pairing < PAIRING_MIN) await take(await nearest(side, NEAREST_DEEP));
    await take(vectors.byLabels([...own.side.labels], side, LABELLED).map((id) => [id, null]));
  }
  await take([...known].map((id) => [id, null]));
  return found;
}

/**
 * Closeness in words of the nearest candidates, by listing id. Known pairs are always among them: the two sides' runs
 * would else disagree about their score for ever.
 */
function wordingFor(
  { wording }: Scoring,
  own: Prepared,
  candidates: readonly Candidate[],
  known: ReadonlyMap<string, unknown>,
): Map<string, number> {
  const pairing = candidates.filter(({ pairs }) => pairs).sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1));
  const compared = pairing.filter(({ other }, rank) => rank < WORDED || known.has(other.id)).map(({ other }) => other);
  const closeness = wording.closeness(own, compared);
  return new Map(compared.map(({ id }, i) => [id, closeness[i] ?? 0]));
}

/** Scores a listing against its candidates; null when it takes no part in matching. */
export async function findFits(scoring: Scoring, read: Read, listing_id: string): Promise<Found | null> {
  const own = await scoring.sides.get(listing_id);
  if (!own || own.part === 'none') return null;
  const rows = await read.peek(pairsOfListing, { listing_id, limit: KNOWN_MAX });
  const known = new Map(rows.map((row) => [row.offer_id === listing_id ? row.seek_id : row.offer_id, row]));
  const [vector, rarity] = [await vectorFor(scoring, read, own), await rarityOf(scoring, read, own)];
  const candidates = await gatherCandidates(scoring, own, vector, known.keys());
  const words = wordingFor(scoring, own, candidates, known);
  const fits: Fit[] = [];
  const misfits: Prepared[] = [];
  let considered = 0;
  for (const { other, cosine } of candidates) {
    const pair = known.get(other.id);
    // A listing that only its owner may use is no candidate of others, save for a match that its owner found (Q8).
    if (other.part === 'none' || (other.part === 'own' && !pair)) continue;
    considered += 1;
    const declined = pair?.status === 'declined';
    const result = scoreMatch(own.side, other.side, { cosine, wording: words.get(other.id), rarity, declined });
    if ('score' in result) fits.push({ other, ...result });
    else if (pair?.status === 'pending') misfits.push(other);
  }
  fits.sort((a, b) => b.score - a.score || (a.other.id < b.other.id ? -1 : 1));
  return { own, fits, misfits, known, considered };
}
