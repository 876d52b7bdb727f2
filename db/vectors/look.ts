// One look around a listing: what each listing of a side has in common with it, in labels, in meaning and in words, is
// worked out for all rows at once, and the best are picked. What the three come to together is the caller's to say.

import type { Matrix } from './matrix.ts';
import type { Posted, Postings } from './postings.ts';
import { best, keyOf, rowOf } from './ranked.ts';
import type { Asked, StemPostings } from './stems.ts';

/** The best that are always given: a listing's own best are among them, unless filters shut out nearly all. */
export const OWN_LOOK = 400;
/** What one look gives at most. The others stand below the best, and are given since a pair with them may be among theirs. */
export const LOOK_MAX = 1_000;

export interface HeldListing extends Posted {
  readonly side: 'offer' | 'seek';
  readonly agent_id: string;
  card_type: string | null;
  /** The score that a pair has to beat to be among its best; 0 while that is unknown. */
  bar: number;
}

/** The listings of one side. */
export interface Half {
  readonly matrix: Matrix;
  /** Whose each row is. */
  readonly held: HeldListing[];
  readonly postings: Postings;
  readonly stems: StemPostings;
}

/** What a look is for. */
export interface Wanted {
  /** The type of listings that pair with it; those of an older version, which have none, may be of any. */
  readonly card_type: string;
  /** Whose own are left out. */
  readonly exceptAgent: string;
  /** Less relevant ones are not looked at. */
  readonly floor: number;
  /** Where an earlier look ended. */
  readonly below?: number;
}

/** A listing that is looked for, in the index's own numbers. */
export interface Sought {
  readonly vector: Int8Array;
  /** One over its length. */
  readonly inverse: number;
  readonly words: Asked;
  /** Its labels, each with how telling it is. */
  readonly labels: ReadonlyMap<string, number>;
}

/** What closeness comes to: how telling the shared labels are in sum, the cosine, the closeness in words. From 0 to 1. */
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
  { matrix, held, postings, stems }: Half,
  sought: Sought,
  { card_type, exceptAgent, floor }: Wanted,
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
  for (let row = 0; row < rows; row += 1) {
    const shared = words[row] ?? 0;
    const wording = shared > 0 ? shared * stems.inverseOf(row) : 0;
    const cosine = matrix.cosineOf(products[row] ?? 0, row, sought.inverse);
    const value = relevance(telling[row] ?? 0, cosine, wording);
    if (value < floor) continue;
    const other = held[row];
    if (!other || other.agent_id === exceptAgent) continue;
    if (other.card_type === null || other.card_type === card_type) keys.push(keyOf(value, nth(row)));
  }
  return keys;
}

/** What a look picks out of one or two halves: the listings in falling rank, and where a further look goes on. */
export function pick(
  halves: readonly Half[],
  sought: Sought,
  wanted: Wanted,
  relevance: Relevance,
): { readonly picked: readonly HeldListing[]; readonly below: number | null } {
  const listed = halves.map((half, h) => keysOf(half, sought, wanted, relevance, (row) => row * 2 + h));
  const keys = Float64Array.from(listed.length === 1 ? (listed[0] ?? []) : listed.flat());
  const heldBy = (key: number): HeldListing | undefined => {
    const n = rowOf(key);
    return halves[n % 2]?.held[n >>> 1];
  };
  const own = best(keys, OWN_LOOK);
  const edge = own.keys.at(-1) ?? 0;
  // A key is never less than the score that a pair may reach.
  const mayBeat = (key: number): boolean => key >= (heldBy(key)?.bar ?? 0);
  const others = best(keys, LOOK_MAX - OWN_LOOK, (key) => key < edge && mayBeat(key));
  const holders = (picked: readonly number[]): HeldListing[] => picked.flatMap((key) => heldBy(key) ?? []);
  const { below } = wanted;
  if (below === undefined) {
    const picked = [...own.keys, ...others.keys];
    return { picked: holders(picked), below: picked.length === keys.length ? null : edge };
  }
  const given = new Set(others.keys);
  const next = best(keys, OWN_LOOK, (key) => key < below && !given.has(key));
  return { picked: holders(next.keys), below: next.all ? null : (next.keys.at(-1) ?? null) };
}
