// The periods of a subscription. They are counted from the start of the first one, in UTC, so that changes of clocks do not move
// them: a week is seven days, and a month begins on the anchor's day, or on the last day of a shorter month (Q86). Each is
// computed from the anchor, not from the previous period: 31 January, 28 February, 31 March.
import { WEEK_MS } from '../time.ts';

export const INTERVALS = ['weekly', 'monthly'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The parameters of periods; `anchor_at` is epoch milliseconds. */
export interface Periods {
  readonly anchor_at: number;
  readonly interval: Interval;
}

function monthsAfter(anchor_at: number, months: number): number {
  const anchor = new Date(anchor_at);
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months];
  const last_day = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time_of_day = anchor_at - Date.UTC(year, anchor.getUTCMonth(), anchor.getUTCDate());
  return Date.UTC(year, month, Math.min(anchor.getUTCDate(), last_day)) + time_of_day;
}

/** The start of a period; the first is 0. */
export function periodStart({ anchor_at, interval }: Periods, period: number): number {
  return interval === 'weekly' ? anchor_at + period * WEEK_MS : monthsAfter(anchor_at, period);
}

/** The period of an instant; a start belongs to its own period. */
export function periodAt(periods: Periods, at_ms: number): number {
  const { anchor_at, interval } = periods;
  if (interval === 'weekly') return Math.floor((at_ms - anchor_at) / WEEK_MS);
  const [from, to] = [new Date(anchor_at), new Date(at_ms)];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return periodStart(periods, months) <= at_ms ? months : months - 1;
}

/** The first period that begins at or after an instant. */
export function periodFrom(periods: Periods, at_ms: number): number {
  const period = periodAt(periods, at_ms);
  return periodStart(periods, period) === at_ms ? period : period + 1;
}
