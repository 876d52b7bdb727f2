// The groups of digits that a text holds, whichever way they were written: in digits, in words of any language, in letters
// for digits, with anything between them that people put there. Each sign belongs to one run at most.
import { withoutEnd } from '../text/trimmed.ts';
import { hasMeaning } from './finding.ts';
import { DOT, isAnd, JOIN, PART, timesOf } from './lexicon.ts';
import type { Sign } from './reading.ts';

/** E.164. */
export const DIGITS_MAX = 15;

export interface Group {
  readonly digits: string;
  readonly spoken: boolean;
  readonly weak: boolean;
  readonly gap: string;
  /** The group stands in digits with letters for some. */
  readonly looks: boolean;
}

export interface Run {
  readonly groups: readonly Group[];
  readonly from: number;
  readonly end: number;
  readonly digits: string;
}

const isNumeral = (sign: Sign | undefined): boolean =>
  sign !== undefined && sign.digits !== null && sign.kind !== 'at' && sign.kind !== 'dot';

const GAP_MAX = 10;
const SPOKEN_MAX = 3;

const FRENCH = /^(?:dix|onze|douze|treize|quatorze|quinze|seize)$/;
const isTwenty = (sign: Sign | undefined): boolean =>
  sign !== undefined && /^vingts?$/.test(sign.text) && /^[ -]$/.test(sign.gap);

/** How many signs a numeral takes: itself, with "double" before it or "hundred" behind. */
function groupAt(signs: readonly Sign[], at: number): { readonly group: Group; readonly end: number } | null {
  const sign = signs[at];
  if (!sign) return null;
  const times = timesOf(sign.text);
  const base = times > 1 ? signs[at + 1] : sign;
  if (!base || base.digits === null || !isNumeral(base)) return null;
  let end = times > 1 ? at + 2 : at + 1;
  let digits = base.digits.length === 1 ? base.digits.repeat(times) : base.digits;
  // "Five hundred twenty three": each smaller numeral fills what the larger one left empty.
  while (base.spoken && digits.length <= SPOKEN_MAX && !(digits === '4' && isTwenty(signs[end]))) {
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
    // "Ten nine" counts down; "dix-neuf" is one number.
    else if (digits === '10' && next.gap === ' ' && base.text !== 'dix') break;
    else if (digits.length > 1 && next.digits !== '0' && next.digits.length <= room)
      digits = digits.slice(0, -next.digits.length) + next.digits;
    else break;
    end += 1;
  }
  // "Quatre-vingt-dix-neuf", "soixante-douze": scores, with what is below twenty.
  if (base.spoken && digits === '4' && isTwenty(signs[end])) {
    digits = '80';
    end += 1;
  }
  const score = digits === '60' || digits === '80' ? signs[end] : undefined;
  if (score?.spoken && /^1\d$/.test(score.digits ?? '') && /^[ -]$/.test(score.gap) && FRENCH.test(score.text)) {
    digits = `${Number(digits) + Number(score.digits)}`;
    end += 1;
  }
  const unit = /^[1-9]0$/.test(digits) && base.spoken ? signs[end] : undefined;
  if (unit?.spoken && unit.gap === '-' && unit.digits?.length === 1 && unit.digits !== '0') {
    digits = `${digits.charAt(0)}${unit.digits}`;
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

/** Where the next group of a run begins, with what stands between; null where the run ends. */
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
    else if (hasMeaning(sign, DOT | JOIN | PART) || sign.text === 'の') gap += ' ';
    else if (sign.text === 'x') gap += '*';
    else if (isAnd(sign.text)) gap += '&';
    else return null;
  }
  return null;
}

/** All runs of numerals with nothing but separators between. */
export function numeralRuns(signs: readonly Sign[]): Run[] {
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
