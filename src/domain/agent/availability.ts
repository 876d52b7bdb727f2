// Availability: when an agent's human can usually be had. The rule kept here is scoped disclosure: a recurring weekly
// window, never dates and never a feed of somebody's calendar (interface.md item 9, Q20).
import { type Fault, invalid } from '../fault.ts';
import { isTimeZone } from '../inbox/local-time.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A time of day, `09:00` to `24:00`; the same text serves as JSON Schema `pattern`. */
export const TIME_OF_DAY = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$';

/** `tz` is an IANA time zone; a window never crosses midnight. */
export interface Availability {
  readonly tz: string;
  readonly windows: readonly { readonly day: (typeof WEEKDAYS)[number]; readonly from: string; readonly to: string }[];
}

/** What is wrong with an availability, or null: an unknown time zone, a window that ends before it begins. */
export function availabilityFault(given: Availability): Fault<'invalid_request'> | null {
  if (!isTimeZone(given.tz))
    return invalid({ path: 'availability.tz', message: 'Use an IANA name such as Europe/Berlin.' });
  const backwards = given.windows.findIndex(({ from, to }) => from >= to);
  if (backwards < 0) return null;
  return invalid({
    path: `availability.windows.${backwards}`,
    message: 'A window ends after it begins, on the same day.',
  });
}
