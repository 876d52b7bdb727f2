// Push configs of tasks: creating one, its owner, and the call that schedules the deliveries about a moved task.
import { type Static, Type } from 'typebox';
import { apply, type Effect, insert, patch, type RemindEffect } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import { PUSH_CONFIGS_MAX, type PushSecret, pushConfigsFullFault } from '../domain/task/push.ts';
import type { Dialect } from '../domain/task/task.ts';
import { open, seal } from '../outbound/seal.ts';
import type { PushConfigInput } from '../schemas/webhook.ts';
import { Id } from '../schemas/wire.ts';
import { remind } from './reminder.ts';

export type TaskRow = Row<'tasks'>;
export type ConfigRow = Row<'push_configs'>;

export function pushConfigKey(task_id: string, config_id: string): string {
  return `${task_id}:${config_id}`;
}

const secretContext = (id: string): string => `push_config:${id}`;

/** Decrypts a config's secret; empty when it cannot be decrypted, for example after the seal key was lost. */
export function openPushSecret(seal_key: Uint8Array, { id, secret }: Pick<ConfigRow, 'id' | 'secret'>): PushSecret {
  const text = secret === null ? null : open(seal_key, secret, secretContext(id));
  // Our own turn wrote it.
  return text === null ? {} : (JSON.parse(text) as PushSecret);
}

interface WantedPush {
  readonly task: Pick<TaskRow, 'id' | 'expires_at'>;
  readonly agent_id: string;
  readonly config: Static<typeof PushConfigInput>;
  readonly dialect: Dialect;
  /** Deliveries begin after this update of the task. */
  readonly n: number;
}

/** A new config, or another in place of the one that has its id; `existing` is that one. */
export function makePushConfig(
  ctx: Ctx,
  { task, agent_id, config, dialect, n }: WantedPush,
  existing: ConfigRow | null,
): Effect<never>[] {
  const { url, token, authentication } = config;
  const config_id = config.id ?? ctx.id();
  const id = pushConfigKey(task.id, config_id);
  const kept: PushSecret = { ...(token && { token }), ...(authentication && { authentication }) };
  const text = JSON.stringify(kept);
  const secret = text === '{}' ? null : seal(ctx.secrets.seal_key, text, secretContext(id));
  if (existing) {
    const set = { url, secret, dialect, failures: 0 };
    return [patch('push_configs', existing, set)];
  }
  const row: ConfigRow = {
    id,
    task_id: task.id,
    config_id,
    agent_id,
    url,
    secret,
    dialect,
    n,
    failures: 0,
    created_at: ctx.now_ms,
    expires_at: task.expires_at,
    version: 1,
  };
  return [insert('push_configs', row)];
}

/** The config sent with a task: deliveries begin with the first update. */
export function beginPush(ctx: Ctx, task: TaskRow, config: Static<typeof PushConfigInput>): Effect<never>[] {
  const dialect = task.dialect ?? '0.3';
  const effects = makePushConfig(ctx, { task, agent_id: task.sender_id, config, dialect, n: 0 }, null);
  return [...effects, ...pushMove(task, ctx.now_ms)];
}

/** Adds `by` to the task's number of configs; refused above the maximum. */
export function countPushConfigs(task_id: string, by: 1 | -1): Effect<'plan_limit'> {
  return apply(
    'tasks',
    task_id,
    ({ push_configs }) => ({ push_configs: Math.max(0, push_configs + by) }),
    ({ push_configs }) => (by > 0 && push_configs >= PUSH_CONFIGS_MAX ? pushConfigsFullFault() : null),
  );
}

/** The call that asks for the deliveries of a task that moved, and the one that makes those of one config. */
export const PUSH = { name: 'push_config.push', input: Type.Object({ task_id: Id }) } as const;
export const DELIVER = {
  name: 'push_config.deliver',
  input: Type.Object({ id: Type.String() }),
} as const;

/** Schedules the deliveries about a task's move; nothing without push configs. */
export function pushMove({ id, push_configs }: Pick<TaskRow, 'id' | 'push_configs'>, now_ms: number): RemindEffect[] {
  return push_configs > 0 ? [remind(PUSH, { task_id: id }, { at: now_ms, key: id, now_ms })] : [];
}
