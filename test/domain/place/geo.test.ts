// Guarantees of geography: places read as people write them, doubt never keeps a pair apart, and codes are ISO's.
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isFault } from '../../../src/domain/fault.ts';
import { countriesNamed, countryName, placeKey } from '../../../src/domain/place/country.ts';
import { type GeoInput, type GeoNorm, geoMeets, geoNorm, NO_GEO, parseGeo } from '../../../src/domain/place/geo.ts';
import { naughtyStrings } from '../../support/corpus.ts';

/** A place in short: countries, regions, cities, then R for remote and G for global. */
function short(geo: GeoNorm): string {
  const many = geo.countries.length > 5 ? `${geo.countries.length} countries` : geo.countries.join('+');
  const flags = `${geo.remote ? 'R' : ''}${geo.global ? 'G' : ''}`;
  return [many, geo.regions.join('+'), geo.cities.join('+'), flags].join('|');
}

describe('a text means', () => {
  test.each([
    ['US', 'US|||'],
    ['U.S.A.', 'US|||'],
    ['New York, NY, US', 'US|US-NY|new-york|'],
    ['New York', 'US|US-NY|new-york|'],
    ['NYC', 'US||new-york|'],
    ['CA, US', 'US|US-CA||'],
    ['OR, US', 'US|US-OR||'],
    ['OK, US', 'US|US-OK||'],
    ['US-OR', 'US|US-OR||'],
    ['Portland, Oregon', 'US|US-OR|portland|'],
    ['Portland OR 97201', 'US|US-OR|portland|'],
    ['Winston-Salem, NC, US', 'US|US-NC|winston-salem|'],
    ['St. Louis, MO, US', 'US|US-MO|saint-louis|'],
    ['Washington, DC', 'US|US-DC|washington|'],
    ['Paris, TX', 'US|US-TX|paris|'],
    ['New Mexico', 'US|US-NM||'],
    ['Gulf of Mexico', '||gulf-of-mexico|'],
    ['Berlin', 'DE||berlin|'],
    ['Berlin, DE', 'DE||berlin|'],
    ['Berlin Germany', 'DE||berlin|'],
    ['São Paulo, Brasil', 'BR||sao-paulo|'],
    ['Greater London, UK', 'GB||london|'],
    ['San Francisco Bay Area', 'US||san-francisco|'],
    ['Toronto, ON, CA', 'CA||toronto|'],
    ['Sydney NSW', 'AU||sydney|'],
    ['Bosnia and Herzegovina', 'BA|||'],
    ['Germany & France', 'DE+FR|||'],
    ['US, CA, MX', 'US+CA+MX|||'],
    ['US/Canada', 'US+CA|||'],
    ['EU', '27 countries|||'],
    ['Côte d’Ivoire', 'CI|||'],
    ['Remote', '|||R'],
    ['100% remote', '|||R'],
    ['Remote (US)', 'US|||R'],
    ['Remote - US or Canada', 'US+CA|||R'],
    ['Fully remote, EU timezones', '27 countries|||R'],
    ['not remote, Austin TX', 'US|US-TX|austin|'],
    ['Remote ok', '|||R'],
    ['Global', '|||G'],
    ['Worldwide', '|||G'],
    ['Anywhere', '|||G'],
    ['Anywhere in the US', 'US|||'],
    ['Remote, Global', '|||RG'],
    ['n/a', '|||'],
    ['hybrid', '|||'],
    ['', '|||'],
  ])('%p: %s', (text, meant) => expect(short(geoNorm(text))).toBe(meant));
});

describe('a text that can be read twice is read both ways', () => {
  test.each([
    ['Springfield, CA', 'US+CA|US-CA|springfield|'],
    ['Georgia', 'US+GE|US-GA||'],
    ['Puerto Rico', 'US+PR|US-PR||'],
  ])('%p: %s', (text, meant) => expect(short(geoNorm(text))).toBe(meant));

  test.each([
    ['San Diego, CA', 'US|US-CA|san-diego|'],
    ['Atlanta, Georgia', 'US|US-GA|atlanta|'],
    ['Tbilisi, Georgia', 'GE||tbilisi|'],
    ['CA', 'CA|||'],
  ])('unless the place before it, or its absence, tells: %p: %s', (text, meant) => {
    expect(short(geoNorm(text))).toBe(meant);
  });
});

describe('an object', () => {
  test.each([
    [{ countries: ['us', 'DE'], remote: true }, 'US+DE|||R', 'United States, Germany, Remote'],
    [{ countries: ['United Kingdom', 'UK', 'GB'] }, 'GB|||', 'United Kingdom'],
    [{ countries: ['CA'] }, 'CA|||', 'Canada'],
    [{ remote: true }, '|||R', 'Remote'],
    [{}, '|||', ''],
  ] satisfies [GeoInput, string, string][])('%j means %s', (input, meant, text) => {
    const geo = parseGeo(input);
    if (isFault(geo)) throw new Error(geo.fault);
    expect([short(geo), geo.text]).toEqual([meant, text]);
  });

  test.each(['ZZ', 'XX', '', 'Atlantis', 'constructor', '__proto__'])('with the country %p is refused', (country) => {
    const geo = parseGeo({ countries: ['US', country] });
    expect(isFault(geo) && geo.data).toMatchObject({ fields: [{ path: 'geo.countries.1' }] });
  });
});

test('a text keeps its words and is refused when it is long or has control characters', () => {
  expect(geoNorm('  Lisbon, Portugal ').text).toBe('Lisbon, Portugal');
  for (const text of ['x'.repeat(201), 'a\0b', 'a\u007fb']) {
    expect(isFault(parseGeo(text))).toBe(true);
    expect(geoNorm(text)).toEqual(NO_GEO);
  }
});

test('a hostile string is refused or read, within sets of ISO codes', () => {
  for (const text of naughtyStrings()) {
    const geo = parseGeo(text);
    if (isFault(geo)) continue;
    expect(geo.text).toBe(text.trim());
    expect(geo.countries.filter((code) => countryName(code) === null)).toEqual([]);
    expect(geo.regions.filter((code) => !/^US-[A-Z]{2}$/.test(code))).toEqual([]);
  }
});

test('every country answers to its code and its name', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  let count = 0;
  for (let i = 0; i < 676; i++) {
    const code = String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26));
    const name = countryName(code);
    if (name === null) continue;
    count++;
    expect(countriesNamed(placeKey(name))).toEqual([code]);
    expect(names.of(code)).not.toBe(code);
  }
  expect(count).toBe(249);
});

describe('two places meet', () => {
  test.each([
    ['Portland, OR', 'Portland, Oregon, US', 'city', 1],
    ['Portland, OR', 'Portland, ME, US', 'country', 0.6],
    ['Portland, OR', 'Salem, OR, US', 'region', 0.8],
    ['CA, US', 'San Diego, CA', 'region', 0.8],
    ['OR, US', 'NY, US', 'country', 0.6],
    ['US', 'Boston, MA', 'country', 0.6],
    ['Berlin', 'EU', 'country', 0.6],
    ['Berlin', 'Munich', 'country', 0.6],
    ['Springfield, CA', 'Canada', 'country', 0.6],
    ['Remote', 'Berlin', 'remote', 0.9],
    ['Remote (US)', 'Berlin', 'remote', 0.9],
    ['Global', 'Lagos', 'remote', 0.9],
    ['', 'Berlin', 'unknown', 0.5],
    ['Smallville', 'Berlin', 'unknown', 0.5],
    ['Smallville', 'smallville', 'city', 1],
    ['', '', 'unknown', 0.5],
  ] as const)('%p and %p by %s', (a, b, by, strength) => {
    expect(geoMeets(geoNorm(a), geoNorm(b))).toEqual({ meets: true, by, strength });
  });

  test.each([
    ['Berlin', 'Boston, MA, US'],
    ['Germany', 'France'],
    ['EU', 'UK'],
    ['Paris, TX', 'Paris, France'],
  ])('but not %p and %p', (a, b) => {
    expect(geoMeets(geoNorm(a), geoNorm(b))).toEqual({ meets: false, strength: 0, by: 'apart' });
  });

  test('whichever comes first', () => {
    const place = fc.constantFrom(
      'US',
      'CA, US',
      'Berlin',
      'EU',
      'Remote',
      'Global',
      '',
      'Georgia',
      'Paris, TX',
      'Paris',
    );
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(geoMeets(geoNorm(a), geoNorm(b))).toEqual(geoMeets(geoNorm(b), geoNorm(a)));
      }),
    );
  });
});

test('every place in the real listings is understood', () => {
  const file = join(import.meta.dir, '../../../../shared/data/listings.jsonl');
  if (!existsSync(file)) return console.warn(`skipped: no real listings at ${file}`);
  const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const places = new Set(rows.map((row) => /"geo": "([^"]*)"/.exec(row)?.[1] ?? ''));
  places.delete('');
  const misread = [...places].filter((text) => {
    const geo = geoNorm(text);
    return geo.countries.join() !== 'US' || geo.regions.length !== (text === 'US' ? 0 : 1);
  });
  expect(places.size).toBeGreaterThan(300);
  expect(misread).toEqual([]);
});
