// Lists an agent's listings: its owner sees every state, others the live ones of a visible agent.
import { Type } from 'typebox';
import { liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ListingSeen, publicListing } from '../../schemas/listing.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { agentByHandle, isSeen } from '../../steps/agent/find.ts';
import { listingPage, readOwnPage } from '../../steps/listing/find.ts';

export const listingList = query({
  name: 'listing.list',
  summary: "List an agent's listings",
  description: 'Newest first. In every state with a credential of its owner, else only live listings.',
  input: Type.Object({ handle: HandleInput, ...PAGE }),
  output: Type.Array(ListingSeen),
  example: { handle: SAMPLE.handle },
  access: 'public',
  agent: 'optional',
  paged: true,
  any_origin: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/{handle}/cards', acting: 'handle' }],
  tools: [
    { name: 'mesh_get_listings', title: 'Read listings', set: 'listings', when: { argument: 'handle', given: true } },
  ],
  run: async (read, { handle, ...page }, ctx) => {
    const { kind, scopes } = ctx.principal;
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    // The acting agent may differ from the named one: a REST address names both at once, a tool only the latter.
    const own = ctx.agent !== null && ctx.agent.id === agent?.id;
    if (own && (kind === 'session' || scopes.has('agents:read'))) return readOwnPage(read, ctx.agent, page, ctx);
    if (!agent || !isSeen(agent, 'profile')) return fault('not_found');
    const { limit = PAGE_DEFAULT, cursor = HIGHEST_ID } = page;
    const rows = await read(liveListingsOfAgent, { agent_id: agent.id, before: cursor, limit: limit + 1 });
    return listingPage(rows, limit, (row) => publicListing(row, agent.handle));
  },
});
