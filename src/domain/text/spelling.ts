// Puts a misspelt word right by the words of a text: which of them is one or two slips away (a letter too many, too few, another, or two
// swapped). Words are kept under what is left of them without one letter, so that a look-up costs the word's length and not theirs all.

/** Shorter words are a slip away from too many others. */
const LENGTH_MIN = 4;
/** No word that means something is longer. */
const LENGTH_MAX = 32;
/** From this length on two slips are taken for one's own. */
const TWO_SLIPS_LENGTH = 7;
/** Of the words under one key so many are looked at. */
const CANDIDATES_MAX = 40;
/** Words kept before others have their turn: a few milliseconds. */
const SLICE = 300;

const LETTERS = /^[a-z]+$/;

const isSpellable = (word: string): boolean =>
  word.length >= LENGTH_MIN && word.length <= LENGTH_MAX && LETTERS.test(word);

/** A word, and what is left of it without one of its letters. */
function* withoutOne(word: string): Generator<string> {
  yield word;
  for (let at = 0; at < word.length; at += 1) yield word.slice(0, at) + word.slice(at + 1);
}

/** How many slips lie between two words (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const differs = one[i - 1] === other[j - 1] ? 0 : 1;
      let slips = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + differs);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (swapped) slips = Math.min(slips, (before[j - 2] ?? 0) + 1);
      row.push(slips);
    }
    [before, above] = [above, row];
  }
  return above[other.length] ?? 0;
}

/** Few mistake how a word begins, but for two letters that were swapped. */
const beginAlike = (one: string, other: string): boolean =>
  one[0] === other[0] || (one[0] === other[1] && one[1] === other[0]);

/** What puts a word right: the nearest of the words known, the one said most of those as near, or null where none is. */
export type Spelling = (word: string) => string | null;

/** Learns words, each with how much it is said, in slices. */
export function* makeSpelling(said: ReadonlyMap<string, number>): Generator<void, Spelling> {
  const kept = new Map<string, string[]>();
  let learnt = 0;
  for (const word of said.keys()) {
    if (!isSpellable(word)) continue;
    for (const key of new Set(withoutOne(word))) {
      const words = kept.get(key);
      if (!words) kept.set(key, [word]);
      else if (words.length < CANDIDATES_MAX) words.push(word);
    }
    learnt += 1;
    if (learnt % SLICE === 0) yield;
  }
  return (word) => {
    if (!isSpellable(word)) return null;
    const near = new Set<string>();
    for (const key of withoutOne(word)) for (const known of kept.get(key) ?? []) near.add(known);
    const slips_max = word.length >= TWO_SLIPS_LENGTH ? 2 : 1;
    let best: { readonly word: string; readonly slips: number; readonly said: number } | null = null;
    for (const known of near) {
      if (Math.abs(known.length - word.length) > slips_max || !beginAlike(word, known)) continue;
      const [slips, often] = [slipsBetween(word, known), said.get(known) ?? 0];
      if (slips > slips_max) continue;
      if (!best || slips < best.slips || (slips === best.slips && often > best.said)) {
        best = { word: known, slips, said: often };
      }
    }
    return best?.word ?? null;
  };
}
