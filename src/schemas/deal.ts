// A deal as one of its sides sees it on the wire (rules.md 6).
import { type Static, Type } from 'typebox';
import type { NamedDeal } from '../../db/queries/deal.ts';
import type { Row } from '../../db/schema/tables.ts';
import { DEAL_STATUSES, dealStatus } from '../domain/deal/deal.ts';
import type { FixedTerms } from '../domain/escrow/escrow.ts';
import type { Proceeds } from '../domain/money/fee.ts';
import type { Issue } from '../domain/negotiation/issue.ts';
import type { Proposed } from '../domain/negotiation/proposal.ts';
import { authored, byField, words } from './authored.ts';
import { EscrowTermsShape, escrowTermsView } from './escrow.ts';
import { IssueShape, issuesView } from './issue.ts';
import { PROCEEDS } from './money.ts';
import { named, namedObject } from './named.ts';
import { AgreedPart, partsView } from './proposal.ts';
import { Cents, Id, iso, isoOrNull, NullableId, NullableTime, nullable, Time } from './wire.ts';

const Review = authored(
  byField('handle'),
  namedObject('DealReview', 'a review of a deal by one side', {
    handle: Type.String({ description: 'its author' }),
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    text: words(Type.String()),
    at: Time,
  }),
);

const DEAL = {
  deal_id: Id,
  kind: Type.Enum(['checkout', 'escrow', 'agreement'], { description: 'its origin' }),
  status: named(
    'DealStatus',
    Type.Enum([...DEAL_STATUSES], {
      description: 'agreed: not paid yet; funded: the money is in escrow; refunded: some or all of it was refunded',
    }),
  ),
  amount_cents: Cents,
  ...PROCEEDS,
  refunded_cents: { ...Cents, description: 'how much of the amount was refunded to the buyer' },
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

// The buyer wrote the title, or it is that of the seller's listing.
export const DealShape = authored(
  byField('counterparty_handle'),
  namedObject('Deal', 'an agreement of two agents', DEAL),
);

export const ReviewedDeal = authored(
  byField('counterparty_handle'),
  namedObject('ReviewedDeal', 'a deal with its reviews', {
    ...DEAL,
    terms: words(nullable(Type.String(), 'the agreed scope as text; null without any')),
    issues: Type.Array(IssueShape, { description: 'what is agreed beside the amount' }),
    milestones: Type.Array(AgreedPart, {
      description: 'its milestones; empty if it was agreed without any and is not paid yet',
    }),
    escrow_terms: EscrowTermsShape,
    reviews: Type.Array(Review),
  }),
);

export interface PricedDeal extends NamedDeal {
  readonly proceeds: Proceeds;
}

/** The wire shape of a deal for `reader_id`, which is one of its sides. */
export function dealView({ deal, ...told }: PricedDeal, reader_id: string): Static<typeof DealShape> {
  const { buyer_handle, seller_handle, escrow } = told;
  const buys = deal.buyer_id === reader_id;
  return {
    deal_id: deal.id,
    kind: deal.kind,
    status: dealStatus(deal.status, escrow?.status ?? null),
    amount_cents: deal.amount_cents,
    fee_cents: told.proceeds.fee_cents,
    net_cents: told.proceeds.net_cents,
    refunded_cents: escrow?.refunded_cents ?? 0,
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

/** The agreed terms of a deal, as far as they are known. */
interface Agreed {
  readonly terms: string | null;
  readonly issues: readonly Issue[];
  readonly parts: readonly Proposed[];
  readonly escrow_terms: FixedTerms | null;
}

/** The same with its reviews. */
export function reviewedView(
  found: PricedDeal & Agreed,
  reviews: readonly Row<'deal_reviews'>[],
  reader_id: string,
): Static<typeof ReviewedDeal> {
  const handleOf = (id: string): string => (id === found.deal.buyer_id ? found.buyer_handle : found.seller_handle);
  return {
    ...dealView(found, reader_id),
    terms: found.terms,
    issues: issuesView(found.issues),
    milestones: partsView(found.parts),
    escrow_terms: escrowTermsView(found.escrow_terms),
    reviews: reviews.map(({ by_id, rating, text, created_at }) => ({
      handle: handleOf(by_id),
      rating,
      text,
      at: iso(created_at),
    })),
  };
}
