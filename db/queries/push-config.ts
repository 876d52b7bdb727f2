// Reads of push configs: the addresses for notifications of a task's updates.
import { asc, eq } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const pushConfigById = byId('push_configs');

/** All of a task's, oldest first. */
export const pushConfigsOfTask = many<{ task_id: string }>()('push_configs', (db, t) =>
  db
    .select()
    .from(t.push_configs)
    .where(eq(t.push_configs.task_id, arg('task_id')))
    .orderBy(asc(t.push_configs.created_at), asc(t.push_configs.id)),
);
