// Schedules the hiding of an agent's listings: those on a domain that is no longer its own, or all when it has no proof left or is
// deactivated. A slice a turn, each of which schedules the next.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remindNow } from '../reminder.ts';

/** The call that holds: the offers on a domain, or all listings without one; `before` is where a slice begins. */
export const HOLD = {
  name: 'listing.hold',
  input: Type.Object({ agent_id: Id, domain: Type.Optional(Type.String()), before: Type.Optional(Id) }),
} as const;

/** The listings to hide; `before` continues before a listing. */
interface Held {
  readonly agent_id: string;
  /** The offers on it; all listings without one. */
  readonly domain?: string | undefined;
  readonly before?: string;
}

/** Holds listings of an agent before the reply; a run asks for the next slice in the same way. */
export function holdListings({ agent_id, domain, before }: Held, now_ms: number): Effect<never> {
  const input = { agent_id, ...(domain !== undefined && { domain }), ...(before !== undefined && { before }) };
  return remindNow(HOLD, input, { key: `${agent_id}:${domain ?? ''}`, now_ms });
}

export const PAUSE = { name: 'listing.pause_agent', input: Type.Object({ agent_id: Id }) } as const;

/** Pauses an agent's listings before the reply; a run asks for the next slice in the same way. */
export function pauseListings(agent_id: string, now_ms: number): Effect<never> {
  return remindNow(PAUSE, { agent_id }, { key: agent_id, now_ms });
}
