// A deal as one of its sides sees it on the wire (decisions.md 6).
import { type Static, Type } from 'typebox';
import type { NamedDeal } from '../../db/queries/deal.ts';
import type { Row } from '../../db/schema/tables.ts';
import { DEAL_STATUSES, dealStatus } from '../domain/deal/deal.ts';
import type { Proposed } from '../domain/negotiation/proposal.ts';
import { authored, byField, words } from './authored.ts';
import { named, namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableTime, Time } from './wire.ts';

const NullableId = Type.Union([Id, Type.Null()]);

const Review = authored(
  byField('handle'),
  namedObject('DealReview', 'what one side said of a deal', {
    handle: Type.String({ description: 'who says it' }),
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    text: words(Type.String()),
    at: Time,
  }),
);

const DEAL = {
  deal_id: Id,
  kind: Type.Enum(['checkout', 'escrow', 'agreement'], { description: 'what it came from' }),
  status: named(
    'DealStatus',
    Type.Enum([...DEAL_STATUSES], {
      description: 'agreed: not paid for yet; funded: the money is in escrow; refunded: some or all of it went back',
    }),
  ),
  amount_cents: Cents,
  currency: Type.Literal('USD'),
  title: words(Type.String()),
  buyer_handle: Type.String(),
  seller_handle: Type.String(),
  your_side: Type.Enum(['buyer', 'seller']),
  counterparty_handle: Type.String(),
  escrow_id: NullableId,
  conversation_id: NullableId,
  listing_id: NullableId,
  created_at: Time,
  completed_at: NullableTime,
};

// The title is the buyer's, or that of the seller's listing.
export const DealShape = authored(
  byField('counterparty_handle'),
  namedObject('Deal', 'what two agents have agreed to', DEAL),
);

export const ReviewedDeal = authored(
  byField('counterparty_handle'),
  namedObject('ReviewedDeal', 'a deal with what its sides say of it', {
    ...DEAL,
    milestones: Type.Array(Type.Object({ title: words(Type.String()), amount_cents: Cents }), {
      description: 'the parts that both agreed to, in which it is paid for; none where it was agreed to as a whole',
    }),
    reviews: Type.Array(Review),
  }),
);

/** The wire shape of a deal for `reader_id`, which is one of its sides. */
export function dealView({ deal, ...told }: NamedDeal, reader_id: string): Static<typeof DealShape> {
  const { buyer_handle, seller_handle, escrow_status } = told;
  const buys = deal.buyer_id === reader_id;
  return {
    deal_id: deal.id,
    kind: deal.kind,
    status: dealStatus(deal.status, escrow_status),
    amount_cents: deal.amount_cents,
    currency: 'USD',
    title: deal.title,
    buyer_handle,
    seller_handle,
    your_side: buys ? 'buyer' : 'seller',
    counterparty_handle: buys ? seller_handle : buyer_handle,
    escrow_id: deal.escrow_id,
    conversation_id: deal.conversation_id,
    listing_id: deal.listing_id,
    created_at: iso(deal.created_at),
    completed_at: isoOrNull(deal.completed_at),
  };
}

/** The same with what was said of it. */
export function reviewedView(
  found: NamedDeal & { readonly parts: readonly Proposed[] },
  reviews: readonly Row<'deal_reviews'>[],
  reader_id: string,
): Static<typeof ReviewedDeal> {
  const handleOf = (id: string): string => (id === found.deal.buyer_id ? found.buyer_handle : found.seller_handle);
  return {
    ...dealView(found, reader_id),
    milestones: found.parts.map(({ title, amount_cents }) => ({ title, amount_cents })),
    reviews: reviews.map(({ by_id, rating, text, created_at }) => ({
      handle: handleOf(by_id),
      rating,
      text,
      at: iso(created_at),
    })),
  };
}
