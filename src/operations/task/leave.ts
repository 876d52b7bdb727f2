// Ends the open tasks of a deactivated agent, some conversations a turn: tasks that it sent are canceled, and tasks sent to it
// fail. The commit that deactivates the agent writes the reminder for this.
import { Type } from 'typebox';
import { joinedWithTasks, openedWithTasks, openTasksIn } from '../../../db/queries/task.ts';
import { command } from '../../contract/operation.ts';
import { OPEN_PER_CONVERSATION } from '../../domain/task/task.ts';
import { endOfAgent, endTask, LEAVE } from '../../steps/task/end.ts';

/** Conversations of each side a turn; with as many tasks as one may hold, a turn writes some hundred rows. */
const SLICE = 2;

export const taskLeave = command({
  ...LEAVE,
  summary: 'End the open tasks of a deactivated agent',
  output: Type.Object({ ended: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  load: async (read, { agent_id }) => {
    const asked = { agent_id, limit: SLICE };
    const threads = (await Promise.all([read.peek(openedWithTasks, asked), read.peek(joinedWithTasks, asked)])).flat();
    const limit = 2 * OPEN_PER_CONVERSATION;
    const open = threads.map(({ id }) => read(openTasksIn, { conversation_id: id, limit }));
    return { tasks: (await Promise.all(open)).flat(), more: threads.length > 0 };
  },
  decide: ({ tasks, more }, { agent_id }, ctx) => ({
    reply: { ended: tasks.length },
    effects: [
      ...tasks.flatMap((task) => endTask(ctx, task, agent_id, 'The agent was deactivated.').effects),
      // Without a task to end, the same counts would be found again and again.
      ...(more && tasks.length > 0 ? [endOfAgent(ctx.now_ms, agent_id)] : []),
    ],
  }),
});
