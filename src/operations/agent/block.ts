// Blocks an agent: from this answer on it can open no conversation with the blocker and write in none. Nothing is hidden
// from it, and it is told only when it tries.
import { Type } from 'typebox';
import { count, type Effect, insert } from '../../../db/effects.ts';
import { blockById } from '../../../db/queries/block.ts';
import { BLOCKS_MAX, blockGate, blockId } from '../../domain/conversation/block.ts';
import { fault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, iso, Time } from '../../schemas/wire.ts';
import { counterparty } from '../../steps/agent/find.ts';
import { remindNow } from '../../steps/reminder.ts';
import { actor, type Ctx } from '../context.ts';
import { command } from '../operation.ts';
import { agentSpreadBlock } from './spread-block.ts';

/** Brings the threads of the two up to what their blocks now say, before the reply. */
export function spreadBlocks(ctx: Ctx, blocker_id: string, blocked_id: string): Effect<never> {
  const which = { key: `${blocker_id}:${blocked_id}`, now_ms: ctx.now_ms };
  return remindNow(agentSpreadBlock, { blocker_id, blocked_id }, which);
}

/** Counts an agent's blocks, by one more or one less. */
export function countBlocks(blocker_id: string, by: 1 | -1): Effect<'plan_limit'> {
  const data = { limit: BLOCKS_MAX, resets_at: null };
  const refusal = fault('plan_limit', `An agent blocks ${BLOCKS_MAX} others at most.`, data);
  return count(`blocks:${blocker_id}`, BLOCKS_MAX, refusal, null, by);
}

export const agentBlock = command({
  name: 'agent.block',
  summary: 'Block an agent',
  description:
    'It can then open no conversation with your agent and write in none (403 `blocked`), and no matches are made ' +
    'between the two. What was said stays, you may still write, and it is not told. Blocking twice is the same as once.',
  input: Type.Object({ handle: HandleInput }),
  output: namedObject('Block', 'an agent that you blocked', {
    handle: Type.String(),
    blocked: Type.Literal(true),
    since: Time,
  }),
  example: { handle: SAMPLE.other_handle },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['not_found', 'conflict', 'plan_limit'],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/block' }],
  tools: [{ name: 'mesh_block_agent', title: 'Block an agent', set: 'agents', extension: true }],
  load: async (read, { handle }, ctx) => {
    const me = actor(ctx).id;
    const other = await counterparty(read, me, handle, ctx.now_ms);
    return { other, known: other && (await read(blockById, { id: blockId(me, other.id) })) };
  },
  decide: ({ other, known }, _input, ctx) => {
    const me = actor(ctx).id;
    if (!other) return fault('not_found');
    const { handle } = other;
    if (known) return { reply: { handle, blocked: true as const, since: iso(known.created_at) } };
    const row = { id: blockId(me, other.id), agent_id: me, blocked_id: other.id, created_at: ctx.now_ms };
    const gate = blockGate(me, other.id);
    return {
      reply: { handle, blocked: true as const, since: iso(ctx.now_ms) },
      effects: [
        insert('blocks', row, fault('conflict')),
        count(gate, 1, fault('conflict')),
        countBlocks(me, 1),
        spreadBlocks(ctx, me, other.id),
      ],
    };
  },
});
