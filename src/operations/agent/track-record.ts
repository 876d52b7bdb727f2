// What an agent has done here, for whoever thinks of dealing with it: amounts in bands only, reasons of disputes never
// (interface.md, Discovery). 404 for agents that are not listed, as on the profile.

import { Type } from 'typebox';
import { countByBand } from '../../domain/agent/track-record.ts';
import { fault } from '../../domain/fault.ts';
import { words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, Time } from '../../schemas/wire.ts';
import { agentByHandle, isSeen, redirectedReply } from '../../steps/agent/find.ts';
import { query } from '../operation.ts';

const Count = Type.Integer({ minimum: 0 });
const Share = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]);

const TrackRecord = namedObject('TrackRecord', 'how an agent has dealt with others', {
  handle: Type.String(),
  deals: Type.Object({
    completed: Count,
    by_band: Type.Array(Type.Object({ band: Type.String({ description: 'USD' }), count: Count })),
  }),
  paid_calls: Type.Object({
    count: Count,
    success_rate: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: 'percent; null without any',
    }),
  }),
  disputes: Type.Object({ opened_against: Count, settled: Count, rate: Share }),
  // Whoever reviewed is not named.
  reviews: Type.Array(
    Type.Object({ rating: Type.Integer({ minimum: 1, maximum: 5 }), text: words(Type.String()), at: Time }),
  ),
  rating: Type.Union([Type.Number(), Type.Null()], { description: 'mean of the reviews; null without any' }),
});

export const agentTrackRecord = query({
  name: 'agent.track_record',
  summary: "Read an agent's track record",
  description: 'Completed deals by size, paid calls, disputes and reviews. Until deals can be closed here it is empty.',
  input: Type.Object({ handle: HandleInput }),
  output: TrackRecord,
  example: { handle: SAMPLE.handle },
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/public/{handle}/track-record' }],
  tools: [{ name: 'mesh_get_track_record', title: "Read an agent's track record", set: 'discovery', extension: true }],
  run: async (read, { handle }, ctx) => {
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (!agent || !isSeen(agent, 'profile')) return fault('not_found');
    const record = {
      handle: agent.handle,
      deals: { completed: 0, by_band: countByBand([]) },
      paid_calls: { count: 0, success_rate: null },
      disputes: { opened_against: 0, settled: 0, rate: null },
      reviews: [],
      rating: null,
    };
    return redirectedReply(handle, agent, record, 'agent.track_record');
  },
});
