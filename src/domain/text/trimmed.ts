// Cuts signs off the end of a text. The regular expression for it (`/x+$/`) is quadratic: it tries the end of each run of
// such signs from each of them.

/** The text without those of `signs` that end it. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
