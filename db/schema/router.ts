// Providers of capabilities, routed calls, and the result of each attempt. All amounts are integer cents of USD, all times epoch
// milliseconds.
import { sql } from 'drizzle-orm';
import type { Builders } from './builders.ts';
import { blank, gone, inner, keep, secret, stays } from './personal.ts';

/** A candidate as fixed in a call's first turn, so that its price cannot rise later. */
export interface CandidateColumn {
  readonly provider_id: string;
  readonly price_cents: number;
}

/** The result of one attempt in the caller's answer. */
export interface TriedColumn {
  readonly provider_id: string;
  readonly agent_id: string;
  readonly outcome: 'served' | 'failed' | 'unknown';
  readonly reason: string | null;
  readonly http_status: number | null;
  readonly latency_ms: number | null;
}

// Without a return type: drizzle infers the row types from this literal.
export function routerTables(b: Builders) {
  /** An agent's offer of one capability. */
  const providers = b.table(
    'providers',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      capability: b.code('capability', keep).notNull(),
      endpoint_url: b.text('endpoint_url', gone).notNull(),
      price_cents: b.int('price_cents', keep).notNull(),
      active: b.int('active', keep).notNull(),
      /** Of its payload, where the capability is in no catalogue; null where the provider names none. */
      required_fields: b.json<readonly string[] | null>('required_fields', gone),
      accepted_fields: b.json<readonly string[] | null>('accepted_fields', gone),
      /** Sealed, since a signature needs the secret itself. */
      secret: b.text('secret', secret(gone)).notNull(),
      /** Failed dispatches in a row; a success writes only if there were any. */
      streak: b.int('streak', keep).notNull().default(0),
      suspended_at: b.int('suspended_at', keep),
      last_error: b.text('last_error', gone),
      /** Counted from the attempts, twice a minute; readers add the attempts since. */
      attempts: b.int('attempts', keep).notNull().default(0),
      served: b.int('served', keep).notNull().default(0),
      /** Of those, what cost its callers something. */
      charged: b.int('charged', keep).notNull().default(0),
      latency_sum_ms: b.int('latency_sum_ms', keep).notNull().default(0),
      /** Of its last attempts, with what each account may weigh at most, in thousandths. */
      weighed_attempts: b.int('weighed_attempts', keep).notNull().default(0),
      weighed_served: b.int('weighed_served', keep).notNull().default(0),
      p50_ms: b.int('p50_ms', keep),
      p95_ms: b.int('p95_ms', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('providers_offer').on(t.agent_id, t.capability),
      b.index('providers_capability').on(t.capability, t.price_cents),
      b.index('providers_account').on(t.account_id),
    ],
  );
  /** A call of a capability, and its receipt once it has ended. Inserted before a provider is called, so that a repeat finds it. */
  const router_calls = b.table(
    'router_calls',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      account_id: b.code('account_id', keep).notNull(),
      capability: b.code('capability', keep).notNull(),
      status: b.code<'open' | 'served' | 'failed' | 'unknown'>('status', keep).notNull(),
      /** The claim of its Idempotency-Key; given up where the same key may make another call. */
      claim: b.code('claim', inner(keep)),
      request_hash: b.code('request_hash', inner(keep)),
      claim_until: b.int('claim_until', keep),
      candidates: b.json<readonly CandidateColumn[]>('candidates', stays('ids and prices')).notNull(),
      attempts: b
        .json<readonly TriedColumn[]>('attempts', stays('what was asked of whom is what both sides’ money tells of'))
        .notNull(),
      hold_id: b.code('hold_id', keep),
      /** The provider that served it, and its price; null until then. */
      provider_agent_id: b.code('provider_agent_id', keep),
      price_cents: b.int('price_cents', keep).notNull().default(0),
      fee_cents: b.int('fee_cents', keep).notNull().default(0),
      /** How it was metered, in the provider's words. */
      usage: b.text('usage', stays('how a call was metered is both sides’ record')),
      latency_ms: b.int('latency_ms', keep),
      /** Until when its providers are asked. */
      deadline_at: b.int('deadline_at', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      /** Null for one that was charged. */
      expires_at: b.int('expires_at', keep),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('router_calls_claim').on(t.claim),
      b.index('router_calls_agent').on(t.agent_id, t.id),
      b.index('router_calls_expiry').on(t.expires_at),
    ],
  );
  /** One dispatch as its provider's record knows it. */
  const router_attempts = b.table(
    'router_attempts',
    {
      id: b.id(),
      call_id: b.code('call_id', keep).notNull(),
      provider_id: b.code('provider_id', keep).notNull(),
      provider_agent_id: b.code('provider_agent_id', keep).notNull(),
      provider_account_id: b.code('provider_account_id', keep).notNull(),
      caller_account_id: b.code('caller_account_id', keep).notNull(),
      capability: b.code('capability', keep).notNull(),
      host: b.text('host', blank('')).notNull(),
      outcome: b.code<'served' | 'failed' | 'unknown'>('outcome', keep).notNull(),
      reason: b.text('reason', stays('the service’s own words')),
      http_status: b.int('http_status', keep),
      latency_ms: b.int('latency_ms', keep),
      price_cents: b.int('price_cents', keep).notNull().default(0),
      fee_cents: b.int('fee_cents', keep).notNull().default(0),
      /** 0 when it does not count for the provider. */
      counted: b.int('counted', keep).notNull().default(1),
      /** When it was added to the provider's figures. */
      gathered_at: b.int('gathered_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      /** Null for one that was charged. */
      expires_at: b.int('expires_at', keep),
      version: b.version(),
    },
    (t) => [
      b.index('router_attempts_provider').on(t.provider_id, t.id),
      b.index('router_attempts_earner').on(t.provider_agent_id, t.id),
      b.index('router_attempts_fresh').on(t.provider_id).where(sql`gathered_at IS NULL`),
      b.index('router_attempts_unanswered').on(t.created_at).where(sql`http_status IS NULL`),
      b.index('router_attempts_expiry').on(t.expires_at),
    ],
  );
  /** The answer of a call, encrypted; the id is the call's. */
  const router_results = b.table(
    'router_results',
    {
      id: b.id(),
      sealed: b.text('sealed', gone).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
    },
    (t) => [b.index('router_results_expiry').on(t.expires_at)],
  );
  return { providers, router_calls, router_attempts, router_results };
}
