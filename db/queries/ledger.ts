// Reads of the ledger: what accounts hold, and what was booked. A guarded account's balance is its row's; the platform's is
// added up, so it costs as much as there are transfers of it.
import { aliasedTable, and, asc, desc, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm';
import { arg, byId, type Db, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

export const journalById = byId('journals', null);

/** A journal's transfers in their order. */
export const transfersOf = many<{ journal: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.transfers)
    .where(eq(t.transfers.journal, arg('journal')))
    .orderBy(asc(t.transfers.id)),
);

/** The balance of a wallet, held money or an escrow; null before its first transfer. It may be less by the commit. */
export const guardedBalance = one<{ id: string }>()(null, (db, t) =>
  db
    .select({ balance_cents: t.ledger_accounts.balance_cents, held: t.ledger_accounts.held })
    .from(t.ledger_accounts)
    .where(eq(t.ledger_accounts.id, arg('id')))
    .limit(1),
);

/** The balance of a platform account; negative when more came in from outside than went out. */
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

/** The newest day that is sealed. */
export const newestDay = one<Record<string, never>>()(null, (db, t) =>
  db.select().from(t.ledger_days).orderBy(desc(t.ledger_days.id)).limit(1),
);

export const sealedDay = byId('ledger_days');

/** Sealed days from one on, in order. */
export const sealedFrom = many<{ from: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.ledger_days)
    .where(gte(t.ledger_days.id, arg('from')))
    .orderBy(asc(t.ledger_days.id))
    .limit(arg('limit')),
);

/** The balances of accounts at the ends of days, from an id on. */
export const sumsFrom = many<{ from: string; limit: number }>()(null, (db, t) =>
  db
    .select({ id: t.ledger_sums.id, version: t.ledger_sums.version })
    .from(t.ledger_sums)
    .where(gte(t.ledger_sums.id, arg('from')))
    .orderBy(asc(t.ledger_sums.id))
    .limit(arg('limit')),
);

/** When the newest journal was booked. */
export const newestJournal = one<Record<string, never>>()(null, (db, t) =>
  db.select({ created_at: t.journals.created_at }).from(t.journals).orderBy(desc(t.journals.created_at)).limit(1),
);

/** When the first journal was booked. */
export const firstJournal = one<Record<string, never>>()(null, (db, t) =>
  db.select({ created_at: t.journals.created_at }).from(t.journals).orderBy(asc(t.journals.created_at)).limit(1),
);

/** The journals of a kind within a time, in steps by id. */
export const journalsOfKind = many<{ kind: string; from: number; to: number; after: string; limit: number }>()(
  null,
  (db, t) =>
    db
      .select({ id: t.journals.id })
      .from(t.journals)
      .where(
        and(
          eq(t.journals.kind, arg('kind')),
          gte(t.journals.created_at, arg('from')),
          lt(t.journals.created_at, arg('to')),
          gt(t.journals.id, arg('after')),
        ),
      )
      .orderBy(asc(t.journals.id))
      .limit(arg('limit')),
);

/** Transfers before an instant with their journals, in the order of sealing, after one of them. */
export const historyAfter = many<{ at: number; journal: string; id: string; to: number; limit: number }>()(
  null,
  (db, t) =>
    db
      .select({
        journal: t.journals.id,
        kind: t.journals.kind,
        subject_id: t.journals.subject_id,
        created_at: t.journals.created_at,
        id: t.transfers.id,
        debit: t.transfers.debit,
        credit: t.transfers.credit,
        amount_cents: t.transfers.amount_cents,
        debit_after_cents: t.transfers.debit_after_cents,
        credit_after_cents: t.transfers.credit_after_cents,
        debit_n: t.transfers.debit_n,
        credit_n: t.transfers.credit_n,
      })
      .from(t.journals)
      .innerJoin(t.transfers, eq(t.transfers.journal, t.journals.id))
      .where(
        and(
          gte(t.journals.created_at, arg('at')),
          lt(t.journals.created_at, arg('to')),
          or(
            gt(t.journals.created_at, arg('at')),
            gt(t.journals.id, arg('journal')),
            and(eq(t.journals.id, arg('journal')), gt(t.transfers.id, arg('id'))),
          ),
        ),
      )
      .orderBy(asc(t.journals.created_at), asc(t.journals.id), asc(t.transfers.id))
      .limit(arg('limit')),
);

/** The balance of an account at the end of its last active day before a day. */
export const sumBefore = one<{ account: string; day: string }>()(null, (db, t) =>
  db
    .select({ balance_cents: t.ledger_sums.balance_cents })
    .from(t.ledger_sums)
    .where(and(eq(t.ledger_sums.account, arg('account')), lt(t.ledger_sums.day, arg('day'))))
    .orderBy(desc(t.ledger_sums.day))
    .limit(1),
);

/** The balance of an account at the end of each day with postings, newest first. */
export const sumsOfAccount = many<{ account: string; limit: number }>()(null, (db, t) =>
  db
    .select({ day: t.ledger_sums.day, balance_cents: t.ledger_sums.balance_cents })
    .from(t.ledger_sums)
    .where(eq(t.ledger_sums.account, arg('account')))
    .orderBy(desc(t.ledger_sums.day))
    .limit(arg('limit')),
);

/** Postings of one guarded account before a number, newest first. Two queries, because each side has its own index. */
export type PostingPage = { account: string; before: number; limit: number };

/** A posting with its journal, and the fee that was taken in that. */
export interface PostedTransfer {
  readonly transfer: Row<'transfers'>;
  readonly kind: string;
  readonly subject_id: string | null;
  readonly fee_cents: number | null;
}

function posted(db: Db, { transfers, journals }: Tables) {
  const fee = aliasedTable(transfers, 'fee');
  return db
    .select({
      transfer: transfers,
      kind: journals.kind,
      subject_id: journals.subject_id,
      fee_cents: fee.amount_cents,
    })
    .from(transfers)
    .innerJoin(journals, eq(journals.id, transfers.journal))
    .leftJoin(fee, and(eq(fee.journal, journals.id), eq(fee.credit, 'platform_fees')));
}

export const postingsOut: Query<PostingPage, PostedTransfer[]> = many<PostingPage>()(null, (db, t) =>
  posted(db, t)
    .where(and(eq(t.transfers.debit, arg('account')), lt(t.transfers.debit_n, arg('before'))))
    .orderBy(desc(t.transfers.debit_n))
    .limit(arg('limit')),
);

export const postingsIn: Query<PostingPage, PostedTransfer[]> = many<PostingPage>()(null, (db, t) =>
  posted(db, t)
    .where(and(eq(t.transfers.credit, arg('account')), lt(t.transfers.credit_n, arg('before'))))
    .orderBy(desc(t.transfers.credit_n))
    .limit(arg('limit')),
);

/** One posting by its number, on the side that gave; and on the side that got. */
export const postingOutAt = one<{ account: string; n: number }>()(null, (db, { transfers }) =>
  db
    .select({ created_at: transfers.created_at, after_cents: transfers.debit_after_cents })
    .from(transfers)
    .where(and(eq(transfers.debit, arg('account')), eq(transfers.debit_n, arg('n'))))
    .limit(1),
);

export const postingInAt = one<{ account: string; n: number }>()(null, (db, { transfers }) =>
  db
    .select({ created_at: transfers.created_at, after_cents: transfers.credit_after_cents })
    .from(transfers)
    .where(and(eq(transfers.credit, arg('account')), eq(transfers.credit_n, arg('n'))))
    .limit(1),
);

/** How many postings an account has had; null before its first. */
export const postingsOf = one<{ id: string }>()(null, (db, t) =>
  db
    .select({ postings: t.ledger_accounts.postings })
    .from(t.ledger_accounts)
    .where(eq(t.ledger_accounts.id, arg('id')))
    .limit(1),
);
