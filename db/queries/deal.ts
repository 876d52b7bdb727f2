// Reads of deals, their reviews, and agents' records.
import { aliasedTable, and, desc, eq, inArray, isNull, lt, type SQL } from 'drizzle-orm';
import { arg, byId, type Db, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

export const dealById = byId('deals');
export const trackRecordById = byId('track_records');

/** The accounts that an agent dealt with, those of the most deals first. */
export const partnersOfAgent = many<{ agent_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.partners)
    .where(eq(t.partners.agent_id, arg('agent_id')))
    .orderBy(desc(t.partners.deals), desc(t.partners.id))
    .limit(arg('limit')),
);

/** The accounts that have something in common with an account. */
export const accountsWithMarksOf = many<{ account_id: string }>()(null, (db, t) =>
  db
    .select({ account_id: t.account_marks.account_id })
    .from(t.account_marks)
    .where(
      inArray(
        t.account_marks.mark,
        db
          .select({ mark: t.account_marks.mark })
          .from(t.account_marks)
          .where(eq(t.account_marks.account_id, arg('account_id'))),
      ),
    ),
);

/** The marks of an account, by which links to other accounts are found. */
export const marksOfAccount = many<{ account_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.account_marks)
    .where(eq(t.account_marks.account_id, arg('account_id')))
    .limit(arg('limit')),
);

/** The deals of a conversation that are not over. */
export const openDealsIn = many<{ conversation_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.deals.id })
    .from(t.deals)
    .where(and(eq(t.deals.conversation_id, arg('conversation_id')), eq(t.deals.status, 'open'))),
);

export const cancelledDealIn = one<{ conversation_id: string }>()(null, (db, t) =>
  db
    .select({ id: t.deals.id })
    .from(t.deals)
    .where(and(eq(t.deals.conversation_id, arg('conversation_id')), eq(t.deals.status, 'cancelled')))
    .limit(1),
);

/** The newest unpaid deal of two agents in a conversation at a price. */
export const agreedDealIn = one<{
  conversation_id: string;
  buyer_id: string;
  seller_id: string;
  amount_cents: number;
}>()('deals', (db, t) =>
  db
    .select()
    .from(t.deals)
    .where(
      and(
        eq(t.deals.conversation_id, arg('conversation_id')),
        eq(t.deals.status, 'open'),
        isNull(t.deals.escrow_id),
        eq(t.deals.buyer_id, arg('buyer_id')),
        eq(t.deals.seller_id, arg('seller_id')),
        eq(t.deals.amount_cents, arg('amount_cents')),
      ),
    )
    .orderBy(desc(t.deals.id))
    .limit(1),
);

/** The newest purchases of an agent. */
function newestBought(db: Db, { deals }: Tables) {
  const { id, status, escrow_id, conversation_id } = deals;
  return db
    .select({ id, status, escrow_id, conversation_id })
    .from(deals)
    .where(eq(deals.buyer_id, arg('buyer_id')))
    .orderBy(desc(id))
    .limit(arg('looked_at'))
    .as('newest');
}

/** Among the `looked_at` newest deals of an agent, those for one of its seek listings, in any state. */
export const boughtFor = many<{ buyer_id: string; seek_id: string; looked_at: number }>()(null, (db, t) => {
  const newest = newestBought(db, t);
  return db
    .select({ status: newest.status, escrow_id: newest.escrow_id })
    .from(newest)
    .innerJoin(t.conversations, eq(t.conversations.id, newest.conversation_id))
    .innerJoin(t.matches, eq(t.matches.match_id, t.conversations.match_id))
    .where(eq(t.matches.seek_id, arg('seek_id')));
});

/** Among the `looked_at` newest purchases of an agent, those that it has yet to pay for. */
export const dealsToPay = many<{ buyer_id: string; looked_at: number }>()(null, (db, t) => {
  const newest = newestBought(db, t);
  return db
    .select({ id: newest.id, conversation_id: newest.conversation_id })
    .from(newest)
    .where(and(eq(newest.status, 'open'), isNull(newest.escrow_id)));
});

/** The deals about one offer, newest first. */
export const soldOf = many<{ listing_id: string; limit: number }>()(null, (db, { deals }) =>
  db
    .select({ status: deals.status, escrow_id: deals.escrow_id })
    .from(deals)
    .where(eq(deals.listing_id, arg('listing_id')))
    .orderBy(desc(deals.id))
    .limit(arg('limit')),
);

/** The newest reviews of an agent. */
export const newestReviews = many<{ about_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.deal_reviews)
    .where(eq(t.deal_reviews.about_id, arg('about_id')))
    .orderBy(desc(t.deal_reviews.created_at))
    .limit(arg('limit')),
);

/** A deal with what its sides are called now, the plan of its seller, and its escrow. */
export interface NamedDeal {
  readonly deal: Row<'deals'>;
  readonly buyer_handle: string;
  readonly seller_handle: string;
  readonly seller_plan: Row<'accounts'>['plan'];
  readonly escrow: Row<'escrows'> | null;
}

type Where = (deals: Tables['deals']) => SQL | undefined;

function named(db: Db, t: Tables, where: Where) {
  const [buyer, seller] = [aliasedTable(t.agents, 'buyer'), aliasedTable(t.agents, 'seller')];
  return db
    .select({
      deal: t.deals,
      buyer_handle: buyer.handle,
      seller_handle: seller.handle,
      seller_plan: t.accounts.plan,
      escrow: t.escrows,
    })
    .from(t.deals)
    .innerJoin(buyer, eq(buyer.id, t.deals.buyer_id))
    .innerJoin(seller, eq(seller.id, t.deals.seller_id))
    .innerJoin(t.accounts, eq(t.accounts.id, seller.account_id))
    .leftJoin(t.escrows, eq(t.escrows.id, t.deals.escrow_id))
    .where(where(t.deals))
    .orderBy(desc(t.deals.id));
}

export const namedDeal: Query<{ id: string }, NamedDeal | null> = one<{ id: string }>()(null, (db, t) =>
  named(db, t, (deals) => eq(deals.id, arg('id'))),
);

type DealPage = { agent_id: string; before: string; limit: number };

/** An agent's purchases, newest first. Two queries, because each side has its own index. */
export const dealsBought: Query<DealPage, NamedDeal[]> = many<DealPage>()(null, (db, t) =>
  named(db, t, (deals) => and(eq(deals.buyer_id, arg('agent_id')), lt(deals.id, arg('before')))).limit(arg('limit')),
);

export const dealsSold: Query<DealPage, NamedDeal[]> = many<DealPage>()(null, (db, t) =>
  named(db, t, (deals) => and(eq(deals.seller_id, arg('agent_id')), lt(deals.id, arg('before')))).limit(arg('limit')),
);

/** One side's review of a deal; the id is `deal:agent`. */
export const reviewById = byId('deal_reviews', null);
