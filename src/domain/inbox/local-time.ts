// Local time of day, for quiet hours and the daily digest. Offsets follow the rules of the time zone, so a night with a
// change of clocks has its real length.
import { MINUTE_MS } from '../time.ts';

const DAY_MINUTES = 1_440;

const formats = new Map<string, Intl.DateTimeFormat>();
/** There are some 600 zones with their aliases. */
const FORMATS_MAX = 2_000;

function formatOf(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: tz, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (formats.size < FORMATS_MAX) formats.set(tz, made);
  return made;
}

/** Whether `tz` names a time zone, such as `Europe/Berlin`. The engine also accepts offsets such as +01:00, wrong half of the year. */
export function isTimeZone(tz: string): boolean {
  try {
    return /^[A-Za-z]/.test(tz) && formatOf(tz) !== null;
  } catch {
    return false;
  }
}

/** The minute of the day of `HH:MM`. */
export function minuteOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}

/** The minute of the local day at an instant. */
export function localMinute(tz: string, at_ms: number): number {
  return minuteOf(formatOf(tz).format(at_ms));
}

/** The next instant after `now_ms` at which the local clock shows the minute of the day. Where a change of clocks skips
 * that minute, the instant that it would have been. */
export function nextLocal(tz: string, minute: number, now_ms: number): number {
  const from_ms = Math.floor(now_ms / MINUTE_MS) * MINUTE_MS;
  const ahead = (minute - localMinute(tz, now_ms) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const at_ms = from_ms + ahead * MINUTE_MS;
  // A change of clocks in between appears as a difference of about an hour.
  const off = (localMinute(tz, at_ms) - minute + DAY_MINUTES) % DAY_MINUTES;
  const late = off > DAY_MINUTES / 2 ? off - DAY_MINUTES : off;
  const mended_ms = at_ms - late * MINUTE_MS;
  return late !== 0 && mended_ms > now_ms && localMinute(tz, mended_ms) === minute ? mended_ms : at_ms;
}
