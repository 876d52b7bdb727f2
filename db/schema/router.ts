// Who serves capabilities, the calls that were routed to them, and what came of each attempt. All amounts are integer cents of USD,
// all times epoch milliseconds.
import { sql } from 'drizzle-orm';
import type { Builders } from './builders.ts';

/** A provider as a call fixed it in its first turn: what is asked of it later is no dearer. */
export interface CandidateColumn {
  readonly provider_id: string;
  readonly price_cents: number;
}

/** What came of one attempt, as the caller is told. */
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
      agent_id: b.text('agent_id').notNull(),
      account_id: b.text('account_id').notNull(),
      capability: b.text('capability').notNull(),
      endpoint_url: b.text('endpoint_url').notNull(),
      price_cents: b.int('price_cents').notNull(),
      active: b.int('active').notNull(),
      /** Of its payload, where the capability is in no catalogue; null where the provider names none. */
      required_fields: b.json<readonly string[] | null>('required_fields'),
      accepted_fields: b.json<readonly string[] | null>('accepted_fields'),
      /** Sealed, since a signature needs the secret itself. */
      secret: b.text('secret').notNull(),
      /** Failed dispatches in a row; a success writes only where there were any. */
      streak: b.int('streak').notNull().default(0),
      suspended_at: b.int('suspended_at'),
      last_error: b.text('last_error'),
      /** Counted from the attempts, twice a minute; what is not gathered yet is added by whoever reads. */
      attempts: b.int('attempts').notNull().default(0),
      served: b.int('served').notNull().default(0),
      /** Of those, what cost its callers something. */
      charged: b.int('charged').notNull().default(0),
      latency_sum_ms: b.int('latency_sum_ms').notNull().default(0),
      /** Of its last attempts, with what each account may weigh at most, in thousandths. */
      weighed_attempts: b.int('weighed_attempts').notNull().default(0),
      weighed_served: b.int('weighed_served').notNull().default(0),
      p50_ms: b.int('p50_ms'),
      p95_ms: b.int('p95_ms'),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('providers_offer').on(t.agent_id, t.capability),
      b.index('providers_capability').on(t.capability, t.price_cents),
      b.index('providers_account').on(t.account_id),
    ],
  );
  /** A call of a capability, and its receipt once it has ended. Inserted before anybody is asked, so that a repeat finds it. */
  const router_calls = b.table(
    'router_calls',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      account_id: b.text('account_id').notNull(),
      capability: b.text('capability').notNull(),
      status: b.text('status').$type<'open' | 'served' | 'failed' | 'unknown'>().notNull(),
      /** The claim of its Idempotency-Key; given up where the same key may make another call. */
      claim: b.text('claim'),
      request_hash: b.text('request_hash'),
      claim_until: b.int('claim_until'),
      candidates: b.json<readonly CandidateColumn[]>('candidates').notNull(),
      attempts: b.json<readonly TriedColumn[]>('attempts').notNull(),
      hold_id: b.text('hold_id'),
      /** Who served it, for how much; null until then. */
      provider_agent_id: b.text('provider_agent_id'),
      price_cents: b.int('price_cents').notNull().default(0),
      fee_cents: b.int('fee_cents').notNull().default(0),
      /** How it was metered, in the provider's words. */
      usage: b.text('usage'),
      latency_ms: b.int('latency_ms'),
      /** Until when its providers are asked. */
      deadline_at: b.int('deadline_at').notNull(),
      created_at: b.int('created_at').notNull(),
      ended_at: b.int('ended_at'),
      /** Null for one that was charged. */
      expires_at: b.int('expires_at'),
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
      call_id: b.text('call_id').notNull(),
      provider_id: b.text('provider_id').notNull(),
      provider_agent_id: b.text('provider_agent_id').notNull(),
      provider_account_id: b.text('provider_account_id').notNull(),
      caller_account_id: b.text('caller_account_id').notNull(),
      capability: b.text('capability').notNull(),
      host: b.text('host').notNull(),
      outcome: b.text('outcome').$type<'served' | 'failed' | 'unknown'>().notNull(),
      reason: b.text('reason'),
      http_status: b.int('http_status'),
      latency_ms: b.int('latency_ms'),
      price_cents: b.int('price_cents').notNull().default(0),
      fee_cents: b.int('fee_cents').notNull().default(0),
      /** 0 where it says nothing of the provider. */
      counted: b.int('counted').notNull().default(1),
      /** When it was added to the provider's figures. */
      gathered_at: b.int('gathered_at'),
      created_at: b.int('created_at').notNull(),
      /** Null for one that was charged. */
      expires_at: b.int('expires_at'),
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
  /** What a call answered, sealed; the id is the call's. */
  const router_results = b.table(
    'router_results',
    {
      id: b.id(),
      sealed: b.text('sealed').notNull(),
      expires_at: b.int('expires_at').notNull(),
    },
    (t) => [b.index('router_results_expiry').on(t.expires_at)],
  );
  return { providers, router_calls, router_attempts, router_results };
}
