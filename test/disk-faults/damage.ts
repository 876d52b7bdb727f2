// What a disk may make of a log (sqlite.org/walformat.html): it ends early, a byte is another one, writes that were not waited for are on
// it in part or in another order.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shuffled } from '../support/dice.ts';
import { LOG_FILE } from './run.ts';

const HEAD = 32;
export const FRAME_HEAD = 24;
export const FRAME = FRAME_HEAD + 4_096;

export interface Damage {
  readonly name: string;
  /** The frames before this one are as they were written. */
  readonly good: number;
  readonly log: Uint8Array;
}

export const startOf = (frame: number): number => HEAD + (frame - 1) * FRAME;
export const framesOf = (log: Uint8Array): number => Math.floor((log.length - HEAD) / FRAME);

/** The log as if frames after the last one had never been written. */
export const upTo = (log: Uint8Array, frame: number): Uint8Array => log.slice(0, startOf(frame + 1));

function changed(log: Uint8Array, at: number, mask: number): Uint8Array {
  const copy = log.slice();
  copy[at] = (copy[at] ?? 0) ^ mask;
  return copy;
}

/** The log ends in the middle of a frame, or of its head. */
function* cutWithin(log: Uint8Array, frame: number, random: () => number): Generator<Damage> {
  const within = FRAME_HEAD + Math.floor(random() * (FRAME - FRAME_HEAD));
  for (const bytes of [1, FRAME_HEAD - 1, FRAME_HEAD, within, FRAME - 1]) {
    const cut = log.slice(0, startOf(frame) + bytes);
    yield { name: `frame ${frame} cut after ${bytes} bytes`, good: frame - 1, log: cut };
  }
}

function* flipped(log: Uint8Array, frame: number, random: () => number): Generator<Damage> {
  // The two words after page and size are the salt, the last two the checksum.
  for (const offset of [0, 7, 9, 17, FRAME_HEAD + Math.floor(random() * 4_096)]) {
    const other = changed(log, startOf(frame) + offset, 1 << Math.floor(random() * 8));
    yield { name: `a bit of byte ${offset} of frame ${frame} flipped`, good: frame - 1, log: other };
  }
}

/** Some frames of the last group were not written; the others were. */
function withHoles(log: Uint8Array, first: number, last: number, random: () => number): Damage {
  const copy = log.slice();
  const hole = first + Math.floor(random() * (last - first + 1));
  for (let frame = hole; frame <= last; frame++) {
    if (frame === hole || random() < 0.5) copy.fill(0, startOf(frame), startOf(frame + 1));
  }
  return { name: `holes from frame ${hole} on`, good: hole - 1, log: copy };
}

/** The frames of the last group lie in each other's places. */
function reordered(log: Uint8Array, first: number, last: number, random: () => number): Damage | null {
  const frames = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const places = shuffled(frames, random);
  const moved = frames.findIndex((frame, at) => places[at] !== frame);
  if (moved < 0) return null;
  const copy = log.slice();
  for (const [at, from] of places.entries())
    copy.set(log.subarray(startOf(from), startOf(from + 1)), startOf(first + at));
  return { name: `frames ${first} to ${last} reordered`, good: first + moved - 1, log: copy };
}

/** All that may become of the frames of a group that nobody has waited for yet; `times` for each of what chance decides. */
export function* unsynced(log: Uint8Array, first: number, random: () => number, times: number): Generator<Damage> {
  const last = framesOf(log);
  for (let frame = first; frame <= last; frame++) {
    yield { name: `cut before frame ${frame}`, good: frame - 1, log: upTo(log, frame - 1) };
    yield* cutWithin(log, frame, random);
    yield* flipped(log, frame, random);
  }
  for (let n = 0; n < times; n++) {
    yield withHoles(log, first, last, random);
    const other = reordered(log, first, last, random);
    if (other) yield other;
  }
}

/** The head of the log tells of all of it. */
export function* headless(log: Uint8Array): Generator<Damage> {
  for (const at of [0, 9, 17, 25]) {
    yield { name: `a bit of byte ${at} of the log's head flipped`, good: 0, log: changed(log, at, 4) };
  }
  yield { name: 'an empty log', good: 0, log: new Uint8Array() };
  yield { name: 'a log cut within its head', good: 0, log: log.slice(0, 20) };
}

export const readLog = (folder: string): Uint8Array => new Uint8Array(readFileSync(join(folder, LOG_FILE)));
export const writeLog = (folder: string, log: Uint8Array): void => writeFileSync(join(folder, LOG_FILE), log);
