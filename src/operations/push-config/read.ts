// One push config of the acting agent, by its id; without one the only config that it has for the task.
import { Type } from 'typebox';
import { pushConfigsOfTask } from '../../../db/queries/push-config.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { PushConfigId, PushConfigShape, pushConfigView } from '../../schemas/push-config.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { TaskId } from '../../schemas/task.ts';
import { openPushSecret } from '../../steps/push-config.ts';
import { partyTask } from '../../steps/task/find.ts';

export const pushConfigRead = query({
  name: 'push_config.read',
  summary: 'Read a push config',
  description: 'Older dialects name no config: then it is the newest that the caller has.',
  input: Type.Object({ task_id: TaskId, config_id: Type.Optional(PushConfigId) }),
  output: PushConfigShape,
  example: { task_id: SAMPLE.task_id, config_id: SAMPLE.push_config_id },
  effect: 'reads',
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  rest: [],
  run: async (read, { task_id, config_id }, ctx) => {
    const task = await partyTask(read, actor(ctx).id, task_id, ctx.now_ms);
    const rows = task ? await read(pushConfigsOfTask, { task_id: task.id }) : [];
    const own = rows.filter(({ agent_id }) => agent_id === actor(ctx).id);
    const row = own.findLast((each) => config_id === undefined || each.config_id === config_id);
    return row ? pushConfigView(task_id, row, openPushSecret(ctx.secrets.seal_key, row)) : fault('not_found');
  },
});
