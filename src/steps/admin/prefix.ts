// The texts that begin with a typed prefix, as a range of an index.

/** Sorts after every text. */
const LAST = '\u{10ffff}';
/** Sorts before every character of a stored text. */
const FIRST = '\u0001';

/** The range of texts with the prefix, from the start or after the last one that was shown. */
export function spanOf(prefix: string, after: string | null): { from: string; to: string } {
  return { from: after === null ? prefix : `${after}${FIRST}`, to: `${prefix}${LAST}` };
}
