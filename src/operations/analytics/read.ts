// What happened around the acting agent in a span of days: who looked, what was matched, talked about, agreed and earned.
import { Type } from 'typebox';
import {
  begunByAgent,
  begunByOthers,
  type Counted,
  dealsBought,
  dealsSold,
  headlinesOf,
  matchesAsOffer,
  matchesAsSeek,
  repliesAsOpener,
  repliesAsOther,
  routedInSpan,
  viewsInSpan,
} from '../../../db/queries/analytics.ts';
import { earnedInSpan } from '../../../db/queries/earning.ts';
import type { Read } from '../../../db/store.ts';
import { addUp, DAYS_MAX, type Days, dayAt, daysOf, type Sources } from '../../domain/analytics/analytics.ts';
import { PHASES } from '../../domain/conversation/conversation.ts';
import { isFault } from '../../domain/fault.ts';
import { idAt } from '../../domain/id-time.ts';
import { authored, words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id } from '../../schemas/wire.ts';
import { actor } from '../context.ts';
import { query } from '../operation.ts';

const DAY_MS = 86_400_000;
/** Rows of each kind that are looked at: more than a busy agent has in a month, and read in some hundredths of a second. */
const ROWS_MAX = 20_000;
/** Conversations and messages of each that are looked at for answers. */
const THREADS_MAX = 2_000;
const NEWEST_MAX = 200;
/** Listings told of, the newest. */
const LISTINGS_MAX = 200;
/** Ids are made behind the instant at which a call began, at most so long. */
const BEHIND_MS = 3_600_000;

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'a day (UTC), as in 2026-11-30' });

const FIGURES = {
  views: Type.Integer({ minimum: 0, description: 'looks of others at the profile and at listings' }),
  matches: Count,
  conversations: Type.Integer({ minimum: 0, description: 'begun by either side' }),
  deals: Type.Integer({ minimum: 0, description: 'on either side, but for those that were cancelled' }),
  revenue_cents: Type.Integer({ minimum: 0, description: 'sales, subscriptions and calls served, net of fees' }),
};
const REPLIES = {
  replies: Type.Integer({ minimum: 0, description: 'messages in which the agent answered the other side' }),
};

const ListingFigures = authored(
  () => null,
  namedObject('ListingFigures', 'what happened around one listing', {
    listing_id: Id,
    headline: words(Type.String()),
    ...FIGURES,
  }),
);

/** What is read, and whether there was more of any kind than is looked at. */
async function readSources(
  read: Read,
  agent_id: string,
  { from, to, from_ms, until_ms }: Days,
): Promise<{ sources: Sources; partial: boolean }> {
  const span = { agent_id, from_ms, until_ms, limit: ROWS_MAX };
  const ids = { ...span, from_id: idAt(from_ms), until_id: idAt(until_ms + BEHIND_MS) };
  const answers = { ...span, threads: THREADS_MAX, newest: NEWEST_MAX };
  let partial = false;
  const cut = (rows: number): void => {
    if (rows >= ROWS_MAX) partial = true;
  };
  const dated = <T extends Counted>(rows: readonly T[]) => {
    cut(rows.reduce((sum, { rows: looked }) => sum + looked, 0));
    return rows.map((row) => ({ ...row, day: dayAt(row.day * DAY_MS) }));
  };
  const [views, offered, sought, opened, joined, mine, theirs, sold, bought, earned, routed] = await Promise.all([
    read(viewsInSpan, { agent_id, from, to, limit: ROWS_MAX }),
    read(matchesAsOffer, span),
    read(matchesAsSeek, span),
    read(begunByAgent, ids),
    read(begunByOthers, ids),
    read(repliesAsOpener, answers),
    read(repliesAsOther, answers),
    read(dealsSold, span),
    read(dealsBought, span),
    read(earnedInSpan, { ...span, wallet: `wallet:${agent_id}` }),
    read(routedInSpan, ids),
  ]);
  for (const rows of [views, mine, theirs]) cut(rows.length);
  const sources = {
    views,
    matches: [...dated(offered), ...dated(sought)],
    conversations: [...dated(opened), ...dated(joined)],
    replies: [...mine, ...theirs].map(({ at, took_ms }) => ({ day: dayAt(at), took_ms })),
    deals: [...dated(sold), ...dated(bought)],
    revenue: [...dated(earned), ...dated(routed)],
  };
  return { sources, partial };
}

export const analyticsRead = query({
  name: 'analytics.read',
  noun: 'What happened around an agent, counted.',
  summary: 'Read analytics',
  description:
    'Figures of the acting agent for a span of days (UTC): in all, by listing, by day, and how many of the conversations begun ' +
    `in it reached each phase. Without dates the last 30 days; at most ${DAYS_MAX}. Views are counted in memory and written twice ` +
    `a minute, so that the newest may be missing. \`partial\` says that of some kind only ${ROWS_MAX} rows were counted.`,
  input: Type.Object({
    from: Type.Optional({
      ...Day,
      description: 'the first day (UTC), as in 2026-11-01; 29 days before `to` unless said',
    }),
    to: Type.Optional({ ...Day, description: 'the last day (UTC), as in 2026-11-30; today unless said' }),
  }),
  output: namedObject('Analytics', 'what happened around an agent in a span of days', {
    from: Day,
    to: Day,
    ...FIGURES,
    ...REPLIES,
    median_response_seconds: Type.Union([Count, Type.Null()], {
      description: 'the middle of what those answers took; null without any',
    }),
    by_phase: Type.Array(
      namedObject('PhaseReached', 'conversations that came as far as a phase', {
        phase: Type.Enum([...PHASES]),
        conversations: Count,
      }),
      { description: 'of the conversations begun in the span, by the phase where each is now' },
    ),
    by_listing: Type.Array(ListingFigures, {
      description: `the newest ${LISTINGS_MAX} listings, those that earned most first`,
    }),
    by_day: Type.Array(namedObject('DayFigures', 'what happened on one day', { day: Day, ...FIGURES, ...REPLIES }), {
      description: 'every day of the span, oldest first',
    }),
    partial: Type.Boolean({ description: 'whether there was more than is counted' }),
  }),
  example: { from: '2026-11-01', to: '2026-11-30' },
  effect: 'reads',
  access: 'key',
  scope: 'analytics:read',
  agent: 'required',
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: '/api/analytics' }],
  tools: [{ name: 'mesh_get_analytics', title: 'Read analytics', set: 'account' }],
  run: async (read, asked, ctx) => {
    const days = daysOf(asked, ctx.now_ms);
    if (isFault(days)) return days;
    const agent_id = actor(ctx).id;
    const [{ sources, partial }, listings] = await Promise.all([
      readSources(read, agent_id, days),
      read(headlinesOf, { agent_id, limit: LISTINGS_MAX }),
    ]);
    return { ...addUp(days, sources, listings), partial };
  },
});
