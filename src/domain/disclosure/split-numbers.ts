// Phone numbers that were taken apart: told in pieces within a sentence ("area code 415, then 555, last four 0123"), or left
// at the ends of several texts.
import { endsSentence, type Finding, findingOf, hasMeaning, isNear } from './finding.ts';
import { CONTACT, PART, PHONE } from './lexicon.ts';
import { isCounted, isOtherNumber } from './number-context.ts';
import type { Run } from './numeral-runs.ts';
import type { Sign } from './reading.ts';

const WINDOW = 34;
const PIECES_MIN = 3;

/** Numbers told in pieces: "area code 415, then 555, last four 0123". */
export function piecesFrom(signs: readonly Sign[], runs: readonly Run[], first: number): number {
  let [size, pieces, evidence] = [0, 0, 0];
  const from = runs[first]?.from ?? 0;
  let end = from;
  let lengths = '';
  for (let n = first; n < runs.length; n++) {
    const run = runs[n];
    if (!run || run.from - end > WINDOW / 2 || run.from - from > WINDOW || pieces >= 6) break;
    if (run.digits.length > 6 && pieces > 0) break;
    if (isCounted(signs, run)) continue;
    if (isOtherNumber(signs, run)) return 0;
    size += run.digits.length;
    for (const { digits } of run.groups) lengths += `-${digits.length}`;
    pieces += 1;
    end = run.end;
    if (size >= 9 && pieces >= PIECES_MIN - (size > 9 ? 1 : 0)) break;
  }
  if (size < 8 || size > 13 || pieces < 2) return 0;
  let parts = 0;
  for (let at = Math.max(0, from - 8); at < Math.min(signs.length, end + 6); at++)
    if (hasMeaning(signs[at], PART)) parts += 1;
  evidence += Math.min(3, parts);
  if (isNear(signs, from, 10, end - from + 10, PHONE)) evidence += 1.5;
  else if (parts < 3 && !lengths.includes('-3-3-4')) evidence -= 1;
  if (pieces >= PIECES_MIN) evidence += 0.5;
  if (lengths === '-3-3-4' || lengths === '-3-7') evidence += 1.5;
  return parts >= 2 ? evidence : 0;
}

/** Signs that may stand between the start of a text and the digits that go on. */
const LEAD_MAX = 1;
const WHOLE_MIN = 9;
const WHOLE_MAX = 13;

/** A number that ends one text and goes on where the next begins. */
export function numbersCarriedOver(signs: readonly Sign[], runs: readonly Run[]): Finding[] {
  for (const [at, run] of runs.entries()) {
    const next = runs[at + 1];
    const [last, lead] = [signs[run.end - 1], next ? signs[next.from] : undefined];
    if (!next || !last || !lead || lead.field !== last.field + 1 || signs[run.end]?.field === last.field) continue;
    if (signs[next.from - LEAD_MAX - 1]?.field === lead.field) continue;
    if (signs[next.from - 1]?.field === lead.field && !hasMeaning(signs[next.from - 1], PART)) continue;
    const digits = run.digits + next.digits;
    const two = Math.min(run.digits.length, next.digits.length);
    if (digits.length < WHOLE_MIN || digits.length > WHOLE_MAX || two < 2 || /^(?:19|20)\d\d$/.test(run.digits))
      continue;
    if (isCounted(signs, run) || isCounted(signs, next) || isOtherNumber(signs, run) || isOtherNumber(signs, next))
      continue;
    const cue = isNear(signs, run.from, 6, 6, PHONE);
    return findingOf('phone', cue ? 4 : 3, run.from, next.end - 1);
  }
  return [];
}

/** Three groups with words between that make a number as North America writes it, one of which no price begins as. */
export function numbersAmongWords(signs: readonly Sign[], runs: readonly Run[]): Finding[] {
  for (let at = 0; at + 2 < runs.length; at++) {
    const parts = runs.slice(at, at + 3);
    const [first, second, third] = parts;
    if (!first || !second || !third || third.end - first.from > WINDOW) continue;
    if (parts.map(({ digits }) => digits.length).join('-') !== '3-3-4') continue;
    const digits = parts.map((part) => part.digits).join('');
    if (parts.some((part) => signs[part.from - 1]?.kind === 'dot' && signs[part.from]?.gap === '')) continue;
    const odd = second.digits === '555' || third.digits.startsWith('0');
    if (!/^[2-9]\d\d[2-9]/.test(digits) || !odd || parts.some((part) => isCounted(signs, part))) continue;
    const cue = isNear(signs, first.from, 8, third.end - first.from + 10, PHONE | CONTACT);
    const split = signs[first.from]?.field !== signs[third.from]?.field;
    return findingOf('phone', cue || split ? 4 : 3, first.from, third.end - 1);
  }
  return [];
}

/** Numbers that stand alone at the ends of texts or in sentences of their own: parts of one that was split. */
export function orphanNumbers(signs: readonly Sign[], runs: readonly Run[]): Finding[] {
  const alone = runs.filter((run) => {
    const [first, after] = [signs[run.from], signs[run.end]];
    const begins = endsSentence(signs, run.from);
    const ends =
      !after ||
      /[,;]/.test(after.gap) ||
      after.field !== first?.field ||
      endsSentence(signs, run.end) ||
      (after.kind === 'dot' && endsSentence(signs, run.end + 1));
    const dated = /(?:^|[^\d])(?:19|20)\d\d$/.test(run.digits) || run.groups.some(({ gap }) => gap === ':');
    return (begins || ends) && !dated && run.digits.length <= 8 && !isCounted(signs, run) && !isOtherNumber(signs, run);
  });
  for (let at = 0; at + 1 < alone.length; at++) {
    for (let size = 2; size <= 4; size++) {
      const parts = alone.slice(at, at + size);
      const [first, last] = [parts[0], parts.at(-1)];
      if (parts.length < size || !first || !last) break;
      const lengths = parts.map(({ digits }) => digits.length).join('-');
      const digits = parts.map((part) => part.digits).join('');
      if (signs[first.from]?.field === signs[last.from]?.field) continue;
      const national = /^(?:3-3-4|3-7|6-4|1-3-3-4)$/.test(lengths) && /^1?[2-9]\d\d[2-9]/.test(digits);
      const trunk = /^(?:0[1-9]|8[3-9]\d{9}$)/.test(digits) && digits.length >= 9 && digits.length <= 12;
      const cue = isNear(signs, first.from, 6, 6, PHONE) || isNear(signs, last.end - 1, 6, 6, PHONE);
      const plain = digits.length >= 9 && digits.length <= 12 && cue;
      if (!national && !trunk && !plain) continue;
      return findingOf(
        'phone',
        3 + (national || (cue && digits.length >= 9) || (trunk && size > 1) ? 1 : 0),
        first.from,
        last.end - 1,
      );
    }
  }
  return [];
}
