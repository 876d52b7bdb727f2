// A subscription as one of its two sides sees it: found by its id, 404 for all others. A person's session reaches those of all their
// agents, a key that is bound to an agent those of that agent. And the facts that decide a due charge.
import type { Static } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { chargesOf, subscriptionById } from '../../../db/queries/subscription.ts';
import { counterById } from '../../../db/queries/turn.ts';
import { payerById } from '../../../db/queries/wallet.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import { CHARGES_SHOWN, type SideHandles, type Subscription, subscriptionView } from '../../schemas/subscription.ts';
import { type Called, readCalled } from '../agent/load.ts';
import { restrictionKey, spentKey } from '../money/spend.ts';
import { readAllotment } from './allotment.ts';
import type { Due } from './charge.ts';

export type Side = 'buyer' | 'seller';

/** A subscription with the further facts of a reply. */
export interface Found {
  readonly row: Row<'subscriptions'>;
  readonly side: Side;
  readonly handles: SideHandles;
  readonly charges: readonly Row<'subscription_charges'>[];
}

/** The caller's side, or null. */
function sideOf(row: Row<'subscriptions'>, { principal, account_id }: Ctx): Side | null {
  const bound = principal.key_agent_id;
  if (row.buyer_account_id === account_id && (bound === null || bound === row.buyer_id)) return 'buyer';
  return row.seller_account_id === account_id && (bound === null || bound === row.seller_id) ? 'seller' : null;
}

export function handlesFrom(
  called: ReadonlyMap<string, Called>,
  { buyer_id, seller_id }: Pick<Row<'subscriptions'>, 'buyer_id' | 'seller_id'>,
): SideHandles {
  const seller = called.get(seller_id);
  return {
    buyer: called.get(buyer_id)?.handle ?? '',
    seller: seller?.handle ?? '',
    seller_plan: seller?.plan ?? 'free',
  };
}

/** Finds one for a side of it; null for all others. */
export async function findSubscription(read: Read, subscription_id: string, ctx: Ctx): Promise<Found | null> {
  const row = await read(subscriptionById, { id: subscription_id });
  const side = row && sideOf(row, ctx);
  if (!row || !side) return null;
  const [called, charges] = await Promise.all([
    readCalled(read, [row.buyer_id, row.seller_id]),
    read.peek(chargesOf, { subscription_id, limit: CHARGES_SHOWN }),
  ]);
  return { row, side, handles: handlesFrom(called, row), charges };
}

export function viewOf({ row, handles, charges }: Found, now_ms: number): Static<typeof Subscription> {
  return subscriptionView(row, handles, charges, now_ms);
}

/** The plan by which an agent's sales are charged a fee. */
export async function readSellerPlan(read: Read, { account_id }: Pick<Row<'agents'>, 'account_id'>): Promise<PlanName> {
  return (await read(accountById, { id: account_id }))?.plan ?? 'free';
}

/** Reads the facts of a due charge; null when there is no such subscription. */
export async function readDue(read: Read, subscription_id: string, now_ms: number): Promise<Due | null> {
  const row = await read(subscriptionById, { id: subscription_id });
  if (!row) return null;
  const { buyer_id, buyer_account_id, seller_id } = row;
  const [buyer, seller, spent, owed, allotment] = await Promise.all([
    read(payerById, { id: buyer_id }),
    read(agentById, { id: seller_id }),
    read.peek(counterById, { id: spentKey(buyer_id, now_ms) }),
    read.peek(counterById, { id: restrictionKey(buyer_account_id) }),
    readAllotment(read, row, now_ms),
  ]);
  if (!buyer || !seller) return null;
  return {
    row,
    buyer,
    seller,
    seller_plan: await readSellerPlan(read, seller),
    spent_cents: spent?.n ?? 0,
    restricted: (owed?.n ?? 0) > 0,
    allotment,
  };
}
