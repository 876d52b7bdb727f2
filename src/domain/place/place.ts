// Parses places in free text ("Portland, OR", "Remote - US or Canada", "Berlin Germany"). An ambiguous text
// ("Springfield, CA": California or Canada) is read both ways, never guessed.
import { countriesNamed, countryName, placeKey } from './country.ts';

// Well-known cities and the country that their bare name means. They make a bare name such as "London" comparable with
// countries; other cities still equal themselves.

const CITIES: Readonly<Record<string, string>> = {
  AE: 'dubai abu-dhabi',
  AR: 'buenos-aires',
  AT: 'vienna wien',
  AU: 'sydney melbourne brisbane canberra adelaide',
  BD: 'dhaka',
  BE: 'brussels antwerp ghent',
  BG: 'sofia',
  BR: 'sao-paulo rio-de-janeiro brasilia',
  CA: 'toronto montreal vancouver ottawa calgary edmonton',
  CH: 'zurich geneva basel lausanne',
  CL: 'santiago',
  CN: 'beijing shanghai shenzhen guangzhou hangzhou',
  CO: 'bogota medellin',
  CZ: 'prague praha brno',
  DE: 'berlin munich munchen hamburg cologne koln frankfurt stuttgart dusseldorf leipzig',
  DK: 'copenhagen aarhus',
  EE: 'tallinn tartu',
  EG: 'cairo',
  ES: 'madrid barcelona valencia seville malaga',
  FI: 'helsinki',
  FR: 'paris lyon marseille toulouse bordeaux',
  GB: 'london manchester edinburgh glasgow bristol leeds belfast cardiff',
  GE: 'tbilisi batumi',
  GR: 'athens thessaloniki',
  HR: 'zagreb',
  HU: 'budapest',
  ID: 'jakarta bali',
  IE: 'dublin cork galway',
  IL: 'tel-aviv jerusalem haifa',
  IN: 'bangalore bengaluru mumbai delhi new-delhi hyderabad chennai pune kolkata',
  IT: 'rome milan milano turin florence naples',
  JP: 'tokyo osaka kyoto',
  KE: 'nairobi',
  KR: 'seoul busan',
  LT: 'vilnius kaunas',
  LV: 'riga',
  MA: 'casablanca rabat',
  MX: 'mexico-city guadalajara monterrey',
  MY: 'kuala-lumpur',
  NG: 'lagos abuja',
  NL: 'amsterdam rotterdam utrecht eindhoven the-hague hague',
  NO: 'oslo bergen',
  NZ: 'auckland wellington',
  PE: 'lima',
  PH: 'manila cebu',
  PK: 'karachi lahore islamabad',
  PL: 'warsaw krakow wroclaw gdansk',
  PT: 'lisbon porto',
  RO: 'bucharest cluj-napoca',
  RS: 'belgrade',
  RU: 'moscow saint-petersburg',
  SA: 'riyadh jeddah',
  SE: 'stockholm gothenburg malmo',
  TH: 'bangkok chiang-mai',
  TR: 'istanbul ankara',
  TW: 'taipei',
  UA: 'kyiv kiev lviv',
  US:
    'nyc new-york-city brooklyn manhattan los-angeles san-francisco san-diego san-jose palo-alto mountain-view oakland ' +
    'seattle chicago houston dallas austin denver boulder miami atlanta philadelphia phoenix detroit minneapolis ' +
    'pittsburgh baltimore las-vegas nashville salt-lake-city silicon-valley boston',
  VN: 'hanoi ho-chi-minh-city',
  ZA: 'johannesburg cape-town',
};

const CITY_BY_KEY: ReadonlyMap<string, string> = new Map(
  Object.entries(CITIES).flatMap(([code, names]) => names.split(' ').map((name): [string, string] => [name, code])),
);

/** Aliases of cities, which compare equal. */
const SAME: Readonly<Record<string, string>> = {
  nyc: 'new-york',
  'new-york-city': 'new-york',
  wien: 'vienna',
  praha: 'prague',
  munchen: 'munich',
  koln: 'cologne',
  milano: 'milan',
  bengaluru: 'bangalore',
  kiev: 'kyiv',
  'the-hague': 'hague',
};

/** The country of a city by its folded name, or null when the name is unknown or ambiguous. */
function cityCountry(key: string): string | null {
  return CITY_BY_KEY.get(key) ?? null;
}

/** The folded name for comparing a city. */
function cityKey(key: string): string {
  return Object.hasOwn(SAME, key) ? (SAME[key] ?? key) : key;
}

// The states of the United States with their postal codes (and DC and Puerto Rico): the only level below countries that
// listings name often enough to compare.

const STATES =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|' +
  'DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|' +
  'KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|' +
  'MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|' +
  'ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|' +
  'SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|' +
  'WY Wyoming';

const ROWS = STATES.split('|').map((row): [string, string] => [row.slice(0, 2), row.slice(3)]);
const CODES: ReadonlySet<string> = new Set(ROWS.map(([code]) => code));
const STATE_BY_KEY: ReadonlyMap<string, string> = new Map([
  ...ROWS.map(([code, name]): [string, string] => [placeKey(name), code]),
  ['d-c', 'DC'],
  ['washington-d-c', 'DC'],
  ['washington-dc', 'DC'],
]);

/** Whether two capitals are a state's postal code. */
function isStateCode(code: string): boolean {
  return CODES.has(code);
}

/** The postal code of the `placeKey` of a state's name, or null. */
function stateNamed(key: string): string | null {
  return STATE_BY_KEY.get(key) ?? null;
}

/** The places of a text, in the forms of `GeoNorm`. */
interface Places {
  readonly countries: Set<string>;
  readonly regions: Set<string>;
  readonly cities: Set<string>;
  global: boolean;
}

/** One part of a text between commas, parsed without its neighbours. */
interface Part {
  readonly key: string;
  readonly countries: readonly string[];
  readonly state: string | null;
}

const LEAD = /^(?:based|located|in|within|near|around|anywhere-in|all-of|greater|metro|from)-/;
const TRAIL = /-(?:area|only|based|metro|metropolitan|bay|region|preferred|time-?zones?|office|hq)$/;
// Upper-case OR is Oregon.
const ALTERNATIVES = /[;/|•·\n]|\sor\s/;
const PARTS = /[,()[\]]|\s[-–—]\s/;
const POSTCODE = /\b\d{4,6}(?:-\d{4})?\b/g;

const GLOBAL = new Set(['global', 'globally', 'worldwide', 'world-wide', 'world', 'international', 'planet-earth']);
const ANYWHERE = new Set(['anywhere', 'everywhere']);
/** Words that name no place. Those that are also codes (ok, or, in) are codes in capitals only. */
const NOISE = new Set(
  (
    'fully full 100 first friendly ok only possible hybrid onsite on-site in-person flexible various any none n-a na ' +
    'tbd unknown office not no non also and or on in me hi preferred multiple-locations'
  ).split(' '),
);
/** Words before a name that make it another place: neither New Mexico nor the Gulf of Mexico is Mexico. */
const NOT_BEFORE_NAME = new Set(['new', 'baja', 'of', 'little', 'nuevo']);

function strip(key: string): string {
  const shorter = key.replace(LEAD, '').replace(TRAIL, '');
  return shorter === key ? key : strip(shorter);
}

function readPart(raw: string): Part {
  const key = strip(placeKey(raw));
  const named = countriesNamed(key) ?? [];
  const region = /^us-([a-z]{2})$/.exec(key)?.[1]?.toUpperCase();
  if (region !== undefined && isStateCode(region)) return { key, countries: [], state: region };
  if (NOISE.has(key) && raw !== raw.toUpperCase()) return { key, countries: [], state: null };
  if (!/^[a-z]{2}$/.test(key)) return { key, countries: named, state: stateNamed(key) };
  const code = key.toUpperCase();
  const countries = named.length > 0 ? named : countryName(code) === null ? [] : [code];
  return { key, countries, state: isStateCode(code) ? code : null };
}

function isKnown(part: Part): boolean {
  return part.countries.length > 0 || part.state !== null || cityCountry(part.key) !== null;
}

/** Whether a part may name a place: not a word such as "hybrid", a number, or two letters that are no code. */
function says(part: Part): boolean {
  if (part.countries.length > 0 || part.state !== null) return true;
  return part.key.length > 2 && !NOISE.has(part.key) && /[a-z]/.test(part.key);
}

/** The parts of `raw`: itself, both sides of an "and", or a place and the state or country right after it. */
function partsOf(raw: string): Part[] {
  const part = readPart(raw);
  if (isKnown(part)) return [part];
  if (/\s(?:and|&|\+)\s/i.test(raw)) return raw.split(/\s(?:and|&|\+)\s/i).flatMap(partsOf);
  const words = raw.split(/\s+/);
  for (let count = Math.min(4, words.length - 1); count >= 1; count--) {
    const tail = words.slice(-count).join(' ');
    const before = words.at(-count - 1)?.toLowerCase() ?? '';
    const read = readPart(tail);
    const is_code = /^[A-Za-z]{2}$/.test(tail);
    if ((read.countries.length === 0 && read.state === null) || NOT_BEFORE_NAME.has(before)) continue;
    if (is_code && tail !== tail.toUpperCase()) continue;
    return [...partsOf(words.slice(0, -count).join(' ')), read];
  }
  return [part];
}

const isUs = (part: Part | undefined): boolean => part?.countries.length === 1 && part.countries[0] === 'US';

/** How to read a part that is both a state and a country, such as CA or Georgia, beside its neighbours. */
function readings(part: Part, prev: Part | undefined, next: Part | undefined): { state: boolean; country: boolean } {
  if (part.state === null || part.countries.length === 0) {
    return { state: part.state !== null, country: part.countries.length > 0 };
  }
  if (isUs(next)) return { state: true, country: false };
  const follows_place = prev !== undefined && prev.countries.length === 0 && prev.state === null;
  if (!follows_place) return { state: part.key.length > 2, country: true };
  const known = cityCountry(prev.key);
  if (known === 'US') return { state: true, country: false };
  return { state: known === null || !part.countries.includes(known), country: true };
}

/** Adds the places of one alternative ("Portland, OR, US"). */
function readAlternative(parts: readonly Part[], into: Places): void {
  const towns: Part[] = [];
  const admin = new Set<string>();
  let anywhere = false;
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    if (GLOBAL.has(part.key)) into.global = true;
    else if (ANYWHERE.has(part.key)) anywhere = true;
    else if (part.state !== null && part.key.length > 2 && next?.state && !isUs(next)) towns.push(part);
    else if (part.state !== null || part.countries.length > 0) {
      const { state, country } = readings(part, parts[i - 1], next);
      if (state) into.regions.add(`US-${part.state}`);
      if (state) admin.add('US');
      if (country) for (const code of part.countries) admin.add(code);
      if (part.key === 'new-york' && i === 0) into.cities.add('new-york');
    } else towns.push(part);
  }
  for (const town of towns) {
    into.cities.add(cityKey(town.key));
    const country = cityCountry(town.key);
    if (admin.size === 0 && country !== null) into.countries.add(country);
  }
  for (const code of admin) into.countries.add(code);
  if (anywhere && admin.size === 0) into.global = true;
}

/** The places in `text`, whose length the caller should limit. */
export function readPlaces(text: string): Places {
  const places: Places = { countries: new Set(), regions: new Set(), cities: new Set(), global: false };
  if (NOISE.has(placeKey(text))) return places;
  for (const alternative of text.replace(POSTCODE, ' ').split(ALTERNATIVES)) {
    const raws = alternative.split(PARTS).map((raw) => raw.trim());
    readAlternative(
      raws
        .filter((raw) => raw !== '')
        .flatMap(partsOf)
        .filter(says),
      places,
    );
  }
  return places;
}

/** The ISO codes of one entry of a `countries` list, by code, name or group; null when it names no country. */
export function readCountry(text: string): readonly string[] | null {
  const key = placeKey(text);
  const code = key.toUpperCase();
  return countriesNamed(key) ?? (countryName(code) === null ? null : [code]);
}
