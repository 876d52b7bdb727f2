// Shapes of wallets on the wire.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { authored, byField, words } from './authored.ts';
import { namedObject } from './named.ts';
import { Cents, Id, iso, Time } from './wire.ts';

/** What a payer may write to the payee. */
export const NOTE_MAX = 500;

export const SentPayment = authored(
  byField('from_handle'),
  namedObject('SentPayment', 'money that one wallet gave to another', {
    id: Id,
    from_handle: Type.String(),
    to_handle: Type.String(),
    amount_cents: Cents,
    currency: Type.Literal('USD'),
    note: words(Type.Union([Type.String(), Type.Null()])),
    created_at: Time,
  }),
);

/** A payment as either side reads it. */
export function sentView(
  { id, amount_cents, note, created_at }: Pick<Row<'sends'>, 'id' | 'amount_cents' | 'note' | 'created_at'>,
  from_handle: string,
  to_handle: string,
): Static<typeof SentPayment> {
  return { id, from_handle, to_handle, amount_cents, currency: 'USD', note, created_at: iso(created_at) };
}
