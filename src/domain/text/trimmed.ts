// Removes characters from the end of a text. The regular expression for it (`/x+$/`) is quadratic: in each run of such
// characters it starts at every one.

/** The text without trailing characters of `signs`. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
