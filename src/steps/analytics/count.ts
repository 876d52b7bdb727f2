// Counts what happened around an agent in a span of days, kind after kind and each a slice at a time, so that others are served meanwhile.

import {
  calledBetween,
  type DayCount,
  dealsBought,
  dealsSold,
  type EndQuery,
  endOfBought,
  endOfOffered,
  endOfRouted,
  endOfSold,
  endOfSought,
  endOfViews,
  matchesAsOffer,
  matchesAsSeek,
  type Slice,
  type Span,
  viewsBetween,
} from '../../../db/queries/analytics.ts';
import { earnedBetween, endOfEarned } from '../../../db/queries/earning.ts';
import type { Query } from '../../../db/query.ts';
import { CUT, type Cut } from '../../domain/analytics/tally.ts';
import { idAt } from '../../domain/id-time.ts';
import { dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import { BEHIND_MS, type Counting, countTalks, type Room } from './talks.ts';
import { walk } from './walk.ts';

/** The most rows read for one answer. Of conversations fewer than of other rows: each is read with all that belongs to it. */
export const ROOM: Room = { rows: 100_000, talks: 1_000, messages: 4_000 };

/** The range of scores, in millionths; its end is exclusive. */
const SCORES = { from: 0, until: 1_000_001 };

type Kind = 'matches' | 'deals';

function dated<T extends { readonly day: number }>(row: T): Omit<T, 'day'> & { readonly day: string } {
  return { ...row, day: dayOf(row.day * DAY_MS) };
}

/** Counts the rows of one query over the slices of another; returns whether there were more. */
function countAlong<Place>(
  { read, agent_id, days: { from_ms, until_ms }, tally, room }: Counting,
  what: Kind,
  { from, until }: Slice<Place>,
  [ends, counts]: readonly [EndQuery<Place>, Query<Span & Slice<Place>, DayCount[]>],
): Promise<boolean> {
  const end = (before: Place, skip: number) => read(ends, { agent_id, from, until: before, skip });
  return walk({ from, until, end }, room.rows, async (from, until) => {
    const rows = await read(counts, { agent_id, from_ms, until_ms, from, until });
    for (const row of rows) tally.add(what, dated(row));
  });
}

function countViews({ read, agent_id, days, tally, room }: Counting): Promise<boolean> {
  const { from } = days;
  // Sorts after the last day.
  const until = `${days.to}~`;
  const end = (before: string, skip: number) => read(endOfViews, { agent_id, from, until: before, skip });
  return walk({ from, until, end }, room.rows, async (from, until) => {
    for (const row of await read(viewsBetween, { agent_id, from, until })) tally.add('views', row);
  });
}

/** Counts the earnings of the wallet. Its postings are numbered in time order: the first one before the span ends the walk. */
function countEarned({ read, agent_id, days: { from_ms, until_ms }, tally, room }: Counting): Promise<boolean> {
  const wallet = `wallet:${agent_id}`;
  const end = async (until: number, skip: number) => {
    const found = await read(endOfEarned, { wallet, until, skip });
    return found && { place: found.place, over: found.at < from_ms };
  };
  return walk({ from: 0, until: Number.MAX_SAFE_INTEGER, end }, room.rows, async (from, until) => {
    const rows = await read(earnedBetween, { wallet, from_ms, until_ms, from, until });
    for (const row of rows) tally.add('revenue_cents', dated(row));
  });
}

/** Counts the calls to the agent as a provider: revenue, successes and latencies. */
function countCalls({ read, agent_id, days, tally, room }: Counting, { from, until }: Slice<string>): Promise<boolean> {
  const { from_ms, until_ms, calls_from_ms } = days;
  const end = (before: string, skip: number) => read(endOfRouted, { agent_id, from, until: before, skip });
  return walk({ from, until, end }, room.rows, async (from, until) => {
    for (const row of await read(calledBetween, { agent_id, from_ms, until_ms, calls_from_ms, from, until })) {
      const { capability, counted, served, latency_ms, cents, n } = row;
      const day = dayOf(row.day * DAY_MS);
      if (cents > 0) tally.add('revenue_cents', { day, listing_id: null, n: cents });
      if (counted === 1) tally.addCalls({ capability, day, n, latency_ms: served === 1 ? latency_ms : null });
    }
  });
}

/** Counts everything. Returns the kinds with more rows than the limit. */
export async function countAll(counting: Counting): Promise<Cut[]> {
  const { from_ms, until_ms } = counting.days;
  const ids = { from: idAt(from_ms), until: idAt(until_ms + BEHIND_MS) };
  const cut = new Set<Cut>();
  // One after another: side by side their slices would be read in one go.
  const counts: readonly (readonly [Cut, () => Promise<boolean>])[] = [
    ['views', () => countViews(counting)],
    ['matches', () => countAlong(counting, 'matches', SCORES, [endOfOffered, matchesAsOffer])],
    ['matches', () => countAlong(counting, 'matches', SCORES, [endOfSought, matchesAsSeek])],
    ['deals', () => countAlong(counting, 'deals', ids, [endOfSold, dealsSold])],
    ['deals', () => countAlong(counting, 'deals', ids, [endOfBought, dealsBought])],
    ['revenue_cents', () => countEarned(counting)],
    ['revenue_cents', () => countCalls(counting, ids)],
  ];
  for (const [what, count] of counts) if (await count()) cut.add(what);
  const { by_phase, replies } = await countTalks(counting);
  if (by_phase) cut.add('by_phase');
  if (replies) cut.add('replies');
  return CUT.filter((what) => cut.has(what));
}
