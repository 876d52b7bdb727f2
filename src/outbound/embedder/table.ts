// The table of word vectors as one file, read in place: a header, an open-addressed hash table of words, and a row of
// 256 numbers of four bits a word. Nothing is parsed at start, so that loading costs one read and no memory beside the file.
// Layout, little-endian: magic u32, version u32, words u32, slots u32 (a power of two), name bytes u32, closeness floor f32; then
// 16 x f32 levels, slots x u32 (word number + 1, 0 is free), (words + 1) x u32 ends of names, words x f32 weights, words x 128 x u8
// rows, and the names as ASCII. Byte `i` of a row holds the levels of its numbers `i` (low bits) and `i + 128` (high bits).

import { EMBEDDING_DIMENSIONS } from './embedder.ts';
import { roundFloor } from './floor.ts';

export const TABLE_MAGIC = 0x4d57454d;
export const TABLE_VERSION = 3;
export const HEADER_BYTES = 24;
/** The offset of the floor. */
export const FLOOR_BYTE = 20;
/** How many values a number of a row can have. */
export const LEVELS = 16;
export const ROW_BYTES = EMBEDDING_DIMENSIONS / 2;

export interface Table {
  readonly words: number;
  /** The closeness of texts that have nothing to do with one another (floor.ts), measured when the table was built. */
  readonly floor: number;
  /** How much each word counts in a text. */
  readonly weights: Float32Array;
  /** The length of a row; only the direction of rows is kept. */
  lengthOf(row: number): number;
  /** Adds a row, times a factor, to a sum of 256 numbers. */
  add(sum: Float32Array, row: number, factor: number): void;
  /** The number of a stem's row, or -1. */
  find(stem: string): number;
}

/** FNV-1a over UTF-16 units; well spread over the low bits, which is all that the slots use. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The offset of the rows in a file; throws when it is not a table's. */
function rowsAt(file: Uint8Array): number {
  const header = new DataView(file.buffer, file.byteOffset, HEADER_BYTES);
  const [magic, version, words, slots] = [0, 4, 8, 12].map((at) => header.getUint32(at, true));
  if (magic !== TABLE_MAGIC || version !== TABLE_VERSION) throw new Error('The embedder table has another format.');
  return HEADER_BYTES + (LEVELS + (slots ?? 0) + (words ?? 0) * 2 + 1) * 4;
}

/** What is done with the rows of a table. */
function rowsOf(rows: Uint8Array, levels: Float32Array): Pick<Table, 'add' | 'lengthOf'> {
  const scaled = new Float32Array(LEVELS);
  return {
    lengthOf: (row) => {
      let squares = 0;
      for (let at = row * ROW_BYTES; at < (row + 1) * ROW_BYTES; at += 1) {
        const pair = rows[at] ?? 0;
        squares += (levels[pair & 15] ?? 0) ** 2 + (levels[pair >>> 4] ?? 0) ** 2;
      }
      return Math.sqrt(squares);
    },
    add: (sum, row, factor) => {
      for (let level = 0; level < LEVELS; level += 1) scaled[level] = factor * (levels[level] ?? 0);
      const start = row * ROW_BYTES;
      for (let i = 0; i < ROW_BYTES; i += 1) {
        const pair = rows[start + i] ?? 0;
        sum[i] = (sum[i] ?? 0) + (scaled[pair & 15] ?? 0);
        sum[i + ROW_BYTES] = (sum[i + ROW_BYTES] ?? 0) + (scaled[pair >>> 4] ?? 0);
      }
    },
  };
}

/** Opens a table over the bytes of its file; throws when they are not one. */
export function openTable(file: Uint8Array): Table {
  const rows_at = rowsAt(file);
  // Numbers of four bytes must be aligned. Rows and names, most of the file, stay where they are.
  const numbers = file.byteOffset % 4 === 0 ? file : file.slice(0, rows_at);
  const { buffer, byteOffset } = numbers;
  const [, , count = 0, slotCount = 0, nameBytes = 0] = new Uint32Array(buffer, byteOffset, HEADER_BYTES / 4);
  const floor = roundFloor(new Float32Array(buffer, byteOffset + FLOOR_BYTE, 1)[0] ?? 0);
  let at = byteOffset + HEADER_BYTES;
  const levels = new Float32Array(buffer, at, LEVELS);
  at += LEVELS * 4;
  const slots = new Uint32Array(buffer, at, slotCount);
  at += slotCount * 4;
  const ends = new Uint32Array(buffer, at, count + 1);
  at += (count + 1) * 4;
  const weights = new Float32Array(buffer, at, count);
  const names_at = rows_at + count * ROW_BYTES;
  if (names_at + nameBytes > file.length) throw new Error('The embedder table is cut short.');
  const rows = file.subarray(rows_at, names_at);
  const names = file.subarray(names_at, names_at + nameBytes);

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
  return { words: count, floor, weights, find, ...rowsOf(rows, levels) };
}
