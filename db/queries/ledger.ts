// Reads of the ledger: what accounts hold, and what was booked. A guarded account's balance is its row's; the platform's is
// added up, so it costs as much as there are transfers of it.
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const journalById = byId('journals', null);

/** A journal's transfers in their order. */
export const transfersOf = many<{ journal: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.transfers)
    .where(eq(t.transfers.journal, arg('journal')))
    .orderBy(asc(t.transfers.id)),
);

/** What a wallet, held money or an escrow holds; null before its first transfer. By the time of the commit it may be less. */
export const guardedBalance = one<{ id: string }>()(null, (db, t) =>
  db
    .select({ balance_cents: t.ledger_accounts.balance_cents })
    .from(t.ledger_accounts)
    .where(eq(t.ledger_accounts.id, arg('id')))
    .limit(1),
);

/** What a platform account holds: below zero where the world outside gave more than it got. */
export const platformBalance = one<{ id: string }>()(null, (db, t) => {
  const sum = sql`coalesce(sum(${t.transfers.amount_cents}), 0)`;
  // Written out, not bound: only so can the partial indexes serve.
  const credited = db
    .select({ cents: sum.as('credited') })
    .from(t.transfers)
    .where(and(eq(t.transfers.credit, arg('id')), isNull(t.transfers.credit_after_cents)))
    .as('c');
  const debited = db
    .select({ cents: sum.as('debited') })
    .from(t.transfers)
    .where(and(eq(t.transfers.debit, arg('id')), isNull(t.transfers.debit_after_cents)))
    .as('d');
  return db
    .select({ balance_cents: sql`${credited.cents} - ${debited.cents}`.mapWith(Number) })
    .from(credited)
    .innerJoin(debited, sql`1 = 1`);
});

/** How many guarded accounts there are and what they hold together: as much as the platform's side lacks. */
export const guardedTotal = one<Record<string, never>>()(null, (db, t) =>
  db
    .select({
      accounts: count(),
      balance_cents: sql`coalesce(sum(${t.ledger_accounts.balance_cents}), 0)`.mapWith(Number),
    })
    .from(t.ledger_accounts),
);
