// Marks that programs give: ids and hashes in hexadecimal, and UUIDs. Their digits are no number that anybody dials, and their
// letters no name.

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const WORD = /[A-Za-z0-9]+/g;
const HEX = /^[0-9a-f]+$/i;
const SHORT_MIN = 6;
const SHORT_MAX = 16;
/** Of hashes. */
const LENGTHS: ReadonlySet<number> = new Set([40, 64]);

/** Digits and letters both: what has digits alone may be a number, what has letters alone a word. */
function isMark(word: string): boolean {
  const long = LENGTHS.has(word.length) || (word.length >= SHORT_MIN && word.length <= SHORT_MAX);
  return long && HEX.test(word) && /[0-9]/.test(word) && /[a-f]/i.test(word);
}

/** The text without them; each leaves a word behind that means nothing. */
export function withoutMarks(text: string): string {
  return text.replace(UUID, 'mark').replace(WORD, (word) => (isMark(word) ? 'mark' : word));
}
