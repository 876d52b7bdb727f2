// The work that a restore holds: all that was due, or came, before a time, by kind.
import { and, asc, count, eq, inArray, isNull, lt, max, min, sql, sum } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

/** Reminders by their operation. */
export const remindersBefore = many<{ before: number }>()(null, (db, t) =>
  db
    .select({
      kind: t.reminders.operation,
      n: count(),
      oldest: min(t.reminders.at).mapWith(Number),
      newest: max(t.reminders.at).mapWith(Number),
    })
    .from(t.reminders)
    .where(lt(t.reminders.at, arg('before')))
    .groupBy(t.reminders.operation)
    .orderBy(asc(t.reminders.operation)),
);

/** Letters and text messages by their channel. */
export const sendsBefore = many<{ before: number }>()(null, (db, t) =>
  db
    .select({
      kind: t.outbound.channel,
      n: count(),
      oldest: min(t.outbound.created_at).mapWith(Number),
      newest: max(t.outbound.created_at).mapWith(Number),
    })
    .from(t.outbound)
    .where(lt(t.outbound.next_at, arg('before')))
    .groupBy(t.outbound.channel)
    .orderBy(asc(t.outbound.channel)),
);

/** Inboxes whose next event to be carried on came before the time. */
export const inboxesBefore = one<{ before: number }>()(null, (db, t) =>
  db
    .select({
      n: count(),
      oldest: min(t.events.created_at).mapWith(Number),
      newest: max(t.events.created_at).mapWith(Number),
    })
    .from(t.inboxes)
    .innerJoin(
      t.events,
      and(eq(t.events.agent_id, t.inboxes.id), eq(t.events.seq, sql`${t.inboxes.delivered_seq} + 1`)),
    )
    .where(and(sql`${t.inboxes.behind} = 1`, lt(t.events.created_at, arg('before')))),
);

/** The money of payouts, of fundings and of charges that waits, in cents. */
export const payoutCentsBefore = one<{ before: number }>()(null, (db, t) =>
  db
    .select({ cents: sum(t.payouts.amount_cents).mapWith(Number) })
    .from(t.payouts)
    .where(and(isNull(t.payouts.ended_at), lt(t.payouts.created_at, arg('before')))),
);

export const fundingCentsBefore = one<{ before: number }>()(null, (db, t) =>
  db
    .select({ cents: sum(t.fundings.amount_cents).mapWith(Number) })
    .from(t.fundings)
    .where(and(isNull(t.fundings.ended_at), lt(t.fundings.created_at, arg('before')))),
);

export const chargeCentsBefore = one<{ before: number }>()(null, (db, t) =>
  db
    .select({ cents: sum(t.subscriptions.amount_cents).mapWith(Number) })
    .from(t.subscriptions)
    .where(
      and(inArray(t.subscriptions.status, ['active', 'past_due']), lt(t.subscriptions.next_charge_at, arg('before'))),
    ),
);
