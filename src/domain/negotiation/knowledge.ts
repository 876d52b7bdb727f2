// What an agent knows: how much it may hold, and how well an entry answers a question. The words that entry and question share
// count, a rare one more than a common one, and so does how close the two are in meaning, where their vectors compare.
import { type Fault, fault } from '../fault.ts';
import { textCloseness } from '../match/match.ts';

/** An agent knows what a person would write down for it, and a search looks through all of it: some milliseconds of work. */
export const KNOWLEDGE_ENTRIES_MAX = 200;
export const KNOWLEDGE_CHARACTERS_MAX = 1_000_000;

/** How many characters an entry counts for. */
export function knowledgeCharacters({ title, text }: { readonly title: string; readonly text: string }): number {
  return title.length + text.length;
}

const shown = (limit: number): string => limit.toLocaleString('en');

/** The refusal of what would be more than an agent can hold. */
export function knowledgeFull(what: 'entries' | 'characters'): Fault<'knowledge_full'> {
  const message =
    what === 'entries'
      ? `An agent holds ${shown(KNOWLEDGE_ENTRIES_MAX)} entries; remove one first.`
      : `The entries of an agent hold ${shown(KNOWLEDGE_CHARACTERS_MAX)} characters together; remove one first, or add a shorter text.`;
  return fault('knowledge_full', message, { what });
}

/** An entry's vector as it is stored: of length 1, so that a product of two is their cosine, as 32-bit floats. One of nothing
 * but zeros, as a text without a word has, stays so and is close to nothing. */
export function vectorBytes(vector: Int8Array): Uint8Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return new Uint8Array(Float32Array.from(vector, (value) => value / length).buffer);
}

/** The cosine of two stored vectors; null where they are not of one length. */
export function storedCosine(a: Uint8Array, b: Uint8Array): number | null {
  if (a.byteLength !== b.byteLength) return null;
  // Copied, since what a store hands out need not begin where a float can.
  const [x, y] = [new Float32Array(a.slice().buffer), new Float32Array(b.slice().buffer)];
  let sum = 0;
  // By index: a search compares hundreds of vectors, and an iterator makes a pair for each number of each.
  for (let at = 0; at < x.length; at++) sum += (x[at] ?? 0) * (y[at] ?? 0);
  return sum;
}

/** A word of a title says what the entry is about. */
export const TITLE_WEIGHT = 3;
/** So many of a word, in a text of usual length, are half as good as any number of it. */
const HALF_TOLD = 0.5;
/** Closeness in meaning alone never makes as much as all words of the question. */
const MEANING_PULL = 0.7;

/** How often each word of a question stands in an entry, and how long the entry is, in words. */
export interface Worded {
  readonly hits: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The share of a question that each entry answers by its words, 0 to 1, by how telling a word is among these entries. A word that none
 * of them says weighs no more than one that a single entry says: an agent that knows one thing would else answer nothing. */
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

/** How well an entry answers, 0 to 1: 0 is not at all. `cosine` is null where no vectors compare; up to `floor` it says nothing. */
export function answerScore(words: number, cosine: number | null, floor: number): number {
  const score = 1 - (1 - words) * (1 - MEANING_PULL * textCloseness(floor, cosine));
  return Math.round(score * 10_000) / 10_000;
}
