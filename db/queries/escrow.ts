// Reads of escrows and their milestones.
import { aliasedTable, and, asc, desc, eq, exists, inArray, isNull, lt, sql } from 'drizzle-orm';
import { arg, byId, type Db, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

export const escrowById = byId('escrows');

/** The milestones of an escrow, in order. */
export const milestonesOf = many<{ escrow_id: string }>()('milestones', (db, t) =>
  db
    .select()
    .from(t.milestones)
    .where(eq(t.milestones.escrow_id, arg('escrow_id')))
    .orderBy(asc(t.milestones.milestone_index)),
);

/** The newest open escrows with a part that an agent has yet to deliver. */
export const escrowsToDeliver = many<{ seller_id: string; limit: number }>()(null, (db, { escrows, milestones }) =>
  db
    .select({ id: escrows.id, conversation_id: escrows.conversation_id })
    .from(escrows)
    .where(
      and(
        eq(escrows.seller_id, arg('seller_id')),
        // A literal, so that the partial index is used.
        sql`${escrows.ended_at} IS NULL`,
        eq(escrows.status, 'active'),
        exists(
          db
            .select({ id: milestones.id })
            .from(milestones)
            .where(
              and(eq(milestones.escrow_id, escrows.id), eq(milestones.status, 'held'), isNull(milestones.deliverable)),
            ),
        ),
      ),
    )
    .orderBy(desc(escrows.id))
    .limit(arg('limit')),
);

/** The conversation of an escrow. */
export const conversationOfEscrow = one<{ id: string }>()(null, (db, { escrows }) =>
  db
    .select({ conversation_id: escrows.conversation_id })
    .from(escrows)
    .where(eq(escrows.id, arg('id')))
    .limit(1),
);

/** The deliveries of an escrow's milestones before the newest, in order. */
export const earlierDeliverables = many<{ escrow_id: string }>()('earlier_deliverables', (db, t) =>
  db
    .select()
    .from(t.earlier_deliverables)
    .where(eq(t.earlier_deliverables.escrow_id, arg('escrow_id')))
    .orderBy(asc(t.earlier_deliverables.milestone_index), asc(t.earlier_deliverables.n)),
);

/** An escrow with what its sides are called now. */
export interface NamedEscrow {
  readonly escrow: Row<'escrows'>;
  readonly buyer_handle: string;
  readonly seller_handle: string;
  readonly seller_plan: Row<'accounts'>['plan'];
}

/** An agent's escrows as buyer or seller, before an escrow's id, newest first. */
export type EscrowPage = { agent_id: string; before: string; limit: number };

interface Side {
  readonly escrows: Query<EscrowPage, NamedEscrow[]>;
  /** The milestones of the same escrows, in order. */
  readonly milestones: Query<EscrowPage, Row<'milestones'>[]>;
}

function sideOf(side: 'buyer_id' | 'seller_id'): Side {
  const isOnPage = (t: Tables) => and(eq(t.escrows[side], arg('agent_id')), lt(t.escrows.id, arg('before')));
  return {
    escrows: many<EscrowPage>()(null, (db: Db, t: Tables) => {
      const [buyer, seller] = [aliasedTable(t.agents, 'buyer'), aliasedTable(t.agents, 'seller')];
      return db
        .select({
          escrow: t.escrows,
          buyer_handle: buyer.handle,
          seller_handle: seller.handle,
          seller_plan: t.accounts.plan,
        })
        .from(t.escrows)
        .innerJoin(buyer, eq(buyer.id, t.escrows.buyer_id))
        .innerJoin(seller, eq(seller.id, t.escrows.seller_id))
        .innerJoin(t.accounts, eq(t.accounts.id, seller.account_id))
        .where(isOnPage(t))
        .orderBy(desc(t.escrows.id))
        .limit(arg('limit'));
    }),
    milestones: many<EscrowPage>()(null, (db: Db, t: Tables) =>
      db
        .select()
        .from(t.milestones)
        .where(
          inArray(
            t.milestones.escrow_id,
            db
              .select({ id: t.escrows.id })
              .from(t.escrows)
              .where(isOnPage(t))
              .orderBy(desc(t.escrows.id))
              .limit(arg('limit')),
          ),
        )
        .orderBy(asc(t.milestones.milestone_index)),
    ),
  };
}

/** By side, because each has its own index. */
export const escrowsBought: Side = sideOf('buyer_id');
export const escrowsSold: Side = sideOf('seller_id');
