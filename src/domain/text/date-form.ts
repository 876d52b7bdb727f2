// How times are written for people, in the app, on pages and in letters; language and zone are the reader's where they are known.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';

/** A day, as options of Intl. */
export const DATE_FORM = { year: 'numeric', month: 'short', day: 'numeric' } as const;
/** The time of day beside it, with its zone: another party may sit in another one. */
export const TIME_FORM = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** Formats by language and zone; there are some 600 zones with their aliases. */
const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 2_000;

/** A point in time in a language and a time zone, with the zone's name. */
export function timeText(language: string, zone: string, at_ms: number): string {
  const key = `${language} ${zone}`;
  const known = formats.get(key);
  const format = known ?? new Intl.DateTimeFormat(language, { ...DATE_FORM, ...TIME_FORM, timeZone: zone });
  if (!known && formats.size < FORMATS_MAX) formats.set(key, format);
  return format.format(at_ms);
}

/** Units of a distance, and at which count the next larger one takes over. */
const UNITS = [
  ['minute', MINUTE_MS, 120],
  ['hour', HOUR_MS, 72],
  ['day', DAY_MS, 60],
  ['month', 30 * DAY_MS, 24],
  ['year', 365 * DAY_MS, Number.POSITIVE_INFINITY],
] as const;

/** How far a time is away in the unit that tells it well, rounded: 71 hours and 59 minutes are three days. */
export function distance(ms: number): { readonly count: number; readonly unit: (typeof UNITS)[number][0] } {
  for (const [unit, length, under] of UNITS) {
    const count = Math.round(Math.abs(ms) / length);
    if (count < under) return { count: ms < 0 ? -count : count, unit };
  }
  throw new Error(`${ms} is no distance`);
}
