// What became of a listing's candidates, for its owner: how many were looked at, what kept others apart. Gathered while they are
// scored, for whoever asks; a run that nobody reads gathers nothing.
import { pairsOfListing } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { PairFacts, Refusal } from '../domain/match/match.ts';
import { type Lack, lackOf } from '../domain/match/missing.ts';
import { type Explained, missingOf } from '../domain/match/missing-text.ts';
import { MATCHES_BEST } from '../domain/match/rank.ts';
import { statusAt } from '../domain/match/state.ts';
import { factsOf, visibleTo } from '../schemas/match.ts';
import { apartFrom } from './apart.ts';
import type { Prepared } from './sides.ts';

/** Pairs of a listing that are looked at for which of them are open. */
const OPEN_MAX = 500;

/** What kept each candidate of one listing apart. Who is kept from its agent by a block, and whose listing only its own
 * agent may use, is as if it were not there. */
export class Lacks {
  readonly #own: Prepared;
  readonly #apart: ReadonlySet<string>;
  readonly #lacks: Lack[] = [];
  #fits = 0;

  constructor(own: Prepared, apart: ReadonlySet<string>) {
    this.#own = own;
    this.#apart = apart;
  }

  /** Whether the listing's agent may meet a candidate at all. */
  mayMeet(other: Prepared): boolean {
    return other.part === 'both' && !this.#apart.has(other.agent.id);
  }

  /** Notes what became of a candidate; `refused` is null where it fits, `pair` the match that there is already. */
  note(other: Prepared, facts: PairFacts, refused: Refusal | null, pair: Row<'matches'> | undefined): void {
    if (!this.mayMeet(other)) return;
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

/** Ready to note what keeps a listing's candidates apart. */
export async function lacksOf(read: Read, own: Prepared): Promise<Lacks> {
  return new Lacks(own, await apartFrom(read, own.agent.id));
}

/** A listing that was scored. */
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
    if (!lacks.mayMeet(other)) continue;
    const row = pairs.get(other.id);
    const status = row && statusAt(factsOf(row), now_ms);
    // What somebody decided takes no place among the best, and what expired is over.
    if (status === 'approved' || status === 'expired') continue;
    if (better >= MATCHES_BEST && status !== 'pending') outranked += 1;
    better += 1;
  }
  return lacks.explained(outranked);
}
