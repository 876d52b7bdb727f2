// Reads of how far the delivery ladder has come in each inbox.
import { and, asc, gt, sql } from 'drizzle-orm';
import { arg, many } from '../query.ts';

/** Inboxes after an id that hold what was not delivered yet. */
export const behind = many<{ after: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.inboxes.id, head: t.inboxes.last_seq })
    .from(t.inboxes)
    .where(and(sql`${t.inboxes.behind} = 1`, gt(t.inboxes.id, arg('after'))))
    .orderBy(asc(t.inboxes.id))
    .limit(arg('limit')),
);
