// Numbers of cards and bank accounts, told from other numbers by their own checksums (Luhn, IBAN's mod 97, the routing
// number's weights) or by the word before them.
import type { Group, Run } from './spoken.ts';
import { type Token, words } from './tokens.ts';

const CARD_MIN = 13;
const CARD_MAX = 19;

/** Whether a number's last digit is the check digit of the others, as of every card's number (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The ranges that card networks have, with the lengths of their numbers. */
function isIssued(digits: string): boolean {
  const { length } = digits;
  if (/^4/.test(digits)) return length === 13 || length === 16 || length === 19;
  if (/^3[47]/.test(digits)) return length === 15;
  if (/^3(?:0[0-5]|[689])/.test(digits)) return length === 14;
  if (/^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|35(?:2[89]|[3-8]))/.test(digits)) return length === 16;
  return /^(?:6(?:011|4[4-9]|5)|62)/.test(digits) && length >= 16;
}

/** As cards are written: whole, in fours, as 4-6-5, or drawn apart evenly. */
function isCardShaped(groups: readonly Group[]): boolean {
  const [first] = groups;
  if (!first || groups.length === 1) return true;
  const sizes = groups.map((group) => group.digits.length).join('');
  return /^(?:4{3,4}[1-4]?|465|464|1+|2+[12]?|8{2}|4{2}8|84{2})$/.test(sizes) || groups.every((group) => group.spoken);
}

function cardAt(run: Run, from: number): boolean {
  // No network's numbers begin with another digit.
  if (!/^[2-6]/.test(run[from]?.digits ?? '')) return false;
  let digits = '';
  const groups: Group[] = [];
  for (let at = from; at < run.length; at++) {
    const group = run[at];
    if (!group || (at > from && group.before.includes(','))) return false;
    digits += group.digits;
    groups.push(group);
    if (digits.length > CARD_MAX) return false;
    if (digits.length < CARD_MIN || !isIssued(digits) || !passesLuhn(digits)) continue;
    if (isCardShaped(groups) && !/^(\d)\1+$/.test(digits)) return true;
  }
  return false;
}

/** Characters of an IBAN by country. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SC: 31,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
};

/** Whether an IBAN's check digits are right: the remainder of the whole by 97 is 1 (ISO 13616). */
export function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const DIGITS_MIN = 10;
const IBAN_START = /(?<![A-Za-z0-9])([A-Za-z][ -]?[A-Za-z])[ -]?[0-9][ -]?[0-9](?=[ -]?[A-Za-z0-9])/g;

function hasIban(text: string): boolean {
  for (const found of text.matchAll(IBAN_START)) {
    const country = (found[1] ?? '').replace(/[ -]/g, '').toUpperCase();
    const length = IBAN_LENGTHS[country];
    if (length === undefined) continue;
    // Drawn apart, an IBAN has a sign between all of its characters at most.
    const iban = text
      .slice(found.index, found.index + length * 2)
      .replace(/[ .-]/g, '')
      .slice(0, length)
      .toUpperCase();
    if (iban.length !== length || !/^[A-Z0-9]+$/.test(iban)) continue;
    // Words could pass the checksum by chance; accounts are mostly digits.
    if (iban.replace(/[A-Z]/g, '').length >= DIGITS_MIN && passesMod97(iban)) return true;
  }
  return false;
}

const ROUTING = words('routing aba rtn bankleitzahl blz');
const SORT = words('sort sortcode');
const SOCIAL = words('ssn security');
const ACCOUNT = words('account acct acc konto kontonummer kontonr cuenta compte');
const FILLERS = words('number numbers no nr num is code transit and the bank num der transfer nummer my our to');

/** The word that calls a number, a few fillers before it. */
function isCalledBy(tokens: readonly Token[], at: number, cues: ReadonlySet<string>): boolean {
  for (let back = 1; back <= 5; back++) {
    const token = tokens[at - back];
    if (!token) return false;
    if (cues.has(token.lower)) return true;
    if (token.kind === 'number' || (token.kind === 'word' && !FILLERS.has(token.lower))) return false;
  }
  return false;
}

const WEIGHTS = [3, 7, 1];

function passesRouting(digits: string): boolean {
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (WEIGHTS[at % 3] ?? 0), 0);
  return digits.length === 9 && sum > 0 && sum % 10 === 0;
}

/** No number of an account is longer than these groups hold. */
const GROUPS_MAX = 24;

const digitsOf = (run: Run): string =>
  run
    .slice(0, GROUPS_MAX)
    .map((group) => group.digits)
    .join('');

function isBanked(tokens: readonly Token[], run: Run): boolean {
  const [first] = run;
  if (!first) return false;
  const digits = digitsOf(run);
  if (isCalledBy(tokens, first.at, ROUTING))
    return passesRouting(first.digits) || passesRouting(digits) || digits.length === 8;
  if (isCalledBy(tokens, first.at, ACCOUNT)) return digits.length >= 6 && digits.length <= 18;
  return isCalledBy(tokens, first.at, SORT) && digits.length >= 6 && first.digits.length !== 4;
}

/** US social security numbers, where they are called that. */
function isSocialSecurity(tokens: readonly Token[], run: Run): boolean {
  const [first] = run;
  return first !== undefined && digitsOf(run).length === 9 && isCalledBy(tokens, first.at, SOCIAL);
}

/** Whether the text holds the number of a card or a bank account. */
export function hasBankNumber(tokens: readonly Token[], runs: readonly Run[], text: string): boolean {
  for (const run of runs) {
    for (let at = 0; at < run.length; at++) if (cardAt(run, at)) return true;
    if (isBanked(tokens, run) || isSocialSecurity(tokens, run)) return true;
  }
  return hasIban(text);
}
