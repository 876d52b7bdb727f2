// Schedules the deliveries of a task's update to each of its push configs separately, so that a dead receiver delays no
// other. When the task ends, its configs end too.
import { Type } from 'typebox';
import { apply, type Effect } from '../../../db/effects.ts';
import { pushConfigsOfTask } from '../../../db/queries/push-config.ts';
import { taskById } from '../../../db/queries/task.ts';
import { command } from '../../contract/operation.ts';
import { DELIVER, PUSH } from '../../steps/push-config.ts';
import { remind } from '../../steps/reminder.ts';

export const pushConfigPush = command({
  ...PUSH,
  summary: 'Notify the push configs of a task',
  output: Type.Object({ asked: Type.Integer() }),
  effect: 'adds',
  access: 'internal',
  load: async (read, { task_id }) => {
    const task = await read.peek(taskById, { id: task_id });
    return { task, configs: task ? await read.peek(pushConfigsOfTask, { task_id }) : [] };
  },
  decide: ({ task, configs }, _input, { now_ms }) => {
    if (!task) return { reply: { asked: 0 } };
    const { last_n, expires_at } = task;
    // A failing config has its own retry, which delivers the rest.
    const behind = configs.filter(({ n, failures }) => n < last_n && failures === 0);
    const asked = behind.map(({ id }) => remind(DELIVER, { id }, { at: now_ms, key: id, now_ms }));
    const ends: Effect<never>[] =
      expires_at === null ? [] : configs.map(({ id }) => apply('push_configs', id, () => ({ expires_at })));
    return { reply: { asked: asked.length }, effects: [...asked, ...ends] };
  },
});
