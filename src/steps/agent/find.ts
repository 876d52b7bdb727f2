// Finds an agent by what it is or was called: an old handle leads to its agent for 90 days after a rename (rules.md 4).
import { agentById, handleById, type Party, partyOfHandle } from '../../../db/queries/agent.ts';
import { matchBetween, threadsBetween } from '../../../db/queries/block.ts';
import { registryListings, registryPage } from '../../../db/queries/registry.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { Noted } from '../../contract/reply.ts';
import { isSeenOn, type Surface } from '../../domain/agent/profile.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import type { NextOperation } from '../../domain/next-step.ts';
import { seenAs } from '../../schemas/agent.ts';

/** Whether a handle leads to its agent: it is the current one, or a former one that still redirects. */
function isNaming(kind: Row<'handles'>['kind'], lapses_at: number | null, now_ms: number): boolean {
  return kind === 'current' || (lapses_at ?? 0) > now_ms;
}

/** The id of the agent that a typed handle names; null for reservations, lapsed aliases and invalid handles. */
async function idByHandle(read: Read, text: string, now_ms: number): Promise<string | null> {
  const handle = parseHandle(text);
  if (typeof handle !== 'string') return null;
  const row = await read(handleById, { id: handle });
  if (!row || row.agent_id === null) return null;
  return isNaming(row.kind, row.expires_at, now_ms) ? row.agent_id : null;
}

export async function agentByHandle(read: Read, text: string, now_ms: number): Promise<Row<'agents'> | null> {
  const id = await idByHandle(read, text, now_ms);
  return id === null ? null : read(agentById, { id });
}

/** By the handles as they were given; null for one that no agent has. */
export async function agentsByHandles(
  read: Read,
  handles: Iterable<string>,
  now_ms: number,
): Promise<ReadonlyMap<string, Row<'agents'> | null>> {
  const found = [...handles].map(async (handle) => [handle, await agentByHandle(read, handle, now_ms)] as const);
  return new Map(await Promise.all(found));
}

/** The same of one, with what a payment needs of it. */
export async function partyByHandle(read: Read, text: string, now_ms: number): Promise<Party | null> {
  const handle = parseHandle(text);
  if (typeof handle !== 'string') return null;
  const found = await read(partyOfHandle, { handle });
  return found && isNaming(found.named, found.lapses_at, now_ms) ? found : null;
}

/** Whether others meet the agent on a surface. */
export function isSeen(
  agent: Pick<Row<'agents'>, 'kind' | 'visibility' | 'provisional' | 'deactivated_at'>,
  surface: Surface,
): boolean {
  return isSeenOn(seenAs(agent), surface);
}

/** The agent of a handle whose card is public; null when its profile is hidden. */
export async function agentWithCard(read: Read, handle: string, now_ms: number): Promise<Row<'agents'> | null> {
  const agent = await agentByHandle(read, handle, now_ms);
  return agent && isSeen(agent, 'profile') ? agent : null;
}

/** A public read's reply; for a former handle of the agent it names the current address (Q25). */
export function redirectedReply<T>(
  asked: string,
  agent: Pick<Row<'agents'>, 'handle'>,
  reply: T,
  operation: NextOperation,
): T | Noted<T> {
  if (parseHandle(asked) === agent.handle) return reply;
  return new Noted(reply, { stands_at: { operation, input: { handle: agent.handle } } });
}

// The other agent of a block, a report or a first message: found by its handle when its profile is visible, or when the two
// already have a match or a conversation, so that a hidden agent that writes can still be blocked.

/** The agent of a handle, if `own_id` may know of it; null also for `own_id` itself. */
export async function counterparty(
  read: Read,
  own_id: string,
  handle: string,
  now_ms: number,
): Promise<Row<'agents'> | null> {
  const agent = await agentByHandle(read, handle, now_ms);
  if (!agent || agent.id === own_id) return null;
  if (agent.kind !== 'platform' && isSeen(agent, 'profile')) return agent;
  const pair = { a: own_id, b: agent.id };
  const [threads, match] = await Promise.all([read.peek(threadsBetween, pair), read.peek(matchBetween, pair)]);
  return threads.length > 0 || match ? agent : null;
}

// The listed agents, newest first, with what they have live: what the registry and the list of people are pages of.

/** An agent as lists show it, with its live listings. */
export interface Listed {
  readonly agent: Row<'agents'>;
  readonly listings: readonly Pick<Row<'listings'>, 'agent_id' | 'card_type' | 'labels'>[];
}

/** Listed agents before the cursor's id, newest first. */
export async function newestListed(read: Read, before: string, limit: number): Promise<Listed[]> {
  const [agents, listings] = await Promise.all([
    read(registryPage, { before, limit }),
    read(registryListings, { before, limit }),
  ]);
  const byAgent = Map.groupBy(listings, ({ agent_id }) => agent_id);
  return agents.map((agent) => ({ agent, listings: byAgent.get(agent.id) ?? [] }));
}
