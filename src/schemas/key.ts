// The shapes of keys on the wire, when issued and when listed.
import { Type } from 'typebox';
import { TRANSFER_MAX_CENTS } from '../domain/money/ledger.ts';
import { described, namedObject } from './named.ts';
import { Cents, ClientName, Code6, Email, Id, NullableCents, NullableTime, nullable, Time } from './wire.ts';

export const CodeInput = namedObject('CodeInput', 'the code mailed to an address', {
  email: Email,
  code: Code6,
  client_name: Type.Optional(ClientName),
});

export const IssuedKey = namedObject('IssuedKey', 'a new API key', {
  api_key: Type.String({ description: 'shown only once; store it' }),
  expires_at: Time,
  scopes: Type.Array(Type.String()),
});

const BudgetCents = Type.Optional(
  nullable(Type.Integer({ minimum: 0, maximum: TRANSFER_MAX_CENTS }), 'whole cents; null for no limit'),
);

/** Names in a budget, which people list by hand. */
const BUDGET_NAMES_MAX = 50;

const BudgetNames = Type.Optional(
  nullable(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: BUDGET_NAMES_MAX }), 'null for any'),
);

export const BudgetInput = namedObject(
  'BudgetInput',
  'spending limit of a key, in addition to the limits of the wallet',
  {
    per_call_cents: BudgetCents,
    per_day_cents: BudgetCents,
    total_cents: BudgetCents,
    recipients: described('handles of the agents that it may pay; null for any', BudgetNames),
    capabilities: described('the routed capabilities that it may pay for; null for any', BudgetNames),
  },
);

const NullableNames = nullable(Type.Array(Type.String()));

export const Budget = namedObject('Budget', 'spending limit of a key, and its use', {
  per_call_cents: NullableCents,
  per_day_cents: NullableCents,
  total_cents: NullableCents,
  recipients: NullableNames,
  capabilities: NullableNames,
  spent_today_cents: Cents,
  spent_total_cents: Cents,
});

export const DeveloperKey = namedObject('DeveloperKey', 'an API key, or the key pair of an agent', {
  id: Id,
  kind: Type.Enum(['signup', 'developer', 'provisional', 'key_pair'], {
    description: 'its origin; `key_pair` is a public key for access tokens',
  }),
  name: Type.String(),
  prefix: Type.String({
    description: 'the prefix of the key; for a key pair that of its fingerprint',
  }),
  scopes: Type.Array(Type.String()),
  agent_handle: nullable(Type.String(), 'the only agent that the key acts as'),
  created_at: Time,
  last_used_at: described('null if unknown', NullableTime),
  expires_at: described('null for a key pair that is valid until it is replaced', NullableTime),
  budget: nullable(Budget),
});
