// A funding on the wire.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableTime, Time } from './wire.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const Funding = namedObject('Funding', 'money that a person pays into a wallet on the processor’s page', {
  funding_id: Id,
  amount_cents: Cents,
  status: Type.Enum(['pending', 'paid', 'cancelled', 'expired', 'failed']),
  reason: TextOrNull,
  checkout_url: Type.Union([Type.String(), Type.Null()], { description: 'where it is paid; null once it has ended' }),
  paid_at: NullableTime,
  withdrawable_at: Type.Union([Time, Type.Null()], { description: 'from when on it may be withdrawn' }),
  created_at: Time,
});

export function fundingView(row: Row<'fundings'>): Static<typeof Funding> {
  return {
    funding_id: row.id,
    amount_cents: row.amount_cents,
    status: row.status,
    reason: row.reason,
    checkout_url: row.ended_at === null ? row.url : null,
    paid_at: isoOrNull(row.paid_at),
    withdrawable_at: isoOrNull(row.withdrawable_at),
    created_at: iso(row.created_at),
  };
}
