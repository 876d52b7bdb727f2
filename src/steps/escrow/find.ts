// Finds an escrow with everything its rules need: milestones, deal, sides, the seller's plan. A caller who is no party gets 403
// `not_a_party` (interface.md, Authentication 11), where most other resources answer 404.
import { agentById } from '../../../db/queries/agent.ts';
import { threadById } from '../../../db/queries/conversation.ts';
import { dealById, openDealsIn } from '../../../db/queries/deal.ts';
import { earlierDeliverables, escrowById, milestonesOf } from '../../../db/queries/escrow.ts';
import { accountById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { isUnderWay } from '../../domain/conversation/conversation.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import type { SideHandles } from '../../schemas/escrow.ts';
import type { Recipient } from '../event.ts';

/** An escrow as a turn reads it: rows that may change are read with their version, the others are not. */
export interface LoadedEscrow {
  readonly escrow: Row<'escrows'>;
  /** All of them, in order. */
  readonly milestones: readonly Row<'milestones'>[];
  /** The deliveries before the newest, in order. */
  readonly earlier: readonly Row<'earlier_deliverables'>[];
  readonly deal: Row<'deals'>;
  readonly buyer: Recipient;
  readonly seller: Recipient;
  readonly seller_plan: PlanName;
  /** The conversation that its deal would complete: open, and with no other open deal in it. */
  readonly completes_conversation: string | null;
}

/** The handles of the sides, and earlier deliveries, for views. */
export function handlesOf({
  buyer,
  seller,
  seller_plan,
  earlier,
}: Pick<LoadedEscrow, 'buyer' | 'seller' | 'seller_plan' | 'earlier'>): SideHandles {
  return { buyer_handle: buyer.handle, seller_handle: seller.handle, seller_plan, earlier };
}

async function sideOf(read: Read, id: string): Promise<Recipient> {
  const agent = await read.peek(agentById, { id });
  return { id, handle: agent?.handle ?? '' };
}

async function completedBy(read: Read, { id, conversation_id }: Row<'deals'>): Promise<string | null> {
  if (conversation_id === null) return null;
  const [thread, open] = await Promise.all([
    read.peek(threadById, { id: conversation_id }),
    read.peek(openDealsIn, { conversation_id }),
  ]);
  const isLast = open.every((deal) => deal.id === id);
  return thread && isLast && isUnderWay(thread.status) ? conversation_id : null;
}

/** An escrow without a check of the caller; null when there is none. For reminders and administrators. */
export async function readEscrow(read: Read, id: string): Promise<LoadedEscrow | null> {
  const escrow = await read(escrowById, { id });
  if (!escrow) return null;
  const [milestones, deal, buyer, seller, account] = await Promise.all([
    read(milestonesOf, { escrow_id: id }),
    read(dealById, { id: escrow.deal_id }),
    sideOf(read, escrow.buyer_id),
    sideOf(read, escrow.seller_id),
    read(accountById, { id: escrow.seller_account_id }),
  ]);
  if (!deal) throw new Error(`the escrow ${id} has no deal`);
  const completes_conversation = await completedBy(read, deal);
  const again = milestones.some(({ deliverable }) => (deliverable?.n ?? 1) > 1);
  const earlier = again ? await read.peek(earlierDeliverables, { escrow_id: id }) : [];
  return {
    escrow,
    milestones,
    earlier,
    deal,
    buyer,
    seller,
    seller_plan: account?.plan ?? 'free',
    completes_conversation,
  };
}

/** The side of an escrow that an agent is, or null. */
export function sideIn(
  { buyer_id, seller_id }: Pick<Row<'escrows'>, 'buyer_id' | 'seller_id'>,
  agent_id: string,
): 'buyer' | 'seller' | null {
  if (agent_id === buyer_id) return 'buyer';
  return agent_id === seller_id ? 'seller' : null;
}

/** An escrow of the acting agent: 404 when there is none, 403 `not_a_party` for others'. */
export async function loadEscrow(
  read: Read,
  id: string,
  ctx: Ctx,
): Promise<LoadedEscrow | Fault<'not_found' | 'not_a_party'>> {
  const found = await readEscrow(read, id);
  if (!found) return fault('not_found');
  return sideIn(found.escrow, actor(ctx).id) ? found : fault('not_a_party');
}
