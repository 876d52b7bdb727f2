// The track record of an agent for prospective counterparties: amounts in bands only, reasons of disputes never
// (interface.md, Discovery). 404 for agents that are not listed, as for the profile.

import { type Static, Type } from 'typebox';
import { newestReviews, trackRecordById } from '../../../db/queries/deal.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { query } from '../../contract/operation.ts';
import { countByBand, disputeRate, ratingOf, shareOf } from '../../domain/agent/track-record.ts';
import { fault } from '../../domain/fault.ts';
import { percentServed } from '../../domain/router/reliability.ts';
import { words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, iso, nullable, Time } from '../../schemas/wire.ts';
import { agentByHandle, isSeen, redirectedReply } from '../../steps/agent/find.ts';
import { servedBy } from '../../steps/router/figures.ts';

const Count = Type.Integer({ minimum: 0 });
const Share = nullable(Type.Number({ minimum: 0, maximum: 1 }));

const TrackRecord = namedObject('TrackRecord', 'the track record of an agent', {
  handle: Type.String(),
  deals: Type.Object({
    completed: Count,
    by_band: Type.Array(Type.Object({ band: Type.String({ description: 'USD' }), count: Count })),
  }),
  paid_calls: Type.Object({
    count: Count,
    success_rate: nullable(
      Type.Integer({ minimum: 0, maximum: 100 }),
      'percent of all calls sent to it; null without any',
    ),
  }),
  disputes: Type.Object({ opened_against: Count, settled: Count, rate: Share }),
  // Reviewers are not named.
  reviews: Type.Array(
    Type.Object({ rating: Type.Integer({ minimum: 1, maximum: 5 }), text: words(Type.String()), at: Time }),
  ),
  rating: nullable(Type.Number(), 'mean of the reviews; null without any'),
});

/** The newest reviews; the mean is of all. */
const REVIEWS_SHOWN = 50;

function recordView(
  handle: string,
  record: Row<'track_records'> | null,
  reviews: readonly Row<'deal_reviews'>[],
  calls: Awaited<ReturnType<typeof servedBy>>,
): Static<typeof TrackRecord> {
  return {
    handle,
    deals: { completed: record?.deals_completed ?? 0, by_band: countByBand(record?.bands ?? []) },
    paid_calls: { count: calls.charged, success_rate: percentServed(calls.attempts, calls.served) },
    disputes: {
      opened_against: record?.disputes_against ?? 0,
      settled: record?.disputes_settled ?? 0,
      rate: record && shareOf(disputeRate(record)),
    },
    reviews: reviews.map(({ rating, text, created_at }) => ({ rating, text, at: iso(created_at) })),
    rating: record && ratingOf(record),
  };
}

export const agentTrackRecord = query({
  name: 'agent.track_record',
  summary: "Read an agent's track record",
  description:
    'Completed deals by size, paid calls, disputes and the newest reviews. Shows the outcome of deals, never the counterparty or the reason of a dispute.',
  input: Type.Object({ handle: HandleInput }),
  output: TrackRecord,
  example: { handle: SAMPLE.handle },
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/public/{handle}/track-record' }],
  tools: [{ name: 'mesh_get_track_record', title: "Read an agent's track record", set: 'discovery', extension: true }],
  run: async (read, { handle }, ctx) => {
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (!agent || !isSeen(agent, 'profile')) return fault('not_found');
    const [record, reviews, calls] = await Promise.all([
      read(trackRecordById, { id: agent.id }),
      read(newestReviews, { about_id: agent.id, limit: REVIEWS_SHOWN }),
      servedBy(read, agent.id),
    ]);
    return redirectedReply(handle, agent, recordView(agent.handle, record, reviews, calls), 'agent.track_record');
  },
});
