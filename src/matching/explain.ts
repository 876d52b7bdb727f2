// What became of a listing's candidates, for its owner: how many were looked at, what kept others apart. Gathered while they are
// scored, for whoever asks; a run that nobody reads gathers nothing.
import { pairsOfListing } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { PairFacts, Refusal } from '../domain/match/match.ts';
import { type Explained, type Lack, lackOf, missingOf } from '../domain/match/missing.ts';
import { MATCHES_BEST } from '../domain/match/rank.ts';
import { mayTakePlace, statusAt } from '../domain/match/state.ts';
import { factsOf, visibleTo } from '../schemas/match.ts';
import type { Prepared } from './listing-cache.ts';
import { editedAt } from './pair.ts';

/** Pairs of a listing that are looked at for which of them are open. */
const OPEN_MAX = 500;

/** What kept each candidate of one listing apart. Those that only their own agent may use are as if they were not there. */
export class Lacks {
  readonly #own: Prepared;
  readonly #lacks: Lack[] = [];
  /** A further look may come upon one that an earlier one gave. */
  readonly #noted = new Set<string>();
  #fits = 0;

  constructor(own: Prepared) {
    this.#own = own;
  }

  /** Notes what became of a candidate; `refused` is null where it fits, `pair` the match that there is already. */
  note(other: Prepared, facts: PairFacts, refused: Refusal | null, pair: Row<'matches'> | undefined): void {
    if (other.part !== 'both' || this.#noted.has(other.id)) return;
    this.#noted.add(other.id);
    if (refused === null) {
      this.#fits += 1;
      return;
    }
    // A pair that the other side declined before this one saw it was never there.
    if (refused === 'declined' && !(pair && visibleTo(pair, this.#own.agent.id))) return;
    const lack = lackOf(this.#own.side, other.side, facts, refused);
    if (lack) this.#lacks.push(lack);
  }

  /** What is told, `outranked` of those that fit being none of its matches. */
  explained(outranked: number): Explained {
    const ranked = Array.from({ length: outranked }, (): Lack => ({ rule: 'rank' }));
    const considered = this.#fits + this.#lacks.length;
    return { considered, missing: missingOf(this.#own.side, [...this.#lacks, ...ranked]) };
  }
}

interface Looked {
  readonly own: Prepared;
  /** Best first. */
  readonly fits: readonly { readonly other: Prepared }[];
}

/** What is missing among the matches of a listing as they now are: nothing is written, and nothing scored again. */
export async function explain(read: Read, { own, fits }: Looked, lacks: Lacks, now_ms: number): Promise<Explained> {
  const rows = await read.peek(pairsOfListing, { listing_id: own.id, limit: OPEN_MAX });
  const pairs = new Map(rows.map((row) => [row.offer_id === own.id ? row.seek_id : row.offer_id, row]));
  let better = 0;
  let outranked = 0;
  for (const { other } of fits) {
    if (other.part !== 'both') continue;
    const row = pairs.get(other.id);
    // What somebody decided takes no place among the best, nor what expired.
    if (row && !mayTakePlace(factsOf(row), editedAt(own, other), now_ms)) continue;
    const open = row !== undefined && statusAt(factsOf(row), now_ms) === 'pending';
    if (better >= MATCHES_BEST && !open) outranked += 1;
    better += 1;
  }
  return lacks.explained(outranked);
}
