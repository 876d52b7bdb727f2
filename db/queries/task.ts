// Reads of tasks and their updates. Pages of tasks are ordered by last update, newest first, as in the protocol's lists; streams use
// the updates' own numbers.
import { aliasedTable, and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { arg, byId, type Db, many, one } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

export const taskById = byId('tasks');

export const taskByClientId = one<{ sender_id: string; client_id: string }>()('tasks', (db, t) =>
  db
    .select()
    .from(t.tasks)
    .where(and(eq(t.tasks.sender_id, arg('sender_id')), eq(t.tasks.client_id, arg('client_id'))))
    .limit(1),
);

/** A task with the current handles of its sides, and the update with its state. */
export interface WholeTask {
  readonly task: Row<'tasks'>;
  readonly sender_handle: string;
  readonly target_handle: string;
  readonly status: Row<'task_updates'> | null;
}

function wholeTasks(db: Db, t: Tables, where: (tasks: Tables['tasks']) => SQL | undefined) {
  const sender = aliasedTable(t.agents, 'sender');
  const target = aliasedTable(t.agents, 'target');
  const status = and(eq(t.task_updates.task_id, t.tasks.id), eq(t.task_updates.n, t.tasks.status_n));
  return db
    .select({
      task: t.tasks,
      sender_handle: sender.handle,
      target_handle: target.handle,
      status: t.task_updates,
    })
    .from(t.tasks)
    .innerJoin(sender, eq(sender.id, t.tasks.sender_id))
    .innerJoin(target, eq(target.id, t.tasks.target_id))
    .leftJoin(t.task_updates, status)
    .where(where(t.tasks))
    .orderBy(desc(t.tasks.updated_at), desc(t.tasks.id))
    .limit(arg('limit'));
}

export const wholeTask = one<{ id: string; limit: 1 }>()(null, (db, t) =>
  wholeTasks(db, t, (tasks) => eq(tasks.id, arg('id'))),
);

/** The filter of an agent's tasks. An empty text means any; `updated_after` and `now_ms` are epoch milliseconds. */
export type TaskFilter = {
  agent_id: string;
  state: string;
  conversation_id: string;
  counterpart_id: string;
  updated_after: number;
  now_ms: number;
};

/** A page of them: those that last moved before an instant, or at it and whose id is below `before_id`. */
export type TaskPage = TaskFilter & { before_at: number; before_id: string; limit: number };

/** An agent's side of its tasks. */
type Side = 'sender_id' | 'target_id';

function fits(tasks: Tables['tasks'], side: Side): SQL | undefined {
  const counterpart = side === 'sender_id' ? tasks.target_id : tasks.sender_id;
  return and(
    eq(tasks[side], arg('agent_id')),
    gte(tasks.updated_at, arg('updated_after')),
    or(isNull(tasks.expires_at), gt(tasks.expires_at, arg('now_ms'))),
    or(sql`${arg('state')} = ''`, eq(tasks.state, arg('state'))),
    or(sql`${arg('conversation_id')} = ''`, eq(tasks.conversation_id, arg('conversation_id'))),
    or(sql`${arg('counterpart_id')} = ''`, eq(counterpart, arg('counterpart_id'))),
  );
}

const tasksOn = (side: Side) =>
  many<TaskPage>()(null, (db, t) =>
    wholeTasks(db, t, (tasks) =>
      and(
        fits(tasks, side),
        lte(tasks.updated_at, arg('before_at')),
        or(lt(tasks.updated_at, arg('before_at')), lt(tasks.id, arg('before_id'))),
      ),
    ),
  );

/** Those that an agent sent, and those that were sent to it. Two queries, because each side has its own index. */
export const tasksSent = tasksOn('sender_id');
export const tasksTaken = tasksOn('target_id');

const countOn = (side: Side) =>
  many<TaskFilter & { limit: number }>()(null, (db, t) =>
    db.select({ id: t.tasks.id }).from(t.tasks).where(fits(t.tasks, side)).limit(arg('limit')),
  );

/** The ids of as many of them as `limit`, to be counted. */
export const sentIds = countOn('sender_id');
export const takenIds = countOn('target_id');

/** The open tasks in a conversation that were sent to one of its sides. */
export const openTasksFor = many<{ conversation_id: string; target_id: string; limit: number }>()('tasks', (db, t) =>
  db
    .select()
    .from(t.tasks)
    .where(
      and(
        eq(t.tasks.conversation_id, arg('conversation_id')),
        eq(t.tasks.target_id, arg('target_id')),
        isNull(t.tasks.expires_at),
      ),
    )
    .orderBy(asc(t.tasks.id))
    .limit(arg('limit')),
);

/** All open tasks in a conversation. */
export const openTasksIn = many<{ conversation_id: string; limit: number }>()('tasks', (db, t) =>
  db
    .select()
    .from(t.tasks)
    .where(and(eq(t.tasks.conversation_id, arg('conversation_id')), isNull(t.tasks.expires_at)))
    .orderBy(asc(t.tasks.id))
    .limit(arg('limit')),
);

const conversationsOn = (side: 'opener_id' | 'other_id') =>
  many<{ agent_id: string; limit: number }>()(null, (db, t) =>
    db
      .select({ id: t.conversations.id })
      .from(t.conversations)
      .where(
        and(
          eq(t.conversations[side], arg('agent_id')),
          // As in the index of conversations with open tasks.
          sql`${t.conversations.opener_tasks} + ${t.conversations.other_tasks} > 0`,
        ),
      )
      .limit(arg('limit')),
  );

/** Conversations of an agent in which tasks are open: those that it opened, and the others. */
export const openedWithTasks = conversationsOn('opener_id');
export const joinedWithTasks = conversationsOn('other_id');

/** A task's updates after a number, in order. */
export const updatesAfter = many<{ task_id: string; after: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.task_updates)
    .where(and(eq(t.task_updates.task_id, arg('task_id')), gt(t.task_updates.n, arg('after'))))
    .orderBy(asc(t.task_updates.n))
    .limit(arg('limit')),
);

/** A task's messages of both sides, newest first. */
export const messagesOfTask = many<{ task_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.task_updates)
    .where(and(eq(t.task_updates.task_id, arg('task_id')), isNotNull(t.task_updates.message)))
    .orderBy(desc(t.task_updates.n))
    .limit(arg('limit')),
);

/** A task's artifacts, newest first. */
export const artifactsOfTask = many<{ task_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.task_updates)
    .where(and(eq(t.task_updates.task_id, arg('task_id')), isNotNull(t.task_updates.artifact)))
    .orderBy(desc(t.task_updates.n))
    .limit(arg('limit')),
);
