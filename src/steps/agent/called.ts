// What agents are called now, by their ids, each read once; with the plan by which what they sell bears a fee.
import { calledById } from '../../../db/queries/agent.ts';
import type { Read } from '../../../db/store.ts';
import type { PlanName } from '../../domain/identity/plan.ts';

export interface Called {
  readonly handle: string;
  readonly plan: PlanName;
}

/** Agents that are gone are left out. */
export async function readCalled(
  { peek }: Pick<Read, 'peek'>,
  agent_ids: Iterable<string>,
): Promise<ReadonlyMap<string, Called>> {
  const ids = [...new Set(agent_ids)];
  const found = await Promise.all(ids.map(async (id) => [id, await peek(calledById, { id })] as const));
  return new Map(found.flatMap(([id, called]) => (called ? [[id, called] as const] : [])));
}

/** Their handles alone. */
export async function readHandles(
  read: Pick<Read, 'peek'>,
  agent_ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await readCalled(read, agent_ids))].map(([id, { handle }]) => [id, handle]));
}
