// Reads one listing: its owner in every state, others only while it is live and its agent visible.
import { Type } from 'typebox';
import { listingById } from '../../../db/queries/listing.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ListingSeen } from '../../schemas/listing.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, PathId } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { listingSeenBy } from '../../steps/listing/find.ts';

export const listingRead = query({
  name: 'listing.read',
  summary: 'Read one listing',
  input: Type.Object({ handle: HandleInput, cardId: PathId }),
  output: ListingSeen,
  example: { handle: SAMPLE.handle, cardId: SAMPLE.listing_id },
  access: 'public',
  agent: 'optional',
  any_origin: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/{handle}/cards/{cardId}', acting: 'handle' }],
  tools: [{ name: 'mesh_get_listing', title: 'Read one listing', set: 'listings', extension: true }],
  run: async (read, { handle, cardId }, ctx, ports) => {
    const [row, agent] = await Promise.all([
      read(listingById, { id: cardId }),
      agentByHandle(read, handle, ctx.now_ms),
    ]);
    if (!row || agent?.id !== row.agent_id) return fault('not_found');
    return listingSeenBy(read, row, agent, ctx, ports);
  },
});
