// Asks for an agent's listings to be taken out of sight: those on a domain that is no longer its own, or all of them when it is
// deactivated. A slice a turn, each asking for the next in the same way.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remindNow } from '../reminder.ts';

/** The call that holds; `before` is where a slice begins. */
export const HOLD = {
  name: 'listing.hold',
  input: Type.Object({ agent_id: Id, domain: Type.String(), before: Type.Optional(Id) }),
} as const;

/** Holds an agent's offers on a domain before the reply; a run asks for the slice before a listing in the same way. */
export function holdOffers(agent_id: string, domain: string, now_ms: number, before?: string): Effect<never> {
  const slice = before === undefined ? {} : { before };
  return remindNow(HOLD, { agent_id, domain, ...slice }, { key: `${agent_id}:${domain}`, now_ms });
}

/** The call that pauses. */
export const PAUSE = { name: 'listing.pause_agent', input: Type.Object({ agent_id: Id }) } as const;

/** Pauses an agent's listings before the reply; a run asks for the next slice in the same way. */
export function pauseListings(agent_id: string, now_ms: number): Effect<never> {
  return remindNow(PAUSE, { agent_id }, { key: agent_id, now_ms });
}
