// Keeps the index of vectors in memory after the rows: filled at start, then by this node's commits and by what other
// nodes' commits are said to have changed.
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

  constructor(connection: Connection, index: VectorIndex, model: string) {
    this.#connection = connection;
    this.#index = index;
    this.#model = model;
  }

  /** Takes over what a committed turn wrote. */
  take({ listing_id, agent_id, side, labels, model, vector }: Omit<EmbedEffect, 'do'>): void {
    if (vector === null) {
      this.#index.delete(listing_id);
      return;
    }
    // A vector of another model is near to nothing until it is made anew; its listing is found by its labels.
    const comparable = model === this.#model ? vector : new Int8Array(this.#index.dimensions);
    this.#index.set(listing_id, comparable, { side, agent_id, labels });
  }

  /** Reads every stored vector. */
  async load(): Promise<void> {
    for (let after = ''; ; ) {
      const rows = await this.#connection.unsafe(
        `SELECT * FROM listing_vectors WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
        [after],
      );
      for (const raw of rows) this.take(storedOf(raw));
      const last = rows.at(-1);
      if (rows.length < PAGE || last === undefined) return;
      after = String(last.id);
    }
  }

  /** Reads again the listings whose vectors another node changed. */
  async refresh(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.#connection.unsafe('SELECT * FROM listing_vectors WHERE id = ANY($1::text[])', [
      literal(ids),
    ]);
    const found = new Set(rows.map(({ id }) => id));
    for (const id of ids) if (!found.has(id)) this.#index.delete(id);
    for (const raw of rows) this.take(storedOf(raw));
  }
}
