// Hides an agent from all others, at the request of its person or of an administrator who suspends the account.
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { tell } from '../event.ts';
import { pauseListings } from '../listing/hide.ts';
import { endOfAgent } from '../task/end.ts';

/** Hides the agent from the commit on; `offers` are the capabilities that it serves. Its open deals and conversations continue. */
export function withdrawn(ctx: Ctx, agent: Row<'agents'>, offers: readonly Row<'providers'>[]): Effect<never>[] {
  const { now_ms } = ctx;
  return [
    patch('agents', agent, { deactivated_at: now_ms, updated_at: now_ms }),
    tell(ctx, agent, 'agent.updated', { fields: ['status'] }),
    pauseListings(agent.id, now_ms),
    ...offers.map((offer) => patch('providers', offer, { active: 0 })),
    endOfAgent(now_ms, agent.id),
  ];
}

/** Shows the agent again; its listings and offers stay paused until its person resumes them. */
export function broughtBack(ctx: Ctx, agent: Row<'agents'>): Effect<never>[] {
  return [
    patch('agents', agent, { deactivated_at: null, updated_at: ctx.now_ms }),
    tell(ctx, agent, 'agent.updated', { fields: ['status'] }),
  ];
}
