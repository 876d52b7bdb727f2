// Fits vectors of any model into our 256 dimensions. Longer ones go through a fixed matrix of random signs, which keeps
// cosines to about 0.06 (Achlioptas, "Database-friendly random projections", 2003); shorter ones are filled with zeros.

import { EMBEDDING_DIMENSIONS } from './embedder.ts';

/** Signs of -1 and 1, row by row; the same for one length on every machine, or stored vectors would lose their sense. */
function signs(length: number): Int8Array {
  let state = 0x9e3779b9 ^ length;
  return Int8Array.from({ length: length * EMBEDDING_DIMENSIONS }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0x10000 ? 1 : -1;
  });
}

/** A function from vectors of one length to vectors of ours. */
export function projection(length: number): (vector: readonly number[]) => Float32Array {
  const matrix = length > EMBEDDING_DIMENSIONS ? signs(length) : undefined;
  return (vector) => {
    const out = new Float32Array(EMBEDDING_DIMENSIONS);
    if (!matrix) {
      out.set(vector);
      return out;
    }
    for (let i = 0; i < length; i += 1) {
      const value = vector[i] ?? 0;
      const row = i * EMBEDDING_DIMENSIONS;
      for (let c = 0; c < EMBEDDING_DIMENSIONS; c += 1) out[c] = (out[c] ?? 0) + value * (matrix[row + c] ?? 0);
    }
    return out;
  };
}
