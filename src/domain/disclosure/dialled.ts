// Phone numbers by evidence: digits that are written, said or drawn apart in groups as people write numbers, and the words
// around them that call them one. Counts, prices, dates, versions and sequences speak against it.
import { endsSentence, type Finding, findingOf, hasMeaning, isNear } from './finding.ts';
import { BACKWARDS, CONTACT, PART, PHONE, PHONE_VAGUE } from './lexicon.ts';
import { isCounted, isOtherNumber } from './number-context.ts';
import { DIGITS_MAX, type Group, numeralRuns, type Run } from './numeral-runs.ts';
import type { Sign } from './reading.ts';
import { numbersAmongWords, numbersCarriedOver, orphanNumbers, piecesFrom } from './split-numbers.ts';

/** Counted up, down or in steps, as counting rhymes, scales and tables are. */
function isCounting(groups: readonly Group[]): boolean {
  const values = groups.map(({ digits }) => Number(digits));
  const [one = 0, two = 0, three = 0] = values;
  if (groups.length > 2 && one > 9 && three * one === two * two) return true;
  if (groups.length < 4 || three - two !== two - one) return false;
  let even = 0;
  for (let at = 2; at < values.length; at++) {
    const [a = 0, b = 0, c = 0] = values.slice(at - 2, at + 1);
    if (c - b === b - a || (a > 9 && c * a === b * b) || (c > b && b > a && groups[at]?.digits.length !== 1)) even += 1;
  }
  return even >= (values.length - 2) * 0.7;
}

const isRepetition = ({ groups }: Run): boolean =>
  groups.length > 3 && groups.every(({ digits }, at) => digits === groups[at % 3]?.digits);

/** The digits that pi, e, the root of two and Fibonacci's numbers begin with. */
const CONSTANTS = /^(?:314159|271828|141421|112358)/;

/** Digits of a number that the plans of most countries have. */
const DIGITS_MIN = 7;
const CUE_NEAR = 7;

/** Whether a word close by calls the number one: 2 for a word that means nothing else, 1 for one that may. */
function callEvidence(signs: readonly Sign[], run: Run): number {
  let cue = 0;
  const from = Math.max(0, run.from - CUE_NEAR);
  const to = Math.min(signs.length - 1, run.end + CUE_NEAR - 1);
  for (let at = from; at <= to; at++) {
    if (at >= run.from && at < run.end) continue;
    const sign = signs[at];
    // "17-4PH" is an alloy.
    if (!hasMeaning(sign, PHONE) || (sign?.gap === '' && signs[at - 1]?.kind === 'number')) continue;
    cue = Math.max(cue, hasMeaning(sign, PHONE_VAGUE) ? 1 : 2);
  }
  return cue;
}

const shape = (run: Run): string => run.groups.map(({ digits }) => digits.length).join('-');
const NANP = /^(?:1-)?3-3-4$/;
/** How other plans write their numbers, with what each begins with. */
const NATIONAL = /^(?:[78] ?\d{3}-3-2-2|1-3-3-2-2|3-3-2-2|5-5|3-4-4|2-4-4|4-3-3|2-2-2-2-2)$/;
const ODD = /[;*>=~#|→★…:<{}[\]^]/;

/** How the groups are set: what speaks for a number and what for a list, a price, a date or a version. */
function gapEvidence(run: Run): number {
  const { groups, digits } = run;
  const gaps = groups.slice(1).map(({ gap }) => gap);
  const trimmed = gaps.map((gap) => gap.trim());
  let evidence = 0;
  if (NANP.test(shape(run)) && /^1?[2-9]\d\d[2-9]/.test(digits))
    evidence += gaps.some((gap) => gap.includes(',')) ? 1 : 2;
  if (NANP.test(shape(run)) && /^(?:555|0)/.test(`${groups.at(-2)?.digits}`)) evidence += 0.5;
  if (/^0[1-9]/.test(digits) && groups[0]?.digits !== '0') evidence += 1;
  if (NATIONAL.test(shape(run)) && gaps.every((gap) => !gap.includes(',') && !gap.includes('.'))) evidence += 1.5;
  if (/^00[1-9]/.test(digits)) evidence += 1.5;
  if (groups.length === 1 && digits.length >= 10 && digits.length <= 13) evidence += 0.5;
  if (groups.length > 1 && trimmed.every((gap) => gap === trimmed[0] && ODD.test(gap))) evidence += 1.5;
  const spoken = groups.filter((group) => group.spoken && !group.weak).length;
  const written = groups.filter((group) => !group.spoken).length;
  if (spoken >= 5) evidence += 2.5;
  else if (spoken >= 3) evidence += 1.5;
  if (groups.every((group) => group.spoken) && spoken >= 4 && digits.length >= 9) evidence += 1;
  if (spoken > 0 && written > 0) evidence += 1.5;
  if (groups.some((group) => group.looks) && written + spoken > 1) evidence += 1.5;
  const singles = groups.filter((group) => group.digits.length === 1).length;
  if (singles >= 7 && singles === groups.length) evidence += 2.5;
  if (digits.length >= 9 && digits.length <= 13) evidence += 0.5;
  // Nobody spreads anything else over so many texts.
  if (gaps.filter((gap) => gap.includes('\n')).length >= 6 && singles === groups.length) evidence += 1;
  // A number that ends one text and goes on in the next.
  if (
    gaps.filter((gap) => gap.includes('\n')).length === 1 &&
    digits.length >= 9 &&
    digits.length <= 13 &&
    !/^\n|[-_]/.test(groups[0]?.gap ?? '')
  )
    evidence += 2;
  if (gaps.some((gap) => gap.includes('\n')))
    evidence += NANP.test(shape(run)) || NATIONAL.test(shape(run)) || /^0[1-9]/.test(digits) ? 1.5 : 0.5;
  return evidence - counterEvidence(run, gaps, spoken);
}

function counterEvidence({ groups, digits }: Run, gaps: readonly string[], spoken: number): number {
  let evidence = 0;
  // A count-down to a start begins with ten; identifiers of devices are in letters up to f.
  if (groups[0]?.digits === '10' && isCounting(groups)) evidence += 4;
  if (groups.some(({ looks }) => looks) && gaps.some((gap) => gap === ':')) evidence += 4;
  const odd = gaps.length > 2 && gaps.every((gap) => ODD.test(gap));
  if ((isCounting(groups) && !odd) || isRepetition({ groups, from: 0, end: 0, digits })) evidence += 4;
  if (spoken === 0 && gaps.length > 0 && gaps.every((gap) => /^[,、，]\s?$/.test(gap)) && digits.length > groups.length)
    evidence += 2;
  // "6-4 3-6 7-6": pairs are results of games.
  if (gaps.length > 3 && gaps.every((gap, at) => (at % 2 === 0 ? gap === '-' : gap !== '-'))) evidence += 4;
  if (spoken === 0 && groups.length === 2 && /^\.$/.test(gaps[0] ?? '')) evidence += 3;
  if (
    spoken === 0 &&
    gaps.length > 0 &&
    groups.slice(1).every((group) => /^\d{3}$/.test(group.digits)) &&
    groups[0] !== undefined &&
    groups[0].digits.length <= 3 &&
    gaps.every((gap) => /^[., ]$/.test(gap)) &&
    !/^0/.test(digits) &&
    groups.length > 2 &&
    !NANP.test(groups.map((group) => group.digits.length).join('-'))
  )
    evidence += 1;
  if (groups.some((group) => group.digits.length === 4 && /^(?:19|20)\d\d$/.test(group.digits)) && groups.length <= 3)
    evidence += 1.5;
  if (gaps.some((gap) => /:/.test(gap) && !/[>=]/.test(gap)) && groups.every((group) => group.digits.length <= 2))
    evidence += 2;
  const units = groups.filter((group) => group.weak).length;
  if (units > 0 && units === groups.length && groups.length < 7) evidence += 3;
  return evidence;
}

function phoneAt(signs: readonly Sign[], run: Run): number {
  const size = run.digits.length;
  if (size < DIGITS_MIN || size > DIGITS_MAX + 3) return 0;
  const cue = callEvidence(signs, run);
  if (isOtherNumber(signs, run) || CONSTANTS.test(run.digits)) return 0;
  const contact = cue === 0 && isNear(signs, run.from, 6, run.end - run.from + 6, CONTACT) ? 1 : 0;
  let evidence = gapEvidence(run) + contact + (cue === 2 ? 3 : cue === 1 ? 2 : 0) + partsWithin(signs, run);
  if (/\+\s?[([]?$/.test(signs[run.from]?.gap ?? '') || signs[run.from - 1]?.text === 'plus') evidence += 1.5;
  if (isCounted(signs, run)) evidence -= 3;
  if (cue > 0 && size >= 9) evidence += 1;
  if (size > DIGITS_MAX) evidence -= 1.5;
  if (isNear(signs, run.from, 5, run.end - run.from + 5, BACKWARDS)) evidence += 2.5;
  if (cue === 0 && size < 9) evidence -= 1.5;
  if (
    cue === 0 &&
    partsWithin(signs, run) < 2 &&
    !NANP.test(shape(run)) &&
    run.groups.some(({ gap }) => gap.includes('&'))
  )
    evidence -= 2;
  if (cue < 2 && standsAlone(signs, run)) evidence += 2;
  if (run.groups.length === 1 && cue === 2 && size <= 12) evidence += 0.5;
  return evidence;
}

/** No address, price or count has so many digits in one group and a sentence to itself. */
const ALONE = /^(?:0[1-9]\d{8,9}|[2-9]\d{9}|[67]\d{8}|1[3-9]\d{9})$/;

/** One long group that opens or is the whole of what is said. */
function standsAlone(signs: readonly Sign[], { from, end, groups, digits }: Run): boolean {
  if (
    groups.length !== 1 ||
    !ALONE.test(digits) ||
    (!endsSentence(signs, from) && !/[:：]/.test(signs[from]?.gap ?? ''))
  )
    return false;
  const after = signs[end];
  return (
    !after ||
    after.field !== signs[from]?.field ||
    /[-,–—।|(!]/.test(after.gap) ||
    after.kind === 'dot' ||
    hasMeaning(after, PHONE | CONTACT) ||
    hasMeaning(signs[end + 1], PHONE | CONTACT) ||
    hasMeaning(signs[end + 2], PHONE | CONTACT)
  );
}

/** Words between the groups that list them as parts of one. */
function partsWithin(signs: readonly Sign[], run: Run): number {
  let parts = 0;
  for (let at = Math.max(0, run.from - 3); at < run.end + 2; at++) if (hasMeaning(signs[at], PART)) parts += 1;
  return Math.min(3, parts);
}

/** Every phone number that the signs tell. */
export function phonesIn(signs: readonly Sign[]): Finding[] {
  const runs = numeralRuns(signs);
  const found: Finding[] = [];
  for (const [at, run] of runs.entries()) {
    const evidence = phoneAt(signs, run);
    found.push(...findingOf('phone', Math.max(evidence, piecesFrom(signs, runs, at)), run.from, run.end - 1));
  }
  found.push(...orphanNumbers(signs, runs), ...numbersCarriedOver(signs, runs), ...numbersAmongWords(signs, runs));
  return found;
}
