// Reads of how far the delivery ladder has come in each inbox.
import { asc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

/** An agent's delivery cursor with the head of its inbox; `seq` is null where there is none yet. */
export const deliveryOf = one<{ id: string }>()(null, (db, t) =>
  db
    .select({ id: t.inboxes.id, seq: t.delivery_cursors.seq, head: t.inboxes.last_seq })
    .from(t.inboxes)
    .leftJoin(t.delivery_cursors, eq(t.delivery_cursors.id, t.inboxes.id))
    .where(eq(t.inboxes.id, arg('id')))
    .limit(1),
);

/** Agents after an id whose inboxes hold what was not delivered yet. */
export const behind = many<{ after: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.inboxes.id, seq: t.delivery_cursors.seq, head: t.inboxes.last_seq })
    .from(t.inboxes)
    .leftJoin(t.delivery_cursors, eq(t.delivery_cursors.id, t.inboxes.id))
    .where(
      sql`${gt(t.inboxes.id, arg('after'))} AND ${or(isNull(t.delivery_cursors.seq), sql`${t.delivery_cursors.seq} < ${t.inboxes.last_seq}`)}`,
    )
    .orderBy(asc(t.inboxes.id))
    .limit(arg('limit')),
);
