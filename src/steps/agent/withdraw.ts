// What takes an agent out of everybody's sight, whoever asks for it: its person, or an administrator who suspends the account.
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { tell } from '../event.ts';
import { pauseListings } from '../listing/hide.ts';
import { endOfAgent } from '../task/end.ts';

/** It is met nowhere from the commit on; `offers` are the capabilities that it serves. What it has open with others goes on. */
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

/** It is met again; its listings stay paused, and it serves nothing, until its person says so. */
export function broughtBack(ctx: Ctx, agent: Row<'agents'>): Effect<never>[] {
  return [
    patch('agents', agent, { deactivated_at: null, updated_at: ctx.now_ms }),
    tell(ctx, agent, 'agent.updated', { fields: ['status'] }),
  ];
}
