// The vectors, words and labels of live listings in memory, in which matching searches for candidates. Offers and seeks are
// separate, because an offer is matched only with seeks. It is derived: the store fills it at the start and after each commit.

import {
  type Half,
  type HeldListing,
  pick,
  type Ranking,
  type Relevance,
  rank,
  type Sought,
  type Wanted,
} from './look.ts';
import { Marks } from './marks.ts';
import { inverseLength, Matrix } from './matrix.ts';
import { Postings } from './postings.ts';
import { askFor, StemPostings } from './stems.ts';
import { Vocabulary } from './vocabulary.ts';

export type Side = 'offer' | 'seek';

export interface IndexedListing {
  readonly side: Side;
  readonly agent_id: string;
  readonly labels: readonly string[];
  /** Null in rows of an older version, as are the terms. */
  readonly card_type: string | null;
  /** The weightiest words of its text, packed. */
  readonly terms: Uint8Array | null;
}

export interface Around {
  /** Null without one: then labels and words decide. */
  readonly vector: Int8Array | null;
  readonly terms: Uint8Array | null;
  /** Its labels, each with how telling it is. */
  readonly labels: ReadonlyMap<string, number>;
}

/** A listing of the index compared with the query. */
export interface Near {
  readonly id: string;
  /** Of the vectors, -1 to 1. */
  readonly cosine: number;
  /** Closeness in their very words, 0 to 1. */
  readonly wording: number;
}

/** The result of a search, the most relevant first. */
export interface Looked {
  readonly near: readonly Near[];
  /** No listing that was not given is more relevant, but for those given by earlier looks; null when none is left. */
  readonly below: number | null;
  /** No listing whose threshold a pair may beat and that was not given is more relevant; null when none is left. */
  readonly offered: number | null;
}

export class VectorIndex {
  readonly dimensions: number;
  readonly #byId = new Map<string, HeldListing>();
  readonly #halves: Readonly<Record<Side, Half>>;
  readonly #vocabulary = new Vocabulary();

  /** The last search's ranking until a change, because a continued search mostly follows at once. */
  #ranked: { readonly around: Around; readonly floor: number; readonly ranking: Ranking } | null = null;

  /** Adds the next stored slice and returns whether there may be more; null when all is loaded. */
  #more: (() => boolean) | null = null;

  constructor(dimensions: number) {
    const half = (): Half => {
      const stems = new StemPostings(this.#vocabulary);
      return { matrix: new Matrix(dimensions), held: [], marks: new Marks(), postings: new Postings(), stems };
    };
    this.dimensions = dimensions;
    this.#halves = { offer: half(), seek: half() };
  }

  /** Fills the index slice by slice: the first at once, the rest between other work, or at the first search. */
  fillFrom(more: () => boolean): void {
    this.#more = more;
    this.#slice();
    const step = (): void => {
      if (!this.#more) return;
      try {
        this.#slice();
      } catch {
        // The next search gets the same error and reports it.
        return;
      }
      setImmediate(step);
    };
    setImmediate(step);
  }

  /** Stops loading when the store closes. */
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

  /** Whether stored rows are still being loaded. */
  get filling(): boolean {
    return this.#more !== null;
  }

  get size(): number {
    this.#whole();
    return this.#byId.size;
  }

  /** Puts a listing in, or replaces what was there under its id. */
  set(id: string, vector: Int8Array, entry: IndexedListing): void {
    const { side, agent_id, labels, card_type, terms } = entry;
    this.#ranked = null;
    const before = this.#byId.get(id);
    const { matrix, held, marks, postings, stems } = this.#halves[side];
    if (before?.side === side && before.agent_id === agent_id) {
      matrix.replace(before.row, vector);
      if (before.card_type !== card_type || !stems.holds(before.row, terms)) {
        stems.remove(before.row, before.card_type);
        stems.add(before.row, terms, card_type);
      }
      if (!postings.holds(before.row, labels)) {
        postings.remove(before.row);
        postings.add(before.row, labels);
      }
      before.card_type = card_type;
      marks.setType(before.row, card_type);
      return;
    }
    this.delete(id);
    const added: HeldListing = { id, side, agent_id, card_type, row: matrix.add(vector) };
    marks.set(added.row, agent_id, card_type);
    held.push(added);
    postings.add(added.row, labels);
    stems.add(added.row, terms, card_type);
    this.#byId.set(id, added);
  }

  /** Stores the score that a pair must exceed to be among a listing's best, with an expiry; only a hint. */
  setThreshold(id: string, threshold: number, until_ms: number): void {
    const held = this.#byId.get(id);
    if (held) this.#halves[held.side].marks.setThreshold(held.row, threshold, until_ms);
  }

  /** The score that a pair has to beat to be among a listing's best; 0 while that is unknown. */
  thresholdOf(id: string, now_ms: number): number {
    const held = this.#byId.get(id);
    return held ? this.#halves[held.side].marks.thresholdOf(held.row, now_ms) : 0;
  }

  /** Takes a listing out; an unknown id is no fault. */
  delete(id: string): void {
    const gone = this.#byId.get(id);
    if (!gone) return;
    this.#ranked = null;
    const { matrix, held, marks, postings, stems } = this.#halves[gone.side];
    postings.remove(gone.row);
    stems.remove(gone.row, gone.card_type);
    this.#byId.delete(id);
    matrix.remove(gone.row);
    const last = held.pop();
    if (!last || last === gone) return;
    postings.move(last.row, gone.row);
    stems.move(last.row, gone.row);
    marks.move(last.row, gone.row);
    last.row = gone.row;
    held[gone.row] = last;
  }

  /**
   * The most relevant listings of some sides around one. The first look gives the best OWN_LOOK, and of those below them
   * the best whose threshold a pair may beat, LOOK_MAX in all. `below` asks for the next best, among which some come again that
   * were given for their thresholds; `offered` for the next ones whose threshold a pair may beat. Looks around one and the same object must
   * ask for the same kind of listings.
   */
  look(around: Around, sides: readonly Side[], wanted: Wanted, relevance: Relevance): Looked {
    this.#whole();
    const sought = this.#seek(around);
    const halves = sides.map((side) => this.#halves[side]);
    const before = this.#ranked;
    const known = before?.around === around && before.floor === wanted.floor;
    const ranking = known ? before.ranking : rank(halves, sought, wanted, relevance);
    this.#ranked = { around, floor: wanted.floor, ranking };
    const { picked, ...more } = pick(ranking, wanted);
    return { near: this.#compare(sought, picked), ...more };
  }

  /** The same of listings by their ids, in their order; those that are not here are left out. */
  compare(around: Around, ids: Iterable<string>): Near[] {
    this.#whole();
    const held = Array.from(ids, (id) => this.#byId.get(id)).filter((one) => one !== undefined);
    return this.#compare(this.#seek(around), held);
  }

  #seek({ vector, terms, labels }: Around): Sought {
    // Near to nothing.
    const query = vector ?? new Int8Array(this.dimensions);
    return { vector: query, inverse: inverseLength(query), words: askFor(this.#vocabulary, terms), labels };
  }

  #compare({ vector, inverse, words }: Sought, listings: readonly HeldListing[]): Near[] {
    const wording = new Map<HeldListing, number>();
    for (const side of ['offer', 'seek'] as const) {
      const ours = listings.filter((one) => one.side === side);
      const rows = ours.map(({ row }) => row);
      this.#halves[side].stems.closeness(words, rows).forEach((closeness, i) => {
        const one = ours[i];
        if (one) wording.set(one, closeness);
      });
    }
    return listings.map((one) => {
      const { matrix } = this.#halves[one.side];
      const cosine = matrix.cosineOf(matrix.product(vector, one.row), one.row, inverse);
      return { id: one.id, cosine, wording: wording.get(one) ?? 0 };
    });
  }

  /** The cosine of a query with one listing, or null when it has no vector here. */
  cosine(query: Int8Array, id: string): number | null {
    return this.compare({ vector: query, terms: null, labels: new Map() }, [id])[0]?.cosine ?? null;
  }

  /** The words in at least this share of a card type's listings, with their shares, by hash. */
  commonWords(card_type: string, least: number): ReadonlyMap<number, number> {
    this.#whole();
    return this.#vocabulary.commonWords(card_type, least);
  }

  /** How many listings of a card type have words. */
  listingsOf(card_type: string): number {
    this.#whole();
    return this.#vocabulary.listingsOf(card_type);
  }

  /** The agents of all listings that carry one of the labels, in no order, each once a listing and label. */
  *agentsWith(labels: readonly string[]): Iterable<string> {
    this.#whole();
    for (const { postings, held } of Object.values(this.#halves)) {
      for (const label of labels) {
        for (const row of postings.withLabel(label)) {
          const listing = held[row];
          if (listing) yield listing.agent_id;
        }
      }
    }
  }
}
