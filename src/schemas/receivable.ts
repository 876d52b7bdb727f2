// What an account owes after a chargeback, as administrators see it.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { namedObject } from './named.ts';
import { Cents, Id, iso, Time } from './wire.ts';

export const Receivable = namedObject('Receivable', 'what a chargeback took that a wallet did not hold', {
  id: Id,
  status: Type.Enum(['open', 'repaid']),
  handle: Type.Union([Type.String(), Type.Null()], { description: 'from whose wallet it is missing' }),
  funding_id: Id,
  amount_cents: Cents,
  repaid_cents: Cents,
  owed_cents: Cents,
  created_at: Time,
});

export function receivableView(
  { id, status, funding_id, amount_cents, repaid_cents, created_at }: Row<'receivables'>,
  handle: string | null,
): Static<typeof Receivable> {
  const owed_cents = amount_cents - repaid_cents;
  return { id, status, handle, funding_id, amount_cents, repaid_cents, owed_cents, created_at: iso(created_at) };
}
