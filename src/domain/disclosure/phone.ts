// Detects phone numbers: by the formats of national plans, and by evidence: digits that are written, spoken or spaced in
// groups as people write numbers, and words around them. Counts, prices and sequences are evidence against it.
import { withoutEnd } from '../text/trimmed.ts';
import { endsSentence, type Finding, findingOf, hasMeaning, SURE } from './finding.ts';
import { COUNTED, DOT, isAnd, isMeant, OTHERWISE, PART, PHONE, PHONE_VAGUE, timesOf } from './lexicon.ts';
import type { Sign } from './reading.ts';

/** Letters in place of digits, where only digits stand beside them. */
const AS_DIGITS = /(?<![\p{L}\p{N}])(?=[oOlI]{0,4}[0-9])[0-9oOlI]{3,12}(?![\p{L}\p{N}])/gu;
const digitsFor = (look: string): string => look.replace(/[oO]/g, '0').replace(/[lI]/g, '1');

/** Formats that are used for phone numbers only, in text without other numbers. */
const PLAIN: readonly RegExp[] = [
  // "+44 (0)20 7946 0958", "0044 20 7946 0958", but not "+10 000 000".
  /(?<![\p{L}\d])(?:\+\s?\(?[1-9]|00\s?[1-9])(?!\d{0,2}(?:[ .]000){1,4}(?!\d))(?:[ ./()-]{0,3}\d){7,14}(?!\d|\s?[%€$])/gu,
  // "(415) 555-2671", "1-415-555-2671", "415*555*0123", "[415][555][0123]".
  /(?<![\p{L}\d.,$€£#/_-])(?:1[ .-])?(?:\([2-9]\d\d\)\s?|[2-9]\d\d[ ./-]{1,3})[2-9]\d\d(?:[ -]|\.(?=\d{4}(?!\d))|\s?\/\s?)\d{4}(?![\d-]|,\d|\.\d)/gu,
  /(?<![\p{L}\d.,$€£#/_-])[2-9]\d\d[;*x>=~#|→★…:^ ()[\]{}-]{1,5}[2-9]\d\d[;*x>=~#|→★…:^ ()[\]{}-]{1,5}\d{4}(?![\d-])/gu,
  // "06 12 34 56 78", "020 7946 0958", "07700 900123", "06|12|34|56|78".
  /(?<![\p{L}\d.,$€£#/_-])(?=(?:[ ./()-]{0,2}\d){9,12}(?!\d))\(?0[1-9]\d{0,4}\)?(?:[ ./-]\d{2,8}){1,4}(?![\d-]|[ ./-]\d|,\d)/gu,
  /(?<![\p{L}\d.,$€£#/_-])(?:0[1-9](?:[|_*;~]\d\d){4}|0[1-9]\d{8,9}|[6-9]\d{4} \d{5})(?![\d-]|[.,]\d)/gu,
  /(?<![\d.])(?:1-|call )8(?:00|88|77|66|55|44|33)-[A-Z][A-Za-z-]{2,9}/g,
];

/** Dates, times, network addresses and spans of years, which are never phone numbers. */
const OTHER_NUMBERS =
  /(?<![\d.])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d{2}|\d{1,3}(?:\.\d{1,3}){3}|(?:19|20)\d{2}\s?[-/]\s?(?:19|20)?\d{2}|\d{1,2}:\d{2})(?![\d]|\.\d)/g;

/** Whether a legible text holds a phone number in a usual form. */
export function hasPhone(text: string): boolean {
  if (!/\d/.test(text)) return false;
  const read = text.replace(AS_DIGITS, digitsFor).replace(OTHER_NUMBERS, ' ; ');
  for (const { 0: found, index } of PLAIN.flatMap((pattern) => [...read.matchAll(pattern)])) {
    const before = read
      .slice(Math.max(0, index - 30), index)
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .slice(-4);
    const joints = new Set(found.replace(/^1[ .-]|\(\d+\)\s?|[()]/g, '').match(/\D+/g) ?? []);
    const other = before.some((word) => isMeant(word, OTHERWISE) && !isMeant(word, PHONE));
    // Only round figures: a price list.
    const round = found.match(/\d+/g)?.every((group) => /..0$/.test(group)) ?? false;
    if (/^(?:\+|00)/.test(found) || !(other || round || joints.size > (found.startsWith('0') ? 2 : 1))) return true;
  }
  return false;
}

/** E.164. */
const DIGITS_MAX = 15;

interface Group {
  readonly digits: string;
  readonly spoken: boolean;
  readonly weak: boolean;
  readonly gap: string;
  /** The group has letters in place of some digits. */
  readonly looks: boolean;
}

interface Run {
  readonly groups: readonly Group[];
  readonly from: number;
  readonly end: number;
  readonly digits: string;
}

const isNumeral = (sign: Sign | undefined): boolean =>
  sign !== undefined && sign.digits !== null && sign.kind !== 'at' && sign.kind !== 'dot';

const GAP_MAX = 10;
const SPOKEN_MAX = 3;

/** Reads a numeral with "double" before it or "hundred" after it. */
function groupAt(signs: readonly Sign[], at: number): { readonly group: Group; readonly end: number } | null {
  const sign = signs[at];
  if (!sign) return null;
  const times = timesOf(sign.text);
  const base = times > 1 ? signs[at + 1] : sign;
  if (!base || base.digits === null || !isNumeral(base)) return null;
  let end = times > 1 ? at + 2 : at + 1;
  let digits = base.digits.length === 1 ? base.digits.repeat(times) : base.digits;
  // "Five hundred twenty three": each smaller numeral fills the zeros of the larger one.
  while (base.spoken && digits.length <= SPOKEN_MAX) {
    if (digits.endsWith('00') && isAnd(signs[end]?.text ?? '') && signs[end + 1]?.spoken) end += 1;
    const next = signs[end];
    if (
      !next ||
      !isNumeral(next) ||
      !next.spoken ||
      next.digits === null ||
      /[,\n]/.test(next.gap) ||
      next.field !== base.field
    )
      break;
    const room = digits.length - withoutEnd(digits, '0').length;
    if (next.digits === '100' && digits.length === 1 && digits !== '0') digits += '00';
    // "Ten nine" counts down.
    else if (digits === '10' && next.gap === ' ') break;
    else if (digits.length > 1 && next.digits !== '0' && next.digits.length <= room)
      digits = digits.slice(0, -next.digits.length) + next.digits;
    else break;
    end += 1;
  }
  let looks = base.kind === 'number' && base.spoken;
  // Digits and letters for digits without a space are one group.
  while (
    base.kind === 'number' &&
    signs[end]?.kind === 'number' &&
    signs[end]?.gap === '' &&
    digits.length < DIGITS_MAX
  ) {
    looks ||= signs[end]?.spoken === true;
    digits += signs[end]?.digits ?? '';
    end += 1;
  }
  return { group: { digits, spoken: base.spoken, weak: base.weak, gap: sign.gap, looks }, end };
}

const BETWEEN = /^[^\p{L}\p{N}]*$/u;

/** The start of the next group of a run, and the gap before it; null where the run ends. */
function nextGroup(signs: readonly Sign[], at: number): { readonly at: number; readonly gap: string } | null {
  let gap = '';
  for (let skip = 0; skip <= 3; skip++) {
    const sign = signs[at + skip];
    if (!sign) return null;
    gap += sign.gap.replace('\n', ' ');
    if (gap.length > GAP_MAX || !BETWEEN.test(gap)) return null;
    if (sign.field !== signs[at + skip - 1]?.field) gap += '\n';
    if (isNumeral(sign) || timesOf(sign.text) > 1) return { at: at + skip, gap };
    if (sign.kind === 'dot') gap += '.';
    else if (hasMeaning(sign, DOT | PART)) gap += ' ';
    else if (isAnd(sign.text)) gap += '&';
    else return null;
  }
  return null;
}

/** All runs of numerals that only separators split. */
function numeralRuns(signs: readonly Sign[]): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < signs.length; ) {
    let taken = groupAt(signs, at);
    if (!taken) {
      at += 1;
      continue;
    }
    const from = at;
    const groups: Group[] = [];
    let end = at;
    while (taken) {
      groups.push(taken.group);
      end = taken.end;
      const next = nextGroup(signs, end);
      taken = next ? groupAt(signs, next.at) : null;
      if (taken && next) taken = { ...taken, group: { ...taken.group, gap: next.gap } };
    }
    runs.push({ groups, from, end, digits: groups.map(({ digits }) => digits).join('') });
    at = end;
  }
  return runs;
}

/** Whether a word or sign around a run marks another kind of number. */
function isOtherNumber(signs: readonly Sign[], run: Run): boolean {
  for (let back = 1; back <= 4; back++) {
    const sign = signs[run.from - back];
    if (hasMeaning(sign, PHONE) && !hasMeaning(sign, PHONE_VAGUE | OTHERWISE)) break;
    if (hasMeaning(sign, OTHERWISE) && !hasMeaning(sign, PART | PHONE) && sign?.kind === 'word') return true;
  }
  const [first, before] = [signs[run.from], signs[run.from - 1]];
  if (before?.kind === 'word' && !before.spoken && /^[-_/]?$/.test(first?.gap ?? ' ') && !hasMeaning(before, PHONE))
    return true;
  return /[$€£¥₹#%§=×^]\s?$/.test(first?.gap ?? '') || /^\s?[%€£¥₽₹°]/.test(signs[run.end]?.gap ?? '');
}

/** Whether a counted noun follows a run. */
const isCounted = (signs: readonly Sign[], { end }: Run): boolean =>
  hasMeaning(signs[end], COUNTED) && (signs[end]?.gap.length ?? 0) <= 1 && !hasMeaning(signs[end], PHONE);

/** Whether the groups count up, down or in steps, as in rhymes, scales and tables. */
function isCounting(groups: readonly Group[]): boolean {
  const values = groups.map(({ digits }) => Number(digits));
  const [one = 0, two = 0, three = 0] = values;
  if (groups.length > 2 && one > 9 && three * one === two * two) return true;
  if (groups.length < 4 || three - two !== two - one) return false;
  const even = values.filter((value, at) => at > 1 && value - (values[at - 1] ?? 0) === two - one);
  return even.length >= (values.length - 2) * 0.7;
}

/** The fewest digits of a number in the plans of most countries. */
const DIGITS_MIN = 7;
const CUE_NEAR = 7;

/** The evidence of a word near the run: 2 for a word that always means a phone, 1 for one that may. */
function callEvidence(signs: readonly Sign[], run: Run): number {
  let cue = 0;
  for (let at = Math.max(0, run.from - CUE_NEAR); at < run.end + CUE_NEAR; at++) {
    const sign = signs[at];
    // "17-4PH" is an alloy.
    if ((at >= run.from && at < run.end) || !hasMeaning(sign, PHONE)) continue;
    if (sign?.gap !== '' || signs[at - 1]?.kind !== 'number')
      cue = Math.max(cue, hasMeaning(sign, PHONE_VAGUE) ? 1 : 2);
  }
  return cue;
}

const NANP = /^(?:1-)?3-3-4$/;

/** The evidence of the spacing, for a phone number or against it (a list, times of day). */
function gapEvidence({ groups, digits }: Run): number {
  if (isCounting(groups)) return -4;
  const gaps = groups.slice(1).map(({ gap }) => gap);
  const long = digits.length >= 9 && digits.length <= 13;
  const national = NANP.test(groups.map((group) => group.digits.length).join('-')) && /^1?[2-9]\d\d[2-9]/.test(digits);
  const trunk = /^0[1-9]/.test(digits) && groups[0]?.digits !== '0';
  const spoken = groups.filter((group) => group.spoken && !group.weak).length;
  const written = groups.filter((group) => !group.spoken).length;
  let evidence = (long ? 0.5 : 0) + (national ? 2 : 0) + (trunk ? 1 : 0);
  if (spoken >= 3) evidence += spoken >= 5 ? 2.5 : 1.5;
  if (spoken >= 4 && spoken === groups.length && digits.length >= 9) evidence += 1;
  if (spoken > 0 && written > 0) evidence += 1.5;
  if (groups.some((group) => group.looks) && written + spoken > 1) evidence += 1.5;
  const single = groups.every(
    (group) => group.digits.length === 1 && (group.gap.trim() === gaps[0]?.trim() || group === groups[0]),
  );
  if (single && groups.length >= 7) evidence += groups.length >= 9 ? 4 : 2.5;
  // A number split over two texts.
  const parted = gaps.filter((gap) => gap.includes('\n')).length;
  if (parted === 1 && long && !/^\n|[-_]/.test(groups[0]?.gap ?? '')) evidence += 2;
  if (parted > 0) evidence += national || trunk ? 1.5 : 0.5;
  const listed = gaps.length > 0 && gaps.every((gap) => /^[,、，]\s?$/.test(gap)) && digits.length > groups.length;
  if (spoken === 0 && listed) evidence -= 2;
  if (gaps.some((gap) => gap.includes(':')) && groups.every((group) => group.digits.length <= 2)) evidence -= 2;
  return evidence;
}

/** "Call 555 0123", "Tlf: 22 86 44 00": only small words between the number and the word for it. */
function isCalled(signs: readonly Sign[], { from, groups }: Run): boolean {
  if (groups.slice(1).some(({ gap }) => /[,.\n:]\s?$/.test(gap) && gap !== '.')) return false;
  for (let at = from - 1; at >= from - 5; at--) {
    const sign = signs[at];
    if (!sign || endsSentence(signs, at + 1)) return false;
    if (hasMeaning(sign, PHONE) && sign.gap !== '') return true;
    if (sign.kind !== 'dot' && (sign.kind !== 'word' || sign.text.length > 4)) return false;
  }
  return false;
}

function phoneAt(signs: readonly Sign[], run: Run): number {
  const size = run.digits.length;
  if (size < DIGITS_MIN || size > DIGITS_MAX + 1 || isOtherNumber(signs, run)) return 0;
  const counted = isCounted(signs, run);
  if (isCalled(signs, run) && !counted && size <= DIGITS_MAX) return SURE;
  const cue = callEvidence(signs, run);
  // Words between the groups may name them as parts of one number.
  const parts = signs.slice(Math.max(0, run.from - 3), run.end + 2).filter((sign) => hasMeaning(sign, PART)).length;
  const called = cue === 0 ? (size < 9 ? -1.5 : 0) : cue === 2 ? 3 : 2;
  return gapEvidence(run) + called + Math.min(3, parts) + (cue > 0 && size >= 9 ? 1 : 0) - (counted ? 3 : 0);
}

/** All phone numbers in the signs. */
export function phonesIn(signs: readonly Sign[]): Finding[] {
  return numeralRuns(signs).flatMap((run) => findingOf('phone', phoneAt(signs, run), run.from, run.end - 1));
}
