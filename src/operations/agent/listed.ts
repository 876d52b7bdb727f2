// The listed agents, newest first, with what they have live: what the registry and the list of people are pages of.
import { registryListings, registryPage } from '../../../db/queries/registry.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';

/** An agent as lists show it, with its live listings. */
export interface Listed {
  readonly agent: Row<'agents'>;
  readonly listings: readonly Pick<Row<'listings'>, 'agent_id' | 'card_type' | 'labels'>[];
}

/** Sorts after every UUID: the first page begins before it. */
export const NEWEST = 'g';

/** Listed agents before the cursor's id, newest first. */
export async function newest(read: Read, before: string, limit: number): Promise<Listed[]> {
  const [agents, listings] = await Promise.all([
    read(registryPage, { before, limit }),
    read(registryListings, { before, limit }),
  ]);
  const byAgent = Map.groupBy(listings, ({ agent_id }) => agent_id);
  return agents.map((agent) => ({ agent, listings: byAgent.get(agent.id) ?? [] }));
}
