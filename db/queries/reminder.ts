// Reads of durable reminders and of what waits to be sent.
import { and, asc, eq, lte } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

export const reminderById = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.reminders)
    .where(eq(t.reminders.id, arg('id')))
    .limit(1),
);

/** Due reminders, the longest due first. */
export const dueReminders = many<{ now_ms: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.reminders)
    .where(lte(t.reminders.at, arg('now_ms')))
    .orderBy(asc(t.reminders.at))
    .limit(arg('limit')),
);

/** The reminder that is due next, whenever that is. */
export const nextReminder = one<Record<string, never>>()(null, (db, t) =>
  db.select().from(t.reminders).orderBy(asc(t.reminders.at)).limit(1),
);

/** What waits to be sent and may be tried now. */
export const dueSends = many<{ now_ms: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.outbound)
    .where(lte(t.outbound.next_at, arg('now_ms')))
    .orderBy(asc(t.outbound.next_at))
    .limit(arg('limit')),
);

export const sendById = one<{ id: string }>()('outbound', (db, t) =>
  db
    .select()
    .from(t.outbound)
    .where(and(eq(t.outbound.id, arg('id'))))
    .limit(1),
);
