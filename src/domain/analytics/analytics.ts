// What happened around an agent in a span of days (UTC), added up: in all, by listing, by day, and how far its conversations came.
import { PHASES, type Phase } from '../conversation/conversation.ts';
import { type Fault, invalid } from '../fault.ts';

const DAY_MS = 86_400_000;
/** Days in one answer: a year, a leap day in it. */
export const DAYS_MAX = 366;
const DAYS_DEFAULT = 30;

/** Something counted on a day, of a listing of the agent's or of none. */
export interface Figure {
  readonly day: string;
  readonly listing_id: string | null;
  readonly n: number;
}

/** All that is added up. */
export interface Sources {
  readonly views: readonly Figure[];
  readonly matches: readonly Figure[];
  readonly conversations: readonly (Figure & { readonly phase: string })[];
  /** The agent's answers, with what each took. */
  readonly replies: readonly { readonly day: string; readonly took_ms: number }[];
  readonly deals: readonly Figure[];
  readonly revenue: readonly Figure[];
}

/** Days, the first and the last included. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly from_ms: number;
  readonly until_ms: number;
  readonly all: readonly string[];
}

/** What is counted of a listing, on a day, and in all. */
interface Sums {
  readonly views: number;
  readonly matches: number;
  readonly conversations: number;
  readonly deals: number;
  readonly revenue_cents: number;
}

/** The sums of a span. */
interface Analytics extends Sums {
  readonly from: string;
  readonly to: string;
  readonly replies: number;
  readonly median_response_seconds: number | null;
  readonly by_phase: { phase: Phase; conversations: number }[];
  readonly by_listing: (Sums & { readonly listing_id: string; readonly headline: string })[];
  readonly by_day: (Sums & { readonly day: string; readonly replies: number })[];
}

/** The day of an instant, as in 2026-11-30. */
export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The first instant of a day; null for what is none, such as 2026-02-30. */
function beginOf(day: string): number | null {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(ms) && dayAt(ms) === day ? ms : null;
}

const NO_DAY = 'is no day; write it as in 2026-11-30';

/** The days that are asked for: the last 30 unless said. */
export function daysOf(asked: { from?: string; to?: string }, now_ms: number): Days | Fault<'invalid_request'> {
  const last_ms = beginOf(asked.to ?? dayAt(now_ms));
  // Before 1970 there was no such service, and a year before 0 has no such form.
  if (last_ms === null || last_ms < DAYS_DEFAULT * DAY_MS) return invalid({ path: 'to', message: NO_DAY });
  const from_ms = asked.from === undefined ? last_ms - (DAYS_DEFAULT - 1) * DAY_MS : beginOf(asked.from);
  if (from_ms === null || from_ms < 0) return invalid({ path: 'from', message: NO_DAY });
  const until_ms = last_ms + DAY_MS;
  const length = (until_ms - from_ms) / DAY_MS;
  if (length < 1) return invalid({ path: 'from', message: 'must not come after to' });
  if (length > DAYS_MAX) return invalid({ path: 'from', message: `must be at most ${DAYS_MAX} days back from to` });
  const all = Array.from({ length }, (_, n) => dayAt(from_ms + n * DAY_MS));
  return { from: dayAt(from_ms), to: dayAt(last_ms), from_ms, until_ms, all };
}

/** The middle of what answers took, in whole seconds; null without any. */
function medianSeconds(replies: Sources['replies']): number | null {
  const took = replies.map(({ took_ms }) => Math.max(0, took_ms)).sort((a, b) => a - b);
  const [low, high] = [took[Math.floor((took.length - 1) / 2)], took[Math.floor(took.length / 2)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2000);
}

type Key = 'day' | 'listing_id';

/** The sums under each day or listing. */
function sums(figures: readonly Figure[], key: Key): (of: string) => number {
  const found = new Map<string | null, number>();
  for (const figure of figures) found.set(figure[key], (found.get(figure[key]) ?? 0) + figure.n);
  return (of) => found.get(of) ?? 0;
}

const total = (figures: readonly { readonly n: number }[]): number => figures.reduce((sum, { n }) => sum + n, 0);

/** How many conversations reached each phase. They go on step by step, so that one was in all phases before its own. */
function byPhase(conversations: Sources['conversations']): { phase: Phase; conversations: number }[] {
  const place = new Map<string, number>(PHASES.map((phase, n) => [phase, n]));
  return PHASES.map((phase, n) => ({
    phase,
    conversations: total(conversations.filter((each) => (place.get(each.phase) ?? 0) >= n)),
  }));
}

/** The sums of the span; `listings` are those that are told of, busiest first. */
export function addUp(
  { from, to, all }: Days,
  sources: Sources,
  listings: readonly { readonly id: string; readonly headline: string }[],
): Analytics {
  const replies = sources.replies.map(({ day }) => ({ day, listing_id: null, n: 1 }));
  const under = (key: Key) => ({
    views: sums(sources.views, key),
    matches: sums(sources.matches, key),
    conversations: sums(sources.conversations, key),
    replies: sums(replies, key),
    deals: sums(sources.deals, key),
    revenue: sums(sources.revenue, key),
  });
  const [on, of] = [under('day'), under('listing_id')];
  const by_listing = listings.map(({ id, headline }) => ({
    listing_id: id,
    headline,
    views: of.views(id),
    matches: of.matches(id),
    conversations: of.conversations(id),
    deals: of.deals(id),
    revenue_cents: of.revenue(id),
  }));
  return {
    from,
    to,
    views: total(sources.views),
    matches: total(sources.matches),
    conversations: total(sources.conversations),
    replies: replies.length,
    deals: total(sources.deals),
    revenue_cents: total(sources.revenue),
    median_response_seconds: medianSeconds(sources.replies),
    by_phase: byPhase(sources.conversations),
    by_listing: by_listing.sort(
      (a, b) =>
        b.revenue_cents - a.revenue_cents ||
        b.deals - a.deals ||
        b.conversations - a.conversations ||
        b.matches - a.matches ||
        b.views - a.views,
    ),
    by_day: all.map((day) => ({
      day,
      views: on.views(day),
      matches: on.matches(day),
      conversations: on.conversations(day),
      replies: on.replies(day),
      deals: on.deals(day),
      revenue_cents: on.revenue(day),
    })),
  };
}
