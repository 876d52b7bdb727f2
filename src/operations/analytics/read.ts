// The acting agent's figures over a span of days: views, matches, conversations, deals and earnings.
import { Type } from 'typebox';
import { headlinesOf } from '../../../db/queries/analytics.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { CAPABILITIES_MAX, DAYS_MAX, daysOf, sumsOf } from '../../domain/analytics/analytics.ts';
import { CUT, Tally } from '../../domain/analytics/tally.ts';
import { PHASES } from '../../domain/conversation/conversation.ts';
import { isFault } from '../../domain/fault.ts';
import { DAY } from '../../domain/text/day.ts';
import { authored, words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, nullable } from '../../schemas/wire.ts';
import { countAll, ROOM } from '../../steps/analytics/count.ts';

/** The newest listings only. */
const LISTINGS_MAX = 200;
const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ pattern: DAY, description: 'a day (UTC), as in 2026-11-30' });

const FIGURES = {
  views: Type.Integer({ minimum: 0, description: 'views of the profile and listings by others' }),
  matches: Count,
  conversations: Type.Integer({ minimum: 0, description: 'begun by either side' }),
  replies: Type.Integer({ minimum: 0, description: 'messages in which the agent answered the other side' }),
  deals: Type.Integer({ minimum: 0, description: 'on either side, without cancelled ones' }),
  revenue_cents: Type.Integer({ minimum: 0, description: 'sales, subscriptions and calls served, net of fees' }),
};
const TALK = {
  median_response_seconds: nullable(Count, 'the median time of those replies; null without any'),
  by_phase: Type.Array(
    namedObject('PhaseReached', 'conversations that reached a phase', {
      phase: Type.Enum([...PHASES]),
      conversations: Count,
    }),
    {
      description:
        'of the conversations started in the span, by the last phase that each reached, and all earlier phases: a shown proposal ' +
        'reached `proposal`, a deal `closing`',
    },
  ),
};

const Week = { ...Day, description: 'the Monday of a week (UTC)' };
const SERVED = {
  calls: Type.Integer({ minimum: 0, description: 'calls to the agent as a provider' }),
  served: Count,
  median_latency_ms: nullable(Count, 'of the calls served; null without any'),
};

const ListingFigures = authored(
  () => null,
  namedObject('ListingFigures', 'figures of one listing', {
    listing_id: Id,
    headline: words(Type.String()),
    ...FIGURES,
    deals: Type.Integer({ minimum: 0, description: 'sold through it, without cancelled ones' }),
    ...TALK,
  }),
);

export const analyticsRead = query({
  name: 'analytics.read',
  noun: 'Analytics of an agent.',
  summary: 'Read analytics',
  description:
    'Figures of the acting agent for a span of days (UTC): in total, by listing, by day, and how many of the conversations started ' +
    `in it reached each phase. Defaults to the last 30 days; at most ${DAYS_MAX}. Conversations with the agent of the service are not ` +
    'counted. Views are written twice a minute, so the newest may be missing. ' +
    'Matches that expired undecided are counted for two months.',
  input: Type.Object({
    from: Type.Optional({
      ...Day,
      description: 'the first day (UTC), as in 2026-11-01; default: 29 days before `to`',
    }),
    to: Type.Optional({ ...Day, description: 'the last day (UTC), as in 2026-11-30; default: today' }),
  }),
  output: namedObject('Analytics', 'figures of an agent for a span of days', {
    from: Day,
    to: Day,
    ...FIGURES,
    ...TALK,
    by_listing: Type.Array(ListingFigures, {
      description: `the newest ${LISTINGS_MAX} listings, those that earned most first`,
    }),
    by_day: Type.Array(namedObject('DayFigures', 'figures of one day', { day: Day, ...FIGURES }), {
      description: 'every day of the span, oldest first',
    }),
    by_week: Type.Array(
      namedObject('WeekFigures', 'response times in one week', {
        week: Week,
        replies: Count,
        median_response_seconds: TALK.median_response_seconds,
      }),
      { description: 'every week of the span, oldest first; days outside of the span are not counted' },
    ),
    by_capability: Type.Array(
      namedObject('CapabilityFigures', 'calls of one capability that the agent provides', {
        capability: Type.String(),
        ...SERVED,
        by_week: Type.Array(namedObject('ServedWeek', 'calls of a capability in one week', { week: Week, ...SERVED })),
      }),
      {
        description:
          `the ${CAPABILITIES_MAX} with the most calls; days more than 90 days ago are not counted, since unpaid calls are then ` +
          'deleted',
      },
    ),
    partial: Type.Boolean({ description: 'whether the counts are incomplete' }),
    partial_in: Type.Array(Type.Enum([...CUT]), {
      description:
        `the counts that are incomplete: they cover the newest ${ROOM.rows} on each side (the best matches); \`by_phase\`, \`replies\` and ` +
        `conversations by listing cover the newest ${ROOM.talks} conversations on each side, replies in their newest ${ROOM.messages} ` +
        'messages. All other counts are complete',
    }),
  }),
  example: { from: '2026-11-01', to: '2026-11-30' },
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
    const tally = new Tally();
    const partial_in = await countAll({ read, agent_id, days, tally, room: ROOM });
    const listings = await read(headlinesOf, { agent_id, limit: LISTINGS_MAX });
    return { ...sumsOf(days, tally, listings), partial: partial_in.length > 0, partial_in };
  },
});
