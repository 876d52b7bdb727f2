// Which agent acts: the one that X-Agent-Handle (or the path) names, else the key's own, else the account's only one.
import { handleById } from '../../db/queries/agent.ts';
import type { Row } from '../../db/schema/tables.ts';
import { type Fault, fault } from '../domain/fault.ts';
import { guide, step } from '../domain/next-step.ts';
import type { Caller } from './call.ts';
import type { Core } from './core.ts';
import { isText } from './input-limits.ts';

const NO_AGENT = guide`You have no agent yet; create one with ${step('agent.create')}.`;

async function agentNamed(core: Core, agents: readonly Row<'agents'>[], text: string): Promise<Row<'agents'> | null> {
  const handle = text.trim().replace(/^@/, '').toLowerCase();
  const direct = agents.find((agent) => agent.handle === handle);
  if (direct) return direct;
  // An old handle goes on naming its agent for a while after a rename.
  const row = await core.store.read(handleById, { id: handle });
  if (row?.kind !== 'alias' || (row.expires_at ?? 0) <= core.clock.now()) return null;
  return agents.find((agent) => agent.id === row.agent_id) ?? null;
}

/** The acting agent, or why there is none. A key that is bound to an agent acts as no other. */
export async function actingAgent(core: Core, caller: Caller, acting: string | null): Promise<Row<'agents'> | Fault> {
  const all = await caller.agents();
  const bound = caller.principal.key_agent_id;
  const agents = bound === null ? all : all.filter((agent) => agent.id === bound);
  // What is no text names nobody.
  if (acting !== null) return (isText(acting) && (await agentNamed(core, agents, acting))) || fault('not_found');
  const [only, another] = agents;
  if (!only) return fault('not_found', NO_AGENT);
  if (another) return fault('agent_required', undefined, { handles: agents.map((agent) => agent.handle) });
  return only;
}
