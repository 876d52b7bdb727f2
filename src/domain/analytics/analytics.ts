// Sums of an agent's activity over a span of days (UTC): in all, by listing, by day, and the phases that its conversations reached.

import { type Fault, invalid } from '../fault.ts';
import { RECEIPT_KEPT_MS } from '../router/call.ts';
import { beginOf, dayOf, weekOf } from '../text/day.ts';
import { DAY_MS } from '../time.ts';
import type { Counted, Counts, Distribution, Reached, Served, Sums, Tally } from './tally.ts';

/** Days in one answer: a leap year. */
export const DAYS_MAX = 366;
const DAYS_DEFAULT = 30;
/** Capabilities in one answer. */
export const CAPABILITIES_MAX = 20;

/** A span of days, both ends included. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly from_ms: number;
  readonly until_ms: number;
  readonly all: readonly string[];
  /** The first instant of the span from which all calls are still stored. */
  readonly calls_from_ms: number;
}

/** The figures of a listing, or of all. */
interface Told extends Counts {
  readonly median_response_seconds: number | null;
  readonly by_phase: Reached[];
}

interface Analytics extends Told {
  readonly from: string;
  readonly to: string;
  readonly by_listing: (Told & { readonly listing_id: string; readonly headline: string })[];
  readonly by_day: (Counts & { readonly day: string })[];
  readonly by_week: {
    readonly week: string;
    readonly replies: number;
    readonly median_response_seconds: number | null;
  }[];
  readonly by_capability: (ServedFigures & {
    readonly capability: string;
    readonly by_week: (ServedFigures & { readonly week: string })[];
  })[];
}

interface ServedFigures {
  readonly calls: number;
  readonly served: number;
  readonly median_latency_ms: number | null;
}

/** The first instant of a day; null for an invalid day, such as 2026-02-30. */
function instantOf(day: string): number | null {
  const ms = beginOf(day);
  return Number.isFinite(ms) && dayOf(ms) === day ? ms : null;
}

const NO_DAY = 'is no day; write it as in 2026-11-30';
const TOO_EARLY = 'must not lie so far back';

/** The requested span, by default the last 30 days. */
export function daysOf(asked: { from?: string; to?: string }, now_ms: number): Days | Fault<'invalid_request'> {
  const last_ms = instantOf(asked.to ?? dayOf(now_ms));
  // Days before 1970 are refused; years before 0 have another form.
  if (last_ms === null) return invalid({ path: 'to', message: NO_DAY });
  if (last_ms < DAYS_DEFAULT * DAY_MS) return invalid({ path: 'to', message: TOO_EARLY });
  const from_ms = asked.from === undefined ? last_ms - (DAYS_DEFAULT - 1) * DAY_MS : instantOf(asked.from);
  if (from_ms === null) return invalid({ path: 'from', message: NO_DAY });
  if (from_ms < 0) return invalid({ path: 'from', message: TOO_EARLY });
  const until_ms = last_ms + DAY_MS;
  const length = (until_ms - from_ms) / DAY_MS;
  if (length < 1) return invalid({ path: 'from', message: 'must not come after to' });
  if (length > DAYS_MAX) return invalid({ path: 'from', message: `must be at most ${DAYS_MAX} days back from to` });
  const all = Array.from({ length }, (_, n) => dayOf(from_ms + n * DAY_MS));
  const calls_from_ms = Math.max(from_ms, now_ms - RECEIPT_KEPT_MS);
  return { from: dayOf(from_ms), to: dayOf(last_ms), from_ms, until_ms, all, calls_from_ms };
}

function told(sums: Sums): Told {
  return { ...sums.counts, median_response_seconds: sums.median_response_seconds, by_phase: sums.by_phase };
}

/** The sort order of listings: revenue first, then the stages before it. */
const WEIGHED = ['revenue_cents', 'deals', 'conversations', 'matches', 'views'] as const satisfies readonly Counted[];

const answered = (took: Distribution) => ({ replies: took.n, median_response_seconds: took.median });

const served = ({ calls, took }: Served): ServedFigures => ({ calls, served: took.n, median_latency_ms: took.median });

/** The capabilities with the most calls, the busiest first. */
function byCapability(weeks: readonly string[], tally: Tally): Analytics['by_capability'] {
  return [...tally.capabilities]
    .sort(([, a], [, b]) => b.whole.calls - a.whole.calls)
    .slice(0, CAPABILITIES_MAX)
    .map(([capability, { whole, ofWeek }]) => ({
      capability,
      ...served(whole),
      by_week: weeks.map((week) => ({ week, ...served(ofWeek(week)) })),
    }));
}

/** The sums of the span; `listings` are sorted, the busiest first. */
export function sumsOf(
  { from, to, all, calls_from_ms }: Days,
  tally: Tally,
  listings: readonly { readonly id: string; readonly headline: string }[],
): Analytics {
  const by_listing = listings.map(({ id, headline }) => ({ listing_id: id, headline, ...told(tally.ofListing(id)) }));
  const weeks = [...new Set(all.map(weekOf))];
  const called = weeks.filter((week) => week >= weekOf(dayOf(calls_from_ms)));
  return {
    from,
    to,
    ...told(tally.whole),
    by_listing: by_listing.sort((a, b) => {
      const differs = WEIGHED.find((what) => a[what] !== b[what]);
      return differs === undefined ? 0 : b[differs] - a[differs];
    }),
    by_day: all.map((day) => ({ day, ...tally.ofDay(day) })),
    by_week: weeks.map((week) => ({ week, ...answered(tally.ofWeek(week)) })),
    by_capability: byCapability(called, tally),
  };
}
