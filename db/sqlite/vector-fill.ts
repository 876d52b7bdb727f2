// Reads the stored vectors in slices, to fill the index in memory: all at once would delay the start by most of a second for
// every hundred thousand listings.
import type { Database, Statement } from 'bun:sqlite';
import type { StoredVector } from './vector-rows.ts';

/** Rows a slice: some four milliseconds of blocking work. */
const SLICE = 500;

interface Raw {
  readonly at: number;
  readonly id: string;
  readonly agent_id: string;
  readonly side: 'offer' | 'seek';
  readonly labels: string;
  readonly card_type: string | null;
  readonly model: string;
  readonly vector: Uint8Array;
  readonly terms: Uint8Array | null;
}

export class VectorFill {
  readonly #select: Statement;
  readonly #before: () => void;
  /** One buffer for all: a view on each row's own bytes would make an ArrayBuffer of each. */
  #bytes = new Uint8Array();
  #vector = new Int8Array();
  #at = 0;

  /** `reader` sees only committed rows; `before` is called before each slice. */
  constructor(reader: Database, before: () => void) {
    this.#select = reader.prepare(
      `SELECT rowid AS at, id, agent_id, side, labels, card_type, model, vector, terms
       FROM listing_vectors
       WHERE rowid > ? ORDER BY rowid LIMIT ${SLICE}`,
    );
    this.#before = before;
  }

  /** Calls `take` with each row of the next slice, whose vector is valid only during the call; returns whether there may be more.
   * Rows committed meanwhile come in a later slice, by their commit's notice, or both. */
  next(take: (row: StoredVector) => void): boolean {
    this.#before();
    let rows = 0;
    for (const raw of this.#select.iterate(this.#at) as IterableIterator<Raw>) {
      const { at, id, agent_id, side, labels, card_type, model, terms } = raw;
      if (this.#bytes.length !== raw.vector.length) {
        this.#bytes = new Uint8Array(raw.vector.length);
        this.#vector = new Int8Array(this.#bytes.buffer);
      }
      this.#bytes.set(raw.vector);
      take({ id, agent_id, side, labels: JSON.parse(labels), card_type, model, vector: this.#vector, terms });
      this.#at = at;
      rows += 1;
    }
    return rows === SLICE;
  }
}
