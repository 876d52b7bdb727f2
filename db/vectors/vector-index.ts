// The vectors of live listings in memory, where matching looks for candidates. Offers and seeks lie apart, since an offer
// is matched with seeks only. It is derived: the store fills it from its start on and after each commit.

import { Matrix } from './matrix.ts';
import { type Posted, Postings } from './postings.ts';
import { type Counted, WordCounts } from './word-counts.ts';

export type Side = 'offer' | 'seek';

export interface IndexedListing {
  readonly side: Side;
  readonly agent_id: string;
  readonly labels: readonly string[];
  /** What its words are counted by; without them they are not. */
  readonly card_type?: string | null;
  readonly terms?: Uint8Array | null;
}

export interface Near {
  readonly id: string;
  /** Cosine, -1 to 1. */
  readonly score: number;
}

interface HeldListing extends Posted, Counted {
  readonly side: Side;
  readonly agent_id: string;
  card_type: string | null;
  terms: Uint8Array | null;
  row: number;
  bar: number;
}

interface Half {
  readonly matrix: Matrix;
  /** Whose vector each row of the matrix is. */
  readonly held: HeldListing[];
  readonly postings: Postings;
}

export class VectorIndex {
  readonly dimensions: number;
  readonly #byId = new Map<string, HeldListing>();
  readonly #halves: Readonly<Record<Side, Half>>;

  readonly #counts = new WordCounts();

  /** Puts in some more of what is stored and answers whether there may be another; null when all of it is in. */
  #more: (() => boolean) | null = null;

  constructor(dimensions: number) {
    const half = (): Half => ({ matrix: new Matrix(dimensions), held: [], postings: new Postings() });
    this.dimensions = dimensions;
    this.#halves = { offer: half(), seek: half() };
  }

  /** Fills the index slice by slice: the first at once, the rest between other work, or as soon as anybody asks. */
  fillFrom(more: () => boolean): void {
    this.#more = more;
    this.#slice();
    const step = (): void => {
      if (!this.#more) return;
      try {
        this.#slice();
      } catch {
        // Who asks meets the same error, and can be told.
        return;
      }
      setImmediate(step);
    };
    setImmediate(step);
  }

  /** The store is closing: what is not in yet stays out. */
  stopFilling(): void {
    this.#more = null;
  }

  #slice(): void {
    if (this.#more && !this.#more()) this.#more = null;
  }

  /** Nothing is answered before all that is stored is in. */
  #whole(): void {
    while (this.#more) this.#slice();
  }

  get size(): number {
    this.#whole();
    return this.#byId.size;
  }

  /** Listings of a card type that have words. */
  listingsOf(card_type: string): number {
    this.#whole();
    return this.#counts.listingsOf(card_type);
  }

  /** The words that stand in at least such a share of a card type's listings, with their shares, by hash. */
  commonWords(card_type: string, least: number): ReadonlyMap<number, number> {
    this.#whole();
    return this.#counts.commonWords(card_type, least);
  }

  /** Puts a listing in, or replaces what was there under its id. */
  set(id: string, vector: Int8Array, entry: IndexedListing): void {
    const { side, agent_id, labels, card_type = null, terms = null } = entry;
    const before = this.#byId.get(id);
    const { matrix, held, postings } = this.#halves[side];
    if (before?.side === side && before.agent_id === agent_id) {
      matrix.replace(before.row, vector);
      postings.remove(before);
      this.#counts.count(before, -1);
      Object.assign(before, { labels, card_type, terms });
      postings.add(before);
      this.#counts.count(before, 1);
      return;
    }
    this.delete(id);
    const added: HeldListing = {
      id,
      side,
      agent_id,
      labels,
      card_type,
      terms,
      row: matrix.add(vector),
      round: 0,
      weight: 0,
      bar: 0,
    };
    held.push(added);
    postings.add(added);
    this.#counts.count(added, 1);
    this.#byId.set(id, added);
  }

  /** Notes the score that a pair has to beat to be among a listing's best, 0 while that is unknown; a hint and no more. */
  setBar(id: string, bar: number): void {
    const held = this.#byId.get(id);
    if (held) held.bar = bar;
  }

  /** Takes a listing out; an unknown id is no fault. */
  delete(id: string): void {
    const gone = this.#byId.get(id);
    if (!gone) return;
    const { matrix, held, postings } = this.#halves[gone.side];
    postings.remove(gone);
    this.#counts.count(gone, -1);
    this.#byId.delete(id);
    matrix.remove(gone.row);
    const last = held.pop();
    if (!last || last === gone) return;
    last.row = gone.row;
    held[gone.row] = last;
  }

  /** The k nearest of one side by cosine, best first; `exceptAgent` leaves out one agent's own. Exact. */
  nearest(query: Int8Array, side: Side, k: number, exceptAgent?: string): Near[] {
    this.#whole();
    const { matrix, held } = this.#halves[side];
    const accept =
      exceptAgent === undefined ? undefined : (row: number): boolean => held[row]?.agent_id !== exceptAgent;
    return matrix.nearest(query, k, accept).map(({ row, score }) => ({ id: held[row]?.id ?? '', score }));
  }

  /** The cosine of a query with one listing, or null when it has no vector here. */
  cosine(query: Int8Array, id: string): number | null {
    this.#whole();
    const held = this.#byId.get(id);
    return held ? this.#halves[held.side].matrix.cosine(query, held.row) : null;
  }

  /** The agents of all listings that carry one of the labels, in no order. */
  agentsWith(labels: readonly string[]): Set<string> {
    this.#whole();
    const agents = new Set<string>();
    for (const { postings } of Object.values(this.#halves)) {
      for (const label of labels) {
        for (const { id } of postings.withLabel(label)) {
          const held = this.#byId.get(id);
          if (held) agents.add(held.agent_id);
        }
      }
    }
    return agents;
  }

  /** Up to `limit` ids of one side that share a label, those first whose shared labels are most and rarest. */
  byLabels(labels: readonly string[], side: Side, limit: number): string[] {
    this.#whole();
    const { postings, held } = this.#halves[side];
    return postings.nearestByLabels(labels, held.length, limit);
  }
}
