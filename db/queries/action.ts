// Reads of programs' requests outside the bounds of their agents.
import { and, desc, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm';
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

// The index is by agent and age: the wanted rows are among the newest, and only those are read.
type Newest = { agent_id: string; behind: string; limit: number };

/** The actions after an id that wait for a decision, whose timeout is due but not performed yet, or that are approved running routed
 * calls. Newest first. */
export const actionsOpen = many<Newest & { now_ms: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.actions)
    .where(
      and(
        eq(t.actions.agent_id, arg('agent_id')),
        gt(t.actions.id, arg('behind')),
        inArray(t.actions.status, ['pending', 'approved']),
        isNull(t.actions.decided_at),
        or(
          gt(t.actions.respond_by, arg('now_ms')),
          and(eq(t.actions.status, 'pending'), eq(t.actions.on_timeout, 'allow'), isNull(t.actions.result)),
        ),
      ),
    )
    .orderBy(desc(t.actions.id))
    .limit(arg('limit')),
);

/** The actions after an id that a person has refused since a time; newest first. */
export const actionsRefused = many<Newest & { since: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.actions)
    .where(
      and(
        eq(t.actions.agent_id, arg('agent_id')),
        gt(t.actions.id, arg('behind')),
        eq(t.actions.status, 'rejected'),
        gt(t.actions.decided_at, arg('since')),
      ),
    )
    .orderBy(desc(t.actions.id))
    .limit(arg('limit')),
);
