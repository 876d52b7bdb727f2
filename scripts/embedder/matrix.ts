// The tf-idf matrix of documents and stems, in compressed rows. Each document has unit length, so that a long
// definition has no more say than a short one.

import type { Document } from './documents.ts';

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  /** Row `i` is entries `starts[i]` up to `starts[i + 1]`. */
  readonly starts: Uint32Array;
  readonly column: Uint32Array;
  readonly value: Float32Array;
}

export interface TfIdf {
  readonly matrix: Matrix;
  /** The stems, sorted; one a column. */
  readonly stems: readonly string[];
  readonly idf: Float64Array;
}

/** Stems of ASCII that stand in at least two documents, or in `always`: one document alone says too little of a word. */
function vocabulary(documents: readonly Document[], always: ReadonlySet<string>): Map<string, number> {
  const seenIn = new Map<string, number>();
  for (const document of documents) for (const stem of document.keys()) seenIn.set(stem, (seenIn.get(stem) ?? 0) + 1);
  const kept = Array.from(seenIn).filter(([stem, n]) => /^[!-~]+$/.test(stem) && (n > 1 || always.has(stem)));
  return new Map(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Weighs documents by tf-idf; `lengths` gives the length of each document's row. */
export function tfIdf(
  documents: readonly Document[],
  always: ReadonlySet<string>,
  lengths: (i: number) => number,
): TfIdf {
  const seenIn = vocabulary(documents, always);
  const stems = [...seenIn.keys()];
  const columnOf = new Map(stems.map((stem, i) => [stem, i]));
  const idf = Float64Array.from(seenIn.values(), (n) => Math.log(documents.length / n));
  const starts = new Uint32Array(documents.length + 1);
  const column: number[] = [];
  const value: number[] = [];
  documents.forEach((document, i) => {
    const first = value.length;
    let squares = 0;
    for (const [stem, amount] of document) {
      const j = columnOf.get(stem);
      if (j === undefined) continue;
      const weight = (amount >= 1 ? 1 + Math.log(amount) : amount) * (idf[j] ?? 0);
      column.push(j);
      value.push(weight);
      squares += weight * weight;
    }
    const scale = squares > 0 ? lengths(i) / Math.sqrt(squares) : 0;
    for (let at = first; at < value.length; at += 1) value[at] = (value[at] ?? 0) * scale;
    starts[i + 1] = value.length;
  });
  const matrix = {
    rows: documents.length,
    columns: stems.length,
    starts,
    column: Uint32Array.from(column),
    value: Float32Array.from(value),
  };
  return { matrix, stems, idf };
}
