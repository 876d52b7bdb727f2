// Geography: the meaning of a listing's or an agent's `geo`, and whether two of them match. Unknown places never exclude a
// pair; only two known places without anything in common do.

import { type Fault, invalid } from '../fault.ts';
import { countryName } from './country.ts';
import { readCountry, readPlaces } from './place.ts';

const TEXT_MAX = 200;

/** A normalised place. For an unknown place all lists are empty and both flags false. */
export interface GeoNorm {
  /** ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly string[];
  /** ISO 3166-2 codes; states of the US only, as `US-OR`. */
  readonly regions: readonly string[];
  /** Folded names, as `new-york`. */
  readonly cities: readonly string[];
  readonly remote: boolean;
  readonly global: boolean;
  /** The original text; for an object, its countries' names. */
  readonly text: string;
}

/** The input: a text, or the object of the intake. */
export type GeoInput = string | { readonly countries?: readonly string[]; readonly remote?: boolean };

export const NO_GEO: GeoNorm = { countries: [], regions: [], cities: [], remote: false, global: false, text: '' };

const REMOTE_WORDS = 'remote(?:ly)?|telecommut(?:e|ing)|telework(?:ing)?|work from (?:home|anywhere)|wfh';
const REMOTE = new RegExp(`\\b(?:${REMOTE_WORDS})\\b`, 'gi');
const NOT_REMOTE = new RegExp(`\\b(?:no|not|non)[ -](?:${REMOTE_WORDS})\\b`, 'gi');

function fromText(supplied: string, path: string): GeoNorm | Fault<'invalid_request'> {
  const text = supplied.trim();
  if (text.length > TEXT_MAX) return invalid({ path, message: `Use at most ${TEXT_MAX} characters.` });
  if (/[^\P{Cc}\t\n\r]/u.test(text)) {
    return invalid({ path, message: 'Use plain text without control characters.' });
  }
  const willing = text.replace(NOT_REMOTE, ' ');
  const { countries, regions, cities, global } = readPlaces(willing.replace(REMOTE, ' , '));
  const remote = willing.search(REMOTE) >= 0;
  return { countries: [...countries], regions: [...regions], cities: [...cities], remote, global, text };
}

/**
 * The place of `input`; a text without a place is valid and unknown. Faults: 400 for a text that is too long or has control
 * characters, and for an entry of `countries` that is no country.
 */
export function parseGeo(input: GeoInput | null | undefined, path = 'geo'): GeoNorm | Fault<'invalid_request'> {
  if (input === null || input === undefined) return NO_GEO;
  if (typeof input === 'string') return fromText(input, path);
  const codes = new Set<string>();
  for (const [i, entry] of (input.countries ?? []).entries()) {
    const found = readCountry(entry);
    if (!found) return invalid({ path: `${path}.countries.${i}`, message: 'Use ISO 3166-1 codes such as US or DE.' });
    for (const code of found) codes.add(code);
  }
  const countries = [...codes];
  const remote = input.remote ?? false;
  const names = countries.map((code) => countryName(code) ?? code);
  return { ...NO_GEO, countries, remote, text: [...names, ...(remote ? ['Remote'] : [])].join(', ') };
}

/** The place of a stored text; unknown for a text that would be refused today. */
export function geoNorm(text: string | null): GeoNorm {
  const geo = parseGeo(text);
  return 'fault' in geo ? NO_GEO : geo;
}

/** The nearness of two places. `strength` is 0 to 1; 0.5 is neutral, and only `apart` excludes a pair. */
export interface GeoMeeting {
  readonly meets: boolean;
  readonly strength: number;
  readonly by: 'city' | 'remote' | 'region' | 'country' | 'unknown' | 'apart';
}

const BY_CITY: GeoMeeting = { meets: true, strength: 1, by: 'city' };
const BY_REMOTE: GeoMeeting = { meets: true, strength: 0.9, by: 'remote' };
const BY_REGION: GeoMeeting = { meets: true, strength: 0.8, by: 'region' };
const BY_COUNTRY: GeoMeeting = { meets: true, strength: 0.6, by: 'country' };
const UNKNOWN: GeoMeeting = { meets: true, strength: 0.5, by: 'unknown' };
const APART: GeoMeeting = { meets: false, strength: 0, by: 'apart' };

function doShare(a: readonly string[], b: readonly string[]): boolean {
  return a.some((item) => b.includes(item));
}

/** Whether two lists are compatible: they share an item, or one is empty. */
function agree(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || doShare(a, b);
}

/**
 * Whether two places match, and how well: the same city 1; one side remote or global 0.9; the same state 0.8; the same
 * country 0.6; unknown on one side 0.5; else apart. Symmetric.
 */
export function geoMeets(a: GeoNorm, b: GeoNorm): GeoMeeting {
  if (doShare(a.cities, b.cities) && agree(a.regions, b.regions) && agree(a.countries, b.countries)) return BY_CITY;
  if (a.remote || a.global || b.remote || b.global) return BY_REMOTE;
  if (doShare(a.regions, b.regions)) return BY_REGION;
  if (doShare(a.countries, b.countries)) return BY_COUNTRY;
  return a.countries.length === 0 || b.countries.length === 0 ? UNKNOWN : APART;
}
