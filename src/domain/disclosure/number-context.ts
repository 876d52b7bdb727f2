// What stands beside a number and makes it another than a phone's: what it belongs to, what is counted, a currency.
import { hasMeaning } from './finding.ts';
import { COUNTED, OTHERWISE, PART, PHONE, PHONE_VAGUE } from './lexicon.ts';
import type { Run } from './numeral-runs.ts';
import type { Sign } from './reading.ts';

/** Whether the word or sign before or behind a run says that it is something else. */
export function isOtherNumber(signs: readonly Sign[], run: Run): boolean {
  for (let back = 1; back <= 4; back++) {
    const sign = signs[run.from - back];
    if (hasMeaning(sign, PHONE) && !hasMeaning(sign, PHONE_VAGUE | OTHERWISE)) break;
    const part = hasMeaning(sign, PART) && !/^(?:number|numbers|no|nr)$/.test(signs[run.from - back + 1]?.text ?? '');
    if (hasMeaning(sign, OTHERWISE) && sign && !part && !hasMeaning(sign, PHONE) && sign.kind === 'word') return true;
  }
  const [first, before, after] = [signs[run.from], signs[run.from - 1], signs[run.end]];
  if (/[$€£¥₹#%§=×^]\s?$/.test(first?.gap ?? '') || /^\s?[%€£¥₽₹°]/.test(after?.gap ?? '')) return true;
  // "070-123-4567-A" is a part.
  const next = signs[run.end];
  if (next?.kind === 'word' && next.gap === '-' && next.text.length <= 2 && next.capital) return true;
  if (
    before?.kind === 'word' &&
    !before.spoken &&
    /^[a-z]/.test(before.text) &&
    /^[-_/]?$/.test(first?.gap ?? ' ') &&
    before.text.length <= 6 &&
    !hasMeaning(before, PHONE)
  )
    return true;
  return false;
}

/** Whether what is counted stands behind a run. */
export const isCounted = (signs: readonly Sign[], run: Run): boolean => {
  const after = signs[run.end];
  return after !== undefined && hasMeaning(after, COUNTED) && after.gap.length <= 1 && !hasMeaning(after, PHONE);
};
