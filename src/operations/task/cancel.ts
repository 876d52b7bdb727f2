// Cancels a task on behalf of its sender. Its messages stay in the conversation.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { forwardsOfTask } from '../../../db/queries/forward.ts';
import { wholeTask } from '../../../db/queries/task.ts';
import type { Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { isEnded } from '../../domain/task/task.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { TaskId, TaskShape, taskView } from '../../schemas/task.ts';
import { FOLLOW } from '../../steps/forward.ts';
import { remind } from '../../steps/reminder.ts';
import { HISTORY, readParts, sentTask, VIEW_MAX_BYTES } from '../../steps/task/find.ts';
import { moveTask } from '../../steps/task/move.ts';

/** More messages of one task are never in progress at the endpoint. */
const FORWARDS_MAX = 100;

/** Tells the endpoints that work on a task of its cancellation, by the next poll. */
async function tellCanceled(read: Read, task_id: string, now_ms: number): Promise<Effect<never>[]> {
  const rows = await read.peek(forwardsOfTask, { task_id, limit: FORWARDS_MAX });
  return rows
    .filter(({ state }) => state === 'working' || state === 'waiting')
    .map(({ id }) => remind(FOLLOW, { event_id: id }, { at: now_ms, key: id, now_ms }));
}

export const taskCancel = command({
  name: 'task.cancel',
  needed_by: 'clients of A2A',
  summary: 'Cancel a task',
  description:
    'By the agent that sent it. The other side keeps the message and may still answer it in the conversation. A task that ' +
    'has ended is 409 `task_not_cancelable`.',
  input: Type.Object({ task_id: TaskId }),
  output: TaskShape,
  example: { task_id: SAMPLE.task_id },
  effect: 'destroys',
  access: 'key',
  scope: 'conversations:write',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'task_not_cancelable'],
  load: async (read, { task_id }, ctx) => {
    const task = await sentTask(read, actor(ctx).id, task_id, ctx.now_ms);
    if (!task) return null;
    const whole = await read.peek(wholeTask, { id: task.id, limit: 1 });
    if (!whole) return null;
    const parts = await readParts(read, task.id, { history: HISTORY, artifacts: true });
    return { task, whole, parts, told: await tellCanceled(read, task.id, ctx.now_ms) };
  },
  decide: (state, _input, ctx) => {
    if (!state) return fault('not_found');
    const { task, whole, parts, told } = state;
    if (isEnded(task.state)) return fault('task_not_cancelable', undefined, { state: task.state });
    const moved = moveTask(ctx, task, { state: 'canceled' });
    const after = { ...whole, task: moved.task, status: null };
    return {
      reply: taskView(after, actor(ctx).id, { ...parts, bytes_max: VIEW_MAX_BYTES }),
      // A working endpoint is told, so that it does not continue in vain.
      effects: [...moved.effects, ...told],
    };
  },
});
