// Where somebody lives, by evidence: a word for a street with a number beside it, said or written, and words that speak of a
// door, a floor or one's own home. A street that gives its name to a market or a show is none.
import { endsSentence, type Finding, findingOf, hasMeaning } from './finding.ts';
import { COUNTED, HOME, STREET, STREET_TOPIC } from './lexicon.ts';
import type { Sign } from './reading.ts';
import { words } from './tokens.ts';

/** How far a number may stand from the word for its street, and what else tells a home around it. */
const NUMBER_NEAR = 5;
const HOME_NEAR = 12;

const isNumber = (sign: Sign | undefined): boolean =>
  sign !== undefined && sign.digits !== null && !sign.weak && sign.kind !== 'at' && sign.digits.length <= 4;

/** Whether a sentence ends between two places. */
function isParted(signs: readonly Sign[], a: number, b: number): boolean {
  // The dot of "st." ends no sentence.
  const skip = a < b && signs[a + 1]?.kind === 'dot' ? 3 : 1;
  for (let at = Math.min(a, b) + skip; at <= Math.max(a, b); at++) {
    const shortened =
      signs[at - 1]?.kind === 'dot' &&
      (signs[at - 2]?.text.length ?? 9) <= 4 &&
      signs[at]?.field === signs[at - 1]?.field;
    if (endsSentence(signs, at) && !shortened) return true;
  }
  return false;
}

function numberNear(signs: readonly Sign[], at: number): number | null {
  for (let by = 1; by <= NUMBER_NEAR; by++) {
    for (const place of [at + by, at - by]) {
      const sign = signs[place];
      // "M1A1" is a name.
      if (sign?.gap === '' && signs[place - 1]?.kind === 'word') continue;
      if (!isNumber(sign) || isParted(signs, at, place)) continue;
      if (hasMeaning(signs[place + 1], COUNTED) && !hasMeaning(signs[place + 1], HOME)) continue;
      return place;
    }
  }
  return null;
}

const ORDINARY = words(
  'way place close drive route court via road lane row walk rise hill parade square alley gardens grove park terrace crescent cours place camino largo ring weg dr ct st ave rd ln pl c r v cl ul pr cd sk gang no str av d damm ronda place strada',
);

const ROMANCE = words('via viale piazza corso largo vicolo ul pl strada rua calle place cours camino');
const SMALL = words('de du des la le del da do dos');
/** A postal code and its town. */
const POSTAL = /^\d{5,6}$/;

/** Words for a street that are glued to its name: "Lindenstraße". */
const GLUED = [
  'strasse',
  'str',
  'weg',
  'platz',
  'ufer',
  'vej',
  'utca',
  'straat',
  'gracht',
  'gatan',
  'vagen',
  'gasse',
  'allee',
  'damm',
  'laan',
];

function homeAt(signs: readonly Sign[], at: number): number {
  const sign = signs[at];
  if (!sign) return 0;
  const glued =
    sign.kind === 'word' &&
    sign.is === 0 &&
    sign.text.length > 7 &&
    sign.capital &&
    GLUED.some((end) => sign.text.endsWith(end));
  if (!glued && !hasMeaning(sign, STREET)) return 0;
  if (sign.text === 'r' && signs[at + 1]?.kind !== 'dot') return 0;
  if (sign.text === 'c' && !signs[at + 1]?.gap.startsWith('/')) return 0;
  const short = sign.text.length <= 2 && /^[a-z]+$/.test(sign.text);
  const behind = signs[at + 1]?.kind === 'dot' ? signs[at + 2] : signs[at + 1];
  const shortened = signs[at + 1]?.kind === 'dot' && sign.text.length <= 3 && behind?.gap.startsWith(' ');
  // Romance and Slavic words for a street are written small before its name.
  const small =
    (ROMANCE.has(sign.text) || shortened) &&
    ((behind?.capital && behind.text.length > 2) || SMALL.has(behind?.text ?? ''));
  // Words of many sentences are streets only as names are written.
  if (
    !small &&
    ORDINARY.has(sign.text) &&
    !(sign.capital && (signs[at - 1]?.capital || signs[at + 1]?.capital || signs[at + 1]?.kind === 'number'))
  )
    return 0;
  const marked = !short || sign.capital || signs[at + 1]?.kind === 'dot' || /[/.]/.test(signs[at + 1]?.gap ?? '');
  if (!marked) return 0;
  const number = numberNear(signs, at);
  if (number === null) return 0;
  const spoken = signs[number]?.spoken === true;
  // "Module, the one" counts nothing.
  if (spoken && Math.abs(number - at) > 3 && !hasMeaning(signs[number - 1], HOME)) return 0;
  let homes = 0;
  for (let i = Math.max(0, at - HOME_NEAR); i <= Math.min(signs.length - 1, at + HOME_NEAR); i++) {
    if (POSTAL.test(signs[i]?.text ?? '') && (signs[i + 1]?.capital || signs[i - 1]?.capital)) homes += 1;
    if (hasMeaning(signs[i], STREET_TOPIC) || hasMeaning(signs[i], COUNTED))
      homes -= hasMeaning(signs[i], HOME) ? 0 : 1;
    if (i === at || !hasMeaning(signs[i], HOME)) continue;
    homes += (signs[i]?.text.length ?? 0) > 2 ? 1 : 0.5;
  }
  // "Rua das Flores, 123, Porto".
  const listed = signs[number]?.gap.startsWith(',') && number > at && !ORDINARY.has(sign.text);
  if (listed && (!signs[number + 1] || /^,/.test(signs[number + 1]?.gap ?? ''))) homes += 1;
  const named = signs[at + 1]?.capital || signs[at - 1]?.capital || glued;
  const evidence = 1 + (short ? 0 : 0.5) + (Math.abs(number - at) <= 3 ? 1 : 0.5) + (named ? 0.5 : 0);
  return homes <= 0 ? 0 : evidence + Math.min(3, homes);
}

export function homesIn(signs: readonly Sign[]): Finding[] {
  const found: Finding[] = [];
  for (let at = 0; at < signs.length; at++) found.push(...findingOf('street_address', homeAt(signs, at), at, at + 1));
  return found;
}
