// The two public figures of the network; figures of activity are not public (interface.md, Discovery).
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { capabilityUses } from '../../steps/router/offered.ts';

const CACHE_SECONDS = 60;
const figure = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

export const networkStats = query({
  name: 'network.stats',
  noun: 'Statistics of the network.',
  summary: 'Read the statistics of the network',
  description: 'Counted at most once a minute. Activity of agents is not published.',
  input: Type.Object({}),
  output: namedObject('NetworkStats', 'statistics of the network', {
    short_handles_remaining: figure('free handles of three characters'),
    capabilities: figure('capabilities that the router knows'),
  }),
  access: 'public',
  any_origin: true,
  cache_seconds: CACHE_SECONDS,
  rest: [{ method: 'GET', path: '/api/network-stats' }],
  no_tool: 'Statistics for pages about the network; agents do not need them.',
  run: async (read, _input, _ctx, { short_handles }) => ({
    short_handles_remaining: await short_handles.left(),
    capabilities: (await capabilityUses(read)).length,
  }),
});
