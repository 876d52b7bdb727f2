// Keeps the index of vectors in memory after the rows: filled at start, then by this node's commits and by what other
// nodes' commits are said to have changed. Nodes learn of each other's commits in any order, so the row has the last word.
import type { EmbedEffect } from '../effects.ts';
import type { VectorIndex } from '../vectors/vector-index.ts';
import type { Connection } from './connection.ts';
import { literal, rowOf, shapeOf } from './shapes.ts';

/** Rows read at a time at start. */
const PAGE = 2_000;

interface Stored extends Omit<EmbedEffect, 'do' | 'vector'> {
  readonly vector: Int8Array;
}

function storedOf(raw: Record<string, unknown>): Stored {
  const { id, vector, ...row } = rowOf(shapeOf('listing_vectors'), raw);
  const { buffer, byteOffset, byteLength } = vector as Uint8Array;
  // The row has the columns of its table, which are those of the effect that wrote it.
  return { ...row, listing_id: id, vector: new Int8Array(buffer, byteOffset, byteLength) } as unknown as Stored;
}

export class IndexedVectors {
  readonly #connection: Connection;
  readonly #index: VectorIndex;
  readonly #model: string;
  /** Listings whose rows have to be read again. */
  readonly #due = new Set<string>();

  constructor(connection: Connection, index: VectorIndex, model: string) {
    this.#connection = connection;
    this.#index = index;
    this.#model = model;
  }

  /** Applies a committed turn of this node at once. Only the row shows the order with another node's commit, so it is read again
   * too. */
  own(effect: Omit<EmbedEffect, 'do'>): void {
    this.#take(effect);
    this.#due.add(effect.listing_id);
  }

  #take({ listing_id, model, vector, ...entry }: Omit<EmbedEffect, 'do'>): void {
    if (vector === null) {
      this.#index.delete(listing_id);
      return;
    }
    // A vector of another model matches nothing until it is made again; its listing is found by its labels.
    const comparable = model === this.#model ? vector : new Int8Array(this.#index.dimensions);
    this.#index.set(listing_id, comparable, entry);
  }

  /** Reads every stored vector. */
  async load(): Promise<void> {
    for (let after = ''; ; ) {
      const rows = await this.#connection.unsafe(
        `SELECT * FROM listing_vectors WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
        [after],
      );
      for (const raw of rows) this.#take(storedOf(raw));
      const last = rows.at(-1);
      if (rows.length < PAGE || last === undefined) return;
      after = String(last.id);
    }
  }

  /** Reads again the rows changed by other nodes and by this one meanwhile. Only one such read may run: each sees every commit known
   * at its start. Rows of a failed read are left for the next one. */
  async refresh(changed: readonly string[] = []): Promise<void> {
    for (const id of changed) this.#due.add(id);
    while (this.#due.size > 0) {
      const ids = [...this.#due].slice(0, PAGE);
      for (const id of ids) this.#due.delete(id);
      try {
        await this.#read(ids);
      } catch (error) {
        for (const id of ids) this.#due.add(id);
        throw error;
      }
    }
  }

  async #read(ids: readonly string[]): Promise<void> {
    const text = 'SELECT * FROM listing_vectors WHERE id = ANY($1::text[])';
    const rows = await this.#connection.unsafe(text, [literal(ids)]);
    const found = new Map(rows.map((raw) => [String(raw.id), raw]));
    for (const id of ids) {
      // Written while its row was read: it is due once more, and what came back may be older.
      if (this.#due.has(id)) continue;
      const raw = found.get(id);
      if (raw) this.#take(storedOf(raw));
      else this.#index.delete(id);
    }
  }
}
