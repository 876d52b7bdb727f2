// The port to the embedder, which turns text into vectors. Vectors of two models are never compared, so every answer names its
// model: for an outside endpoint that is down, the built-in one answers.

/** Length of every stored vector, for all models. */
export const EMBEDDING_DIMENSIONS = 256;

export interface Embedded {
  /** Which model made these vectors, as stored beside each of them. */
  readonly model: string;
  /**
   * One vector a text, in order: 256 signed bytes, scaled so that the largest is 127. Their length says nothing, compare
   * them by cosine. A text without a word gives all zeros, which is near to nothing.
   */
  readonly vectors: Int8Array[];
}

export interface Embedder {
  /** The model that this embedder means to use. */
  readonly model: string;
  readonly dimensions: typeof EMBEDDING_DIMENSIONS;
  /** How close texts of this model are that have nothing to do with one another (floor.ts): up to here closeness is none. */
  readonly closeness_floor: number;
  /** Never rejects for a fault of the outside world: it falls back and says so in `model`. `gone` gives it up. */
  embed(texts: readonly string[], gone?: AbortSignal): Promise<Embedded>;
}

/** Scales to signed bytes with the largest at 127: the finest grid that 8 bits allow, direction kept. */
export function toInt8(values: Float32Array): Int8Array {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const out = new Int8Array(values.length);
  if (largest === 0 || !Number.isFinite(largest)) return out;
  const scale = 127 / largest;
  for (let i = 0; i < values.length; i += 1) out[i] = Math.round((values[i] ?? 0) * scale);
  return out;
}
