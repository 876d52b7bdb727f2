// A wallet's statement on the wire.
import { Type } from 'typebox';
import { CSV_HEADS } from '../domain/money/statement.ts';
import { PAGE_BEFORE } from '../domain/next-step.ts';
import { authored, words } from './authored.ts';
import { namedObject } from './named.ts';
import { toolsRead } from './next-step.ts';
import { Cents, HandleInput, Time } from './wire.ts';

const NullableText = Type.Union([Type.String(), Type.Null()]);

/** What the payee's own reader wrote is theirs; a note that came in is the payer's. */
const payer = ({ amount_cents, counterparty_handle }: Readonly<Record<string, unknown>>) => {
  if (typeof amount_cents === 'number' && amount_cents < 0) return null;
  return typeof counterparty_handle === 'string' ? counterparty_handle : undefined;
};

/** The parts of a payment of which a fee was taken. */
export const StatementSums = {
  gross_cents: Type.Union([Cents, Type.Null()], {
    description: 'what was paid, on the line between who paid and who was; null where no fee was taken of it',
  }),
  fee_cents: Type.Union([Cents, Type.Null()], { description: 'what of that was the fee' }),
  net_cents: Type.Union([Cents, Type.Null()], { description: 'what of that arrived at who was paid' }),
};

export const StatementEntry = authored(
  payer,
  namedObject('StatementEntry', 'money that came into a wallet or left it', {
    journal_id: Type.String({ description: 'what was booked together has one' }),
    kind: Type.String({ description: 'such as send, fund, escrow, release, refund, charge, payout' }),
    amount_cents: Type.Integer({ description: 'negative: it left the wallet' }),
    balance_after_cents: Cents,
    ...StatementSums,
    counterparty_handle: NullableText,
    reference_id: Type.Union([Type.String(), Type.Null()], {
      description: 'of the payment, escrow, funding, payout …',
    }),
    note: words(NullableText),
    at: Time,
  }),
);

export const BalanceAt = namedObject('BalanceAt', 'what a wallet held at a time', { balance_cents: Cents, at: Time });

/** What narrows a statement down. */
export const STATEMENT_FILTERS = {
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'only entries of this kind' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'only entries from this time on' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'only entries before this time' })),
  counterparty: Type.Optional(HandleInput),
  direction: Type.Optional(Type.Union([Type.Literal('in'), Type.Literal('out')])),
};

/** Where a page begins: the number of a posting. */
export const STATEMENT_PAGE = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: PAGE_BEFORE.http, ...toolsRead(PAGE_BEFORE.tools) }),
  ),
};

/** The same read in other ways. */
export const STATEMENT_FORMS = {
  at: Type.Optional(
    Type.String({ format: 'date-time', description: 'answers what the wallet held then, and nothing else' }),
  ),
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('csv')], {
      description: `csv: a table of ${CSV_HEADS.join(', ')}; up to 1,000 entries a page`,
    }),
  ),
};
