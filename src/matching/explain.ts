// Explains to a listing's owner what became of its candidates: how many were compared, and why others were refused. Gathered
// during scoring, only when the caller asks for it.
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

/** The most pairs of a listing that are read to find the open ones. */
const OPEN_MAX = 500;

/** Why each candidate of one listing was refused. Listings that only their own agent may use are ignored. */
export class Lacks {
  readonly #own: Prepared;
  readonly #lacks: Lack[] = [];
  /** A further search may return a candidate again. */
  readonly #noted = new Set<string>();
  #fits = 0;

  constructor(own: Prepared) {
    this.#own = own;
  }

  /** Notes a candidate's result; `refused` is null when it fits, `pair` is the existing match. */
  note(other: Prepared, facts: PairFacts, refused: Refusal | null, pair: Row<'matches'> | undefined): void {
    if (other.part !== 'both' || this.#noted.has(other.id)) return;
    this.#noted.add(other.id);
    if (refused === null) {
      this.#fits += 1;
      return;
    }
    // A pair that the other side declined before this side saw it is not revealed.
    if (refused === 'declined' && !(pair && visibleTo(pair, this.#own.agent.id))) return;
    const lack = lackOf(this.#own.side, other.side, facts, refused);
    if (lack) this.#lacks.push(lack);
  }

  /** The explanation; `outranked` candidates fit but are not among its matches. */
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

/** Explains the current matches of a listing, without a write or another scoring. */
export async function explain(read: Read, { own, fits }: Looked, lacks: Lacks, now_ms: number): Promise<Explained> {
  const rows = await read.peek(pairsOfListing, { listing_id: own.id, limit: OPEN_MAX });
  const pairs = new Map(rows.map((row) => [row.offer_id === own.id ? row.seek_id : row.offer_id, row]));
  let better = 0;
  let outranked = 0;
  for (const { other } of fits) {
    if (other.part !== 'both') continue;
    const row = pairs.get(other.id);
    // Decided and expired pairs take no place among the best.
    if (row && !mayTakePlace(factsOf(row), editedAt(own, other), now_ms)) continue;
    const open = row !== undefined && statusAt(factsOf(row), now_ms) === 'pending';
    if (better >= MATCHES_BEST && !open) outranked += 1;
    better += 1;
  }
  return lacks.explained(outranked);
}
