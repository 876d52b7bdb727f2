// What all parts of an operation are told: who calls, the settings, ids, randomness and time. `decide` gets nothing else; what the
// other parts can reach stands in ports.ts.
import type { BudgetColumn } from '../../db/schema/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision, Outcome, Read, Turn } from '../../db/store.ts';
import type { Code } from '../domain/fault.ts';
import type { JoinRules } from '../domain/identity/join.ts';
import type { Guard } from '../domain/identity/rate.ts';
import type { Instance } from '../domain/instance.ts';
import type { Addresses, StepForm } from '../domain/next-step.ts';

/** Who calls, as the pipeline found out. `guard` is the credential's row, checked again in the commit. */
export interface Principal {
  readonly kind: 'none' | 'key' | 'session' | 'platform' | 'mail' | 'internal';
  readonly account_id: string | null;
  readonly plan: 'free' | 'pro';
  readonly scopes: ReadonlySet<string>;
  readonly provisional: boolean;
  /** A session of somebody who administers the service: as stored, or as ADMIN_EMAILS says. */
  readonly admin: boolean;
  /** The agent that a key or an access token is bound to. */
  readonly key_agent_id: string | null;
  readonly credential_id: string | null;
  readonly guard: Guard | null;
  /** What a developer key may spend; null for all else. */
  readonly budget: BudgetColumn | null;
}

/** The part of the configuration that operations need. */
export interface Settings {
  readonly base_url: string;
  readonly app_url: string;
  readonly profile_url: string;
  readonly mail_domain: string;
  readonly key_prefix: string;
  readonly platform_handle: string;
  readonly rate_limits: boolean;
  readonly test_clock: boolean;
  /** What a provider refuses one caller counts once in a row. */
  readonly refusals_once: boolean;
  /** The identity provider elsewhere through which people sign in; null where the service signs them in by itself. */
  readonly outside_issuer: string | null;
  /** What the service is called here, and where its terms stand. */
  readonly instance: Instance;
  /** The plan of new accounts. */
  readonly default_plan: 'free' | 'pro';
  /** Who may make an account. */
  readonly joining: JoinRules;
  /** Whether letters rest in DATA_DIR/outbox, and whether text messages do. */
  readonly outbox: boolean;
  readonly text_outbox: boolean;
  /** All settings as whoever runs the service may see them; of a secret only that it is set. */
  readonly shown: readonly { readonly name: string; readonly value: string | null; readonly from: string | null }[];
}

/** The service's own keys: what hashing and sealing take, which compute and reach nothing. */
export interface ServiceSecrets {
  /** Keys the hashes of codes, so that a stolen database does not give six digits away. */
  readonly code_key: Uint8Array;
  /** Seals the secrets of webhooks at rest. */
  readonly seal_key: Uint8Array;
}

/** What every part of an operation is told beside the input, and all that `decide` gets. */
export interface Ctx {
  readonly principal: Principal;
  /** The caller's account id; empty for those without one. */
  readonly account_id: string;
  /** The acting agent's row; only operations with `agent: 'required'` may count on it. */
  readonly agent: Row<'agents'> | null;
  readonly now_ms: number;
  readonly ip: string;
  /** The trace that the call is a part of (domain/trace.ts). */
  readonly trace: string | null;
  /** What the caller approves while it is done: no more is paid, no less charged, and to nobody else. */
  readonly approved?: { readonly amount_cents: number; readonly to_id: string | null };
  /** A session's refresh token as sent. */
  readonly refresh_token: string | null;
  /** When what the caller showed ends by itself; without end for whoever showed nothing. */
  readonly credential_ends_at: number;
  readonly settings: Settings;
  readonly secrets: ServiceSecrets;
  /** How calls are told to whoever gets them by no door: a stream, a link, a letter. */
  readonly addresses: Addresses;
  /** How calls are told to the caller in what is written while it waits: by the door that it came by. */
  readonly form: StepForm;
  /** A new UUID version 7. */
  id(): string;
  random(bytes: number): Uint8Array;
}

/** The acting agent of an operation that demands one; the pipeline has refused callers without. */
export function actor(ctx: Ctx): Row<'agents'> {
  if (!ctx.agent) throw new Error('the operation acts as an agent but does not declare agent: required');
  return ctx.agent;
}

/** A flow's hands: turns of its own (each committed before it resolves), and the committed state. */
export interface FlowCtx extends Ctx {
  readonly read: Read;
  /** What its Idempotency-Key stands for, for a flow that remembers what it did by a row of its own. */
  readonly claim: Omit<NonNullable<Turn<unknown>['idempotency']>, 'keep'> | null;
  /** One turn in the acting agent's mailbox, or in another's when `agent_id` says so. */
  turn<O, C extends Code>(step: {
    attempt(read: Read): Promise<Decision<O, C>>;
    agent_id?: string;
    /** This turn's outcome is the flow's answer for a repeated Idempotency-Key; or `'refusals'`, where it is one. */
    final?: boolean | 'refusals';
  }): Promise<Outcome<O>>;
}
