// The weightiest words of a text as numbers, beside its vector: 256 dimensions blur what is said in so many words, a rare
// product name or a certificate, and these few words say it. A signature depends on the text alone; how rare a word is
// among the listings comes in when two are compared.

/** Words of a text: their hashes, ascending and each once, and a code for how much each counts in the text. */
export interface Signature {
  readonly hashes: Uint32Array;
  readonly codes: Uint8Array;
}

/** Words kept of a text. */
export const SIGNATURE_TERMS_MAX = 64;

/** A code stands for a power of two in sixteenths, since one byte then covers 1/256 to 256 with an error of 2 %. */
const CODES_PER_OCTAVE = 16;
const CODE_OF_ONE = 128;
const CODE_MAX = 255;
/** The weight that each code stands for. */
export const WEIGHTS: Float64Array = Float64Array.from({ length: CODE_MAX + 1 }, (_, code) => {
  return 2 ** ((code - CODE_OF_ONE) / CODES_PER_OCTAVE);
});

const HASH_BYTES = 4;
/** Bytes of one word in a packed signature. */
const TERM_BYTES = HASH_BYTES + 1;

/** The code nearest to a weight above 0. */
export function codeOf(weight: number): number {
  return Math.min(CODE_MAX, Math.max(0, Math.round(CODE_OF_ONE + CODES_PER_OCTAVE * Math.log2(weight))));
}

/** A signature as bytes: all hashes, little-endian, then all codes. */
export function packSignature({ hashes, codes }: Signature): Uint8Array {
  const bytes = new Uint8Array(hashes.length * TERM_BYTES);
  const view = new DataView(bytes.buffer);
  hashes.forEach((hash, i) => {
    view.setUint32(i * HASH_BYTES, hash, true);
  });
  bytes.set(codes, hashes.length * HASH_BYTES);
  return bytes;
}

/** The hashes of a packed signature. */
export function hashesOf(terms: Uint8Array): Uint32Array {
  const view = new DataView(terms.buffer, terms.byteOffset);
  return Uint32Array.from({ length: Math.floor(terms.length / TERM_BYTES) }, (_, i) =>
    view.getUint32(i * HASH_BYTES, true),
  );
}
