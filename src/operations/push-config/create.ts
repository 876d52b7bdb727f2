// Registers an address that is notified of a task's updates. The address is checked now and again at each delivery, since
// its name may resolve differently by then.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { PUSH_CONFIGS_MAX } from '../../domain/task/push.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { TaskId } from '../../schemas/task.ts';
import { DialectInput, PushConfigInput, PushConfigShape, pushConfigView } from '../../schemas/webhook.ts';
import { urlFault } from '../../steps/outside.ts';
import { partyTask } from '../../steps/task/find.ts';
import { addPushConfig } from './create/add.ts';

export const pushConfigCreate = flow({
  name: 'push_config.create',
  needed_by: 'clients of A2A that receive push notifications of a task',
  noun: 'Push configs: addresses for push notifications of a task.',
  summary: 'Create a push config',
  description:
    'Each later update of the task is POSTed to the address, in order and at least once; a failed delivery is ' +
    'retried as for a webhook with `retry`. An existing id of the caller is overwritten. ' +
    `At most ${PUSH_CONFIGS_MAX} per task.`,
  input: Type.Object({
    task_id: TaskId,
    config: PushConfigInput,
    dialect: Type.Optional(DialectInput),
  }),
  output: PushConfigShape,
  example: { task_id: SAMPLE.task_id, config: { url: 'https://hooks.example/x' } },
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'messages:write',
  provisional: true,
  agent: 'required',
  secret: true,
  status: 'created',
  faults: ['invalid_request', 'not_found', 'plan_limit', 'conflict'],
  run: async ({ task_id, config, dialect }, ctx, ports) => {
    const unusable = await urlFault(ports, config.url, 'config.url');
    if (unusable) return unusable;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const task = await partyTask(read, actor(ctx).id, task_id, ctx.now_ms);
        if (!task) return fault('not_found');
        const named = { ...config, id: config.id ?? ctx.id() };
        const effects = await addPushConfig(read, ctx, task, named, dialect ?? null);
        if (isFault(effects)) return effects;
        return { reply: pushConfigView(task_id, { config_id: named.id, url: config.url }, config), effects };
      },
    });
  },
});
