// Payouts as the wire shows them.
import { type Static, Type } from 'typebox';
import type { BankColumn, ConnectorColumn } from '../../db/schema/processor.ts';
import type { Row } from '../../db/schema/tables.ts';
import { PAYOUT_STATES } from '../domain/money/payout.ts';
import { words } from './authored.ts';
import { namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableTime, Time } from './wire.ts';

const NullableText = Type.Union([Type.String(), Type.Null()]);

const Destination = namedObject('PayoutDestination', 'the bank account to which money is paid out', {
  bank_name: NullableText,
  last4: Type.String({ description: 'the last digits of its number' }),
  country: Type.String({ description: 'as ISO 3166-1 alpha-2' }),
});

/** The bank account of a payout, or of a connection. */
export const NullableDestination = Type.Union([Destination, Type.Null()], {
  description: 'null where no bank account is known',
});

/** A bank account as it is shown. */
export function destinationView(bank: BankColumn | null): Static<typeof NullableDestination> {
  return bank && { bank_name: bank.name, last4: bank.last4, country: bank.country };
}

/** What asked for a connection: by its name, which is a program's own word. */
export const NullableConnector = Type.Union(
  [
    namedObject('PayoutConnector', 'what asked for the payout account', {
      kind: Type.Enum(['key', 'program', 'session'], { description: 'session: its person, signed in' }),
      name: words(NullableText),
    }),
    Type.Null(),
  ],
  { description: 'null where that is not known' },
);

const KINDS = { api_keys: 'key', oauth_grants: 'program', sessions: 'session' } as const;

/** What asked for a connection, as it is shown. */
export function connectorView(connector: ConnectorColumn | null): Static<typeof NullableConnector> {
  return connector && { kind: KINDS[connector.by], name: connector.name };
}

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
  destination: NullableDestination,
  created_at: Time,
  submitted_at: NullableTime,
  ended_at: NullableTime,
});

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
    destination: destinationView(row.bank),
    created_at: iso(row.created_at),
    submitted_at: isoOrNull(row.submitted_at),
    ended_at: isoOrNull(row.ended_at),
  };
}
