// Whether a text shows anything. A name that a person reads must: one of zero-width signs, fillers, combining marks or
// blanks alone looks like no name, or like another's. Such signs inside a name are fine, since scripts and emoji need them.

/** A sign that leaves a mark by itself: a letter, digit, punctuation or symbol. Not those that Unicode has programs ignore
 * (fillers of Hangul, tags, joiners, directions), nor the blanks among letters and symbols: of Braille, of hieroglyphs, of
 * music, and what stands for a lost object. */
const MARK =
  '(?![\\p{Default_Ignorable_Code_Point}\\u2800\\uFFFC\\u{13441}\\u{13442}\\u{1D159}])[\\p{L}\\p{N}\\p{P}\\p{S}]';

/** The pattern of a name that has to be there, as JSON Schema writes it (with the flag `u`). It looks at each sign once. */
export const VISIBLE = MARK;
/** The pattern of one that may be left empty. */
export const VISIBLE_OR_BLANK = `^\\s*$|${MARK}`;

/** Why a text that matches neither is refused. */
export const MUST_SHOW = 'must show something: letters, digits or signs that people see';

const visible = new RegExp(VISIBLE, 'u');

/** Whether a person sees anything of a text. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}
