// Deletes a push config; nothing more is delivered to it.
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { pushConfigById } from '../../../db/queries/push-config.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { TaskId } from '../../schemas/task.ts';
import { PushConfigId } from '../../schemas/webhook.ts';
import { type ConfigRow, countPushConfigs, DELIVER, pushConfigKey } from '../../steps/push-config.ts';
import { unremind } from '../../steps/reminder.ts';
import { partyTask } from '../../steps/task/find.ts';

/** A config of the acting agent; another party's counts as absent. */
async function ownPushConfig(read: Read, ctx: Ctx, task_id: string, config_id: string): Promise<ConfigRow | null> {
  const row = await read(pushConfigById, { id: pushConfigKey(task_id, config_id) });
  return row?.agent_id === actor(ctx).id ? row : null;
}

export const pushConfigDelete = command({
  name: 'push_config.delete',
  needed_by: 'clients of A2A that receive push notifications of a task',
  summary: 'Delete a push config',
  input: Type.Object({ task_id: TaskId, config_id: PushConfigId }),
  output: Type.Object({ removed: Type.Literal(true), id: PushConfigId }),
  example: { task_id: SAMPLE.task_id, config_id: SAMPLE.push_config_id },
  effect: 'destroys',
  access: 'key',
  scope: 'messages:write',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'plan_limit'],
  load: async (read, { task_id, config_id }, ctx) => {
    const task = await partyTask(read, actor(ctx).id, task_id, ctx.now_ms);
    return task && (await ownPushConfig(read, ctx, task.id, config_id));
  },
  decide: (row) => {
    if (!row) return fault('not_found');
    return {
      reply: { removed: true as const, id: row.config_id },
      effects: [remove('push_configs', row), countPushConfigs(row.task_id, -1), unremind(DELIVER, row.id)],
    };
  },
});
