// The pipeline: principal → access → scope → agent and gate → rate → limits → validate → idempotency → run. Every call of
// every transport passes it in this order; the result is a value or a fault, which the transport renders.

import type { TSchema } from 'typebox';
import { MailboxFull } from '../../actors/mailbox.ts';
import { deactivatedAgents, handleById } from '../../db/queries/agent.ts';
import { reminderById } from '../../db/queries/reminder.ts';
import type { Row } from '../../db/schema/tables.ts';
import { type Outcome, StalePrincipal } from '../../db/store.ts';
import { StoreUnavailable } from '../../db/unavailable.ts';
import type { Ctx, Principal, Settings } from '../contract/context.ts';
import { MatchingUnavailable } from '../contract/matching-unavailable.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Ports } from '../contract/ports.ts';
import type { Page } from '../contract/reply.ts';
import { assertNever } from '../domain/assert.ts';
import { type Code, type Fault, fault, isFault } from '../domain/fault.ts';
import { guide, step } from '../domain/next-step.ts';
import { NO_NOTES } from '../domain/notes.ts';
import { DryRun } from '../schemas/money.ts';
import { gateFault, scopeFault } from '../steps/admission.ts';
import {
  type Answer,
  type Call,
  type Caller,
  credentialsOf,
  type Ended,
  NO_CREDENTIALS,
  type Refused,
  Reply,
  repliedPage,
  Unreadable,
  type Visit,
} from './call.ts';
import { CallerRates } from './caller-rates.ts';
import type { Core } from './core.ts';
import { asksDryRun, dryRun, dryRunProblem } from './dry-run.ts';
import { type Claim, claimOf, Replayed, readReplay } from './idempotency.ts';
import { noteRequest } from './note-request.ts';
import { OpenStreams } from './open-streams.ts';
import { ANYBODY, INTERNAL, Principals } from './principals.ts';
import { type Consumed, Runner, type Running } from './runner.ts';
import { InputCheck, inputProblem, isText } from './validate.ts';

// Which agent acts: the one that X-Agent-Handle (or the path) names, else the key's own, else the account's only one.

const NO_AGENT = guide`You have no agent yet; create one with ${step('agent.create')}.`;

async function agentNamed(core: Core, agents: readonly Row<'agents'>[], text: string): Promise<Row<'agents'> | null> {
  const handle = text.trim().replace(/^@/, '').toLowerCase();
  const direct = agents.find((agent) => agent.handle === handle);
  if (direct) return direct;
  // After a rename the old handle still names its agent for a while.
  const row = await core.store.read(handleById, { id: handle });
  if (row?.kind !== 'alias' || (row.expires_at ?? 0) <= core.clock.now()) return null;
  return agents.find((agent) => agent.id === row.agent_id) ?? null;
}

/** The acting agent, or why there is none. A key that is bound to an agent acts as no other. A deactivated agent acts only if the
 * operation allows it. */
async function actingAgent(
  core: Core,
  caller: Caller,
  acting: string | null,
  even_deactivated: boolean,
): Promise<Row<'agents'> | Fault> {
  const live = await caller.agents();
  const found = await actingOf(core, caller, acting, live);
  if (!isFault(found) || !even_deactivated || caller.principal.account_id === null) return found;
  // Only if no live one acts, so that a caller with one live agent need not name it.
  const gone = await core.store.read(deactivatedAgents, { account_id: caller.principal.account_id });
  const agent = acting === null && live.length > 0 ? found : await actingOf(core, caller, acting, gone);
  return isFault(agent) ? found : agent;
}

async function actingOf(
  core: Core,
  caller: Caller,
  acting: string | null,
  all: readonly Row<'agents'>[],
): Promise<Row<'agents'> | Fault> {
  const bound = caller.principal.key_agent_id;
  const agents = bound === null ? all : all.filter((agent) => agent.id === bound);
  // Invalid text is no handle.
  if (acting !== null) return (isText(acting) && (await agentNamed(core, agents, acting))) || fault('not_found');
  const [only, another] = agents;
  if (!only) return fault('not_found', NO_AGENT);
  if (another) return fault('agent_required', undefined, { handles: agents.map((agent) => agent.handle) });
  return only;
}

// Admission by the kind of credential. steps/admission.ts checks the scopes of a key and the state of the acting agent, because
// a call that performs another one needs those checks too.

/** Tells a caller with a key how to begin a session. */
const SIGN_IN = guide`This needs a signed-in session; an API key is refused. ${step('session.start', 'email')} begins one.`;

/** An operation's declaration of who may call it. */
type Admission = Pick<AnyOperation, 'access' | 'scope' | 'provisional' | 'from_mail' | 'for_keys'>;

/** Who may make a call: as its operation declares, unless its binding overrides that. */
function admissionOf({ operation, admits }: Pick<Call, 'operation' | 'admits'>): Admission {
  if (!admits) return operation;
  const { provisional, from_mail, for_keys } = operation;
  return { provisional, from_mail, for_keys, access: admits.access, scope: admits.scope };
}

/** Whether the kind of credential fits. */
function accessFault({ access, from_mail, for_keys }: Admission, principal: Principal): Fault | null {
  switch (access) {
    case 'public':
      return null;
    case 'platform':
      if (principal.kind === 'mail' && from_mail) return null;
      return principal.kind === 'platform' ? null : fault('unauthorized', 'This needs the header X-Internal-Token.');
    case 'internal':
      return principal.kind === 'internal' ? null : fault('not_found');
    case 'admin':
      if (principal.kind === 'key') return fault('session_required', SIGN_IN);
      if (principal.kind === 'none') return fault('unauthorized');
      return principal.admin || principal.kind === 'platform'
        ? null
        : fault('wrong_role', 'Only an administrator can do that.');
    case 'session':
      if (principal.kind === 'key') {
        return fault('session_required', SIGN_IN, for_keys && { how: guide`A key gets it by ${step(for_keys)}.` });
      }
      return principal.kind === 'session' ? null : fault('unauthorized');
    case 'key':
      return principal.kind === 'key' || principal.kind === 'session' ? null : fault('unauthorized');
    default:
      return assertNever(access);
  }
}

function contextOf(
  { clock, secrets, addresses, id, random }: Core,
  settings: Settings,
  call: Call,
  { principal, ends_at }: Pick<Caller, 'principal' | 'ends_at'>,
  agent: Row<'agents'> | null,
): Ctx {
  return {
    principal,
    account_id: principal.account_id ?? '',
    agent,
    now_ms: clock.now(),
    // Read only when needed: finding a connection's address costs microseconds.
    get ip() {
      return call.origin.ip;
    },
    get trace() {
      return call.origin.trace ?? null;
    },
    get language() {
      return call.origin.language ?? null;
    },
    get refresh_token() {
      return credentialsOf(call).refresh;
    },
    credential_ends_at: ends_at,
    settings,
    addresses,
    form: call.form ?? addresses,
    secrets,
    id,
    random,
  };
}

const LIMITS: ReadonlySet<Code> = new Set<Code>([
  'rate_limited',
  'too_many_tries',
  'plan_limit',
  'spending_limit',
  'first_contact_limit',
  'stream_unavailable',
  'overloaded',
  'matching_unavailable',
  'storage_full',
]);

/** Refusals of an invalid credential. */
export const NO_CREDENTIAL: ReadonlySet<Code> = new Set<Code>(['unauthorized', 'account_suspended']);

class Refusals {
  /** The number of refusals by code. */
  readonly counts = new Map<Code, number>();
  /** The number of replayed answers. */
  replays = 0;

  /** Counts how a call ended, and returns it. */
  note(ended: Ended): Ended {
    if ('replayed' in ended && ended.replayed) this.replays += 1;
    if (!('refusal' in ended)) return ended;
    const { fault: code } = ended.refusal;
    if (LIMITS.has(code)) this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
    return ended;
  }
}

/** How often a call is repeated because its credential changed meanwhile, as at first use and renewal: concurrent renewals
 * of one key wait for each other. Above it the caller is told of the race. */
const STALE_MAX = 50;

interface PipelineOptions {
  /** Compares every reply with its declared output and throws on a difference: in tests and the simulation. */
  readonly check_replies: boolean;
  readonly report: (error: unknown, call: { operation: string; request_id: string; trace: string | null }) => void;
}

export class Pipeline {
  readonly #core: Core;
  readonly #ports: Ports;
  readonly #options: PipelineOptions;
  readonly #principals: Principals;
  readonly #rates: CallerRates;
  readonly #runner: Runner;
  readonly #streams: OpenStreams;
  readonly #checks = new Map<AnyOperation, InputCheck>();
  readonly #replies = new Map<TSchema, InputCheck>();
  readonly #inFlight = new Set<string>();
  readonly refusals = new Refusals();

  constructor(core: Core, ports: Ports, options: PipelineOptions) {
    this.#core = core;
    this.#ports = ports;
    this.#options = options;
    this.#principals = new Principals(core);
    this.#runner = new Runner(core, ports);
    this.#rates = new CallerRates(core);
    this.#streams = new OpenStreams(core);
  }

  /** Runs a call to its end; never throws. */
  async run(call: Call): Promise<Ended> {
    const failed = (error: unknown): Ended => ({
      refusal: this.#failure(error, { ...call, what: call.operation.name }),
    });
    return this.refusals.note(await this.#admitted(call).catch(failed));
  }

  #failure(error: unknown, { what, origin, request_id }: Pick<Visit, 'what' | 'origin' | 'request_id'>): Fault {
    if (error instanceof MailboxFull) return fault('overloaded');
    if (error instanceof MatchingUnavailable) return fault('matching_unavailable');
    this.#options.report(error, { operation: what, request_id, trace: origin.trace ?? null });
    if (error instanceof StoreUnavailable)
      return error.full ? fault('storage_full') : fault('overloaded', 'The database is away; try again.');
    return fault('internal');
  }

  /** Authenticates a caller that runs no operation, such as one that lists a transport's offer, and counts it to its rate. Never
   * throws. */
  async enter(visit: Visit): Promise<Caller | Refused> {
    try {
      const caller = await this.#principals.resolve(visit);
      const principal = isFault(caller) ? null : caller.principal;
      const slow = await this.#rates.refusal(visit, principal);
      if (slow) return slow;
      return isFault(caller) ? { refusal: caller } : caller;
    } catch (error) {
      return { refusal: this.#failure(error, visit) };
    }
  }

  async #admitted(call: Call): Promise<Ended> {
    const began_ms = performance.now();
    const [{ operation }, { loop, settings, store, time }] = [call, this.#core];
    if (settings.test_clock && store.shared) await time.takeOver();
    loop.noteBegin(operation.name);
    if (operation.signs_in && settings.outside_issuer !== null) return this.#refused(call, null, fault('not_found'));
    const caller = call.entered ?? (await this.#caller(call));
    if (isFault(caller)) return this.#refused(call, null, caller);
    const ended = await this.#let(call, caller);
    noteRequest(this.#core, call, caller.principal, ended, began_ms);
    return ended;
  }

  /** Runs the call of an authenticated caller, if admitted. */
  async #let(call: Call, caller: Caller): Promise<Ended> {
    const { operation } = call;
    const { principal } = caller;
    const admission = admissionOf(call);
    const barred = accessFault(admission, principal) ?? scopeFault(admission, principal);
    if (barred) return this.#refused(call, principal, barred);
    const agent = await this.#agent(call, caller);
    if (isFault(agent)) return this.#refused(call, principal, agent);
    const gated = gateFault(operation, agent);
    if (gated && !asksDryRun(call)) return this.#refused(call, principal, gated);
    const rate = call.entered || operation.signed ? null : this.#rates.refusal(call, principal);
    const slow = rate instanceof Promise ? await rate : rate;
    if (slow) return slow;
    const ended = await this.#performed(call, caller, agent, gated);
    return operation.signed && 'refusal' in ended ? this.#refused(call, principal, ended.refusal) : ended;
  }

  /** Reads and validates the input of an admitted call, and runs it. */
  async #performed(call: Call, caller: Caller, agent: Row<'agents'> | null, gated: Fault | null): Promise<Ended> {
    const { operation } = call;
    const { principal, token_ends_at } = caller;
    const whole = call.late_input ? { ...call, ...(await call.late_input()) } : call;
    if (whole.input instanceof Unreadable) return { refusal: whole.input.refusal };
    this.#core.loop.noteBegin(operation.name);
    const barring = inputProblem(whole, whole.input) ?? dryRunProblem(operation, whole.input);
    if (barring) return { refusal: barring };
    const input = this.#check(operation).check(whole.input, whole.surplus);
    if (isFault(input)) return { refusal: input };
    if (agent) this.#core.directory.markSeen(agent.id);
    const ctx = this.#ctx(call, caller, agent);
    const running = { call: whole, principal, input, ctx, token_ends_at };
    const ended = asksDryRun(call) ? await this.#tried(running, gated) : await this.#remembered(running);
    return agent === null || 'refusal' in ended ? ended : { ...ended, agent_handle: agent.handle };
  }

  /** A 401 or 403 still counts against the caller's rate. */
  async #refused(call: Call, principal: Principal | null, refusal: Fault): Promise<Refused> {
    return call.entered ? { refusal } : ((await this.#rates.refusal(call, principal)) ?? { refusal });
  }

  /** Public operations without an acting agent ignore an expired credential, because a client uses them to get a new
   * one. */
  async #caller(call: Call): Promise<Caller | Fault> {
    const caller = await this.#principals.resolve(call);
    if (!isFault(caller) || !NO_CREDENTIAL.has(caller.fault) || credentialsOf(call).platform !== null) return caller;
    return admissionOf(call).access === 'public' && !call.operation.agent ? ANYBODY : caller;
  }

  async #agent(call: Call, caller: Caller): Promise<Row<'agents'> | null | Fault> {
    const { operation } = call;
    if (!operation.agent || caller.principal.account_id === null) return null;
    const agent = await actingAgent(this.#core, caller, call.acting, operation.even_deactivated ?? false);
    return isFault(agent) && operation.agent === 'optional' ? null : agent;
  }

  #ctx(call: Call, caller: Pick<Caller, 'principal' | 'ends_at'>, agent: Row<'agents'> | null): Ctx {
    return contextOf(this.#core, this.#ports.settings, call, caller, agent);
  }

  async #tried({ call: { operation }, input, ctx }: Running, gated: Fault | null): Promise<Answer> {
    const answer = await dryRun({ operation, input, ctx, gated }, this.#core.store.read, this.#ports.load);
    if (this.#options.check_replies) this.#checkReply(operation, answer.reply.text, DryRun);
    return answer;
  }

  async #remembered(running: Running): Promise<Ended> {
    const { call, principal, ctx } = running;
    const claim = claimOf(call, principal, ctx, this.#core.clock_watch.expiryTime(ctx.now_ms));
    if (claim === null) return this.#fresh(running, null);
    if (isFault(claim)) return { refusal: claim };
    if (this.#inFlight.has(claim.id)) return { refusal: fault('idempotency_in_flight') };
    this.#inFlight.add(claim.id);
    try {
      // A command checks inside its turn; a flow must check before its first outside call.
      const first = running.call.operation.kind === 'flow' && !running.call.operation.single?.(running.input);
      const known = first && (await this.#replayed(claim));
      if (known) return known;
      const end = await this.#fresh(running, claim);
      // Another node was first: return its answer.
      const elsewhere = 'refusal' in end && end.refusal.fault === 'idempotency_in_flight';
      return (elsewhere && (await this.#replayed(claim))) || end;
    } finally {
      this.#inFlight.delete(claim.id);
    }
  }

  /** The answer stored under a claim's key. */
  async #replayed(claim: Claim): Promise<Ended | null> {
    const again = await readReplay(this.#core.store.read, claim);
    return again?.ended ?? null;
  }

  async #fresh(running: Running, claim: Claim | null): Promise<Ended> {
    const { operation } = running.call;
    if (operation.kind === 'stream') {
      const { principal, input, ctx, token_ends_at = Number.POSITIVE_INFINITY } = running;
      const opening = () => operation.open(this.#core.store.read, input, ctx, this.#ports.stream);
      const start = await this.#streams.open({ principal, agent: ctx.agent, token_ends_at }, opening);
      return typeof start === 'function' ? { start } : { refusal: start };
    }
    const end = endOnce((outcome) => this.#end(running, outcome));
    let current = running;
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await this.#runner.run(current, claim, end);
        return !isFault(outcome) && outcome.reply instanceof Replayed ? outcome.reply.ended : end(outcome);
      } catch (error) {
        if (!(error instanceof StalePrincipal)) throw error;
        if (tries === STALE_MAX) return { refusal: fault('conflict') };
        // The credential's row changed since it was read: authenticate again and repeat the turn. The change may not be on disk
        // yet; an empty turn ends when it is.
        await this.#core.store.turn({ attempt: async () => ({ reply: null }) });
        this.#principals.forget(current.principal);
        const caller = await this.#caller(running.call);
        if (isFault(caller)) return { refusal: caller };
        const { principal } = caller;
        current = { ...running, principal, ctx: { ...running.ctx, principal } };
      }
    }
  }

  /** Compiled at the operation's first call: compiling all takes a tenth of the start. */
  #check(operation: AnyOperation): InputCheck {
    const known = this.#checks.get(operation);
    if (known) return known;
    const made = new InputCheck(operation.input);
    this.#checks.set(operation, made);
    return made;
  }

  #end({ call }: Running, outcome: Outcome<unknown>): Answer | Refused {
    const { operation } = call;
    // The reply may be large, and is serialized from here on.
    this.#core.loop.noteBegin(operation.name);
    if (isFault(outcome)) return { refusal: outcome };
    const { reply, notes = NO_NOTES } = outcome;
    const status = operation.status ?? 'ok';
    // A paged operation replies with a page as declared, or with another reply with notes of its own.
    const ended: Answer =
      operation.paged && notes === NO_NOTES
        ? { status, replayed: false, ...repliedPage(reply as Page<unknown>, notes) }
        : { status, replayed: notes.replayed === true, reply: new Reply(reply), notes };
    if (this.#options.check_replies && !notes.media) this.#checkReply(operation, ended.reply.text);
    return ended;
  }

  #checkReply(operation: AnyOperation, text: string, output: TSchema = operation.output): void {
    const check = this.#replies.get(output) ?? new InputCheck(output);
    this.#replies.set(output, check);
    const wrong = check.explain(JSON.parse(text));
    if (wrong) throw new Error(`${operation.name} answered what it does not declare: ${wrong}`);
  }

  /** Runs an internal operation. */
  byItself(operation: AnyOperation, input: Record<string, unknown>, reminder?: Consumed): Promise<Outcome<unknown>> {
    const call: Call = { ...INTERNAL_CALL, operation, input, request_id: this.#core.id() };
    const running: Running = { call, principal: INTERNAL, input, ctx: this.#ctx(call, BY_ITSELF, null), reminder };
    return this.#runner.run(running, null, (o) => this.#end(running, o));
  }

  /** Runs an internal operation for the supervisor; its own turn consumes the reminder. Throws when it failed. */
  async internal(operation: AnyOperation, input: Record<string, unknown>, reminder: Consumed): Promise<void> {
    const outcome = await this.byItself(operation, input, reminder);
    if (!isFault(outcome)) return;
    // Another node has run it, or it was set again, which is another run.
    const { id, version } = reminder;
    const now = outcome.fault === 'conflict' ? await this.#core.store.read(reminderById, { id }) : reminder;
    if (now?.version !== version) return;
    throw new Error(`${operation.name} refused its reminder: ${outcome.fault}`);
  }
}

/** Makes the answer once, for storage under its Idempotency-Key and for the caller. */
function endOnce(end: (outcome: Outcome<unknown>) => Answer | Refused): typeof end {
  let last: { readonly outcome: Outcome<unknown>; readonly ended: Answer | Refused } | null = null;
  return (outcome) => {
    if (last?.outcome !== outcome) last = { outcome, ended: end(outcome) };
    return last.ended;
  };
}

/** The supervisor as a caller. */
const BY_ITSELF = { principal: INTERNAL, ends_at: Number.POSITIVE_INFINITY };

/** The fixed members of the supervisor's calls. */
const INTERNAL_CALL = {
  bytes: 0,
  credential: NO_CREDENTIALS,
  acting: null,
  origin: { ip: '', browser: false },
  idempotency_key: null,
} as const;
