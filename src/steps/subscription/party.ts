// A subscription as one of its two sides has it: found by its id, absent for everybody else. A person's session reaches those of all
// their agents, a key that is bound to an agent those of that one.
import type { Static } from 'typebox';
import { chargesOf, subscriptionById } from '../../../db/queries/subscription.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { isOver } from '../../domain/subscription/subscription.ts';
import { CHARGES_SHOWN, type SideHandles, type Subscription, subscriptionView } from '../../schemas/subscription.ts';
import { type Called, readCalled } from '../agent/called.ts';
import { tell } from '../event.ts';
import { follow, type Written } from './course.ts';

export type Side = 'buyer' | 'seller';

/** A subscription with what a reply shows beside its row. */
export interface Found {
  readonly row: Row<'subscriptions'>;
  readonly side: Side;
  readonly handles: SideHandles;
  readonly charges: readonly Row<'subscription_charges'>[];
}

/** Which side the caller is; null where it is none. */
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

/** A move that one side makes: `by` is who may, null for either; `change` says what it changes, null where it cannot be made. */
export function moveBy(
  found: Found | null,
  ctx: Ctx,
  by: Side | null,
  change: (row: Row<'subscriptions'>) => Written | null,
): ReturnType<typeof moved> | Fault<'not_found' | 'wrong_role' | 'subscription_ended'> {
  if (!found) return fault('not_found');
  if (by !== null && found.side !== by) return fault('wrong_role', 'Only the paying side can do that.');
  const { row } = found;
  const changes = isOver(row, ctx.now_ms) ? null : change(row);
  if (!changes) return fault('subscription_ended', undefined, { status: viewOf(found, ctx.now_ms).status });
  return moved(found, changes, ctx);
}

/** The other side learns of a move that changes anything. */
function news(ctx: Ctx, { row: before, side, handles }: Found, status: string) {
  if (status === before.status) return [];
  const { id: subscription_id, buyer_id, seller_id } = before;
  const [buyer, seller] = [
    { id: buyer_id, handle: handles.buyer },
    { id: seller_id, handle: handles.seller },
  ];
  const [by, other] = side === 'buyer' ? [buyer, seller] : [seller, buyer];
  const data = { subscription_id, status, changed_by: side, counterparty_handle: by.handle };
  return [tell(ctx, other, 'subscription.updated', data)];
}

function moved(found: Found, changes: Written, ctx: Ctx) {
  const { row, effects } = follow(found.row, changes, ctx.now_ms);
  return {
    reply: viewOf({ ...found, row }, ctx.now_ms),
    effects: [...effects, ...news(ctx, found, row.status)],
  };
}
