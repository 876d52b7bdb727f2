// Overdue work, for operators: how much, and since when. Each read uses an index of waiting rows, and counts up to OVERDUE_MAX, so
// that its cost is bounded.
import { and, asc, count, eq, gt, isNull, lt, lte, min, sql } from 'drizzle-orm';
import { arg, one } from '../query.ts';
import { IS_MATCHING } from '../schema/turn.ts';

/** The limit of counts. */
const OVERDUE_MAX = 10_000;
/** The inboxes whose events are looked at: each is a look-up of its own. */
const LOOKED_AT_MAX = 1_000;

/** Reminders whose time has come. */
export const overdueReminders = one<{ now_ms: number }>()(null, (db, t) => {
  const late = db
    .select({ at: t.reminders.at })
    .from(t.reminders)
    .where(lte(t.reminders.at, arg('now_ms')))
    .orderBy(asc(t.reminders.at))
    .limit(OVERDUE_MAX)
    .as('late');
  return db.select({ n: count(), oldest: min(late.at).mapWith(Number) }).from(late);
});

/** Those of them that match listings. */
export const overdueMatching = one<{ now_ms: number }>()(null, (db, t) => {
  const late = db
    .select({ at: t.reminders.at })
    .from(t.reminders)
    .where(and(lte(t.reminders.at, arg('now_ms')), sql.raw(IS_MATCHING)))
    .orderBy(asc(t.reminders.at))
    .limit(OVERDUE_MAX)
    .as('late');
  return db.select({ n: count(), oldest: min(late.at).mapWith(Number) }).from(late);
});

/** Letters and text messages that were not sent although their time has come. */
export const overdueLetters = one<{ now_ms: number }>()(null, (db, t) => {
  const late = db
    .select({ at: t.outbound.created_at })
    .from(t.outbound)
    .where(lte(t.outbound.next_at, arg('now_ms')))
    .orderBy(asc(t.outbound.next_at))
    .limit(OVERDUE_MAX)
    .as('late');
  return db.select({ n: count(), oldest: min(late.at).mapWith(Number) }).from(late);
});

/** Inboxes that hold what was not delivered yet. */
export const inboxesBehind = one<Record<string, never>>()(null, (db, t) => {
  const behind = db
    .select({ id: t.inboxes.id })
    .from(t.inboxes)
    .where(sql`${t.inboxes.behind} = 1`)
    .orderBy(asc(t.inboxes.id))
    .limit(OVERDUE_MAX)
    .as('behind');
  return db.select({ n: count() }).from(behind);
});

/** When the first undelivered event of any of them was committed; beyond LOOKED_AT_MAX inboxes of those. */
export const oldestUndelivered = one<Record<string, never>>()(null, (db, t) => {
  const next = db
    .select({ at: t.events.created_at })
    .from(t.events)
    .where(and(eq(t.events.agent_id, t.inboxes.id), eq(t.events.seq, sql`${t.inboxes.delivered_seq} + 1`)));
  const waiting = db
    .select({ at: sql`${next}`.as('at') })
    .from(t.inboxes)
    .where(sql`${t.inboxes.behind} = 1`)
    .orderBy(asc(t.inboxes.id))
    .limit(LOOKED_AT_MAX)
    .as('waiting');
  return db.select({ oldest: min(waiting.at).mapWith(Number) }).from(waiting);
});

export const openPayouts = one<Record<string, never>>()(null, (db, t) => {
  const open = db
    .select({ at: t.payouts.created_at })
    .from(t.payouts)
    .where(isNull(t.payouts.ended_at))
    .orderBy(asc(t.payouts.created_at))
    .limit(OVERDUE_MAX)
    .as('open');
  return db.select({ n: count(), oldest: min(open.at).mapWith(Number) }).from(open);
});

/** Payments into wallets that the processor has not ended. */
export const pendingFundings = one<Record<string, never>>()(null, (db, t) => {
  const open = db
    .select({ at: t.fundings.created_at })
    .from(t.fundings)
    .where(isNull(t.fundings.ended_at))
    .orderBy(asc(t.fundings.created_at))
    .limit(OVERDUE_MAX)
    .as('open');
  return db.select({ n: count(), oldest: min(open.at).mapWith(Number) }).from(open);
});

export const openDisputes = one<Record<string, never>>()(null, (db, t) => {
  const open = db
    .select({ at: t.disputes.created_at })
    .from(t.disputes)
    .where(isNull(t.disputes.ended_at))
    .orderBy(asc(t.disputes.id))
    .limit(OVERDUE_MAX)
    .as('open');
  return db.select({ n: count(), oldest: min(open.at).mapWith(Number) }).from(open);
});

/** Calls to providers in a span of time with an unknown outcome. */
export const unknownAttempts = one<{ from: number; to: number }>()(null, (db, t) => {
  const unknown = db
    .select({ at: t.router_attempts.created_at })
    .from(t.router_attempts)
    .where(
      and(
        isNull(t.router_attempts.http_status),
        gt(t.router_attempts.created_at, arg('from')),
        lt(t.router_attempts.created_at, arg('to')),
        eq(t.router_attempts.outcome, 'unknown'),
      ),
    )
    .orderBy(asc(t.router_attempts.created_at))
    .limit(OVERDUE_MAX)
    .as('unknown');
  return db.select({ n: count(), oldest: min(unknown.at).mapWith(Number) }).from(unknown);
});
