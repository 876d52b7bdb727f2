// The nesting depth of JSON text, counted before parsing: nothing in the service needs depth, and recursion over a parsed
// value (stringifying it, for example) would exhaust the stack on a hostile body.

/** Deeper than any meaningful body; the deepest input schema has five levels. */
export const NESTING_MAX = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether brackets outside strings nest deeper than `NESTING_MAX`. */
export function nestsTooDeep(json: Uint8Array): boolean {
  // A shorter text cannot open and close that many brackets.
  if (json.length <= 2 * NESTING_MAX) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0;
    if (quoted) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) {
      quoted = true;
    } else if ((byte | 0x20) === 0x7b) {
      // `[` and `{` differ in one bit.
      depth += 1;
      if (depth > NESTING_MAX) return true;
    } else if ((byte | 0x20) === 0x7d) {
      depth -= 1;
    }
  }
  return false;
}
