// Reads of escrows and their milestones.
import { aliasedTable, and, asc, desc, eq, lt } from 'drizzle-orm';
import { arg, byId, type Db, many, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

export const escrowById = byId('escrows');
export const milestoneById = byId('milestones');

/** The milestones of an escrow, in order. */
export const milestonesOf = many<{ escrow_id: string }>()('milestones', (db, t) =>
  db
    .select()
    .from(t.milestones)
    .where(eq(t.milestones.escrow_id, arg('escrow_id')))
    .orderBy(asc(t.milestones.milestone_index)),
);

/** An escrow with what its sides are called now. */
export interface NamedEscrow {
  readonly escrow: Row<'escrows'>;
  readonly buyer_handle: string;
  readonly seller_handle: string;
}

type EscrowPage = { agent_id: string; before: string; limit: number };

function pageOf(side: 'buyer_id' | 'seller_id'): Query<EscrowPage, NamedEscrow[]> {
  return many<EscrowPage>()(null, (db: Db, t: Tables) => {
    const [buyer, seller] = [aliasedTable(t.agents, 'buyer'), aliasedTable(t.agents, 'seller')];
    return db
      .select({ escrow: t.escrows, buyer_handle: buyer.handle, seller_handle: seller.handle })
      .from(t.escrows)
      .innerJoin(buyer, eq(buyer.id, t.escrows.buyer_id))
      .innerJoin(seller, eq(seller.id, t.escrows.seller_id))
      .where(and(eq(t.escrows[side], arg('agent_id')), lt(t.escrows.id, arg('before'))))
      .orderBy(desc(t.escrows.id))
      .limit(arg('limit'));
  });
}

/** Those in which an agent buys, newest first. Two queries, because each side has its own index. */
export const escrowsBought: Query<EscrowPage, NamedEscrow[]> = pageOf('buyer_id');

/** Those in which it sells. */
export const escrowsSold: Query<EscrowPage, NamedEscrow[]> = pageOf('seller_id');
