// Formats money, times and numbers in the reader's locale.
import { typedCents } from '../../domain/money/typed.ts';
import { DATE_FORM, distance, TIME_FORM } from '../../domain/text/date-form.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import type { Item } from '../server.ts';
import { base } from '../session.ts';
import { locale, words } from '../words/words.ts';

/** The reader's time zone. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const MONEY = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
const SHORT_MONEY = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});
const WHEN = new Intl.DateTimeFormat(locale, { ...DATE_FORM, ...TIME_FORM });
const DAY = new Intl.DateTimeFormat(locale, DATE_FORM);
const MONTH = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' });
const SHORT_DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const FULL_DAY = new Intl.DateTimeFormat(locale, { ...DATE_FORM, timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const AWAY = new Intl.RelativeTimeFormat(locale);
/** Less than a minute reads as "this minute". */
const NOW = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'minute');
const PERCENT = new Intl.NumberFormat(locale, { style: 'percent' });
const FEE_PERCENT = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
const LIST = new Intl.ListFormat(locale);
const COUNT = new Intl.NumberFormat(locale);
const RATING = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const DECIMAL = MONEY.formatToParts(0).find(({ type }) => type === 'decimal')?.value ?? '.';

/** Units of durations, largest first. */
const LENGTHS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** Cents as dollars. */
export function money(cents: number): string {
  return MONEY.format(cents / 100);
}

/** Cents as dollars, without zero cents. */
export function shortMoney(cents: number): string {
  return SHORT_MONEY.format(cents / 100);
}

/** Parses typed dollars, zero included, to cents; null for an invalid amount. */
export function readAmount(text: string): number | null {
  return typedCents(text, DECIMAL);
}

/** Parses typed dollars above zero. */
export function centsOf(text: string): number | null {
  return readAmount(text) || null;
}

/** Parses typed dollars, zero included, to cents; null for an invalid amount or one above `most_cents`. */
export function shareOf(text: string, most_cents: number): number | null {
  const cents = readAmount(text);
  return cents === null || cents > most_cents ? null : cents;
}

/** A whole number with group separators. */
export function count(number: number): string {
  return COUNT.format(number);
}

/** A mean of stars. */
export function ratingText(stars: number): string {
  return RATING.format(stars);
}

/** Units of sizes, largest first. */
const SIZES = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** A size in the largest unit that gives at least 1. */
export function bytes(number: number): string {
  const [unit, length] = SIZES.find(([, each]) => number >= each) ?? (['byte', 1] as const);
  const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, options).format(number / length);
}

/** A time to the minute, with its zone. */
export function dateTime(iso: string): string {
  return WHEN.format(new Date(iso));
}

export function date(iso: string): string {
  return DAY.format(new Date(iso));
}

/** A month, as in 2026-11. */
export function month(text: string): string {
  return MONTH.format(new Date(`${text}-01T00:00:00Z`));
}

/** A day (UTC), as in 2026-11-30, without its year. */
export function day(text: string): string {
  return SHORT_DAY.format(new Date(`${text}T00:00:00Z`));
}

/** The same with its year. */
export function fullDay(text: string): string {
  return FULL_DAY.format(new Date(`${text}T00:00:00Z`));
}

/** A share of 1. */
export function percent(share: number): string {
  return PERCENT.format(share);
}

/** Basis points as a share. */
export function feePercent(bps: number): string {
  return FEE_PERCENT.format(bps / 10_000);
}

/** A duration in the largest unit that gives at least 1. */
export function duration(seconds: number): string {
  const [unit, length] = LENGTHS.find(([, ms]) => seconds * 1000 >= ms) ?? (['second', 1000] as const);
  const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, options).format((seconds * 1000) / length);
}

export function clock(iso: string): string {
  return CLOCK.format(new Date(iso));
}

/** A relative time: in 3 hours, 2 days ago. */
export function away(iso: string, now_ms: number = Date.now()): string {
  const { count, unit } = distance(new Date(iso).getTime() - now_ms);
  return count === 0 ? NOW : AWAY.format(count, unit);
}

/** A list: this, that and the other. */
export function listed(things: readonly string[]): string {
  return LIST.format(things);
}

// Optional amounts: typed dollars as cents.

/** Null for an empty input; undefined for an invalid amount. Zero is valid. */
export function amountOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  return readAmount(text) ?? undefined;
}

/** Cents as an input's value. */
export function dollarsOf(cents: number | null): string {
  return cents === null ? '' : (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2).replace('.', DECIMAL);
}

// Lists typed one item per line.

/** The lines that are not blank. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function asLines(items: readonly string[]): string {
  return items.join('\n');
}

// URLs from the service, as paths within the app.

/** The path of a URL of the app; the start page for any other URL. */
export function pathOf(url: string): string {
  const { origin, pathname, search, hash } = new URL(url, location.origin);
  const own = origin === location.origin && `${pathname}/`.startsWith(base);
  return own ? `/${pathname.slice(base.length)}${search}${hash}` : '/';
}

/** A value of an issue of a proposal. */
export function issueText(value: Item<'proposal.list'>['issues'][number]['value']): string {
  return typeof value === 'number' ? count(value) : words.listings.goals.licences[value];
}
