// The push configs that the acting agent has for a task, oldest first.
import { Type } from 'typebox';
import { pushConfigsOfTask } from '../../../db/queries/push-config.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { PushConfigShape, pushConfigView } from '../../schemas/push-config.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { TaskId } from '../../schemas/task.ts';
import { openPushSecret } from '../../steps/push-config.ts';
import { partyTask } from '../../steps/task/find.ts';

export const pushConfigList = query({
  name: 'push_config.list',
  summary: "List a task's push configs",
  input: Type.Object({ task_id: TaskId }),
  output: Type.Array(PushConfigShape),
  example: { task_id: SAMPLE.task_id },
  effect: 'reads',
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  rest: [],
  run: async (read, { task_id }, ctx) => {
    const task = await partyTask(read, actor(ctx).id, task_id, ctx.now_ms);
    if (!task) return fault('not_found');
    const rows = await read(pushConfigsOfTask, { task_id: task.id });
    return rows
      .filter(({ agent_id }) => agent_id === actor(ctx).id)
      .map((row) => pushConfigView(task_id, row, openPushSecret(ctx.secrets.seal_key, row)));
  },
});
