// Reads of what programs asked for outside the bounds of their agents.
import { and, desc, eq, lt } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const actionById = byId('actions');

/** Those of an agent, newest first. */
export const actionsOf = many<{ agent_id: string; before: string; limit: number }>()('actions', (db, t) =>
  db
    .select()
    .from(t.actions)
    .where(and(eq(t.actions.agent_id, arg('agent_id')), lt(t.actions.id, arg('before'))))
    .orderBy(desc(t.actions.id))
    .limit(arg('limit')),
);

/** Those that nobody has decided, newest first. */
export const actionsPending = many<{ agent_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.actions)
    .where(and(eq(t.actions.agent_id, arg('agent_id')), eq(t.actions.status, 'pending')))
    .orderBy(desc(t.actions.id))
    .limit(arg('limit')),
);
