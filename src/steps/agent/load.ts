// Reads an agent for its person or for changes to it: its account, proofs, keys and webhooks, and the names of other agents.

import { agentById, calledById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { trackRecordById } from '../../../db/queries/deal.ts';
import { accountById, keysOfAccount } from '../../../db/queries/identity.ts';
import { providersOfAgent } from '../../../db/queries/router.ts';
import { webhookById } from '../../../db/queries/webhook.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import { type AgentPorts, factsOf } from '../../schemas/agent.ts';
import type { Claimable } from '../provision/claim.ts';
import type { Own } from './own.ts';
import { emailAt } from './trust.ts';

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

/** Reads the acting agent with its account, claims and presence. */
export function loadOwn(read: Read, ctx: Ctx, ports: AgentPorts): Promise<Own> {
  return loadAgent(read, ports, actor(ctx).id);
}

/** The same for any agent, for work that no acting agent asked for. */
export async function loadAgent(read: Read, ports: AgentPorts, id: string): Promise<Own> {
  const [row, claims, presence, record] = await Promise.all([
    read(agentById, { id }),
    read(claimsOfAgent, { agent_id: id }),
    factsOf(ports, id),
    // Peeked: a commit that counts meanwhile computes the trust again itself.
    read.peek(trackRecordById, { id }),
  ]);
  const account = row ? await read(accountById, { id: row.account_id }) : null;
  const agent = row?.deactivated_at === null ? row : null;
  return { agent, account, claims, facts: { claims, email_at: emailAt(account), presence, record } };
}

/** The capabilities that it serves now. */
export async function activeOffers(read: Read, agent_id: string): Promise<Row<'providers'>[]> {
  return (await read(providersOfAgent, { agent_id })).filter(({ active }) => active === 1);
}

/** More than an account gets by renewing for as long as it may live. */
const KEYS_MAX = 100;

export async function readLiveKeys(read: Read, account_id: string, now_ms: number): Promise<Row<'api_keys'>[]> {
  const found = await read(keysOfAccount, { account_id, now_ms, before: HIGHEST_ID, limit: KEYS_MAX });
  return found.map(({ key }) => key);
}

export async function readClaimable(
  read: Read,
  id: string,
  now_ms: number,
  ports: Pick<LoadPorts, 'presence'>,
): Promise<Claimable> {
  // The current row: of two claims the second finds it claimed.
  const agent = await read(agentById, { id });
  if (!agent) throw new Error('the calling agent does not exist');
  const [own, keys, claims, presence] = await Promise.all([
    read(accountById, { id: agent.account_id }),
    readLiveKeys(read, agent.account_id, now_ms),
    read(claimsOfAgent, { agent_id: agent.id }),
    ports.presence(agent.id),
  ]);
  return { agent, own, keys, facts: { claims, presence, record: null } };
}

// One of the acting agent's webhooks by its id; another's is as absent as what does not exist.

/** The webhook, or null. */
export async function ownWebhook(read: Read, ctx: Ctx, id: string): Promise<Row<'webhooks'> | null> {
  const row = await read(webhookById, { id });
  return row?.agent_id === actor(ctx).id ? row : null;
}
