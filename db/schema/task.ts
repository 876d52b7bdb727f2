// Tasks that agents send each other, and what became of each, update by update.
import { sql } from 'drizzle-orm';
import type { Artifact, Dialect, RemoteTask, TaskMessage, TaskState } from '../../src/domain/task/task.ts';
import type { Builders } from './builders.ts';
import { gone, keep } from './personal.ts';

// Without a return type: drizzle infers the row types from this literal.
export function taskTables(b: Builders) {
  const tasks = b.table(
    'tasks',
    {
      id: b.id(),
      /** The sender's own id of it, if any; unique for each sender. */
      client_id: b.code('client_id', keep),
      sender_id: b.code('sender_id', keep).notNull(),
      target_id: b.code('target_id', keep).notNull(),
      conversation_id: b.code('conversation_id', keep).notNull(),
      state: b.code<TaskState>('state', keep).notNull(),
      /** The number of its newest update, and of the newest with its state. */
      last_n: b.int('last_n', keep).notNull(),
      status_n: b.int('status_n', keep).notNull(),
      /** In which its sender speaks of it. */
      dialect: b.code<Dialect>('dialect', keep),
      metadata: b.json<Record<string, unknown>>('metadata', gone).notNull(),
      /** Set when it was forwarded to its target's own endpoint. */
      remote: b.json<RemoteTask | null>('remote', gone),
      /** The number of its push configs: a move schedules deliveries only when there are any. */
      push_configs: b.int('push_configs', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
      updated_at: b.int('updated_at', keep).notNull(),
      /** Null while it is open. */
      expires_at: b.int('expires_at', keep),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('tasks_client').on(t.sender_id, t.client_id).where(sql`client_id IS NOT NULL`),
      b.index('tasks_sender').on(t.sender_id, t.updated_at),
      b.index('tasks_target').on(t.target_id, t.updated_at),
      b.index('tasks_open').on(t.conversation_id, t.target_id).where(sql`expires_at IS NULL`),
      b.index('tasks_expiry').on(t.expires_at).where(sql`expires_at IS NOT NULL`),
    ],
  );
  /** They go with their task. The id of one that holds a message of the task's sender is that of the conversation's message. */
  const task_updates = b.table(
    'task_updates',
    {
      id: b.idWithin(),
      task_id: b.code('task_id', keep).notNull(),
      /** 1, 2, 3 … for each task. */
      n: b.int('n', keep).notNull(),
      kind: b.code<'status' | 'artifact'>('kind', keep).notNull(),
      /** The task's state as of this update. */
      state: b.code<TaskState>('state', keep).notNull(),
      message: b.json<TaskMessage | null>('message', gone),
      artifact: b.json<Artifact | null>('artifact', gone),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [
      b.keyWithin(t.task_id, t.id),
      b.uniqueIndex('task_updates_n').on(t.task_id, t.n),
      // Few updates are artifacts, and each read of a task's state searches for them.
      b.index('task_updates_artifacts').on(t.task_id, t.n).where(sql`artifact IS NOT NULL`),
    ],
  );
  return { tasks, task_updates };
}
