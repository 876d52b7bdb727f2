// Detects postal addresses: a house number with the name of a street, in the orders of several languages, and post-office
// boxes. A street's name within another name does not count.
import { type Finding, findingOf, SURE, words } from './finding.ts';
import type { Sign } from './reading.ts';

/** After the name: the first in any letter case, the second with capitals only. */
const STRONG = words('street avenue ave boulevard blvd terrace parkway pkwy road lane crescent mews drive');
const WEAK = words(
  `court place square way circle close row quay walk gardens grove hill wharf st rd dr ct ln sq highway parade park loop alley`,
);
/** Before the name. */
const BEFORE = words(
  `rue avenue boulevard chemin impasse allee quai calle avenida av avda paseo plaza carrera via viale piazza corso rua travessa
  praca ulica ul улица улице ул вул вулиця проспект jalan jl c r`,
);
const GLUED =
  /^(?!(?:arbeits|schul|wander|rad|heim|um|fuss|rund|lern|liefer|reise|spiel|markt|park|schlaf)(?:weg|platz)).{3,30}(?:strasse|str|gasse|allee|platz|damm|ufer|weg|straat|laan|plein|gracht|gatan|gade|vej|katu)$/;
/** Words of sentences, which no street name contains. */
const SENTENCE = words(
  `a an and are as at be by can for from has have in is it of on or our so that this to was we will with you your way one two
  side year years month months week weeks day days hour hours minute minutes mile miles km meter metre ft feet star stars
  bedroom bedrooms room rooms people step steps new best per off more most over under than up down into out through along across
  car cars lane lanes wheel hard usb disk speed test case cases high district food shops brands projects clients signs lights
  art artists photographers markets events photos team different local all types parts long short open usd eur dollars users
  minute-drive full half these those no my her his their main`,
);
/** Words before numbers that are no house numbers. */
const OTHERWISE = words(
  'section article title chapter rule clause part act paragraph annex stage booth hall stand stall gate platform halle lesson episode season level volume issue track table row museum theatre cinema gallery church cathedral hotel station film novel',
);
/** Nouns that make a street's name part of another name. */
const TOPICS = words(
  `policy research survey surveys dossier cinema cinéma fiction study studies analysis painting paintings
  watercolour watercolor tribute rilievi perizia statale provinciale regionale visitors visitor landmark landmarks
  tourist tourists guide guided series thesis essay essays choir band brewery facade restoration timeline festival
  market theatre theater musical museum parade replica gallery press catalogue catalog magazine film fan art
  documentary album remaster news style exhibition fair booth hall stall stand stage trip trail tour tours season
  episode song songs photos views poster posters puppets view minuten minutes min miles km cards game show book
  books journal papers records club cup league team championship party dance history novel story stories food
  seats rows gates map maps`,
);
/** Small words within a name, and words before its number. */
const SMALL = words(
  'de del della dei da do das dos la le las des du san of the d no nr numero number nummer дом д буд',
);
const NAME_MAX = 4;

const isHouse = (sign: Sign | undefined, digits: number): boolean =>
  sign?.digits != null && !sign.weak && (sign.spoken || sign.digits.length <= digits) && !/[$€£.#]$|^$/.test(sign.gap);

/** "12 Minuten", "10 a week": a counted noun follows the number. */
const isCount = (signs: readonly Sign[], at: number): boolean => {
  const after = signs[at + 1];
  return after?.kind === 'word' && after.gap === ' ' && !after.capital && after.field === signs[at]?.field;
};

/** Whether the street's name is part of another name: "Main Street Food Festival". */
const isTopic = (signs: readonly Sign[], at: number): boolean =>
  [0, 1, 2, 3].some((by) => TOPICS.has(signs[at + by]?.text ?? '') && signs[at + by]?.field === signs[at]?.field);

/** "221B Baker Street", "350 5th Avenue", "4711 N. Clark St." */
function namedBefore(signs: readonly Sign[], at: number): boolean {
  const sign = signs[at];
  const after = signs[at + 1];
  const strong = STRONG.has(sign?.text ?? '');
  if (!sign || !(strong || (WEAK.has(sign.text) && sign.capital)) || isTopic(signs, at + 1)) return false;
  const closes = after?.gap !== ' ' || after.capital || after.kind !== 'word' || after.text.length < 3;
  let capitals = 0;
  let names = 0;
  for (let from = at - 1; from >= at - NAME_MAX - 2; from--) {
    const [name, next] = [signs[from], signs[from + 1]];
    if (!name || name.field !== sign.field || !next || !/^[ '’-]{0,2}$|^, $/.test(next.gap)) return false;
    const ordinal = name.kind === 'number' && /^(?:st|nd|rd|th)$/.test(next.text) && next.gap === '';
    if (ordinal || (name.kind === 'dot' && /^[a-z]{1,2}$/.test(signs[from - 1]?.text ?? ''))) continue;
    if (name.digits !== null && names > 0 && !name.weak) {
      const before = signs[from - 1];
      const house =
        isHouse(name, 5) &&
        next.gap !== '-' &&
        !OTHERWISE.has(before?.text ?? '') &&
        !OTHERWISE.has(signs[from - 2]?.text ?? '');
      return house && (capitals === names || (strong && closes));
    }
    if (name.kind !== 'word' || (SENTENCE.has(name.text) && !name.capital)) return false;
    if (name.gap === '' && name.text.length === 1) continue;
    names += 1;
    if (name.capital || name.digits !== null || name.gap === '' || name.gap === "'") capitals += 1;
    if (!strong && capitals < names) return false;
  }
  return false;
}

/** "Calle Mayor 5", "ul. Prosta 20", "via Roma, 12", and with the number in front: "12 rue de la Paix". */
function namedBehind(signs: readonly Sign[], at: number): boolean {
  if (!BEFORE.has(signs[at]?.text ?? '') || isTopic(signs, at + 1)) return false;
  const from = signs[at + 1]?.kind === 'dot' ? at + 2 : at + 1;
  const short = (signs[at]?.text.length ?? 0) < 2;
  if (short && !signs[from]?.gap.startsWith(signs[at]?.text === 'c' ? '/' : ' ')) return false;
  const before = /^(?:bis|ter)$/.test(signs[at - 1]?.text ?? '') ? at - 2 : at - 1;
  const named = signs[from]?.capital || SMALL.has(signs[from]?.text ?? '');
  if (named && !short && isHouse(signs[before], 4) && /^,? $/.test(signs[at]?.gap ?? '')) return true;
  let capitals = 0;
  for (let next = from; next < from + 6; next++) {
    const sign = signs[next];
    if (!sign || sign.field !== signs[at]?.field) return false;
    if (sign.digits !== null && !sign.weak) return capitals > 0 && isHouse(sign, 4) && !isCount(signs, next);
    if (sign.kind === 'word' && sign.capital && sign.text.length > 2) capitals += 1;
    else if (sign.kind !== 'dot' && !(SMALL.has(sign.text) && /^,? $|^'$/.test(sign.gap))) return false;
  }
  return false;
}

/** "Hauptstraße 12", "Keizersgracht 123". */
function isGlued(signs: readonly Sign[], at: number): boolean {
  const sign = signs[at];
  const next = signs[at + 1]?.kind === 'dot' ? signs[at + 2] : signs[at + 1];
  if (sign?.kind !== 'word' || !sign.capital || !GLUED.test(sign.text)) return false;
  return isHouse(next, 4) && next?.gap === ' ' && !isCount(signs, next === signs[at + 1] ? at + 1 : at + 2);
}

const BOX = /(?<![a-z])(?:p\.? ?o\.? ?box|postfach|apartado|postbus) ?#?\d/i;
const EASTERN =
  /[0-9一二三四五六七八九十]{1,3}丁目|[시군구]\s?[가-힣]{1,8}(?:로|길)\s?[0-9]{1,4}(?![0-9])|[路街道巷弄]\s?[0-9]{1,5}\s?[号號]|〒\s?[0-9]{3}-?[0-9]{4}/u;

/** All postal addresses in the signs. `texts` are the texts of the signs. */
export function homesIn(signs: readonly Sign[], texts: readonly string[]): Finding[] {
  const found: Finding[] = [];
  for (const [at, sign] of signs.entries()) {
    if (sign.kind !== 'word') continue;
    if (namedBefore(signs, at) || namedBehind(signs, at) || isGlued(signs, at))
      found.push(...findingOf('street_address', SURE, at, at));
  }
  for (const [field, text] of texts.entries())
    if (BOX.test(text) || EASTERN.test(text)) {
      const at = signs.findIndex((sign) => sign.field === field);
      found.push(...findingOf('street_address', SURE, at, at));
    }
  return found;
}
