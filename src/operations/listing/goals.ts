// Reads what the owner of a listing wants of each issue of a deal: for its own side alone.
import { Type } from 'typebox';
import { listingById } from '../../../db/queries/listing.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { GoalsShape, goalsView } from '../../schemas/issue.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';

export const listingGoals = query({
  name: 'listing.goals',
  summary: 'Read the goals of a listing',
  description:
    'Limit, wish and weight of each issue that the built-in negotiator bargains over. Nobody else sees them.',
  input: Type.Object({ cardId: PathId }),
  output: GoalsShape,
  example: { cardId: SAMPLE.listing_id },
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/{handle}/cards/{cardId}/goals', acting: 'handle' }],
  tools: [{ name: 'mesh_get_goals', title: 'Read the goals of a listing', set: 'listings', extension: true }],
  run: async (read, { cardId }, ctx) => {
    const row = await read(listingById, { id: cardId });
    return row?.agent_id === actor(ctx).id ? goalsView(row.id, row.goals) : fault('not_found');
  },
});
