// The call that charges a subscription, and what each move of one writes: its row, the reminder of what is due next, and at its end
// the end of what both sides owed each other.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { type Change, dueAt, isFinal } from '../../domain/subscription/subscription.ts';
import { Id } from '../../schemas/wire.ts';
import { endObligations } from '../money/obligation.ts';
import { remind, unremind } from '../reminder.ts';

/** Charges what is due, or ends what is over. */
export const CHARGE = { name: 'subscription.charge', input: Type.Object({ subscription_id: Id }) } as const;

/** Asks for a subscription to be looked at when something is due; takes that back where nothing is. */
export function remindOf(row: Row<'subscriptions'>, now_ms: number): Effect<never> {
  const at = dueAt(row);
  if (at === null) return unremind(CHARGE, row.id);
  return remind(CHARGE, { subscription_id: row.id }, { at, key: row.id, now_ms });
}

/** What a move writes; `key_id` where it hands the subscription to another key, or to a person. */
export type Written = Change & Partial<Pick<Row<'subscriptions'>, 'key_id'>>;

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
