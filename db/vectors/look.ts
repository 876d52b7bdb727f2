// One search around a listing: computes the similarity of all listings of a side to it, in labels, meaning and words, and picks the
// best. The caller combines the three.

import { type Marks, markOf } from './marks.ts';
import type { Matrix } from './matrix.ts';
import type { Postings } from './postings.ts';
import type { Asked, StemPostings } from './stems.ts';

/** A key is a multiple of 2^-52 up to 4: its upper 26 bits are the relevance, rounded up, the lower 26 the row. */
const FINE = 2 ** 26;
/** By how much the relevance computed for all rows may be too small. Scores are rounded to four decimals, and above some thousands
 * of listings the lengths of signatures lag: among 10,001 texts of the benchmark by 0.13 % at most, some 0.0035 of relevance, among
 * 100,000 by a tenth of that. */
const SLACK = 0.005;
/** Histogram steps of relevance, to find the cut of the best without sorting all. */
const STEPS = 2_048;
const MOST = 1 + SLACK;

/** The key of the `n`-th row of its kind. */
function keyOf(relevance: number, n: number): number {
  return (Math.ceil((relevance + SLACK) * FINE) + n / FINE) / FINE;
}

function rowOf(key: number): number {
  const scaled = key * FINE;
  return (scaled - Math.floor(scaled)) * FINE;
}

/** The best of what was looked through. */
interface Ranked {
  /** In falling order. */
  readonly keys: readonly number[];
  /** Whether these are all. */
  readonly all: boolean;
}

const stepOf = (key: number): number => Math.min(STEPS - 1, Math.floor((key / MOST) * (STEPS - 1)));

/** The `most` greatest of some keys that are accepted. */
function best(keys: Float64Array, most: number, accept: (key: number) => boolean = () => true): Ranked {
  const counts = new Uint32Array(STEPS);
  let found = 0;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? 0;
    if (!accept(key)) continue;
    counts[stepOf(key)] = (counts[stepOf(key)] ?? 0) + 1;
    found += 1;
  }
  let least = STEPS;
  for (let above = 0; least > 0 && above < most; ) {
    least -= 1;
    above += counts[least] ?? 0;
  }
  const kept: number[] = [];
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? 0;
    if (stepOf(key) >= least && accept(key)) kept.push(key);
  }
  const sorted = Float64Array.from(kept).sort().reverse();
  return { keys: Array.from(sorted.subarray(0, most)), all: found <= most };
}

/** The best that are always given: a listing's own best are among them, unless filters shut out nearly all. */
export const OWN_LOOK = 400;
/** The most results of one search. Those below the best are included because the pair may be among their best. */
export const LOOK_MAX = 1_000;

export interface HeldListing {
  readonly id: string;
  /** Its place in the matrix, among the labels and among the words. */
  row: number;
  readonly side: 'offer' | 'seek';
  readonly agent_id: string;
  card_type: string | null;
}

export interface Half {
  readonly matrix: Matrix;
  /** Whose each row is. */
  readonly held: HeldListing[];
  readonly marks: Marks;
  readonly postings: Postings;
  readonly stems: StemPostings;
}

export interface Wanted {
  /** The type of listings that pair with it; those of an older version, which have none, may be of any. */
  readonly card_type: string;
  /** Whose own are left out. */
  readonly exceptAgent: string;
  /** Less relevant ones are skipped. */
  readonly floor: number;
  /** Only listings that carry one of the labels. */
  readonly sharing?: true;
  readonly now_ms: number;
  /** Continues a search for the next best where it ended. */
  readonly below?: number;
  /** Of the next best asks for those that are relevant enough, LOOK_MAX at most. */
  readonly least?: number;
  /** Continues a search for listings that a pair may interest where it ended. */
  readonly offered?: number;
}

/** The query listing, in the index's own numbers. */
export interface Sought {
  readonly vector: Int8Array;
  /** One over its length. */
  readonly inverse: number;
  readonly words: Asked;
  /** Its labels, each with how telling it is. */
  readonly labels: ReadonlyMap<string, number>;
}

/** Combines the summed rarity of shared labels, the cosine, and the word similarity. From 0 to 1. */
export type Relevance = (telling: number, cosine: number, wording: number) => number;

/** Work space for one half at a time, 12 bytes a listing. */
let products = new Int32Array(0);
let words = new Float32Array(0);
let telling = new Float32Array(0);

function makeRoom(rows: number): void {
  if (rows > products.length) {
    const room = Math.max(rows, products.length * 2);
    [products, words, telling] = [new Int32Array(room), new Float32Array(room), new Float32Array(room)];
  }
  words.fill(0, 0, rows);
  telling.fill(0, 0, rows);
}

/** The keys of the rows of one half that are relevant enough, in no order; `nth` numbers rows among those of all halves. */
function keysOf(
  { matrix, held, marks, postings, stems }: Half,
  sought: Sought,
  { card_type, exceptAgent, floor, sharing }: Wanted,
  relevance: Relevance,
  nth: (row: number) => number,
): number[] {
  const rows = held.length;
  makeRoom(rows);
  matrix.multiply(sought.vector, products);
  stems.refresh(rows);
  stems.gather(sought.words, words);
  for (const [label, weight] of sought.labels) postings.gather(label, weight, telling);
  const keys: number[] = [];
  const [owner, type] = [markOf(exceptAgent), markOf(card_type)];
  for (let row = 0; row < rows; row += 1) {
    const labelled = telling[row] ?? 0;
    if (sharing && labelled === 0) continue;
    const shared = words[row] ?? 0;
    const wording = shared > 0 ? shared * stems.inverseOf(row) : 0;
    const cosine = matrix.cosineOf(products[row] ?? 0, row, sought.inverse);
    const value = relevance(labelled, cosine, wording);
    if (value < floor || !marks.isOfType(row, type)) continue;
    if (marks.mayBeOwn(row, owner) && held[row]?.agent_id === exceptAgent) continue;
    keys.push(keyOf(value, nth(row)));
  }
  return keys;
}

/** All that a look may give: the keys of the listings that are relevant enough. */
export interface Ranking {
  readonly halves: readonly Half[];
  readonly keys: Float64Array;
}

/** Ranks the listings of one or two halves. It holds until one of them changes. */
export function rank(halves: readonly Half[], sought: Sought, wanted: Wanted, relevance: Relevance): Ranking {
  const listed = halves.map((half, h) => keysOf(half, sought, wanted, relevance, (row) => row * 2 + h));
  return { halves, keys: Float64Array.from(listed.length === 1 ? (listed[0] ?? []) : listed.flat()) };
}

/** Picks a search's results from a ranking: the listings in falling rank, and where further searches continue. */
export function pick(
  { halves, keys }: Ranking,
  { below, least, offered, now_ms }: Wanted,
): { readonly picked: readonly HeldListing[]; readonly below: number | null; readonly offered: number | null } {
  const holders = (picked: readonly number[]): HeldListing[] =>
    picked.flatMap((key) => {
      const n = rowOf(key);
      return halves[n % 2]?.held[n >>> 1] ?? [];
    });
  const goesOn = (ranked: Ranked): number | null => (ranked.all ? null : (ranked.keys.at(-1) ?? null));
  const interested = (most: number, under: number): Ranked =>
    best(keys, most, (key) => {
      if (key >= under) return false;
      const n = rowOf(key);
      // A key is never less than the score that a pair may reach.
      return key >= (halves[n % 2]?.marks.thresholdOf(n >>> 1, now_ms) ?? 0);
    });
  if (offered !== undefined) {
    const next = interested(LOOK_MAX, offered);
    return { picked: holders(next.keys), below: null, offered: goesOn(next) };
  }
  if (below !== undefined && least !== undefined) {
    const next = best(keys, LOOK_MAX, (key) => key < below && key >= least);
    return { picked: holders(next.keys), below: goesOn(next) ?? Math.min(least, below), offered: null };
  }
  if (below !== undefined) {
    const next = best(keys, OWN_LOOK, (key) => key < below);
    return { picked: holders(next.keys), below: goesOn(next), offered: null };
  }
  const own = best(keys, OWN_LOOK);
  const others = interested(LOOK_MAX - OWN_LOOK, own.keys.at(-1) ?? 0);
  return { picked: holders([...own.keys, ...others.keys]), below: goesOn(own), offered: goesOn(others) };
}
