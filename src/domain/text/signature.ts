// The most important words of a text as numbers, beside its vector: 256 dimensions blur exact words, such as a rare product
// name or a certificate, and these words keep them. A signature depends on the text alone; the rarity of words among
// listings is applied in comparisons.

/** Words of a text: their hashes, ascending without duplicates, and a code for the weight of each in the text. */
export interface Signature {
  readonly hashes: Uint32Array;
  readonly codes: Uint8Array;
}

/** Words stored of a text. */
export const SIGNATURE_TERMS_MAX = 64;

/** A code is an exponent of two in sixteenths, so that one byte covers 1/256 to 256 with an error of 2 %. */
const CODES_PER_OCTAVE = 16;
const CODE_OF_ONE = 128;
/** Code 0 means no word. */
const CODE_MIN = 1;
const CODE_MAX = 255;
/** The weight of each code. */
export const WEIGHTS: Float64Array = Float64Array.from({ length: CODE_MAX + 1 }, (_, code) => {
  return 2 ** ((code - CODE_OF_ONE) / CODES_PER_OCTAVE);
});

const HASH_BYTES = 4;
/** Bytes of one word in a packed signature. */
const TERM_BYTES = HASH_BYTES + 1;

/** The code nearest to a weight above 0. */
export function codeOf(weight: number): number {
  return Math.min(CODE_MAX, Math.max(CODE_MIN, Math.round(CODE_OF_ONE + CODES_PER_OCTAVE * Math.log2(weight))));
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

/** The number of words in a packed signature. */
export function termsOf(bytes: Uint8Array): number {
  return Math.floor(bytes.length / TERM_BYTES);
}

/** The hash of the n-th word of a packed signature. */
export function hashAt(bytes: Uint8Array, n: number): number {
  const at = n * HASH_BYTES;
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return (low | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
}

/** The code of the n-th word of a packed signature. */
export function codeAt(bytes: Uint8Array, n: number): number {
  return bytes[termsOf(bytes) * HASH_BYTES + n] ?? 0;
}

/** BM25's idf: near 0 for a word in all listings, the logarithm of their number for a word in none. */
export function wordRarity(carrying: number, listings: number): number {
  return Math.log((listings + 1) / (carrying + 0.5));
}

export function hashesOf(bytes: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: termsOf(bytes) }, (_, n) => hashAt(bytes, n));
}
