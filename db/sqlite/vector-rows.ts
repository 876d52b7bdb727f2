// Vectors at rest: int8 rows in an ordinary table, and sqlite-vec's index derived from them in the same transaction.
// The index in memory is what matching asks; this one answers without it and outlives the process.
import type { Database, Statement } from 'bun:sqlite';
import type { EmbedEffect } from '../effects.ts';

export interface StoredVector {
  readonly id: string;
  readonly agent_id: string;
  readonly side: 'offer' | 'seek';
  readonly labels: readonly string[];
  readonly card_type: string | null;
  readonly model: string;
  readonly vector: Int8Array;
  readonly terms: Uint8Array | null;
}

/** Creates the derived index; a vec0 table is not drizzle's to migrate, and can be rebuilt from the rows at any time. */
export function createVectorIndex(db: Database, dimensions: number): void {
  db.run(
    `CREATE VIRTUAL TABLE IF NOT EXISTS listing_index USING vec0(
       listing_id TEXT PRIMARY KEY, side TEXT PARTITION KEY, embedding int8[${dimensions}] distance_metric=cosine)`,
  );
}

export class VectorRows {
  readonly #upsert: Statement;
  readonly #remove: Statement;
  readonly #indexInsert: Statement;
  readonly #indexRemove: Statement;
  readonly #nearest: Statement;

  constructor(db: Database) {
    this.#upsert = db.prepare(
      `INSERT INTO listing_vectors (id, agent_id, side, labels, card_type, model, vector, terms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET side = excluded.side, labels = excluded.labels, card_type = excluded.card_type,
         model = excluded.model, vector = excluded.vector, terms = excluded.terms`,
    );
    this.#remove = db.prepare('DELETE FROM listing_vectors WHERE id = ?');
    this.#indexInsert = db.prepare(
      'INSERT INTO listing_index (listing_id, side, embedding) VALUES (?, ?, vec_int8(?))',
    );
    this.#indexRemove = db.prepare('DELETE FROM listing_index WHERE listing_id = ?');
    this.#nearest = db.prepare(
      `SELECT listing_id AS id, 1 - distance AS score FROM listing_index
       WHERE embedding MATCH vec_int8(?) AND side = ? AND k = ? ORDER BY distance`,
    );
  }

  /** Writes or takes out one listing's vector; vec0 has no upsert, so it is removed first. */
  write(effect: EmbedEffect): void {
    this.#indexRemove.run(effect.listing_id);
    if (effect.vector === null) {
      this.#remove.run(effect.listing_id);
      return;
    }
    const { listing_id, agent_id, side, card_type, model, vector, terms } = effect;
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    this.#upsert.run(listing_id, agent_id, side, JSON.stringify(effect.labels), card_type, model, bytes, terms);
    this.#indexInsert.run(listing_id, side, bytes);
  }

  /** The nearest by cosine out of sqlite-vec's index, best first. */
  nearest(vector: Int8Array, side: 'offer' | 'seek', k: number): { id: string; score: number }[] {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    return this.#nearest.all(bytes, side, k) as { id: string; score: number }[];
  }
}
