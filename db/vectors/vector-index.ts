// The index of vectors in memory. (Placeholder scan in plain JavaScript; to be replaced by the SIMD scan behind this
// same interface: set, delete, nearest, byLabels, size.)
export type Side = 'offer' | 'seek';

export interface Entry {
  readonly side: Side;
  readonly agent_id: string;
  readonly labels: readonly string[];
}

export interface Near {
  readonly id: string;
  readonly score: number;
}

export class VectorIndex {
  readonly #rows = new Map<string, { vector: Int8Array; entry: Entry }>();
  readonly dimensions: number;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  get size(): number {
    return this.#rows.size;
  }

  set(id: string, vector: Int8Array, entry: Entry): void {
    this.#rows.set(id, { vector: vector.slice(), entry });
  }

  delete(id: string): void {
    this.#rows.delete(id);
  }

  /** The k nearest of one side by cosine, best first. */
  nearest(query: Int8Array, side: Side, k: number): Near[] {
    const scored: Near[] = [];
    const norm = Math.sqrt(query.reduce((sum, x) => sum + x * x, 0)) || 1;
    for (const [id, { vector, entry }] of this.#rows) {
      if (entry.side !== side) continue;
      let dot = 0;
      let own = 0;
      for (let i = 0; i < vector.length; i++) {
        const x = vector[i] ?? 0;
        dot += x * (query[i] ?? 0);
        own += x * x;
      }
      scored.push({ id, score: dot / (norm * (Math.sqrt(own) || 1)) });
    }
    return scored.sort((a, b) => b.score - a.score).slice(0, k);
  }

  /** Up to `limit` ids of one side that share a label, those that share most first. */
  byLabels(labels: readonly string[], side: Side, limit: number): string[] {
    const shared: { id: string; n: number }[] = [];
    for (const [id, { entry }] of this.#rows) {
      if (entry.side !== side) continue;
      const n = entry.labels.filter((label) => labels.includes(label)).length;
      if (n > 0) shared.push({ id, n });
    }
    return shared.sort((a, b) => b.n - a.n).slice(0, limit).map(({ id }) => id);
  }
}
