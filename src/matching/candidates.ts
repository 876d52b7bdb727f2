// Finds a listing's candidates: those that share labels, are near in meaning or have words in common, the most relevant
// first. score.ts decides which of them fit. Reads committed state and writes nothing.

import type { Clock } from '../../actors/clock.ts';
import { blocksAround } from '../../db/queries/block.ts';
import { usesOfLabel, vectorOfListing } from '../../db/queries/match.ts';
import type { Read, Store } from '../../db/store.ts';
import type { Around, Near } from '../../db/vectors/vector-index.ts';
import {
  counterpartOf,
  labelCloseness,
  labelRarity,
  MIN_SCORE,
  relevanceOf,
  textCloseness,
} from '../domain/match/match.ts';
import { packSignature } from '../domain/text/signature.ts';
import type { Embedder } from '../outbound/embedder/embedder.ts';
import { signatureOf } from '../outbound/embedder/signature.ts';
import { embedsHere, ownVector } from '../steps/listing/vectors.ts';
import type { ListingCache, Prepared } from './listing-cache.ts';
import type { Tastes } from './tastes.ts';

/** What scoring needs besides the rows. */
export interface Scoring {
  readonly clock: Pick<Clock, 'now'>;
  /** The index of vectors, words and labels. */
  readonly store: Pick<Store, 'vectors' | 'shared'>;
  /** Listings ready for scoring. */
  readonly listings: Pick<ListingCache, 'known' | 'get' | 'forget'>;
  /** The tastes of agents, by which the best of a listing are ranked for its own agent. */
  readonly tastes: Pick<Tastes, 'of'>;
  readonly embedder: Pick<Embedder, 'model' | 'closeness_floor'>;
}

/** A listing to be matched, stored or only drafted. */
export interface Subject {
  readonly own: Prepared;
  /** The rarity of each of its labels among all live listings. */
  readonly rarity: (label: string) => number;
  /** The query of the searches; without a vector of the service's model, words and labels decide. */
  readonly around: Around;
}

export interface Candidate {
  readonly other: Prepared;
  /** Null when it has no vector. */
  readonly cosine: number | null;
  /** Similarity of their words. */
  readonly wording: number;
  /** The combined similarity of labels and texts; no score exceeds it. */
  readonly relevance: number;
}

/** The result of one search around a listing. */
export interface Look {
  /** In falling relevance, each once. */
  readonly candidates: readonly Candidate[];
  /** The upper bound of the scores of all listings not returned yet; a further search continues there. Null when all above
   * the floor were returned. */
  readonly below: number | null;
  /** Where a further search for listings that may rank the pair among their best continues; null when all were returned. */
  readonly offered: number | null;
}

/** Where earlier searches ended, for one that continues: for the next best, or for more listings that a pair may interest. */
export interface From {
  readonly below?: number;
  /** Only the next best with at least this relevance. */
  readonly least?: number;
  readonly offered?: number;
  /** Only listings that share a label, however common it is. */
  readonly sharing?: true;
}

/** A listing with its search query, stored or drafted. */
export async function subjectOf(scoring: Scoring, read: Read, own: Prepared): Promise<Subject> {
  const rarity = await rarityOf(scoring, read, own);
  const labels = new Map(Array.from(own.side.labels, (label) => [label, rarity(label)]));
  const { embedder } = scoring;
  const row = await read.peek(vectorOfListing, { id: own.id });
  if (row !== null) {
    const { buffer, byteOffset, byteLength } = row.vector;
    const vector = row.model === embedder.model ? new Int8Array(buffer, byteOffset, byteLength) : null;
    return { own, rarity, around: { vector, terms: row.terms, labels } };
  }
  // A listing that others may not find has no stored vector, but searches for its own matches all the same.
  const vector = embedsHere({ embedder }) ? await ownVector(read.peek, own.side.card_type, own.text()) : null;
  return { own, rarity, around: { vector, terms: packSignature(signatureOf(own.text())), labels } };
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

/** The summed rarity of the labels that two listings share. */
function tellingOf({ own, rarity }: Subject, other: Prepared): number {
  let telling = 0;
  for (const label of other.side.labels) if (own.side.labels.has(label)) telling += rarity(label);
  return telling;
}

/**
 * The listings to score. The first search always includes the `known` ones, so that a pair that no longer fits is noticed; a
 * further search returns those after an earlier one.
 */
export async function gatherCandidates(
  { clock, store, listings, embedder }: Scoring,
  subject: Subject,
  known: ReadonlySet<string>,
  from: From = {},
): Promise<Look> {
  const { own, around } = subject;
  const floor = embedder.closeness_floor;
  const relevance = (telling: number, cosine: number | null, wording: number): number =>
    relevanceOf(labelCloseness(telling), textCloseness(floor, cosine, wording));
  const { card_type, direction } = counterpartOf(own.side);
  const wanted = {
    card_type,
    exceptAgent: own.agent.id,
    floor: from.sharing ? 0 : MIN_SCORE,
    now_ms: clock.now(),
    ...from,
  };
  const first = from.below === undefined && from.offered === undefined;
  const directions = direction === null ? (['offer', 'seek'] as const) : [direction];
  const looked = store.vectors.look(around, directions, wanted, relevance);
  const near = new Map<string, Near | null>(looked.near.map((one) => [one.id, one]));
  if (first) {
    const others = Array.from(known).filter((id) => !near.has(id));
    // A known listing that left the indexes, because its owner paused it, is compared by its labels.
    for (const id of others) near.set(id, null);
    for (const one of store.vectors.compare(around, others)) near.set(one.id, one);
  }
  const candidates: Candidate[] = [];
  for (const [id, one] of near) {
    if (!first && known.has(id)) continue;
    const other = listings.known(id) ?? (await listings.get(id));
    if (!other) continue;
    const [cosine, wording] = [one?.cosine ?? null, one?.wording ?? 0];
    candidates.push({ other, cosine, wording, relevance: relevance(tellingOf(subject, other), cosine, wording) });
  }
  candidates.sort((a, b) => b.relevance - a.relevance);
  return { candidates, below: looked.below, offered: looked.offered };
}

/** The agents that are not matched with one, since one of the two blocks the other. */
export async function blockedAround(read: Read, agent_id: string): Promise<ReadonlySet<string>> {
  const blocks = await read.peek(blocksAround, { agent_id });
  return new Set(blocks.flatMap((block) => [block.agent_id, block.blocked_id]));
}
