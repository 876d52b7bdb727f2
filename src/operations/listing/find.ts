// Reads one listing by its id alone, for transports whose addresses hold nothing else.
import { Type } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ListingSeen } from '../../schemas/listing.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { listingSeenBy } from '../../steps/listing/find.ts';

export const listingFind = query({
  name: 'listing.find',
  needed_by: 'clients of MCP that read mesh://listing/{id}',
  summary: 'Read a listing by its id',
  input: Type.Object({ listing_id: PathId }),
  output: ListingSeen,
  example: { listing_id: SAMPLE.listing_id },
  access: 'public',
  agent: 'optional',
  faults: ['not_found'],
  run: async (read, { listing_id }, ctx, ports) => {
    const row = await read(listingById, { id: listing_id });
    if (!row) return fault('not_found');
    return listingSeenBy(read, row, await read(agentById, { id: row.agent_id }), ctx, ports);
  },
});
