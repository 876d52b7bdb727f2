// Reads of an agent's earnings: releases of escrows and charges of subscriptions, net of fees. Daily sums are updated in the
// journals' commits; single earnings are the transfers themselves.

import { aliasedTable, and, asc, count, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm';
import { DAY_MS } from '../../src/domain/time.ts';
import { arg, type Db, many, one } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

/** Money that came into a seller's wallet: out of an escrow in which it sold, or from a subscriber. A literal, not a parameter, so that
 * the partial index is used. */
const isEarned = ({ transfers }: Tables) => and(eq(transfers.credit, arg('wallet')), sql`${transfers.earned} = 1`);

/** The earnings of each day (days since 1970, UTC). */
export const earnedByDay = many<{ agent_id: string }>()(null, (db: Db, { earned_days }: Tables) =>
  db
    .select({ day: earned_days.day, cents: earned_days.cents })
    .from(earned_days)
    .where(eq(earned_days.agent_id, arg('agent_id')))
    .orderBy(asc(earned_days.day)),
);

/** The earning `skip` rows before a posting, with its time. */
export const endOfEarned = one<{ wallet: string; until: number; skip: number }>()(null, (db: Db, t: Tables) =>
  db
    .select({ place: sql`${t.transfers.credit_n}`.mapWith(Number), at: t.transfers.created_at })
    .from(t.transfers)
    .where(and(isEarned(t), lt(t.transfers.credit_n, arg('until'))))
    .orderBy(desc(t.transfers.credit_n))
    .limit(1)
    .offset(arg('skip')),
);

/** The earnings of each day of a span by listing, among the postings from one on, before another. */
export const earnedBetween = many<{ wallet: string; from: number; until: number; from_ms: number; until_ms: number }>()(
  null,
  (db: Db, t: Tables) => {
    const earned = db
      .select({
        day: sql<number>`${t.transfers.created_at} / ${sql.raw(String(DAY_MS))}`.mapWith(Number).as('day'),
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

/** The newest earnings, each with its fee. */
export const newestEarned = many<{ wallet: string; limit: number }>()(null, (db: Db, t: Tables) => {
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

/** The money that escrows hold for an agent, with the fees in it, and their number. */
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
    .where(and(eq(t.escrows.seller_id, arg('agent_id')), isNull(t.escrows.ended_at))),
);
