// Days of the ledger (UTC), each sealed an hour after its end: what its journals were, what the accounts that moved then held, and
// the day before, in one hash. Who keeps a day's hash notices when anything before it is rewritten.
import { DAY_MS, HOUR_MS } from '../time.ts';

/** What was decided before midnight is long committed by then, on whichever node. */
const SETTLE_MS = HOUR_MS;

/** The day of an instant: `2026-11-21`. */
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

/** The last day that can be sealed. */
export function lastSealable(now_ms: number): string {
  return dayOf(now_ms - SETTLE_MS - DAY_MS);
}

export function nextSealAt(now_ms: number): number {
  return beginOf(dayAfter(dayOf(now_ms - SETTLE_MS))) + SETTLE_MS;
}
