// The table of word vectors as one file, read in place: a header, an open-addressed hash table of words, and a row of
// 256 signed bytes a word. Nothing is parsed at start, so that loading costs one read and no memory beside the file.
//
// Layout, little-endian: magic u32, version u32, words u32, slots u32 (a power of two), name bytes u32, closeness floor
// f32; then slots x u32 (word number + 1, 0 is free), (words + 1) x u32 ends of names, words x f32 factors,
// words x f32 weights, words x 256 x i8 rows, and the names as ASCII.

import { EMBEDDING_DIMENSIONS } from './embedder.ts';
import { roundFloor } from './floor.ts';

export const TABLE_MAGIC = 0x4d57454d;
export const TABLE_VERSION = 2;
export const HEADER_BYTES = 24;
/** The offset of the floor. */
export const FLOOR_BYTE = 20;

export interface Table {
  readonly words: number;
  /** The closeness of texts that have nothing to do with one another (floor.ts), measured when the table was built. */
  readonly floor: number;
  /** Where each word's row begins: row `n` is `rows[n * 256 .. n * 256 + 255]`. */
  readonly rows: Int8Array;
  /** The factor of a row: the word's weight, over the scale that fitted its unit vector into bytes. */
  readonly factors: Float32Array;
  /** How much each word counts in a text. */
  readonly weights: Float32Array;
  /** The number of a stem's row, or -1. */
  find(stem: string): number;
}

/** FNV-1a over UTF-16 units; well spread over the low bits, which is all that the slots use. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Opens a table over the bytes of its file; throws when they are not one. */
export function openTable(bytes: Uint8Array): Table {
  const { buffer, byteOffset } = bytes;
  const header = new Uint32Array(buffer, byteOffset, HEADER_BYTES / 4);
  const [magic, version, count = 0, slotCount = 0, nameBytes = 0] = header;
  if (magic !== TABLE_MAGIC || version !== TABLE_VERSION) throw new Error('The embedder table has another format.');
  const floor = roundFloor(new Float32Array(buffer, byteOffset + FLOOR_BYTE, 1)[0] ?? 0);
  let at = byteOffset + HEADER_BYTES;
  const slots = new Uint32Array(buffer, at, slotCount);
  at += slotCount * 4;
  const ends = new Uint32Array(buffer, at, count + 1);
  at += (count + 1) * 4;
  const factors = new Float32Array(buffer, at, count);
  at += count * 4;
  const weights = new Float32Array(buffer, at, count);
  at += count * 4;
  const rows = new Int8Array(buffer, at, count * EMBEDDING_DIMENSIONS);
  at += rows.length;
  if (at + nameBytes > byteOffset + bytes.length) throw new Error('The embedder table is cut short.');
  const names = new Uint8Array(buffer, at, nameBytes);

  const isNamed = (word: string, n: number): boolean => {
    const start = ends[n] ?? 0;
    if ((ends[n + 1] ?? 0) - start !== word.length) return false;
    for (let i = 0; i < word.length; i += 1) if (names[start + i] !== word.charCodeAt(i)) return false;
    return true;
  };
  const find = (word: string): number => {
    for (let slot = hashWord(word) & (slotCount - 1); ; slot = (slot + 1) & (slotCount - 1)) {
      const n = (slots[slot] ?? 0) - 1;
      if (n < 0 || isNamed(word, n)) return n;
    }
  };
  return { words: count, floor, rows, factors, weights, find };
}
