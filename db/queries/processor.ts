// Reads of what goes through the payment processor: fundings, payouts, payees, plans, and the sandbox's own books.
import { and, desc, eq, gt, gte, isNotNull, lt, or, sql } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const fundingById = byId('fundings');
export const payoutById = byId('payouts');
export const payeeById = byId('payees');
export const planCheckoutById = byId('plan_checkouts');
export const planTermsById = byId('plan_terms');
/** A person's decision on a page of the built-in processor; it never changes. */
export const sandboxObject = byId('sandbox_objects', null);

/** A page of an agent's fundings, newest first. */
export const fundingsOfAgent = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.fundings)
    .where(and(eq(t.fundings.agent_id, arg('agent_id')), lt(t.fundings.id, arg('before'))))
    .orderBy(desc(t.fundings.id))
    .limit(arg('limit')),
);

/** The first funding that was ever paid, and with it whose money the wallets hold. */
export const firstFundingPaid = one<Record<string, never>>()(null, (db, t) =>
  db
    .select({ processor: t.fundings.processor, external_id: t.fundings.external_id })
    .from(t.fundings)
    .where(and(isNotNull(t.fundings.paid_at), isNotNull(t.fundings.external_id)))
    .orderBy(t.fundings.paid_at, t.fundings.id)
    .limit(1),
);

export const firstCheckoutPaid = one<Record<string, never>>()(null, (db, t) =>
  db
    .select({ processor: t.plan_checkouts.processor, external_id: t.plan_checkouts.external_id })
    .from(t.plan_checkouts)
    .where(and(eq(t.plan_checkouts.status, 'paid'), isNotNull(t.plan_checkouts.external_id)))
    .orderBy(t.plan_checkouts.id)
    .limit(1),
);

/** A received event of the processor; it never changes. */
export const processorEventById = byId('processor_events', null);
/** Of one taken-back payment, by the processor's name of the dispute or refund. */
export const receivableById = byId('receivables');

/** The funding of a page, by the processor's name of it. */
export const fundingByExternal = one<{ external_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.fundings.id })
    .from(t.fundings)
    .where(eq(t.fundings.external_id, arg('external_id')))
    .limit(1),
);

export const fundingByPayment = one<{ payment_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.fundings.id, amount_cents: t.fundings.amount_cents })
    .from(t.fundings)
    .where(eq(t.fundings.payment_id, arg('payment_id')))
    .limit(1),
);

export const planCheckoutByExternal = one<{ external_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.plan_checkouts.id })
    .from(t.plan_checkouts)
    .where(eq(t.plan_checkouts.external_id, arg('external_id')))
    .limit(1),
);

/** The account whose plan a subscription at the processor renews. */
export const planTermsByExternal = one<{ external_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.plan_terms.id })
    .from(t.plan_terms)
    .where(eq(t.plan_terms.external_id, arg('external_id')))
    .limit(1),
);

/** The account that is paid at a connected account. */
export const payeeByExternal = one<{ external_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.payees.id })
    .from(t.payees)
    .where(eq(t.payees.external_id, arg('external_id')))
    .limit(1),
);

export const payoutByTransfer = one<{ transfer_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.payouts.id, amount_cents: t.payouts.amount_cents, status: t.payouts.status })
    .from(t.payouts)
    .where(eq(t.payouts.transfer_id, arg('transfer_id')))
    .limit(1),
);

export const payoutByExternal = one<{ payout_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.payouts.id })
    .from(t.payouts)
    .where(eq(t.payouts.payout_id, arg('payout_id')))
    .limit(1),
);

/** All debts, newest first, with the agent whose wallet they are of. */
export const receivablesBefore = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ receivable: t.receivables, handle: t.agents.handle })
    .from(t.receivables)
    .leftJoin(t.agents, eq(t.agents.id, t.receivables.agent_id))
    .where(lt(t.receivables.id, arg('before')))
    .orderBy(desc(t.receivables.id))
    .limit(arg('limit')),
);

/** An account's open debts, oldest first. */
export const openReceivables = many<{ account_id: string }>()('receivables', (db, t) =>
  db
    .select()
    .from(t.receivables)
    .where(and(eq(t.receivables.account_id, arg('account_id')), eq(t.receivables.status, 'open')))
    .orderBy(t.receivables.created_at, t.receivables.id)
    .limit(20),
);

/** The paid fundings from an instant on, before another, in order; at the first instant only those with an id after `after`. */
export const fundingsPaid = many<{ from: number; to: number; after: string; limit: number }>()(null, (db, t) =>
  db
    .select({
      id: t.fundings.id,
      amount_cents: t.fundings.amount_cents,
      payment_id: t.fundings.payment_id,
      paid_at: sql`${t.fundings.paid_at}`.mapWith(Number),
    })
    .from(t.fundings)
    .where(
      and(
        gte(t.fundings.paid_at, arg('from')),
        lt(t.fundings.paid_at, arg('to')),
        isNotNull(t.fundings.payment_id),
        or(gt(t.fundings.paid_at, arg('from')), gt(t.fundings.id, arg('after'))),
      ),
    )
    .orderBy(t.fundings.paid_at, t.fundings.id)
    .limit(arg('limit')),
);

/** Where the books of a day differ, or once did. */
export const differencesOfDay = many<{ day: string }>()('processor_differences', (db, t) =>
  db
    .select()
    .from(t.processor_differences)
    .where(eq(t.processor_differences.day, arg('day')))
    .orderBy(t.processor_differences.id)
    .limit(1000),
);
