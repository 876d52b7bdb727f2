// The context of all parts of an operation: caller, settings, ids, randomness and time. `decide` gets nothing else; the other
// parts also get the ports of ports.ts.
import type { BudgetColumn } from '../../db/schema/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision, Outcome, Read, Turn } from '../../db/store.ts';
import type { Code } from '../domain/fault.ts';
import type { JoinRules } from '../domain/identity/join.ts';
import type { Guard } from '../domain/identity/rate.ts';
import type { Instance } from '../domain/instance.ts';
import type { Language, Reader } from '../domain/language.ts';
import type { Addresses, StepForm } from '../domain/next-step.ts';

/** The authenticated caller. `guard` is the credential's row, checked again in the commit. */
export interface Principal extends Reader {
  readonly kind: 'none' | 'key' | 'session' | 'platform' | 'mail' | 'internal';
  readonly account_id: string | null;
  readonly plan: 'free' | 'pro';
  readonly scopes: ReadonlySet<string>;
  readonly provisional: boolean;
  /** A session of an administrator: marked so in its account, or listed in ADMIN_EMAILS. */
  readonly admin: boolean;
  /** The agent that a key or an access token is bound to. */
  readonly key_agent_id: string | null;
  readonly credential_id: string | null;
  readonly guard: Guard | null;
  /** The spending budget of a developer key; null for other credentials. */
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
  /** Consecutive refusals of one caller by a provider count once. */
  readonly refusals_once: boolean;
  /** The external identity provider through which people sign in; null where the service signs them in itself. */
  readonly outside_issuer: string | null;
  /** The name of this instance and the address of its terms. */
  readonly instance: Instance;
  /** The plan of new accounts. */
  readonly default_plan: 'free' | 'pro';
  /** Who may create an account. */
  readonly joining: JoinRules;
  /** Whether letters, and whether texts, go to DATA_DIR/outbox instead of a sender. */
  readonly outbox: boolean;
  readonly text_outbox: boolean;
  /** All settings as the operator may see them; secrets are masked. */
  readonly shown: readonly { readonly name: string; readonly value: string | null; readonly from: string | null }[];
}

/** The service's own keys for hashing and sealing, which are pure computation. */
export interface ServiceSecrets {
  /** Keys the hashes of codes, so that a stolen database does not reveal the six digits. */
  readonly code_key: Uint8Array;
  /** Seals the secrets of webhooks at rest. */
  readonly seal_key: Uint8Array;
}

/** The context of every part of an operation. `decide` gets only this and the input. */
export interface Ctx {
  readonly principal: Principal;
  /** The caller's account id; empty without an account. */
  readonly account_id: string;
  /** The acting agent's row; set for every operation with `agent: 'required'`. */
  readonly agent: Row<'agents'> | null;
  readonly now_ms: number;
  readonly ip: string;
  /** The trace that the call belongs to (domain/trace.ts). */
  readonly trace: string | null;
  /** That the request accepts; null where it names none with a catalogue. */
  readonly language: Language | null;
  /** The limits of an approved action while it runs: no higher payment, no lower charge, no other recipient. */
  readonly approved?: { readonly amount_cents: number; readonly to_id: string | null };
  /** A session's refresh token as sent. */
  readonly refresh_token: string | null;
  /** When the caller's credential expires; infinite without a credential. */
  readonly credential_ends_at: number;
  readonly settings: Settings;
  readonly secrets: ServiceSecrets;
  /** How calls are written where the reader uses no transport: in a stream, a link, a letter. */
  readonly addresses: Addresses;
  /** How calls are written in the reply to the caller: as calls of its own transport. */
  readonly form: StepForm;
  /** A new UUID version 7. */
  id(): string;
  random(bytes: number): Uint8Array;
}

/** The acting agent of an operation with `agent: 'required'`; the pipeline refuses callers without one. */
export function actor(ctx: Ctx): Row<'agents'> {
  if (!ctx.agent) throw new Error('the operation acts as an agent but does not declare agent: required');
  return ctx.agent;
}

/** The context of a flow: it runs turns (each committed before it resolves) and reads the committed state. */
export interface FlowCtx extends Ctx {
  readonly read: Read;
  /** The claim of the Idempotency-Key, for a flow that records its result in a row of its own. */
  readonly claim: Omit<NonNullable<Turn<unknown>['idempotency']>, 'keep'> | null;
  /** Runs one turn in the mailbox of the acting agent, or of `agent_id` where it is given. */
  turn<O, C extends Code>(step: {
    attempt(read: Read): Promise<Decision<O, C>>;
    agent_id?: string;
    /** This turn's outcome is replayed for a repeated Idempotency-Key; with `'refusals'` only where it is a refusal. */
    final?: boolean | 'refusals';
  }): Promise<Outcome<O>>;
}
