// Adds a push config to a task, or replaces one of the agent's own.

import type { Static } from 'typebox';
import type { Effect } from '../../../../db/effects.ts';
import { pushConfigById } from '../../../../db/queries/push-config.ts';
import type { Read } from '../../../../db/store.ts';
import { actor, type Ctx } from '../../../contract/context.ts';
import { type Fault, fault } from '../../../domain/fault.ts';
import type { Dialect } from '../../../domain/task/task.ts';
import type { PushConfigInput } from '../../../schemas/webhook.ts';
import { countPushConfigs, makePushConfig, pushConfigKey, type TaskRow } from '../../../steps/push-config.ts';

/** Adds a config to a task for the acting agent, or replaces one of its own; it gets the updates after `last_n`. */
export async function addPushConfig(
  read: Read,
  ctx: Ctx,
  task: TaskRow,
  config: Static<typeof PushConfigInput>,
  dialect: Dialect | null,
): Promise<Effect<'plan_limit'>[] | Fault<'conflict'>> {
  const me = actor(ctx).id;
  const existing =
    config.id === undefined ? null : await read(pushConfigById, { id: pushConfigKey(task.id, config.id) });
  if (existing && existing.agent_id !== me) {
    return fault('conflict', 'Give the push config another id; the other party uses this one.');
  }
  const spoken = dialect ?? task.dialect ?? '0.3';
  const effects = makePushConfig(ctx, { task, agent_id: me, config, dialect: spoken, n: task.last_n }, existing);
  return existing ? effects : [countPushConfigs(task.id, 1), ...effects];
}
