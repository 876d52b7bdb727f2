// Phone numbers: international ones, the shapes that national plans give them, anything that a word such as "call" calls a
// number, and digits that were spelled or spaced out. A number that only looks like a count or a product is none.
import { legibleWords } from './legible.ts';
import type { Group, Run } from './spoken.ts';
import { type Token, words } from './tokens.ts';

const CUES = legibleWords(
  `phone phones tel telephone call cell cellphone mobile mob text sms whatsapp whats fax signal viber telegram ring dial
  hotline helpline landline handy telefon telefono telefone portable mobil movil celular llamar llame ruf rufen anrufen
  wechat imo ph contact reach rufnummer telefonnummer tfn appelez tlf telefoon gsm facetime imessage тел телефон`,
);
const FILLERS = words(
  `me us at on is are number numbers no now nr num my the for our team directly today under via by or and a an whatsapp
  anytime au al mich uns us ons this please app wa with code line numero nummer unter sur de extension details of`,
);
/** What a number belongs to that is called by such a word: no phone's. */
const OTHERS = words(
  `isbn issn sku part model item ref reference serial order invoice patent version ean upc gtin asin doi product article
  catalog catalogue grant award contract topic license licence permit registration vat ein duns case docket id nsn cas
  oclc lot batch tracking build release iso rfc standard account iban routing page pages pin zip plz postcode section
  project proposal solicitation budget population employees size sizes coordinates lat lon lng latitude longitude`,
);
/** A count is followed by what is counted. */
const UNITS = words(
  `users messages calls minutes rows usd eur gbp dollars euros customers downloads records people words times hours days
  per month months year years items units km miles kg tokens requests texts subscribers members impressions percent
  pixels px mm cm gb mb tb hz samples images parameters entries visits visitors characters cells phones words sq readers rpm listeners viewers followers units volts watts`,
);
const FILLERS_MAX = 6;

/** Whether a word before the number calls it one to reach somebody by: true, or false for a number of another thing. */
function calledPhone(tokens: readonly Token[], at: number): boolean | null {
  for (let back = 1; back <= FILLERS_MAX; back++) {
    const token = tokens[at - back];
    if (!token) return null;
    if (CUES.has(token.lower)) return true;
    if (OTHERS.has(token.lower)) return false;
    if (token.kind === 'word' && !FILLERS.has(token.lower)) return null;
    if (token.kind === 'number' || (token.kind === 'sign' && !':.#-=(,+~"\'/'.includes(token.lower))) return null;
  }
  return null;
}

function isGlued(tokens: readonly Token[], at: number): boolean {
  const [one, two] = [tokens[at - 1], tokens[at - 2]];
  if (!one || tokens[at]?.spaced) return false;
  if (one.kind === 'word' || '$€£#'.includes(one.lower)) return true;
  return '-_./'.includes(one.lower) && !one.spaced && two !== undefined && two.kind !== 'sign';
}

/** `wa.me/14155550123`. */
function isChatLink(tokens: readonly Token[], at: number): boolean {
  const path = tokens.slice(Math.max(0, at - 4), at).map((token) => token.lower);
  return path.join('') === 'wa.me/' && (tokens[at]?.lower.length ?? 0) >= 8;
}

function hasPlus(tokens: readonly Token[], at: number): boolean {
  for (let back = 1; back <= 2; back++) {
    const token = tokens[at - back];
    if (token?.lower === '+' || token?.lower === 'plus') return true;
    if (token?.lower !== '(' && token?.lower !== '-') return false;
  }
  return false;
}

const NANP = /^1?\|?[2-9]\d{2}\|[2-9]\d{2}\|\d{4}$/;
const VANITY_AREA = /^8(?:00|88|77|66|55|44|33)$/;

const isArea = (digits: string | undefined): boolean => digits !== undefined && /^[2-9]\d{2}$/.test(digits);

/** Counted up or in steps, as scales and tables are. */
function isCounting(digits: readonly string[]): boolean {
  const step = Number(digits[1]) - Number(digits[0]);
  return digits.every((d, at) => at === 0 || Number(d) - Number(digits[at - 1]) === step);
}

/** E.164. */
const DIGITS_MAX = 15;

interface Window {
  readonly groups: Run;
  readonly total: number;
}

/** The groups from a place on that together have at most `most` digits, a plain separator between each. */
function windowAt(run: Run, from: number, most: number): Window {
  const groups: Group[] = [];
  let total = 0;
  for (let at = from; at < run.length && at < from + most; at++) {
    const group = run[at];
    if (!group || total + group.digits.length > most || (at > from && group.before.includes(','))) break;
    groups.push(group);
    total += group.digits.length;
  }
  return { groups, total };
}

function isSpacedOut(run: Run, from: number, cued: boolean): boolean {
  const digits: string[] = [];
  // "6-4 3-6 7-6": pairs are results of games.
  const pairs = run
    .slice(from + 1, from + 5)
    .map((group) => group.before.trim())
    .join('|');
  if (pairs === '-||-|' || pairs === '|-||-') return false;
  for (let at = from; at < run.length && digits.length < DIGITS_MAX; at++) {
    const group = run[at];
    if (!group || group.digits.length > 1 || (at > from && group.before.includes(','))) break;
    digits.push(group.digits);
  }
  return digits.length >= (cued ? 7 : 9) && !isCounting(digits);
}

function isSpokenOut(run: Run, from: number, cued: boolean): boolean {
  if (!run[from]?.spoken && !run[from + 1]?.spoken && !run[from + 2]?.spoken) return false;
  let spoken = 0;
  let single = 0;
  let total = 0;
  const digits: string[] = [];
  for (let at = from; at < Math.min(run.length, from + 16); at++) {
    const group = run[at];
    if (!group) break;
    digits.push(group.digits);
    total += group.digits.length;
    if (group.spoken) spoken += 1;
    if (group.digits.length === 1) single += 1;
    if (spoken >= 3 && total >= (cued ? 7 : 9) && (cued || single > 3) && !isCounting(digits)) return true;
  }
  return false;
}

/** The shapes of national plans that nothing else is usually written in. */
function isNational({ groups }: Window): boolean {
  const [a, b, c, d] = groups.slice(0, 4).map((group) => group.digits);
  // Round figures all along are a price list.
  if (groups.length > 1 && groups.every((group) => /[1-9]0+$/.test(group.digits))) return false;
  if (a === undefined || b === undefined) return a !== undefined && /^0[1-9]\d{8,9}$/.test(a);
  const shape = groups.slice(0, a === '1' ? 4 : 3);
  const bracketed = groups.some((group) => group.before.includes(')'));
  const signs = new Set(shape.slice(a === '1' ? 2 : 1).map((group) => group.before.trim()));
  if ((bracketed || signs.size === 1) && NANP.test(shape.map((group) => group.digits).join('|'))) return true;
  const inner = a === '1' ? c : b;
  const area = a === '1' ? b : a;
  if (bracketed && isArea(area) && inner !== undefined && (/^\d{7}$/.test(inner) || d !== undefined)) return true;
  return /^[6-9]\d{4}$/.test(a) && /^\d{5}$/.test(b) && groups.length === 2 && groups[1]?.before === ' ';
}

/** A trunk zero in front, and groups of two digits or more: most of Europe, Asia and Africa. */
function isTrunk(run: Run, from: number): boolean {
  if (!/^0[1-9]\d{0,5}$/.test(run[from]?.digits ?? '')) return false;
  const { groups } = windowAt(run, from, 12);
  const [first] = groups;
  if (!first || groups.length < 2 || groups.length > 6) return false;
  if (groups.some((group, at) => group.digits.length < 2 || (at > 0 && group.before.length > 2))) return false;
  const decimal = groups.length === 2 && groups[1]?.before === '.' && first.digits.length < 3;
  const total = groups.reduce((sum, group) => sum + group.digits.length, 0);
  return !decimal && total >= 9;
}

function isInternational(run: Run, from: number, unit: boolean): boolean {
  const { groups, total } = windowAt(run, from, 16);
  const [first] = groups;
  if (!first || total < 8 || total > 15 || !/^[1-9]/.test(first.digits) || unit) return false;
  // "+10 000 000" is a count.
  return !groups.slice(1).every((group) => /^000$/.test(group.digits)) || groups.length === 1;
}

function reachesPerson(tokens: readonly Token[], run: Run, from: number): boolean {
  const group = run[from];
  if (!group) return false;
  const last = run[Math.min(run.length, from + 6) - 1] ?? group;
  const cue = calledPhone(tokens, group.at);
  if (cue === false) return false;
  const unit = UNITS.has(tokens[last.end]?.lower ?? '');
  if (
    tokens[last.end]?.lower === '(' &&
    CUES.has(tokens[last.end + 1]?.lower ?? '') &&
    windowAt(run, from, 15).total >= 7
  ) {
    return true;
  }
  if (hasPlus(tokens, group.at) && isInternational(run, from, unit)) return true;
  if (isSpokenOut(run, from, cue === true) || isSpacedOut(run, from, cue === true)) return true;
  if (cue === true && !unit) {
    const { groups, total } = windowAt(run, from, 15);
    const decimal = groups.length === 2 && groups[1]?.before === '.' && (groups[0]?.digits.length ?? 0) < 3;
    if (total >= 7 && !decimal && !groups.every((one, at) => at === 0 || one.digits === '000')) return true;
    if (total >= 7 && groups.length === 1) return true;
  }
  if (isChatLink(tokens, group.at)) return true;
  if (unit || isGlued(tokens, group.at)) return false;
  if (/^00[1-9]/.test(group.digits) && windowAt(run, from, 17).total >= 10 && (run.length > from + 1 || cue === true)) {
    return true;
  }
  // Shapes begin with at least two digits, or with the long-distance 1 before an area.
  const short = group.digits.length < 2 && !isArea(run[from + 1]?.digits);
  return !short && (isTrunk(run, from) || isNational(windowAt(run, from, DIGITS_MAX)));
}

/** `1-800-FLOWERS`. */
function isVanity(tokens: readonly Token[], at: number): boolean {
  if (!VANITY_AREA.test(tokens[at]?.lower ?? '')) return false;
  const sign = tokens[at + 1];
  const next = sign?.kind === 'sign' ? tokens[at + 2] : sign;
  const cued = tokens[at - 1]?.lower === '-' || calledPhone(tokens, at) === true;
  return cued && next?.kind === 'word' && next.lower.length >= 3 && next.lower.length <= 9 && sign?.lower === '-';
}

/** Whether the text holds a phone number. */
export function hasPhone(tokens: readonly Token[], runs: readonly Run[]): boolean {
  for (const run of runs) for (let at = 0; at < run.length; at++) if (reachesPerson(tokens, run, at)) return true;
  return tokens.some((token, at) => token.kind === 'number' && token.lower.length === 3 && isVanity(tokens, at));
}

/** Dates, times, network addresses, spans of years, parts with a letter behind, matrices and the digits of pi, which are no phone's however they are grouped. */
const OTHER_NUMBERS =
  /(?<![\d.])(?:\d{3}-\d{3}-\d{4}-[A-Z](?![A-Za-z0-9])|(?<![A-Za-z])(?:[Mm]atrix|[Pp]i)(?![A-Za-z])[^\d\n]{0,20}[\d ,;/]{7,60}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d{2}|\d{1,3}(?:\.\d{1,3}){3}|(?:19|20)\d{2}\s?[-/]\s?(?:19|20)?\d{2}|\d{1,2}:\d{2})(?![\d]|\.\d)/g;

/** The text without the numbers that cannot be a phone's. */
export function withoutOtherNumbers(text: string): string {
  return text.replace(OTHER_NUMBERS, ' ; ');
}
