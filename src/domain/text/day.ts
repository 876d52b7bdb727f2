// Days and weeks (UTC) in ISO form: 2026-11-30. A week is named by its Monday.

import { DAY_MS } from '../time.ts';

/** The pattern, which does not check that the day exists. */
export const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

/** The day of an instant. */
export function dayOf(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, 10);
}

export function beginOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day after. */
export function dayAfter(day: string): string {
  return dayOf(beginOf(day) + DAY_MS);
}

/** The Monday of the week of a day. */
export function weekOf(day: string): string {
  const ms = beginOf(day);
  return dayOf(ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS);
}
