// The wire shapes of the router: capabilities, providers and calls.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { receiptStatus } from '../domain/router/call.ts';
import { CAPABILITY_PATTERN, inRotation } from '../domain/router/provider.ts';
import { percentServed } from '../domain/router/reliability.ts';
import { authored, byField, words } from './authored.ts';
import { namedObject } from './named.ts';
import { Cents, Id, iso, NullableCents, NullableText, nullable, Time } from './wire.ts';

export const CapabilityName = Type.String({
  pattern: CAPABILITY_PATTERN,
  description: 'lowercase letters, digits, dot, dash or underscore; 3 to 64 characters',
});

const NullableInteger = nullable(Type.Integer({ minimum: 0 }));
const Percent = nullable(
  Type.Integer({ minimum: 0, maximum: 100 }),
  'a whole percentage of all attempts; null when never called',
);
const Fields = Type.Array(Type.String(), { description: 'names of fields of the payload' });

export const CapabilityShape = namedObject('Capability', 'a capability offered by providers', {
  capability: Type.String(),
  description: words(NullableText),
  providers: Type.Integer({ minimum: 0, description: 'in rotation' }),
  from_price_cents: NullableCents,
  currency: Type.Literal('USD'),
  calls_served: Type.Integer({ minimum: 0 }),
  success_rate: Percent,
  typical_latency_ms: { ...NullableInteger, description: 'the median latency' },
  p95_latency_ms: { ...NullableInteger, description: 'the 95th percentile of the slowest provider' },
  required_fields: words(Fields),
  accepted_fields: words(Fields),
  input_schema: nullable(
    Type.Record(Type.String(), Type.Unknown()),
    'JSON Schema of the payload, if the capability is in the catalogue',
  ),
});

export const ProviderShape = namedObject('Provider', 'an offer of a capability', {
  id: Id,
  capability: Type.String(),
  endpoint_url: Type.String(),
  price_cents: Cents,
  currency: Type.Literal('USD'),
  active: Type.Boolean(),
  in_rotation: Type.Boolean({ description: 'false: switched off, or suspended after 5 failures in a row' }),
  total_calls: Type.Integer({ minimum: 0 }),
  total_failures: Type.Integer({ minimum: 0 }),
  success_rate: Percent,
  avg_latency_ms: NullableInteger,
  last_error: words(NullableText),
  created_at: Time,
});

export const EndpointCheck = namedObject('EndpointCheck', 'the result of a test of an address', {
  ok: Type.Boolean(),
  verdict: Type.String({ description: 'an explanation for the provider' }),
  http_status: NullableInteger,
  latency_ms: NullableInteger,
});

const TriedShape = namedObject('CallAttempt', 'one dispatch of a call, and its result', {
  provider_handle: nullable(Type.String(), 'null if the agent was deleted'),
  outcome: Type.Enum(['served', 'failed', 'unknown']),
  reason: nullable(Type.String(), 'an error code'),
  http_status: NullableInteger,
  latency_ms: NullableInteger,
});

/** Fee and net beside the price of a routed call. */
export const ROUTED_PROCEEDS = {
  fee_cents: { ...Cents, description: 'the platform’s share, included in the price' },
  net_cents: { ...Cents, description: 'the provider’s part of the price' },
};

const RECEIPT = {
  capability: Type.String(),
  provider_handle: nullable(Type.String(), 'the provider'),
  status: Type.Enum(['charged', 'not_charged', 'unknown', 'open']),
  price_cents: Cents,
  ...ROUTED_PROCEEDS,
  usage: words(nullable(Type.String(), 'its metering, as stated by the provider')),
  latency_ms: NullableInteger,
  attempts: Type.Array(TriedShape),
  created_at: Time,
};

export const CallReceipt = namedObject('CallReceipt', 'the result of a routed call', {
  id: Id,
  ...RECEIPT,
  receipt: nullable(Type.String(), 'a signed JWS; null if nothing was charged, and in lists: read one call by its id'),
});

export const RoutedCall = authored(
  byField('provider_handle'),
  namedObject('RoutedCall', 'a call that was served', {
    ...RECEIPT,
    call_id: Id,
    result: words(Type.Unknown({ description: 'the response of the provider; null if it was deleted' })),
  }),
);

/** Exact figures of a provider: the stored totals plus later ones. */
export interface Figures {
  readonly attempts: number;
  readonly served: number;
  readonly charged: number;
  readonly latency_sum_ms: number;
}

/** A provider as its agent sees it. */
export function providerView(
  row: Row<'providers'>,
  { attempts, served, latency_sum_ms }: Figures,
): Static<typeof ProviderShape> {
  return {
    id: row.id,
    capability: row.capability,
    endpoint_url: row.endpoint_url,
    price_cents: row.price_cents,
    currency: 'USD',
    active: row.active === 1,
    in_rotation: inRotation(row),
    total_calls: attempts,
    total_failures: attempts - served,
    success_rate: percentServed(attempts, served),
    avg_latency_ms: served === 0 ? null : Math.round(latency_sum_ms / served),
    last_error: row.last_error,
    created_at: iso(row.created_at),
  };
}

/** The current handles by agent id. */
export type Handles = ReadonlyMap<string, string>;

/** A call without its signed receipt. */
export function callView(call: Row<'router_calls'>, handles: Handles): Omit<Static<typeof CallReceipt>, 'receipt'> {
  const handleOf = (id: string | null): string | null => (id === null ? null : (handles.get(id) ?? null));
  return {
    id: call.id,
    capability: call.capability,
    provider_handle: handleOf(call.provider_agent_id),
    status: receiptStatus(call),
    price_cents: call.price_cents,
    fee_cents: call.fee_cents,
    net_cents: call.price_cents - call.fee_cents,
    usage: call.usage,
    latency_ms: call.latency_ms,
    attempts: call.attempts.map(({ agent_id, outcome, reason, http_status, latency_ms }) => ({
      provider_handle: handleOf(agent_id),
      ...{ outcome, reason, http_status, latency_ms },
    })),
    created_at: iso(call.created_at),
  };
}
