// Parts texts that are read one behind the other into windows of bounded length, so that whoever reads them can do something
// else in between. Each window begins with the end of the one before it: no address, number or date is longer than what they
// share.
import type { Disclosable } from './finding.ts';

/** What is read in one piece: a few milliseconds of the signs that cost most. Most listings are shorter. */
const WINDOW = 1_500;
/** What two windows share. */
const OVERLAP = 300;
/** A window ends between two words where there are any within so many characters. */
const WORD_MAX = 100;
/** What a text costs besides its characters: thousands of short ones are parted too. */
const TEXT_COSTS = 20;

const SPACE = /\s/;

/** The last place up to `to` at which a text may be parted. */
function betweenWords(text: string, to: number): number {
  if (to >= text.length) return text.length;
  for (let at = to; at > to - WORD_MAX && at > 0; at--) if (SPACE.test(text.charAt(at))) return at;
  // Half a surrogate pair is no character.
  return /[\ud800-\udbff]/.test(text.charAt(to - 1)) ? to - 1 : to;
}

/** The end of what was read, to begin the next window with. */
function endOf(window: readonly Disclosable[]): Disclosable[] {
  const end: Disclosable[] = [];
  let left = OVERLAP;
  for (let at = window.length - 1; at >= 0 && left > 0; at--) {
    const part = window[at];
    if (!part) break;
    const { field, text } = part;
    end.unshift({ field, text: text.slice(betweenWords(text, Math.max(0, text.length - left))) });
    left -= text.length + TEXT_COSTS;
  }
  return end;
}

const lengthOf = (window: readonly Disclosable[]): number =>
  window.reduce((sum, { text }) => sum + text.length + TEXT_COSTS, 0);

/** The texts in windows; together they hold every text. Nothing when there is no text. */
export function* windowsOf(texts: Iterable<Disclosable>): Generator<readonly Disclosable[]> {
  let window: Disclosable[] = [];
  let left = WINDOW;
  let fresh = false;
  for (const { field, text } of texts) {
    for (let from = 0; from < text.length; ) {
      const to = betweenWords(text, from + Math.max(left, WORD_MAX));
      // What two windows share of this very text goes on without a break.
      const joined = from > 0 ? window.pop() : undefined;
      window.push({ field, text: (joined?.text ?? '') + text.slice(from, to) });
      fresh = true;
      left -= to - from + TEXT_COSTS;
      from = to;
      if (left > WORD_MAX) continue;
      yield window;
      window = endOf(window);
      left = WINDOW - lengthOf(window);
      fresh = false;
    }
  }
  if (fresh) yield window;
}
