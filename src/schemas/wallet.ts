// Shapes of wallets on the wire.
import { type Static, Type } from 'typebox';
import type { BankColumn, ConnectorColumn } from '../../db/schema/processor.ts';
import type { Row } from '../../db/schema/tables.ts';
import { PAYOUT_STATES } from '../domain/money/payout.ts';
import { CSV_HEADS } from '../domain/money/statement.ts';
import { PAGE_BEFORE } from '../domain/next-step.ts';
import { authored, byField, words } from './authored.ts';
import { namedObject } from './named.ts';
import { toolsRead } from './next-step.ts';
import {
  Cents,
  HandleInput,
  Id,
  iso,
  isoOrNull,
  NullableCents,
  NullableText,
  NullableTime,
  nullable,
  Time,
} from './wire.ts';

/** The longest note of a payer to the payee. */
export const NOTE_MAX = 500;

export const SentPayment = authored(
  byField('from_handle'),
  namedObject('SentPayment', 'a payment between wallets', {
    id: Id,
    from_handle: Type.String(),
    to_handle: Type.String(),
    amount_cents: Cents,
    currency: Type.Literal('USD'),
    note: words(NullableText),
    journal_id: Type.String({ description: 'its receipt has the same id' }),
    created_at: Time,
  }),
);

const SpendingLimit = namedObject('SpendingLimit', 'spending limits of an agent; null is no limit', {
  per_transaction_cents: NullableCents,
  per_day_cents: NullableCents,
});

/** What keys without `payments:write` may spend in routed calls by default. */
export const DefaultKeyLimit = nullable(
  namedObject('DefaultKeyLimit', 'the limit of a key without `payments:write` for routed calls', {
    per_transaction_cents: Cents,
    per_day_cents: Cents,
  }),
  'applies until a session sets `spending_limit`; null from then on',
);

export const Wallet = namedObject('Wallet', 'the wallet of an agent', {
  handle: Type.String(),
  balance_cents: Type.Integer({ minimum: 0, description: 'spendable' }),
  held_cents: Type.Integer({ minimum: 0, description: 'held for pending calls and unreleased escrows' }),
  withdrawable_cents: Type.Integer({
    minimum: 0,
    description: 'withdrawable: the balance without recent card funding, by any wallet',
  }),
  currency: Type.Literal('USD'),
  payout_rails: Type.Array(Type.Union([Type.Literal('bank'), Type.Literal('chain')]), {
    description: 'available payout methods',
  }),
  spending_limit: SpendingLimit,
  default_key_limit: DefaultKeyLimit,
  low_balance_cents: Type.Integer({
    minimum: 0,
    description: 'a balance below it is mailed to its person; 0 for none',
  }),
});

/** The journal that moves the money of a send. */
export function sendJournal(send_id: string): string {
  return `send:${send_id}`;
}

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

// A wallet's statement on the wire.

/** The author of a note is the payer: the reader itself for an outgoing payment. */
const payer = ({ amount_cents, counterparty_handle }: Readonly<Record<string, unknown>>) => {
  if (typeof amount_cents === 'number' && amount_cents < 0) return null;
  return typeof counterparty_handle === 'string' ? counterparty_handle : undefined;
};

/** Gross, fee and net of a payment with a fee. */
export const StatementSums = {
  gross_cents: nullable(Cents, 'the gross amount, on the entry between payer and payee; null without a fee'),
  fee_cents: nullable(Cents, 'the fee in it'),
  net_cents: nullable(Cents, 'what the payee got'),
};

export const StatementEntry = authored(
  payer,
  namedObject('StatementEntry', 'an entry of a wallet', {
    journal_id: Type.String({ description: 'shared by all entries booked together' }),
    kind: Type.String({ description: 'such as send, fund, escrow, release, refund, charge, payout' }),
    amount_cents: Type.Integer({ description: 'negative: debit' }),
    balance_after_cents: Cents,
    ...StatementSums,
    counterparty_handle: NullableText,
    reference_id: nullable(Type.String(), 'of the payment, escrow, funding, payout …'),
    note: words(NullableText),
    at: Time,
  }),
);

export const BalanceAt = namedObject('BalanceAt', 'the balance of a wallet at a time', {
  balance_cents: Cents,
  at: Time,
});

export const STATEMENT_FILTERS = {
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'only entries of this kind' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'only entries from this time on' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'only entries before this time' })),
  counterparty: Type.Optional(HandleInput),
  direction: Type.Optional(Type.Union([Type.Literal('in'), Type.Literal('out')])),
};

/** The cursor is the number of a posting. */
export const STATEMENT_PAGE = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: PAGE_BEFORE.http, ...toolsRead(PAGE_BEFORE.tools) }),
  ),
};

/** Other forms of the statement. */
export const STATEMENT_FORMS = {
  at: Type.Optional(Type.String({ format: 'date-time', description: 'returns only the balance at that time' })),
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('csv')], {
      description: `csv: a table of ${CSV_HEADS.join(', ')}; up to 1,000 entries a page`,
    }),
  ),
};

// Shapes of the ledger on the wire: the result of a check, the newest seal, and receipts.

export const LedgerCheck = namedObject('LedgerCheck', 'the result of a ledger check on one snapshot', {
  ok: Type.Boolean({ description: 'whether the check passed' }),
  accounts: Type.Integer({ minimum: 0 }),
  transfers: Type.Integer({ minimum: 0 }),
  sum_cents: Type.Integer({ description: 'the sum of all balances: 0' }),
  problems: Type.Array(
    Type.Object({
      about: Type.String({ description: 'an account (`wallet:…`), a day (`2026-11-21`), a journal' }),
      problem: Type.String({ description: 'the problem, with figures' }),
    }),
    { maxItems: 100, description: 'the first hundred' },
  ),
});

export const LedgerHead = namedObject('LedgerHead', 'the newest seal of the ledger', {
  day: nullable(Type.String({ description: 'as `2026-11-21`, UTC' })),
  hash: NullableText,
  previous: nullable(Type.String({ description: 'the hash of the day before; empty for the first' })),
  jws: NullableText,
  resealed: nullable(
    Type.String({
      description: 'a signed note of the last replaced seals, which a wrong clock had made',
    }),
  ),
});

export const Receipt = namedObject('Receipt', 'a signed statement of a payment', {
  journal_id: Type.String(),
  receipt: Type.String({ description: 'a compact JWS; its `typ` is `receipt+jwt`' }),
});

// Payouts as the wire shows them.

const Destination = namedObject('PayoutDestination', 'the bank account for payouts', {
  bank_name: NullableText,
  last4: Type.String({ description: 'the last digits of its number' }),
  country: Type.String({ description: 'as ISO 3166-1 alpha-2' }),
});

/** The bank account of a payout, or of a connection. */
export const NullableDestination = nullable(Destination, 'null if no bank account is known');

export function destinationView(bank: BankColumn | null): Static<typeof NullableDestination> {
  return bank && { bank_name: bank.name, last4: bank.last4, country: bank.country };
}

/** The credential that asked for a connection, by its name, which a program chose itself. */
export const NullableConnector = nullable(
  namedObject('PayoutConnector', 'the credential that requested the payout account', {
    kind: Type.Enum(['key', 'program', 'session'], { description: 'session: its person' }),
    name: words(NullableText),
  }),
  'null if unknown',
);

const KINDS = { api_keys: 'key', oauth_grants: 'program', sessions: 'session' } as const;

export function connectorView(connector: ConnectorColumn | null): Static<typeof NullableConnector> {
  return connector && { kind: KINDS[connector.by], name: connector.name };
}

/** A withdrawal and its progress. */
export const Payout = namedObject('Payout', 'a payout from a wallet', {
  id: Id,
  payout_id: Type.String({ description: 'the same as id' }),
  rail: Type.Enum(['bank', 'chain']),
  amount_cents: Cents,
  amount: Type.Integer({ description: 'cents too' }),
  currency: Type.Literal('USD'),
  status: Type.Enum([...PAYOUT_STATES], {
    description:
      'pending: not submitted yet; submitted: in transit; finalized: arrived; failed: not arrived, being reversed; reversed: back in the wallet',
  }),
  reason: nullable(Type.String(), 'why it is delayed or was reversed, as a code'),
  needs_action: Type.Boolean({
    description: 'its outcome is unknown; the operator of the service has to check it',
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
