// Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980), so that "engineer",
// "engineers" and "engineering" share one row of the embedder's table. The table holds stems of this function: a change
// requires building the table again (scripts/build-embedder).

const VOWEL = /[aeiou]/;
const DOUBLE = /([^aeiou])\1$/;

/** Whether the letter at `i` is a consonant; y is one at the start and after a vowel. */
function isConsonant(word: string, i: number): boolean {
  const letter = word.charAt(i);
  if (letter !== 'y') return !VOWEL.test(letter);
  return i === 0 || !isConsonant(word, i - 1);
}

/** Porter's m: how many times a run of vowels is followed by a run of consonants. */
function measure(stem: string): number {
  let m = 0;
  let vowelBefore = false;
  for (let i = 0; i < stem.length; i += 1) {
    const consonant = isConsonant(stem, i);
    if (consonant && vowelBefore) m += 1;
    vowelBefore = !consonant;
  }
  return m;
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i += 1) if (!isConsonant(stem, i)) return true;
  return false;
}

/** Porter's *o: ends consonant, vowel, consonant, where the last is not w, x or y ("hop", not "snow"). */
function endsShort(stem: string): boolean {
  const n = stem.length;
  if (n < 3 || 'wxy'.includes(stem.charAt(n - 1))) return false;
  return isConsonant(stem, n - 1) && !isConsonant(stem, n - 2) && isConsonant(stem, n - 3);
}

type Rule = readonly [suffix: string, replacement: string];

// Within each list a longer suffix precedes a shorter one that it ends with: the first match decides.
const DERIVATIONS: readonly Rule[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['eli', 'e'],
];
const ADJECTIVES: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const ENDINGS: readonly Rule[] = [
  ['ement', ''],
  ['ance', ''],
  ['ence', ''],
  ['able', ''],
  ['ible', ''],
  ['ment', ''],
  ['ant', ''],
  ['ent', ''],
  ['ion', ''],
  ['ism', ''],
  ['ate', ''],
  ['iti', ''],
  ['ous', ''],
  ['ive', ''],
  ['ize', ''],
  ['al', ''],
  ['er', ''],
  ['ic', ''],
  ['ou', ''],
];

/** Replaces the first matching suffix if the part before it has a measure above `least`. */
function replace(word: string, rules: readonly Rule[], least: number): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    if (measure(stem) <= least) return word;
    if (suffix === 'ion' && !/[st]$/.test(stem)) return word;
    return stem + replacement;
  }
  return word;
}

function dropPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function dropPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const length = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const stem = word.slice(0, -length);
  if (length === 0 || !hasVowel(stem)) return word;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE.test(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function dropFinal(word: string): string {
  let out = word;
  if (out.endsWith('e')) {
    const stem = out.slice(0, -1);
    const m = measure(stem);
    if (m > 1 || (m === 1 && !endsShort(stem))) out = stem;
  }
  return out.endsWith('ll') && measure(out) > 1 ? out.slice(0, -1) : out;
}

/** The stem of a lower-case word; words of one or two letters, and words with characters beyond a-z, are unchanged. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let out = dropPast(dropPlural(word));
  if (out.endsWith('y') && hasVowel(out.slice(0, -1))) out = `${out.slice(0, -1)}i`;
  out = replace(out, DERIVATIONS, 0);
  out = replace(out, ADJECTIVES, 0);
  out = replace(out, ENDINGS, 1);
  return dropFinal(out);
}
