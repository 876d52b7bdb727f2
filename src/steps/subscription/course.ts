// The call that charges a subscription, and the effects of each change: its row, the reminder of the next due time, and at its end
// the end of both sides' obligations.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { type Change, dueAt, isFinal, isOver } from '../../domain/subscription/subscription.ts';
import { Id } from '../../schemas/wire.ts';
import { tell } from '../event.ts';
import { endObligations } from '../money/obligation.ts';
import { remind, unremind } from '../reminder.ts';
import { type Found, type Side, viewOf } from './party.ts';

/** Charges a due subscription, or ends an expired one. */
export const CHARGE = { name: 'subscription.charge', input: Type.Object({ subscription_id: Id }) } as const;

/** Schedules a subscription's next due time, or cancels the reminder. */
export function remindOf(row: Row<'subscriptions'>, now_ms: number): Effect<never> {
  const at = dueAt(row);
  if (at === null) return unremind(CHARGE, row.id);
  return remind(CHARGE, { subscription_id: row.id }, { at, key: row.id, now_ms });
}

/** The writes of a change; `key_id` when it passes the subscription to another key, or to a person. */
type Written = Change & Partial<Pick<Row<'subscriptions'>, 'key_id'>>;

/** The row after a change, and what writes it. */
export function follow(
  row: Row<'subscriptions'>,
  change: Written,
  now_ms: number,
): { readonly row: Row<'subscriptions'>; readonly effects: readonly Effect<'open_obligations'>[] } {
  const after = { ...row, ...change };
  const ends = isFinal(after.status) && !isFinal(row.status);
  const effects = [
    patch('subscriptions', row, change),
    remindOf(after, now_ms),
    ...(ends ? endObligations(row.buyer_id, row.seller_id) : []),
  ];
  return { row: after, effects };
}

/** A change by one side: `by` is the allowed side, null for either; `change` returns the changes, null when not possible. */
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
