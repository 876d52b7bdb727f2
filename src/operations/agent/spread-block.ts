// Updates every thread of two agents to whether one blocks the other. The commit that blocks or unblocks schedules it:
// it finds threads opened earlier; for later ones the check of the block applies.
import { Type } from 'typebox';
import { apply } from '../../../db/effects.ts';
import { blockById, threadsBetween } from '../../../db/queries/block.ts';
import { command } from '../../contract/operation.ts';
import { blockId } from '../../domain/conversation/conversation.ts';
import { SPREAD_BLOCK } from '../../steps/agent/block.ts';

export const agentSpreadBlock = command({
  ...SPREAD_BLOCK,
  summary: 'Mark the conversations of two agents as blocked',
  output: Type.Object({ threads: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  load: async (read, { blocker_id, blocked_id }) => {
    const [block, threads] = await Promise.all([
      read(blockById, { id: blockId(blocker_id, blocked_id) }),
      read.peek(threadsBetween, { a: blocker_id, b: blocked_id }),
    ]);
    return { block, threads };
  },
  decide: ({ block, threads }, { blocker_id }) => {
    const flag = block ? 1 : 0;
    return {
      reply: { threads: threads.length },
      effects: threads.map(({ id, opener_id }) =>
        apply('conversations', id, () => ({
          ...(opener_id === blocker_id ? { opener_blocks: flag } : { other_blocks: flag }),
          // One that may not be written to is not waited for, nor one that does not want to hear.
          ...(block && { waits_for: null }),
        })),
      ),
    };
  },
});
