// Whether a text has a visible character. Names need one: zero-width signs, fillers, combining marks or blanks alone look
// like no name, or like another's. Within a name such signs are allowed, since scripts and emoji need them.

/** A visible sign: a letter, digit, punctuation or symbol. Excluded are default-ignorable code points (Hangul fillers, tags,
 * joiners, directions), and blanks among letters and symbols: in Braille, hieroglyphs and music, and the object replacement character. */
const MARK =
  '(?![\\p{Default_Ignorable_Code_Point}\\u2800\\uFFFC\\u{13441}\\u{13442}\\u{1D159}])[\\p{L}\\p{N}\\p{P}\\p{S}]';

/** The pattern of a required name, for JSON Schema (with the flag `u`). It reads each sign once. */
export const VISIBLE = MARK;
/** The pattern of an optional name. */
export const VISIBLE_OR_BLANK = `^\\s*$|${MARK}`;

/** The message for a text that does not match. */
export const MUST_SHOW = 'must show something: letters, digits or signs that people see';

const visible = new RegExp(VISIBLE, 'u');

/** Whether a text has a visible character. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}
