// Ends the open tasks of a conversation that was closed, or that had no task message for too long. The commit that closes it
// writes the reminder for this: a task sent just before is found, and none comes after. Later messages of a task do not move
// the reminder: the run that finds them schedules the next one.
import { Type } from 'typebox';
import { openTasksIn } from '../../../db/queries/task.ts';
import { command } from '../../contract/operation.ts';
import { OPEN_MS, OPEN_PER_CONVERSATION } from '../../domain/task/task.ts';
import { END_OPEN, endAgain, endTask } from '../../steps/task/end.ts';

export const taskEndOpen = command({
  ...END_OPEN,
  summary: 'End the open tasks of a conversation',
  output: Type.Object({ ended: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  load: (read, { conversation_id }) => read(openTasksIn, { conversation_id, limit: 2 * OPEN_PER_CONVERSATION }),
  decide: (tasks, { conversation_id, left_id }, ctx) => {
    const over = left_id === null ? tasks.filter(({ updated_at }) => updated_at + OPEN_MS <= ctx.now_ms) : tasks;
    const waiting = left_id === null ? tasks.filter((task) => !over.includes(task)) : [];
    const why = left_id === null ? 'There was no answer in time.' : 'The conversation was closed.';
    return {
      reply: { ended: over.length },
      effects: [
        ...over.flatMap((task) => endTask(ctx, task, left_id, why).effects),
        ...endAgain(ctx, conversation_id, waiting),
      ],
    };
  },
});
