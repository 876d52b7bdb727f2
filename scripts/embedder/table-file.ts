// Lays the word vectors out as the file that src/outbound/embedder/table.ts reads in place.

import { textVectorOver } from '../../src/outbound/embedder/built-in.ts';
import { closenessFloor } from '../../src/outbound/embedder/floor.ts';
import {
  FLOOR_BYTE,
  HEADER_BYTES,
  hashWord,
  openTable,
  ROW_BYTES,
  TABLE_MAGIC,
  TABLE_VERSION,
} from '../../src/outbound/embedder/table.ts';
import { UNRELATED_TEXTS } from '../../src/outbound/embedder/unrelated.ts';
import { fitLevels, packRow } from './levels.ts';

export interface WordVector {
  readonly stem: string;
  /** How much the word counts in a text. */
  readonly weight: number;
  /** 256 numbers of any length; only the direction is kept. */
  readonly vector: Float32Array;
}

/** The bytes of a table; at most three quarters of its slots are taken, so that a look-up needs few of them. */
export function tableFile(entries: readonly WordVector[]): Uint8Array {
  const count = entries.length;
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2((count * 4) / 3)));
  const ends = new Uint32Array(count + 1);
  const weights = Float32Array.from(entries, ({ weight }) => weight);
  const levels = fitLevels(entries.map(({ vector }) => vector));
  const rows = new Uint8Array(count * ROW_BYTES);
  const names = new TextEncoder().encode(entries.map(({ stem }) => stem).join(''));
  entries.forEach(({ stem, vector }, n) => {
    let slot = hashWord(stem) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = n + 1;
    ends[n + 1] = (ends[n] ?? 0) + stem.length;
    rows.set(packRow(vector, levels), n * ROW_BYTES);
  });
  const header = Uint32Array.of(TABLE_MAGIC, TABLE_VERSION, count, slots.length, names.length, 0);
  const parts = [header, levels, slots, ends, weights, rows, names];
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  if (header.byteLength !== HEADER_BYTES) throw new Error('The header is not as long as its reader thinks.');
  // The floor is that of this very table, so it is written into the finished file.
  const vectorOf = textVectorOver(openTable(out));
  new Float32Array(out.buffer, FLOOR_BYTE, 1)[0] = closenessFloor(UNRELATED_TEXTS.map((text) => vectorOf(text)));
  return out;
}
