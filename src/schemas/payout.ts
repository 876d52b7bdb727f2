// Payouts as the wire shows them.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { PAYOUT_STATES } from '../domain/money/payout.ts';
import { namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableTime, Time } from './wire.ts';

const NullableText = Type.Union([Type.String(), Type.Null()]);

/** A withdrawal and how far it is. */
export const Payout = namedObject('Payout', 'money on its way out of a wallet', {
  id: Id,
  payout_id: Type.String({ description: 'the same as id' }),
  rail: Type.Enum(['bank', 'chain']),
  amount_cents: Cents,
  amount: Type.Integer({ description: 'cents too' }),
  currency: Type.Literal('USD'),
  status: Type.Enum([...PAYOUT_STATES], {
    description:
      'pending: not handed over yet; submitted: on its way; finalized: arrived; failed: did not arrive, and is being taken back; reversed: back in the wallet',
  }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'why it waits, or came back' }),
  needs_action: Type.Boolean({
    description: 'what became of it is not known, and whoever runs the service has to look',
  }),
  chain: NullableText,
  to_address: NullableText,
  created_at: Time,
  submitted_at: NullableTime,
  ended_at: NullableTime,
});

/** A payout's row as it is shown. */
export function payoutView(row: Omit<Row<'payouts'>, 'version'>): Static<typeof Payout> {
  return {
    id: row.id,
    payout_id: row.id,
    rail: row.rail,
    amount_cents: row.amount_cents,
    amount: row.amount_cents,
    currency: 'USD',
    status: row.status,
    reason: row.reason,
    needs_action: row.needs_action === 1,
    chain: row.rail === 'chain' ? row.payee : null,
    to_address: row.to_address,
    created_at: iso(row.created_at),
    submitted_at: isoOrNull(row.submitted_at),
    ended_at: isoOrNull(row.ended_at),
  };
}
