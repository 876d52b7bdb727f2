// Texts that begin with what somebody typed, as a span of an index.

/** Behind every text: no other character sorts after it. */
const LAST = '\u{10ffff}';
/** Before every character that a stored text has. */
const FIRST = '\u0001';

/** From the text that begins so on, or behind the last one that was shown, and before all that does not begin so. */
export function spanOf(prefix: string, after: string | null): { from: string; to: string } {
  return { from: after === null ? prefix : `${after}${FIRST}`, to: `${prefix}${LAST}` };
}
