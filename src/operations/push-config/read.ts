// The acting agent's push configs for a task: all of them, oldest first, or one by its id; without an id the newest.
import { Type } from 'typebox';
import { pushConfigsOfTask } from '../../../db/queries/push-config.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { TaskId } from '../../schemas/task.ts';
import { PushConfigId, PushConfigShape, pushConfigView } from '../../schemas/webhook.ts';
import { openPushSecret } from '../../steps/push-config.ts';
import { partyTask } from '../../steps/task/find.ts';

const SHARED = {
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
} as const;

/** Undefined for a task of others. */
async function ownConfigs(read: Read, task_id: string, ctx: Ctx): Promise<readonly Row<'push_configs'>[] | undefined> {
  const { id: agent_id } = actor(ctx);
  const task = await partyTask(read, agent_id, task_id, ctx.now_ms);
  const rows = task ? await read(pushConfigsOfTask, { task_id: task.id }) : undefined;
  return rows?.filter((row) => row.agent_id === agent_id);
}

export const pushConfigRead = query({
  ...SHARED,
  name: 'push_config.read',
  needed_by: 'clients of A2A that receive push notifications of a task',
  summary: 'Read a push config',
  description: 'Older dialects name no config: then it is the caller’s newest one.',
  input: Type.Object({ task_id: TaskId, config_id: Type.Optional(PushConfigId) }),
  output: PushConfigShape,
  example: { task_id: SAMPLE.task_id, config_id: SAMPLE.push_config_id },
  faults: ['not_found'],
  run: async (read, { task_id, config_id }, ctx) => {
    const own = (await ownConfigs(read, task_id, ctx)) ?? [];
    const row = own.findLast((each) => config_id === undefined || each.config_id === config_id);
    return row ? pushConfigView(task_id, row, openPushSecret(ctx.secrets.seal_key, row)) : fault('not_found');
  },
});

export const pushConfigList = query({
  ...SHARED,
  name: 'push_config.list',
  needed_by: 'clients of A2A that receive push notifications of a task',
  summary: "List a task's push configs",
  input: Type.Object({ task_id: TaskId }),
  output: Type.Array(PushConfigShape),
  example: { task_id: SAMPLE.task_id },
  faults: ['not_found'],
  run: async (read, { task_id }, ctx) => {
    const own = await ownConfigs(read, task_id, ctx);
    if (!own) return fault('not_found');
    return own.map((row) => pushConfigView(task_id, row, openPushSecret(ctx.secrets.seal_key, row)));
  },
});
