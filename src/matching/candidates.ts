// Finds whom a listing may meet: the nearest by vector and those that share labels, each with how close it is in meaning
// and in words. Which of them fit, fits.ts says. Reads committed state and writes nothing.
import type { Clock } from '../../actors/clock.ts';
import { usesOfLabel, vectorOfListing } from '../../db/queries/match.ts';
import type { Read, Store } from '../../db/store.ts';
import type { Side } from '../../db/vectors/vector-index.ts';
import {
  counterpartOf,
  labelCloseness,
  labelRarity,
  relevanceOf,
  textCloseness,
  typesPair,
} from '../domain/match/match.ts';
import type { Embedder } from '../outbound/embedder/embedder.ts';
import { embedsHere, ownVector } from '../steps/listing/vectors.ts';
import type { Prepared, Sides } from './sides.ts';
import type { Tastes } from './tastes.ts';
import type { Wording } from './wording.ts';

/** Nearest vectors looked at: a match outside of them is both far in meaning and poor in labels. */
const NEAREST = 150;
/** Where most of the nearest are of types that never pair, one deeper look is taken. */
const NEAREST_DEEP = 1_000;
const PAIRING_MIN = 40;
/** Listings sharing a label that are looked at, those with the most and rarest first. */
const LABELLED = 100;
/** All candidates are compared word by word: a score must not hang on how many others were nearer when it was made. */
const WORDED = 1_000;
/** What scoring looks at beside the rows. */
export interface Scoring {
  readonly clock: Pick<Clock, 'now'>;
  /** The index of vectors and labels. */
  readonly store: Pick<Store, 'vectors' | 'nearest'>;
  /** Listings ready for scoring, and how close they are in words. */
  readonly sides: Pick<Sides, 'known' | 'get'>;
  readonly wording: Pick<Wording, 'closeness'>;
  /** What agents lean to, by which the best of a listing are ranked for its own agent. */
  readonly tastes: Pick<Tastes, 'of'>;
  readonly embedder: Pick<Embedder, 'model' | 'closeness_floor'>;
}

/** A listing to be matched, stored or only drafted. */
export interface Subject {
  readonly own: Prepared;
  /** Null while there is none of the service's model. */
  readonly vector: Int8Array | null;
  /** How telling each of its labels is among all that are live. */
  readonly rarity: (label: string) => number;
}

/** A listing to be scored. */
export interface Candidate {
  readonly other: Prepared;
  /** Null when it has no vector. */
  readonly cosine: number | null;
  /** Closeness in their very words; undefined where it was not looked at. */
  readonly wording: number | undefined;
  /** What closeness in labels and texts comes to; no score exceeds it. */
  readonly relevance: number;
}

/** What one look around a listing found. */
export interface Look {
  /** In falling relevance, each once. Some may be of a type that never pairs. */
  readonly candidates: readonly Candidate[];
  /** No listing that was not given is more relevant; a further look goes on there. Null when all above the floor were given. */
  readonly below: number | null;
}

/** A listing with what is looked for, whether it is stored or only drafted. */
export async function subjectOf(scoring: Scoring, read: Read, own: Prepared): Promise<Subject> {
  const rarity = await rarityOf(scoring, read, own);
  const { embedder } = scoring;
  const row = await read.peek(vectorOfListing, { id: own.id });
  if (row?.model === embedder.model) {
    return { own, rarity, vector: new Int8Array(row.vector.buffer, row.vector.byteOffset, row.vector.byteLength) };
  }
  // A listing that nobody may find has no stored vector, but looks for its own matches all the same.
  if (row !== null || !embedsHere({ embedder })) return { own, rarity, vector: null };
  return { own, rarity, vector: await ownVector(read.peek, own.side.card_type, own.text()) };
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

interface Found {
  readonly other: Prepared;
  readonly cosine: number | null;
  readonly pairs: boolean;
}

async function lookAround(
  { store, sides }: Scoring,
  { own, vector }: Subject,
  known: Iterable<string>,
): Promise<Found[]> {
  const { vectors } = store;
  // Near to nothing: without a vector labels and words decide.
  const query = vector ?? new Int8Array(vectors.dimensions);
  const { direction } = counterpartOf(own.side);
  const found: Found[] = [];
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
  candidates: readonly Found[],
  known: ReadonlySet<string>,
): Map<string, number> {
  const pairing = candidates.filter(({ pairs }) => pairs).sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1));
  const compared = pairing.filter(({ other }, rank) => rank < WORDED || known.has(other.id)).map(({ other }) => other);
  const closeness = wording.closeness(own, compared);
  return new Map(compared.map(({ id }, i) => [id, closeness[i] ?? 0]));
}

/**
 * The listings to score. `known` ones are always among those of the first look, so that a pair that broke is noticed;
 * `below` asks for those that come after an earlier look.
 */
export async function gatherCandidates(
  scoring: Scoring,
  subject: Subject,
  known: ReadonlySet<string>,
  { below }: { readonly below?: number } = {},
): Promise<Look> {
  if (below !== undefined) return { candidates: [], below: null };
  const { own, rarity } = subject;
  const floor = scoring.embedder.closeness_floor;
  const found = await lookAround(scoring, subject, known);
  const words = wordingFor(scoring, own, found, known);
  const candidates = found.map(({ other, cosine }): Candidate => {
    const wording = words.get(other.id);
    let telling = 0;
    for (const label of other.side.labels) if (own.side.labels.has(label)) telling += rarity(label);
    const text = textCloseness(floor, cosine, wording);
    return { other, cosine, wording, relevance: relevanceOf(labelCloseness(telling), text) };
  });
  candidates.sort((a, b) => b.relevance - a.relevance);
  return { candidates, below: null };
}
