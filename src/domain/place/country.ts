// Looks up countries by name, alias, and group of countries.
import { once } from '../once.ts';
import { hyphenate } from '../text/fold.ts';
import { COUNTRY_NAMES } from './country-names.ts';

/** Aliases: abbreviations, former and local names, parts of a country used for the whole, provinces by full name. */
const ALIASES: Readonly<Record<string, string>> = {
  US: 'usa|u-s|u-s-a|united states of america|america|estados unidos',
  GB: 'uk|u-k|great britain|britain|england|scotland|wales|northern ireland',
  DE: 'deutschland|bavaria',
  ES: 'espana|catalonia',
  CZ: 'czech republic',
  NL: 'holland|the netherlands',
  CH: 'schweiz|suisse',
  AT: 'osterreich',
  IE: 'republic of ireland|eire',
  IT: 'italia',
  KR: 'korea|republic of korea',
  TR: 'turkiye',
  RU: 'russian federation',
  CN: 'peoples republic of china|prc|mainland china',
  HK: 'hong kong sar|hong kong sar china',
  MO: 'macau',
  TW: 'republic of china|chinese taipei',
  VN: 'viet nam',
  AE: 'uae|emirates',
  SA: 'ksa',
  BR: 'brasil',
  MX: 'baja california',
  CI: "cote d'ivoire",
  CD: 'democratic republic of the congo|congo kinshasa',
  CG: 'republic of the congo|congo brazzaville',
  MM: 'burma',
  SZ: 'swaziland',
  MK: 'macedonia',
  CV: 'cabo verde',
  TL: 'east timor',
  PS: 'palestinian territories',
  VA: 'holy see',
  CA: 'on|bc|qc|ab|mb|ontario|quebec|british columbia|alberta|manitoba|saskatchewan|nova scotia|new brunswick|newfoundland and labrador',
  AU: 'nsw|vic|qld|new south wales|queensland|south australia|western australia|tasmania',
};

const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE';
const LATIN = 'AR BO BR CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV UY VE';
const ASIA = 'BD BT BN KH CN HK IN ID JP KZ KG LA MO MY MV MN MM NP PK PH SG KR LK TW TJ TH TL TM UZ VN';
const AFRICA =
  'DZ AO BJ BW BF BI CM CV CF TD KM CG CD CI DJ EG GQ ER ET GA GM GH GN GW KE LS LR LY MG MW ML MR MU MA MZ NA NE NG ' +
  'RW SC SL SN SO SS SD ST SZ TG TN TZ UG ZA ZM ZW';
const GULF = 'AE BH KW OM QA SA';
const EUROPE = `${EU} AD AL BA BY CH FO GB GG GI IM IS JE LI MC MD ME MK NO RS RU SM UA VA`;
const MIDDLE_EAST = `${GULF} IL IQ IR JO LB PS SY TR YE`;

/** Groups of countries by folded name. */
const GROUPS: Readonly<Record<string, string>> = {
  eu: EU,
  'european-union': EU,
  eea: `${EU} IS LI NO`,
  europe: EUROPE,
  dach: 'DE AT CH',
  benelux: 'BE NL LU',
  nordics: 'DK FI IS NO SE',
  scandinavia: 'DK NO SE',
  baltics: 'EE LV LT',
  'north-america': 'US CA MX',
  'central-america': 'BZ CR GT HN NI PA SV',
  'south-america': 'AR BO BR CL CO EC GF GY PE PY SR UY VE',
  'latin-america': LATIN,
  latam: LATIN,
  americas: `US CA ${LATIN}`,
  asia: ASIA,
  'southeast-asia': 'BN KH ID LA MY MM PH SG TH TL VN',
  apac: `${ASIA} AU NZ`,
  'asia-pacific': `${ASIA} AU NZ`,
  anz: 'AU NZ',
  oceania: 'AU NZ FJ PG SB VU WS TO',
  africa: AFRICA,
  'middle-east': MIDDLE_EAST,
  gcc: GULF,
  mena: `${MIDDLE_EAST} DZ EG LY MA TN`,
  emea: `${EUROPE} ${MIDDLE_EAST} ${AFRICA}`,
};

/** The folded lookup key of names: `St.` and `Saint`, `&` and `and`, with and without `the`, are equal. */
export function placeKey(text: string): string {
  return hyphenate(text)
    .replace(/\b(the|and)-/g, '')
    .replace(/^st-/, 'saint-');
}

const byKey = once(
  () =>
    new Map([
      ...[...COUNTRY_NAMES].map(([code, name]): [string, string] => [placeKey(name), code]),
      ...Object.entries(ALIASES).flatMap(([code, names]) =>
        names.split('|').map((name): [string, string] => [placeKey(name), code]),
      ),
    ]),
);

/** The English name of an ISO 3166-1 alpha-2 code in capitals, or null when there is no such country. */
export function countryName(code: string): string | null {
  return COUNTRY_NAMES.get(code) ?? null;
}

/** The codes of a `placeKey`: one for a country's name or alias, several for a group such as `eu`, else null. */
export function countriesNamed(key: string): readonly string[] | null {
  const code = byKey().get(key);
  if (code !== undefined) return [code];
  return Object.hasOwn(GROUPS, key) ? (GROUPS[key]?.split(' ') ?? null) : null;
}
