// Shapes of wallets on the wire.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { authored, byField, words } from './authored.ts';
import { namedObject } from './named.ts';
import { Cents, Id, iso, NullableCents, Time } from './wire.ts';

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
    journal_id: Type.String({ description: 'its receipt has the same id' }),
    created_at: Time,
  }),
);

const SpendingLimit = namedObject('SpendingLimit', 'what an agent may spend; null is no limit', {
  per_transaction_cents: NullableCents,
  per_day_cents: NullableCents,
});

/** What keys without `payments:write` may spend in routed calls while nobody has said more. */
export const DefaultKeyLimit = Type.Union(
  [
    namedObject('DefaultKeyLimit', 'what a key without `payments:write` may spend in routed calls', {
      per_transaction_cents: Cents,
      per_day_cents: Cents,
    }),
    Type.Null(),
  ],
  { description: 'holds until a session sets `spending_limit`; null from then on' },
);

export const Wallet = namedObject('Wallet', 'what an agent has', {
  handle: Type.String(),
  balance_cents: Type.Integer({ minimum: 0, description: 'can be spent' }),
  held_cents: Type.Integer({ minimum: 0, description: 'set aside for calls under way, and in escrows not released' }),
  withdrawable_cents: Type.Integer({
    minimum: 0,
    description: 'can be withdrawn: the balance without money that a card paid in lately, to whomever',
  }),
  currency: Type.Literal('USD'),
  payout_rails: Type.Array(Type.Union([Type.Literal('bank'), Type.Literal('chain')]), {
    description: 'the ways by which it can be withdrawn now',
  }),
  spending_limit: SpendingLimit,
  default_key_limit: DefaultKeyLimit,
  low_balance_cents: Type.Integer({ minimum: 0, description: 'below it a letter goes to its person; 0 for none' }),
});

/** The journal that moves the money of a send. */
export function sendJournal(send_id: string): string {
  return `send:${send_id}`;
}

/** A payment as either side reads it. */
export function sentView(
  { id, amount_cents, note, created_at }: Pick<Row<'sends'>, 'id' | 'amount_cents' | 'note' | 'created_at'>,
  from_handle: string,
  to_handle: string,
): Static<typeof SentPayment> {
  return {
    id,
    from_handle,
    to_handle,
    amount_cents,
    currency: 'USD',
    note,
    journal_id: sendJournal(id),
    created_at: iso(created_at),
  };
}
