// Removes a block. Conversations resume in their earlier state.
import { Type } from 'typebox';
import { count, remove } from '../../../db/effects.ts';
import { blockById } from '../../../db/queries/block.ts';
import { tasteById } from '../../../db/queries/match.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { blockGate, blockId } from '../../domain/conversation/conversation.ts';
import { fault } from '../../domain/fault.ts';
import { aboutAgent } from '../../domain/match/signal.ts';
import { ABSENT, describe } from '../../domain/next-step.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { countBlocks, spreadBlocks } from '../../steps/agent/block.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { learnEffects } from '../../steps/match.ts';

export const agentUnblock = command({
  name: 'agent.unblock',
  summary: 'Remove a block',
  description: describe`${ABSENT} when your agent does not block it.`,
  input: Type.Object({ handle: HandleInput }),
  output: Type.Object({ handle: Type.String(), blocked: Type.Literal(false) }),
  example: { handle: SAMPLE.blocked_handle },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['not_found', 'conflict', 'plan_limit'],
  rest: [{ method: 'DELETE', path: '/api/agents/{handle}/block' }],
  tools: [{ name: 'mesh_unblock_agent', title: 'Remove a block', set: 'agents', extension: true }],
  load: async (read, { handle }, ctx) => {
    // A hidden agent can be unblocked too: the block is the caller's own.
    const other = await agentByHandle(read, handle, ctx.now_ms);
    const me = actor(ctx).id;
    const block = other && (await read(blockById, { id: blockId(me, other.id) }));
    return { other, block, held: await read.peek(tasteById, { id: me }) };
  },
  decide: ({ other, block, held }, _input, ctx) => {
    const me = actor(ctx).id;
    if (!other || !block) return fault('not_found');
    return {
      reply: { handle: other.handle, blocked: false as const },
      effects: [
        remove('blocks', block),
        count(blockGate(me, other.id), 1, fault('conflict'), null, -1),
        countBlocks(me, -1),
        spreadBlocks(ctx, me, other.id),
        ...learnEffects(ctx, { about: aboutAgent(other.id), signal: null, held }),
      ],
    };
  },
});
