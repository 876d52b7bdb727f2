// What is outstanding, for operators: money held in escrows, debts of accounts, webhooks that are off. Each read uses an index of such
// rows alone, and counts up to OUTSTANDING_MAX, so that its cost is bounded.
import { asc, count, isNull, sql } from 'drizzle-orm';
import { one } from '../query.ts';

/** The limit of counts and sums. */
const OUTSTANDING_MAX = 10_000;

/** Escrows that have not ended, and what they hold. */
export const heldInEscrows = one<Record<string, never>>()(null, (db, t) => {
  const { total_cents, released_cents, refunded_cents, created_at } = t.escrows;
  const open = db
    .select({ cents: sql<number>`${total_cents} - ${released_cents} - ${refunded_cents}`.as('cents') })
    .from(t.escrows)
    .where(isNull(t.escrows.ended_at))
    .orderBy(asc(created_at))
    .limit(OUTSTANDING_MAX)
    .as('open');
  return db.select({ n: count(), cents: sql<number>`coalesce(sum(${open.cents}), 0)`.mapWith(Number) }).from(open);
});

/** Debts of accounts for money that the processor took back, as far as they are not repaid. */
export const openReceivables = one<Record<string, never>>()(null, (db, t) => {
  const { amount_cents, repaid_cents, created_at } = t.receivables;
  const open = db
    .select({ cents: sql<number>`${amount_cents} - ${repaid_cents}`.as('cents') })
    .from(t.receivables)
    .where(sql`${t.receivables.status} = 'open'`)
    .orderBy(asc(created_at))
    .limit(OUTSTANDING_MAX)
    .as('open');
  return db.select({ n: count(), cents: sql<number>`coalesce(sum(${open.cents}), 0)`.mapWith(Number) }).from(open);
});

/** Webhooks that failures, or their owners, have turned off. */
export const webhooksOff = one<Record<string, never>>()(null, (db, t) => {
  const off = db
    .select({ id: t.webhooks.id })
    .from(t.webhooks)
    .where(sql`${t.webhooks.active} = 0`)
    .orderBy(asc(t.webhooks.id))
    .limit(OUTSTANDING_MAX)
    .as('off');
  return db.select({ n: count() }).from(off);
});
