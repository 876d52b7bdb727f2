// Finds a deal of the acting agent's: one of others is not there.
import { dealById, type NamedDeal, namedDeal, reviewById } from '../../../db/queries/deal.ts';
import { milestonesOf } from '../../../db/queries/escrow.ts';
import { proposalOfDeal } from '../../../db/queries/negotiation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { FixedTerms } from '../../domain/escrow/escrow.ts';
import { type Proceeds, proceedsOfWhole } from '../../domain/money/fee.ts';
import type { Issue } from '../../domain/negotiation/issue.ts';
import type { Proposed } from '../../domain/negotiation/proposal.ts';
import type { PricedDeal } from '../../schemas/deal.ts';
import { escrowProceeds } from '../../schemas/escrow.ts';

/** What was agreed, as far as it is known, and what the seller gets. */
interface Priced {
  readonly terms: string | null;
  readonly issues: readonly Issue[];
  readonly parts: readonly Proposed[];
  readonly escrow_terms: FixedTerms | null;
  readonly proceeds: Proceeds;
}

export interface FoundDeal extends PricedDeal, Priced {
  readonly reviews: readonly Row<'deal_reviews'>[];
}

export function reviewId(deal_id: string, agent_id: string): string {
  return `${deal_id}:${agent_id}`;
}

/** The proposal behind a deal; null when the deal was made otherwise. */
export async function proposalBehind(read: Read, deal: Row<'deals'> | null): Promise<Row<'proposals'> | null> {
  if (!deal?.conversation_id) return null;
  return read.peek(proposalOfDeal, { conversation_id: deal.conversation_id, deal_id: deal.id });
}

async function price(read: Read, { deal, escrow, seller_plan }: NamedDeal): Promise<Priced> {
  const [proposal, milestones] = await Promise.all([
    proposalBehind(read, deal),
    escrow && read.peek(milestonesOf, { escrow_id: escrow.id }),
  ]);
  const { issues = [] } = proposal ?? {};
  const terms = proposal?.terms || null;
  if (escrow) {
    const parts = milestones ?? [];
    return { terms, issues, parts, escrow_terms: escrow, proceeds: escrowProceeds(escrow, parts, seller_plan) };
  }
  const { milestones: parts = [], escrow_terms = null } = proposal ?? {};
  return { terms, issues, parts, escrow_terms, proceeds: proceedsOfWhole(deal.amount_cents, parts, seller_plan) };
}

/** The seller's proceeds of a deal. After the payment its escrow's row has them. */
export async function readProceeds(read: Read, found: NamedDeal): Promise<Proceeds> {
  const { deal, escrow, seller_plan } = found;
  if (deal.status === 'open') return (await price(read, found)).proceeds;
  return escrow ? escrowProceeds(escrow, [], seller_plan) : proceedsOfWhole(deal.amount_cents, [], seller_plan);
}

/** A deal that an agent is a side of; null for others. The deal's own row is read with its version. */
export async function findDeal(read: Read, id: string, agent_id: string): Promise<FoundDeal | null> {
  const [deal, found] = await Promise.all([read(dealById, { id }), read.peek(namedDeal, { id })]);
  if (!deal || !found || (deal.buyer_id !== agent_id && deal.seller_id !== agent_id)) return null;
  const sides = [deal.buyer_id, deal.seller_id].map((side) => read(reviewById, { id: reviewId(id, side) }));
  const reviews = (await Promise.all(sides)).filter((review) => review !== null);
  return { ...found, deal, reviews, ...(await price(read, found)) };
}
