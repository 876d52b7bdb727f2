// Splits texts that are read in sequence into windows of bounded length, so that the reader can yield in between. Each
// window begins with the end of the previous one, and the overlap is longer than any address, number or date.
import type { Disclosable } from './finding.ts';

/** Characters of a window: a few milliseconds of the most expensive signs. Most listings are shorter. */
const WINDOW = 1_500;
const OVERLAP = 300;
/** A window ends between two words, if a gap lies within so many characters. */
const WORD_MAX = 100;
/** The cost of a text in addition to its characters, so that thousands of short ones are split too. */
const TEXT_COSTS = 20;

const SPACE = /\s/;

/** The last position up to `to` at which a text may be split. */
function betweenWords(text: string, to: number): number {
  if (to >= text.length) return text.length;
  for (let at = to; at > to - WORD_MAX && at > 0; at--) if (SPACE.test(text.charAt(at))) return at;
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]/.test(text.charAt(to - 1)) ? to - 1 : to;
}

/** The end of a window, which begins the next one. */
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

/** The texts in windows, which together cover all texts; none without text. */
export function* windowsOf(texts: Iterable<Disclosable>): Generator<readonly Disclosable[]> {
  let window: Disclosable[] = [];
  let left = WINDOW;
  let fresh = false;
  for (const { field, text } of texts) {
    for (let from = 0; from < text.length; ) {
      const to = betweenWords(text, from + Math.max(left, WORD_MAX));
      // The overlap from this same text continues without a break.
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
