// Reads of what an agent has earned: what escrows released to it and subscriptions were charged for, net of fees, by the transfers
// themselves.
import { aliasedTable, and, count, desc, eq, gte, isNotNull, lt, or, sql } from 'drizzle-orm';
import { arg, type Db, many, one } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

const DAY_MS = 86_400_000;

/** `wallet` is the account of the agent's wallet. */
type Earner = { agent_id: string; wallet: string };

/** Money that came into the wallet of whoever sold: out of an escrow of its own selling, or from a subscriber. */
const isEarned = ({ transfers, journals, escrows }: Tables) =>
  and(
    eq(transfers.credit, arg('wallet')),
    isNotNull(transfers.credit_n),
    or(eq(journals.kind, 'charge'), eq(escrows.seller_id, arg('agent_id'))),
  );

const dayOf = ({ transfers }: Tables) =>
  sql<number>`${transfers.created_at} / ${sql.raw(String(DAY_MS))}`.mapWith(Number);

/** What came in on each day (days since 1970, UTC). */
export const earnedByDay = many<Earner>()(null, (db: Db, t: Tables) =>
  db
    .select({ day: dayOf(t), cents: sql`sum(${t.transfers.amount_cents})`.mapWith(Number) })
    .from(t.transfers)
    .innerJoin(t.journals, eq(t.journals.id, t.transfers.journal))
    .leftJoin(t.escrows, eq(t.escrows.id, t.journals.subject_id))
    .where(isEarned(t))
    .groupBy(dayOf(t)),
);

/** Of the postings before one, from the newest on, the one behind so many, and when it was. */
export const endOfEarned = one<{ wallet: string; until: number; skip: number }>()(
  null,
  (db: Db, { transfers }: Tables) =>
    db
      .select({ place: sql`${transfers.credit_n}`.mapWith(Number), at: transfers.created_at })
      .from(transfers)
      .where(
        and(eq(transfers.credit, arg('wallet')), isNotNull(transfers.credit_n), lt(transfers.credit_n, arg('until'))),
      )
      .orderBy(desc(transfers.credit_n))
      .limit(1)
      .offset(arg('skip')),
);

/** What came in on each day of a span for each listing, of the postings from one on, before another. */
export const earnedBetween = many<Earner & { from: number; until: number; from_ms: number; until_ms: number }>()(
  null,
  (db: Db, t: Tables) => {
    const earned = db
      .select({
        day: dayOf(t).as('day'),
        cents: t.transfers.amount_cents,
        listing_id: sql<string | null>`coalesce(${t.deals.listing_id}, ${t.subscriptions.listing_id})`.as('listing_id'),
      })
      .from(t.transfers)
      .innerJoin(t.journals, eq(t.journals.id, t.transfers.journal))
      .leftJoin(t.escrows, eq(t.escrows.id, t.journals.subject_id))
      .leftJoin(t.deals, eq(t.deals.id, t.escrows.deal_id))
      .leftJoin(t.subscriptions, eq(t.subscriptions.id, t.journals.subject_id))
      .where(
        and(
          isEarned(t),
          gte(t.transfers.credit_n, arg('from')),
          lt(t.transfers.credit_n, arg('until')),
          gte(t.transfers.created_at, arg('from_ms')),
          lt(t.transfers.created_at, arg('until_ms')),
        ),
      )
      .as('earned');
    return db
      .select({
        day: sql`${earned.day}`.mapWith(Number),
        listing_id: earned.listing_id,
        n: sql`sum(${earned.cents})`.mapWith(Number),
      })
      .from(earned)
      .groupBy(sql`${earned.day}`, sql`${earned.listing_id}`);
  },
);

/** The newest of it, one by one, with the fee that went beside each. */
export const newestEarned = many<Earner & { limit: number }>()(null, (db: Db, t: Tables) => {
  const fee = aliasedTable(t.transfers, 'fee');
  const buyer = aliasedTable(t.agents, 'buyer');
  return db
    .select({
      journal: t.journals.id,
      kind: t.journals.kind,
      subject_id: t.journals.subject_id,
      net_cents: t.transfers.amount_cents,
      fee_cents: fee.amount_cents,
      title: sql<string | null>`coalesce(${t.escrows.title}, ${t.subscriptions.title})`,
      buyer_handle: buyer.handle,
      at: t.transfers.created_at,
    })
    .from(t.transfers)
    .innerJoin(t.journals, eq(t.journals.id, t.transfers.journal))
    .leftJoin(t.escrows, eq(t.escrows.id, t.journals.subject_id))
    .leftJoin(t.subscriptions, eq(t.subscriptions.id, t.journals.subject_id))
    .leftJoin(buyer, sql`${buyer.id} = coalesce(${t.escrows.buyer_id}, ${t.subscriptions.buyer_id})`)
    .leftJoin(fee, and(eq(fee.journal, t.journals.id), eq(fee.credit, 'platform_fees')))
    .where(isEarned(t))
    .orderBy(desc(t.transfers.credit_n))
    .limit(arg('limit'));
});

/** What escrows hold for it, the fee in it, and how many of them there are. */
export const heldForSeller = one<{ agent_id: string }>()(null, (db, t) =>
  db
    .select({
      escrows: count(),
      cents:
        sql`coalesce(sum(${t.escrows.total_cents} - ${t.escrows.released_cents} - ${t.escrows.refunded_cents}), 0)`.mapWith(
          Number,
        ),
    })
    .from(t.escrows)
    .where(and(eq(t.escrows.seller_id, arg('agent_id')), sql`${t.escrows.status} in ('active', 'disputed')`)),
);
