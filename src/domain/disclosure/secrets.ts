// Passwords, PINs and accounts with banks by evidence: the word that announces one, a sign or word that gives it, and a value
// that no sentence has. Sentences that speak of secrets give none.

import { withoutEnd } from '../text/trimmed.ts';
import { passesLuhn } from './bank.ts';
import { endsSentence, type Finding, findingOf, hasMeaning } from './finding.ts';
import { BANK, COUNTED, PIN, SECRET, TOPIC } from './lexicon.ts';
import { numeralRuns, type Run } from './numeral-runs.ts';
import type { Sign } from './reading.ts';
import { words } from './tokens.ts';

const GIVES = words(
  'is are be ist es e est sono é to lautet heißt heisst jest on is= это е adalah yaitu la 是 为 は 는 은 है هو است ہے আহে আছে হলো হচ্ছে use try type enter says reads bin wäre olarak là ialah esta está era',
);
const GIVEN = /[:=：→"“«「]|->|:=/;
const VALUE = /^[^\s,;"”»」]{4,60}/u;
const LOOK = 70;

/** What stands behind a place of a text as one value, its quotes taken off. */
function valueBehind(text: string, from: number): string {
  const rest = text.slice(from, from + LOOK).replace(/^[\s:=："“«「'>(-]+/u, '');
  return withoutEnd(VALUE.exec(rest)?.[0] ?? '', ".)!?'’");
}

/** How little a value looks like a word: 2 for a key or a password, 1 where it may be a name. */
function oddity(value: string): number {
  if (value.length < 4 || /^https?:/i.test(value) || /^\d{1,3}(?:[a-z%]{0,3}|[-–]\d{1,3})$/i.test(value)) return 0;
  const letters = /\p{L}/u.test(value);
  const digits = /\d/.test(value);
  const signs = /[_!$%&*+?@#^~.-]/.test(value.slice(1));
  if (letters && digits && value.length >= 5) return 2;
  if (letters && /[_!$&*+?@#^~]/.test(value)) return 2;
  if (/\p{Ll}\p{Lu}/u.test(value)) return 1.5;
  return letters && signs && /-.*-/.test(value) ? 1.5 : 0;
}

const SEARCH = 7;

/** A secret's word, what gives it, and the value. */
function secretAt(signs: readonly Sign[], texts: readonly string[], at: number): number {
  const sign = signs[at];
  if (!sign) return 0;
  let given = 0;
  for (let by = 1; by <= SEARCH; by++) {
    const next = signs[at + by];
    if (!next) return 0;
    const crossed = next.field !== sign.field;
    if (crossed && by > 1) return 0;
    if (/[.!?;。\n]/.test(next.gap) || (endsSentence(signs, at + by) && !crossed)) return 0;
    if (hasMeaning(next, TOPIC) && by <= 3) return 0;
    if (GIVEN.test(next.gap)) given = 2;
    else if (GIVES.has(signs[at + by - 1]?.text ?? '') && by > 1) given = Math.max(given, 1.5);
    const value = valueBehind(texts[next.field] ?? '', next.start);
    const odd = next.gap === '' ? 0 : oddity(value);
    if (odd > 0 && (given > 0 || by === 1)) return 1 + (given > 0 ? given : 0.5) + odd * (by <= 3 ? 1 : 0.8);
    if (given === 2 && GIVEN.test(next.gap)) return phraseWorth(signs, at + by);
  }
  return 0;
}

/** "senha: pao de queijo 2030": a few words and a number behind the sign that gives it. */
function phraseWorth(signs: readonly Sign[], from: number): number {
  for (let by = 0; by < 5; by++) {
    const sign = signs[from + by];
    if (!sign || (by > 0 && (endsSentence(signs, from + by) || /[,–]/.test(sign.gap))) || hasMeaning(sign, TOPIC))
      return 0;
    if (sign.kind !== 'number') continue;
    return by > 0 && sign.text.length >= 3 && !hasMeaning(signs[from + by + 1], COUNTED) ? 3 : 0;
  }
  return 0;
}

const PIN_DIGITS = /^\d{4,8}$/;

/** A PIN: its word, what gives it, and four to eight digits. */
function pinAt(signs: readonly Sign[], at: number, digits: ReadonlyMap<number, string>): number {
  for (let by = 1; by <= 4; by++) {
    const sign = signs[at + by];
    if (!sign || endsSentence(signs, at + by) || hasMeaning(sign, TOPIC)) return 0;
    const run = digits.get(at + by);
    if (run === undefined) continue;
    const given = GIVEN.test(sign.gap) || GIVES.has(signs[at + by - 1]?.text ?? '');
    const short = /^cv[vc]$/.test(signs[at]?.text ?? '') && run.length === 3;
    if (short) return 4;
    if (!PIN_DIGITS.test(run) || hasMeaning(signs[at + by + run.length], COUNTED)) return 0;
    return given ? 4 : by === 1 && signs[at]?.text !== 'pin' ? 3 : by === 1 ? 3 : 0;
  }
  return 0;
}

const ACCOUNT_MIN = 7;
const ACCOUNT_MAX = 24;
const CARD = /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6\d{15,18})$/;

/** An account's or card's number: called one, or a card's by its check digit. */
function bankNumberAt(signs: readonly Sign[], { from, end, digits, groups: { length: groups } }: Run): number {
  const solid = signs[from]?.gap ?? '';
  const glued = /[\p{L}\p{N}_/-]$/u.test(solid) && solid.trim() === solid && solid !== '';
  let called = 0;
  for (let back = 1; back <= 6; back++) {
    const sign = signs[from - back];
    if (!sign) break;
    if (hasMeaning(sign, BANK)) called = Math.max(called, back <= 4 ? 2.5 : 2);
  }
  const card = CARD.test(digits) && passesLuhn(digits) && !/^(\d)\1+$/.test(digits);
  if (card && !glued) return 3 + called;
  const plain =
    groups === 1 ||
    signs.slice(from + 1, end).every((sign) => sign.kind !== 'dot' && /^[\s/;*·_-]{0,3}$/.test(sign.gap));
  if (!plain) return 0;
  if (/^\d{2},\d{2},\d{4}$/.test(`${signs.slice(from, end).map((sign) => sign.text)}`)) return 0;
  // Two years, or from one figure to another.
  if (groups === 2 && digits.length <= 8) return 0;
  if (digits.length < ACCOUNT_MIN || digits.length > ACCOUNT_MAX || called === 0 || hasMeaning(signs[end], COUNTED))
    return 0;
  if (signs.slice(from, end).some((sign) => /[,%$€£]/.test(sign.gap) && sign !== signs[from])) return 0;
  return called + (digits.length >= 8 ? 1.5 : 1);
}

/** Every number of an account or a card that the signs tell. */
export function bankNumbersIn(signs: readonly Sign[]): Finding[] {
  return numeralRuns(signs)
    .filter(({ digits }) => digits.length >= ACCOUNT_MIN)
    .flatMap((run) => findingOf('credential', bankNumberAt(signs, run), run.from, run.end - 1));
}

/** Every secret that the signs tell. `texts` are what they were read from. */
export function secretsIn(signs: readonly Sign[], texts: readonly string[]): Finding[] {
  const found: Finding[] = [];
  const runs = numeralRuns(signs);
  const digits = new Map(runs.map((run) => [run.from, run.digits]));
  for (const [at, sign] of signs.entries()) {
    if (hasMeaning(sign, SECRET)) found.push(...findingOf('credential', secretAt(signs, texts, at), at, at + 2));
    if (hasMeaning(sign, PIN)) found.push(...findingOf('credential', pinAt(signs, at, digits), at, at + 2));
  }
  return found;
}
