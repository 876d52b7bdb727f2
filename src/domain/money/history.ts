// The balance of a wallet since its first posting: by day, week or month, so that a chart has about a hundred points.
import { beginOf, dayOf, weekOf } from '../text/day.ts';
import { DAY_MS } from '../time.ts';

export const HISTORY_BY = ['day', 'week', 'month'] as const;
type By = (typeof HISTORY_BY)[number];

/** The balance at the end of a day; it holds until the next one in the list. */
export interface Held {
  readonly day: string;
  readonly balance_cents: number;
}

export interface History {
  readonly by: By;
  /** Without gaps, oldest first; `from` is the first day of each. */
  readonly points: { readonly from: string; readonly balance_cents: number }[];
}

const DAYS_MAX = 92;
const WEEKS_MAX = 104;

const firstOf = (day: string, by: By): string =>
  by === 'day' ? day : by === 'week' ? weekOf(day) : `${day.slice(0, 7)}-01`;

function nextOf(from: string, by: By): string {
  if (by !== 'month') return dayOf(beginOf(from) + (by === 'day' ? 1 : 7) * DAY_MS);
  const [year = 0, month = 0] = from.split('-').map(Number);
  return dayOf(Date.UTC(year, month, 1));
}

/** The series of sorted daily balances, the last of which is today's. */
export function historyOf(held: readonly Held[]): History {
  const [first, last] = [held[0], held.at(-1)];
  if (!first || !last) return { by: 'day', points: [] };
  const days = (beginOf(last.day) - beginOf(first.day)) / DAY_MS;
  const by = days < DAYS_MAX ? 'day' : days < 7 * WEEKS_MAX ? 'week' : 'month';
  const points: History['points'] = [];
  let at = 0;
  for (let from = firstOf(first.day, by); from <= last.day; from = nextOf(from, by)) {
    const next = nextOf(from, by);
    while ((held[at + 1]?.day ?? next) < next) at += 1;
    points.push({ from, balance_cents: held[at]?.balance_cents ?? 0 });
  }
  return { by, points };
}
