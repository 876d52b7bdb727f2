// Reads of messages that were sent on to an agent's own A2A endpoint.
import { and, asc, desc, eq } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const forwardById = byId('forwards');

/** The newest forward of a conversation to one of its sides, with the endpoint's ids. */
export const lastForward = one<{ conversation_id: string; agent_id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.forwards)
    .where(and(eq(t.forwards.conversation_id, arg('conversation_id')), eq(t.forwards.agent_id, arg('agent_id'))))
    .orderBy(desc(t.forwards.id))
    .limit(1),
);

/** The one whose answer became a message. */
export const forwardByAnswer = one<{ answer_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.forwards.id })
    .from(t.forwards)
    .where(eq(t.forwards.answer_id, arg('answer_id')))
    .limit(1),
);

/** Those of a task, oldest first. */
export const forwardsOfTask = many<{ task_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.forwards)
    .where(eq(t.forwards.task_id, arg('task_id')))
    .orderBy(asc(t.forwards.id))
    .limit(arg('limit')),
);

/** A message to forward, with its parts if it belongs to a task. */
export const messageToForward = one<{ conversation_id: string; id: string; task_id: string }>()(null, (db, t) =>
  db
    .select({ content: t.messages.content, said: t.task_updates.message, task_id: t.task_updates.task_id })
    .from(t.messages)
    .leftJoin(t.task_updates, and(eq(t.task_updates.task_id, arg('task_id')), eq(t.task_updates.id, t.messages.id)))
    .where(and(eq(t.messages.conversation_id, arg('conversation_id')), eq(t.messages.id, arg('id'))))
    .limit(1),
);
