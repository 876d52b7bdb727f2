// Which agent acts: the one that X-Agent-Handle (or the path) names, else the key's own, else the account's only one.
import { deactivatedAgents, handleById } from '../../db/queries/agent.ts';
import type { Row } from '../../db/schema/tables.ts';
import { type Fault, fault, isFault } from '../domain/fault.ts';
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

/** The acting agent, or why there is none. A key that is bound to an agent acts as no other. One that was deactivated acts only
 * where the operation lets it. */
export async function actingAgent(
  core: Core,
  caller: Caller,
  acting: string | null,
  even_deactivated: boolean,
): Promise<Row<'agents'> | Fault> {
  const live = await caller.agents();
  const found = await actingOf(core, caller, acting, live);
  if (!isFault(found) || !even_deactivated || caller.principal.account_id === null) return found;
  // Only where no live one acts, so that who has one left need not name it.
  const gone = await core.store.read(deactivatedAgents, { account_id: caller.principal.account_id });
  const agent = acting === null && live.length > 0 ? found : await actingOf(core, caller, acting, gone);
  return isFault(agent) ? found : agent;
}

async function actingOf(
  core: Core,
  caller: Caller,
  acting: string | null,
  all: readonly Row<'agents'>[],
): Promise<Row<'agents'> | Fault> {
  const bound = caller.principal.key_agent_id;
  const agents = bound === null ? all : all.filter((agent) => agent.id === bound);
  // What is no text names nobody.
  if (acting !== null) return (isText(acting) && (await agentNamed(core, agents, acting))) || fault('not_found');
  const [only, another] = agents;
  if (!only) return fault('not_found', NO_AGENT);
  if (another) return fault('agent_required', undefined, { handles: agents.map((agent) => agent.handle) });
  return only;
}
