// The knowledge of an agent: its limits, and how well an entry answers a question. The score combines common words, where rare ones
// count more, and closeness in meaning, where vectors are comparable.
import { type Fault, fault } from '../fault.ts';
import { textCloseness } from '../match/match.ts';
import { thousands } from '../text/thousands.ts';

/** As much as a person writes down; a search reads all of it, in some milliseconds. */
export const KNOWLEDGE_ENTRIES_MAX = 200;
export const KNOWLEDGE_CHARACTERS_MAX = 1_000_000;

export function knowledgeCharacters({ title, text }: { readonly title: string; readonly text: string }): number {
  return title.length + text.length;
}

/** The refusal beyond the limits. */
export function knowledgeFull(what: 'entries' | 'characters'): Fault<'knowledge_full'> {
  const message =
    what === 'entries'
      ? `An agent holds ${thousands(KNOWLEDGE_ENTRIES_MAX)} entries; remove one first.`
      : `The entries of an agent hold ${thousands(KNOWLEDGE_CHARACTERS_MAX)} characters together; remove one first, or add a shorter text.`;
  return fault('knowledge_full', message, { what });
}

/** The stored form of a vector: 32-bit floats of length 1, so that the product of two is their cosine. A zero vector, of a text
 * without words, stays zero and is close to nothing. */
export function vectorBytes(vector: Int8Array): Uint8Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return new Uint8Array(Float32Array.from(vector, (value) => value / length).buffer);
}

/** The cosine of two stored vectors; null for different lengths. */
export function storedCosine(a: Uint8Array, b: Uint8Array): number | null {
  if (a.byteLength !== b.byteLength) return null;
  // Copied, since bytes from a store need not be aligned for floats.
  const [x, y] = [new Float32Array(a.slice().buffer), new Float32Array(b.slice().buffer)];
  let sum = 0;
  // By index: a search compares hundreds of vectors, and an iterator would allocate a pair for each number.
  for (let at = 0; at < x.length; at++) sum += (x[at] ?? 0) * (y[at] ?? 0);
  return sum;
}

/** Words of the title describe the subject of an entry. */
export const TITLE_WEIGHT = 3;
/** The count of a word, in a text of usual length, that scores half of the maximum. */
const HALF_TOLD = 0.5;
/** The weight of meaning, below that of all words of the question. */
const MEANING_PULL = 0.7;

/** The counts of a question's words in an entry, and the length of the entry in words. */
export interface Worded {
  readonly hits: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The share of a question that each entry answers by its words, 0 to 1, weighted by the rarity of words among these entries. A word in
 * no entry weighs no more than one in a single entry; otherwise an agent with one entry would answer nothing. */
export function wordShares(asked: ReadonlySet<string>, entries: readonly Worded[]): number[] {
  const usual = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length) || 1;
  const weights = new Map<string, number>();
  for (const word of asked) {
    const holding = Math.max(1, entries.filter(({ hits }) => hits.has(word)).length);
    weights.set(word, Math.log(1 + (entries.length - holding + 0.5) / (holding + 0.5)));
  }
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return entries.map(({ hits, length }) => {
    const half = HALF_TOLD * (0.5 + (0.5 * length) / usual);
    let sum = 0;
    for (const [word, count] of hits) sum += (weights.get(word) ?? 0) * (count / (count + half));
    return whole > 0 ? sum / whole : 0;
  });
}

/** The score of an entry, 0 to 1. `cosine` is null without comparable vectors; up to `floor` it counts nothing. */
export function answerScore(words: number, cosine: number | null, floor: number): number {
  const score = 1 - (1 - words) * (1 - MEANING_PULL * textCloseness(floor, cosine));
  return Math.round(score * 10_000) / 10_000;
}
