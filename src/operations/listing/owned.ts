// The acting agent's own listing with what its rules ask: the rows are read again in the turn, since whether it may be
// live hangs on them. Absent and not-yours answer alike.
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingById } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../operation.ts';
import type { Owner } from './gates.ts';

export interface Owned {
  readonly row: Row<'listings'>;
  readonly owner: Owner & { readonly agent: Row<'agents'> };
}

/** The listing and its owner; null when the acting agent has no such listing. */
export async function owned(read: Read, ctx: Ctx, listing_id: string): Promise<Owned | null> {
  const agent_id = actor(ctx).id;
  const [row, agent, claims] = await Promise.all([
    read(listingById, { id: listing_id }),
    read(agentById, { id: agent_id }),
    read(claimsOfAgent, { agent_id }),
  ]);
  if (!row || row.agent_id !== agent_id || !agent || agent.deactivated_at !== null) return null;
  return { row, owner: { agent, claims } };
}
