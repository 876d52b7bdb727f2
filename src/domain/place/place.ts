// Reading places out of free text ("Portland, OR", "Remote - US or Canada", "Berlin Germany"). The rule kept here is
// that a text which can be read twice ("Springfield, CA": California or Canada) is read both ways, never guessed.
import { cityCountry, cityKey } from './city.ts';
import { countriesNamed, countryName, placeKey } from './country.ts';
import { isStateCode, stateNamed } from './us-state.ts';

/** What a text names; see `GeoNorm` for the forms. */
export interface Places {
  readonly countries: Set<string>;
  readonly regions: Set<string>;
  readonly cities: Set<string>;
  global: boolean;
}

/** One part of a text between commas, read as far as it can be on its own. */
interface Part {
  readonly key: string;
  readonly countries: readonly string[];
  readonly state: string | null;
}

const LEAD = /^(?:based|located|in|within|near|around|anywhere-in|all-of|greater|metro|from)-/;
const TRAIL = /-(?:area|only|based|metro|metropolitan|bay|region|preferred|time-?zones?|office|hq)$/;
// A capital OR is Oregon.
const ALTERNATIVES = /[;/|•·\n]|\sor\s/;
const PARTS = /[,()[\]]|\s[-–—]\s/;
const POSTCODE = /\b\d{4,6}(?:-\d{4})?\b/g;

const GLOBAL = new Set(['global', 'globally', 'worldwide', 'world-wide', 'world', 'international', 'planet-earth']);
const ANYWHERE = new Set(['anywhere', 'everywhere']);
/** Words that name no place. Those which are codes too (ok, or, in) are codes only in capitals. */
const NOISE = new Set(
  (
    'fully full 100 first friendly ok only possible hybrid onsite on-site in-person flexible various any none n-a na ' +
    'tbd unknown office not no non also and or on in me hi preferred multiple-locations'
  ).split(' '),
);
/** Words before a name that make it another place: New Mexico is not Mexico, the Gulf of Mexico is not either. */
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

/** Whether a part says anything: not a mere word such as "hybrid", a number, or two letters that are no code. */
function says(part: Part): boolean {
  if (part.countries.length > 0 || part.state !== null) return true;
  return part.key.length > 2 && !NOISE.has(part.key) && /[a-z]/.test(part.key);
}

/** The parts of `raw`: itself, or both sides of an "and", or a place and the state or country written right after it. */
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

/** How a part that is both a state and a country, such as CA or Georgia, is to be read beside its neighbours. */
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

/** Adds what one alternative ("Portland, OR, US") names. */
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

/** The places that `text` names; `text` should be bounded by the caller. */
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

/** The ISO codes that one entry of a `countries` list names, by code, name or group; null when it names no country. */
export function readCountry(text: string): readonly string[] | null {
  const key = placeKey(text);
  const code = key.toUpperCase();
  return countriesNamed(key) ?? (countryName(code) === null ? null : [code]);
}
