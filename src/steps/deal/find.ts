// Finds a deal of the acting agent's: one of others is not there.
import { dealById, type NamedDeal, namedDeal, reviewById } from '../../../db/queries/deal.ts';
import { partsOfDeal } from '../../../db/queries/negotiation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Proposed } from '../../domain/negotiation/proposal.ts';

/** A deal with what was said of it. */
export interface FoundDeal extends NamedDeal {
  readonly reviews: readonly Row<'deal_reviews'>[];
  readonly parts: readonly Proposed[];
}

/** The id of a side's review. */
export function reviewId(deal_id: string, agent_id: string): string {
  return `${deal_id}:${agent_id}`;
}

/** The parts that a deal was agreed to be made of; none where it was agreed to as a whole. */
export async function partsToPay(read: Read, deal: Row<'deals'> | null): Promise<readonly Proposed[]> {
  if (!deal?.conversation_id) return [];
  const found = await read.peek(partsOfDeal, { conversation_id: deal.conversation_id, deal_id: deal.id });
  return found?.milestones ?? [];
}

/** A deal that an agent is a side of; null for others. The deal's own row is read with its version. */
export async function findDeal(read: Read, id: string, agent_id: string): Promise<FoundDeal | null> {
  const [deal, found] = await Promise.all([read(dealById, { id }), read.peek(namedDeal, { id })]);
  if (!deal || !found || (deal.buyer_id !== agent_id && deal.seller_id !== agent_id)) return null;
  const sides = [deal.buyer_id, deal.seller_id].map((side) => read(reviewById, { id: reviewId(id, side) }));
  const reviews = (await Promise.all(sides)).filter((review) => review !== null);
  return { ...found, deal, reviews, parts: await partsToPay(read, deal) };
}
