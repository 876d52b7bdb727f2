// Countries: ISO 3166-1 codes with their English names, other names that people use, and groups of countries. Plain data
// in our own file rather than the runtime's, so that a listing's place means the same on every machine.
import { hyphenate } from '../text/fold.ts';

const TABLE =
  'AD Andorra|AE United Arab Emirates|AF Afghanistan|AG Antigua and Barbuda|AI Anguilla|AL Albania|AM Armenia|' +
  'AO Angola|AQ Antarctica|AR Argentina|AS American Samoa|AT Austria|AU Australia|AW Aruba|AX Åland Islands|' +
  'AZ Azerbaijan|BA Bosnia and Herzegovina|BB Barbados|BD Bangladesh|BE Belgium|BF Burkina Faso|BG Bulgaria|' +
  'BH Bahrain|BI Burundi|BJ Benin|BL Saint Barthélemy|BM Bermuda|BN Brunei|BO Bolivia|BQ Caribbean Netherlands|' +
  'BR Brazil|BS Bahamas|BT Bhutan|BV Bouvet Island|BW Botswana|BY Belarus|BZ Belize|CA Canada|CC Cocos Islands|' +
  'CD DR Congo|CF Central African Republic|CG Congo|CH Switzerland|CI Ivory Coast|CK Cook Islands|CL Chile|' +
  'CM Cameroon|CN China|CO Colombia|CR Costa Rica|CU Cuba|CV Cape Verde|CW Curaçao|CX Christmas Island|CY Cyprus|' +
  'CZ Czechia|DE Germany|DJ Djibouti|DK Denmark|DM Dominica|DO Dominican Republic|DZ Algeria|EC Ecuador|EE Estonia|' +
  'EG Egypt|EH Western Sahara|ER Eritrea|ES Spain|ET Ethiopia|FI Finland|FJ Fiji|FK Falkland Islands|FM Micronesia|' +
  'FO Faroe Islands|FR France|GA Gabon|GB United Kingdom|GD Grenada|GE Georgia|GF French Guiana|GG Guernsey|' +
  'GH Ghana|GI Gibraltar|GL Greenland|GM Gambia|GN Guinea|GP Guadeloupe|GQ Equatorial Guinea|GR Greece|' +
  'GS South Georgia and South Sandwich Islands|GT Guatemala|GU Guam|GW Guinea-Bissau|GY Guyana|HK Hong Kong|' +
  'HM Heard and McDonald Islands|HN Honduras|HR Croatia|HT Haiti|HU Hungary|ID Indonesia|IE Ireland|IL Israel|' +
  'IM Isle of Man|IN India|IO British Indian Ocean Territory|IQ Iraq|IR Iran|IS Iceland|IT Italy|JE Jersey|' +
  'JM Jamaica|JO Jordan|JP Japan|KE Kenya|KG Kyrgyzstan|KH Cambodia|KI Kiribati|KM Comoros|' +
  'KN Saint Kitts and Nevis|KP North Korea|KR South Korea|KW Kuwait|KY Cayman Islands|KZ Kazakhstan|LA Laos|' +
  'LB Lebanon|LC Saint Lucia|LI Liechtenstein|LK Sri Lanka|LR Liberia|LS Lesotho|LT Lithuania|LU Luxembourg|' +
  'LV Latvia|LY Libya|MA Morocco|MC Monaco|MD Moldova|ME Montenegro|MF Saint Martin|MG Madagascar|' +
  'MH Marshall Islands|MK North Macedonia|ML Mali|MM Myanmar|MN Mongolia|MO Macao|MP Northern Mariana Islands|' +
  'MQ Martinique|MR Mauritania|MS Montserrat|MT Malta|MU Mauritius|MV Maldives|MW Malawi|MX Mexico|MY Malaysia|' +
  'MZ Mozambique|NA Namibia|NC New Caledonia|NE Niger|NF Norfolk Island|NG Nigeria|NI Nicaragua|NL Netherlands|' +
  'NO Norway|NP Nepal|NR Nauru|NU Niue|NZ New Zealand|OM Oman|PA Panama|PE Peru|PF French Polynesia|' +
  'PG Papua New Guinea|PH Philippines|PK Pakistan|PL Poland|PM Saint Pierre and Miquelon|PN Pitcairn Islands|' +
  'PR Puerto Rico|PS Palestine|PT Portugal|PW Palau|PY Paraguay|QA Qatar|RE Réunion|RO Romania|RS Serbia|RU Russia|' +
  'RW Rwanda|SA Saudi Arabia|SB Solomon Islands|SC Seychelles|SD Sudan|SE Sweden|SG Singapore|SH Saint Helena|' +
  'SI Slovenia|SJ Svalbard and Jan Mayen|SK Slovakia|SL Sierra Leone|SM San Marino|SN Senegal|SO Somalia|' +
  'SR Suriname|SS South Sudan|ST São Tomé and Príncipe|SV El Salvador|SX Sint Maarten|SY Syria|SZ Eswatini|' +
  'TC Turks and Caicos Islands|TD Chad|TF French Southern Territories|TG Togo|TH Thailand|TJ Tajikistan|TK Tokelau|' +
  'TL Timor-Leste|TM Turkmenistan|TN Tunisia|TO Tonga|TR Turkey|TT Trinidad and Tobago|TV Tuvalu|TW Taiwan|' +
  'TZ Tanzania|UA Ukraine|UG Uganda|UM U.S. Outlying Islands|US United States|UY Uruguay|UZ Uzbekistan|' +
  'VA Vatican City|VC Saint Vincent and Grenadines|VE Venezuela|VG British Virgin Islands|VI U.S. Virgin Islands|' +
  'VN Vietnam|VU Vanuatu|WF Wallis and Futuna|WS Samoa|YE Yemen|YT Mayotte|ZA South Africa|ZM Zambia|ZW Zimbabwe';
/** Other names: abbreviations, former and local names, parts of a country that stand for it, provinces by full name. */
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

/** The folded form under which names are looked up: `St.` and `Saint`, `&` and `and`, with and without `the`, agree. */
export function placeKey(text: string): string {
  return hyphenate(text)
    .replace(/\b(the|and)-/g, '')
    .replace(/^st-/, 'saint-');
}

const NAMES: ReadonlyMap<string, string> = new Map(
  TABLE.split('|').map((row): [string, string] => [row.slice(0, 2), row.slice(3)]),
);

const BY_KEY: ReadonlyMap<string, string> = new Map([
  ...[...NAMES].map(([code, name]): [string, string] => [placeKey(name), code]),
  ...Object.entries(ALIASES).flatMap(([code, names]) =>
    names.split('|').map((name): [string, string] => [placeKey(name), code]),
  ),
]);

/** All codes. */
export const COUNTRIES: readonly string[] = [...NAMES.keys()];

/** The English name of an ISO 3166-1 alpha-2 code in capitals, or null when there is no such country. */
export function countryName(code: string): string | null {
  return NAMES.get(code) ?? null;
}

/** The codes behind a `placeKey`: one for a country's name or alias, several for a group such as `eu`, else null. */
export function countriesNamed(key: string): readonly string[] | null {
  const code = BY_KEY.get(key);
  if (code !== undefined) return [code];
  return Object.hasOwn(GROUPS, key) ? (GROUPS[key]?.split(' ') ?? null) : null;
}
