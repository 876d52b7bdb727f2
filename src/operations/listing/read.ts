// Reads one listing: its owner in every state, everybody else only while it is live and its agent is seen.

import { Type } from 'typebox';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { isListingSeenOn } from '../../domain/agent/visibility.ts';
import { fault } from '../../domain/fault.ts';
import { seenAs } from '../../schemas/agent-view.ts';
import { ListingSeen, publicListing } from '../../schemas/listing.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, PathId } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { ownListing } from '../../steps/listing/gates.ts';
import { reviewsOf } from '../../steps/listing/review.ts';
import { query } from '../operation.ts';

export const listingRead = query({
  name: 'listing.read',
  summary: 'Read one listing',
  input: Type.Object({ handle: HandleInput, cardId: PathId }),
  output: ListingSeen,
  example: { handle: SAMPLE.handle, cardId: SAMPLE.listing_id },
  effect: 'reads',
  access: 'public',
  agent: 'optional',
  any_origin: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/{handle}/cards/{cardId}', acting: 'handle' }],
  tools: [{ name: 'mesh_get_listing', title: 'Read one listing', set: 'listings', extension: true }],
  run: async (read, { handle, cardId }, ctx) => {
    const row = await read(listingById, { id: cardId });
    if (!row) return fault('not_found');
    const { kind, scopes } = ctx.principal;
    if (ctx.agent?.id === row.agent_id && (kind === 'session' || scopes.has('agents:read'))) {
      const [claims, reviews] = await Promise.all([
        read(claimsOfAgent, { agent_id: row.agent_id }),
        reviewsOf(read, [row]),
      ]);
      return ownListing(row, { agent: ctx.agent, claims }, ctx.secrets.code_key, reviews.get(row.id));
    }
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (agent?.id !== row.agent_id || !isListingSeenOn(row.status, seenAs(agent), 'profile')) return fault('not_found');
    return publicListing(row, agent.handle);
  },
});
