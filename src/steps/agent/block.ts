// Shared by blocking and unblocking: the count of an agent's blocks, and copying a block to the existing threads.
import { Type } from 'typebox';
import { count, type Effect } from '../../../db/effects.ts';
import type { Ctx } from '../../contract/context.ts';
import { BLOCKS_MAX } from '../../domain/conversation/conversation.ts';
import { fault } from '../../domain/fault.ts';
import { Id } from '../../schemas/wire.ts';
import { remindNow } from '../reminder.ts';

export const SPREAD_BLOCK = {
  name: 'agent.spread_block',
  input: Type.Object({ blocker_id: Id, blocked_id: Id }),
} as const;

/** Brings the threads of the two up to what their blocks now say, before the reply. */
export function spreadBlocks(ctx: Ctx, blocker_id: string, blocked_id: string): Effect<never> {
  const which = { key: `${blocker_id}:${blocked_id}`, now_ms: ctx.now_ms };
  return remindNow(SPREAD_BLOCK, { blocker_id, blocked_id }, which);
}

/** Counts an agent's blocks, by one more or one less. */
export function countBlocks(blocker_id: string, by: 1 | -1): Effect<'plan_limit'> {
  const data = { limit: BLOCKS_MAX, resets_at: null };
  const refusal = fault('plan_limit', `An agent can block at most ${BLOCKS_MAX} others.`, data);
  return count(`blocks:${blocker_id}`, BLOCKS_MAX, refusal, null, by);
}
