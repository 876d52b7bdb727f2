// Reads of durable reminders and of what waits to be sent.
import { and, asc, gt, gte, inArray, lte } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const reminderById = byId('reminders', null);

/** Due reminders that were not due before a time, the longest due first. */
export const dueReminders = many<{ now_ms: number; from_ms: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.reminders)
    .where(and(lte(t.reminders.at, arg('now_ms')), gte(t.reminders.at, arg('from_ms'))))
    .orderBy(asc(t.reminders.at), asc(t.reminders.id))
    .limit(arg('limit')),
);

/** When the next reminder is due after a time. */
export const nextReminder = one<{ after: number }>()(null, (db, t) =>
  db
    .select({ at: t.reminders.at })
    .from(t.reminders)
    .where(gt(t.reminders.at, arg('after')))
    .orderBy(asc(t.reminders.at))
    .limit(1),
);

/** The outbound rows that are due now, without those due before a time. */
export const dueSends = many<{ now_ms: number; from_ms: number; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.outbound)
    .where(and(lte(t.outbound.next_at, arg('now_ms')), gte(t.outbound.next_at, arg('from_ms'))))
    .orderBy(asc(t.outbound.next_at))
    .limit(arg('limit')),
);

/** How many rows `sendsAmong` reads at once: as many as are sent side by side. */
export const SENDS_AMONG = 16;

const argNameOf = (n: number): string => `id${n}`;

/** The arguments of `sendsAmong` for up to SENDS_AMONG ids. */
export function amongIds(ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: SENDS_AMONG }, (_, n) => [argNameOf(n), ids[n] ?? '']));
}

/** Those of some rows that still wait to be sent, in no order. */
export const sendsAmong = many<Record<string, string>>()('outbound', (db, t) =>
  db
    .select()
    .from(t.outbound)
    .where(
      inArray(
        t.outbound.id,
        Array.from({ length: SENDS_AMONG }, (_, n) => arg(argNameOf(n))),
      ),
    ),
);
