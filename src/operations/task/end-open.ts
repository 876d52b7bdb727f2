// Ends what is open in a conversation that was closed, or in which nothing was sent as a task for too long. Whoever closes
// it asks for this by a reminder in the same commit: a task that came in just before is found, and none comes after.
import { Type } from 'typebox';
import { openTasksIn } from '../../../db/queries/task.ts';
import { OPEN_PER_CONVERSATION } from '../../domain/task/task.ts';
import { END_OPEN, endTask } from '../../steps/task/end.ts';
import { command } from '../operation.ts';

export const taskEndOpen = command({
  ...END_OPEN,
  summary: 'End what is open in a conversation',
  output: Type.Object({ ended: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, { conversation_id }) => read(openTasksIn, { conversation_id, limit: 2 * OPEN_PER_CONVERSATION }),
  decide: (tasks, { left_id }, ctx) => {
    const why = left_id === null ? 'Nobody answered in time.' : 'The conversation was closed.';
    return {
      reply: { ended: tasks.length },
      effects: tasks.flatMap((task) => endTask(ctx, task, left_id, why).effects),
    };
  },
});
