// How deep JSON text nests, counted before it is parsed: nothing in the service needs depth, and whatever walks a parsed
// value by recursion (stringifying it, for one) would run out of stack on a hostile body.

/** Deeper than any body that means something; the deepest input schema has five levels. */
export const NESTING_MAX = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether brackets outside strings nest deeper than `NESTING_MAX`. */
export function nestsTooDeep(json: Uint8Array): boolean {
  // A shorter text cannot hold that many brackets and close them.
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
