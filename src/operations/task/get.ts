// One task with its messages and artifacts, for either side.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { TaskId, TaskShape } from '../../schemas/task.ts';
import { HISTORY, HISTORY_MAX, partyTask, readTask } from '../../steps/task/find.ts';

export const taskGet = query({
  name: 'task.get',
  needed_by: 'clients of A2A',
  summary: 'Read a task',
  description:
    'For its sender and its receiver. `history` holds the newest messages of both. A task can be ' +
    'read for 30 days after its end.',
  input: Type.Object({
    task_id: TaskId,
    history_length: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: `default: ${HISTORY}` }),
    ),
  }),
  output: TaskShape,
  example: { task_id: SAMPLE.task_id },
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  run: async (read, { task_id, history_length = HISTORY }, ctx) => {
    const me = actor(ctx);
    const task = await partyTask(read, me.id, task_id, ctx.now_ms);
    const shown = { history: Math.min(history_length, HISTORY_MAX), artifacts: true };
    return (task && (await readTask(read, task, me.id, shown))) ?? fault('not_found');
  },
});
