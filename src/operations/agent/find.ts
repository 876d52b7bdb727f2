// Finds an agent by what it is or was called: an old handle leads to its agent for 90 days after a rename (decisions.md 4).
import { agentById, handleById } from '../../../db/queries/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { parseHandle } from '../../domain/handle.ts';
import { type Place, type Seen, seenIn } from '../../domain/visibility.ts';
import { WithHeaders } from '../operation.ts';

/** The agent that a handle names, as typed; null for reservations, lapsed aliases and what is no handle. */
export async function agentByHandle(read: Read, text: string, now_ms: number): Promise<Row<'agents'> | null> {
  const handle = parseHandle(text);
  if (typeof handle !== 'string') return null;
  const row = await read(handleById, { id: handle });
  if (!row || row.agent_id === null) return null;
  if (row.kind !== 'current' && (row.expires_at ?? 0) <= now_ms) return null;
  return read(agentById, { id: row.agent_id });
}

/** The part of an agent's row that decides who sees it. */
export function seenAs(agent: Pick<Row<'agents'>, 'visibility' | 'provisional' | 'deactivated_at'>): Seen {
  return {
    visibility: agent.visibility,
    provisional: agent.provisional === 1,
    deactivated: agent.deactivated_at !== null,
  };
}

/** Whether others meet the agent at a place. */
export function isSeen(
  agent: Pick<Row<'agents'>, 'visibility' | 'provisional' | 'deactivated_at'>,
  place: Place,
): boolean {
  return seenIn(seenAs(agent), place);
}

/** A public read's reply; asked for under a handle that the agent gave up, it names the address of now (Q25). */
export function underOldHandle<T>(
  asked: string,
  agent: Pick<Row<'agents'>, 'handle'>,
  reply: T,
  address: (handle: string) => string,
): T | WithHeaders<T> {
  if (parseHandle(asked) === agent.handle) return reply;
  return new WithHeaders(reply, { 'Content-Location': address(agent.handle) });
}
