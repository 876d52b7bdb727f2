// Runs one admitted call: a query on committed state, a command as one turn in the acting agent's mailbox, a flow with
// turns of its own. Reminders that a turn asked to run now are run before the reply.
import { count, type Effect, type RemindEffect } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision, Outcome, Read, Turn } from '../../db/store.ts';
import { EVENT_BYTES, rowBytes } from '../../db/stored-bytes.ts';
import type { Ctx, FlowCtx, Principal } from '../contract/context.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Ports } from '../contract/ports.ts';
import { Noted } from '../contract/reply.ts';
import { type Code, fault, isFault } from '../domain/fault.ts';
import { PLANS, storageFull, storageKey } from '../domain/identity/plan.ts';
import { guardRows } from '../domain/identity/rate.ts';
import { adminAct } from '../steps/admin/act.ts';
import { consume, unremindRead } from '../steps/reminder.ts';
import type { Answer, Call, Refused } from './call.ts';
import type { Core } from './core.ts';
import { type Claim, readReplay, refusalsOf, rowOf } from './idempotency.ts';

// The bytes that an account may store: what its calls add is counted in their commit, in steps of 64 KiB, so that a message needs no
// counter row of its own; removals give back. Over the limit, calls that declare `plan_limit` are refused; all others are counted. A
// crash, or a failed write, loses less than a step of an account.

const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** The bytes of an account that are counted together. */
export const STEP_BYTES = 65_536;
/** Accounts with less than a step to count; the one that waited longest is evicted. */
const ACCOUNTS_MAX = 50_000;

/** The bytes that effects add to the store for good; those of events are none where events are deleted by age. */
function storedBytes(effects: readonly Effect[], event_bytes: number): number {
  let bytes = 0;
  for (const effect of effects) {
    if (effect.do === 'insert') bytes += rowBytes(effect.table, effect.row);
    else if (effect.do === 'event') bytes += event_bytes;
    else if (effect.do === 'patch' || effect.do === 'remove') bytes += effect.grows ?? 0;
  }
  return bytes;
}

interface Metered {
  /** The decision with its storage counter. Called again when the turn decides again. */
  count(decision: Decision<unknown>): Decision<unknown>;
  /** Called when the turn is over. */
  end(is_stored: boolean): void;
}

const UNMETERED: Metered = { count: (decision) => decision, end: () => {} };

class StorageMeter {
  /** Bytes that are stored and not counted yet, by account. */
  readonly #waiting = new Map<string, number>();
  readonly #event_bytes: number;

  constructor(event_bytes: number) {
    this.#event_bytes = event_bytes;
  }

  #add(account_id: string, bytes: number): void {
    const sum = (this.#waiting.get(account_id) ?? 0) + bytes;
    this.#waiting.delete(account_id);
    if (sum !== 0) this.#waiting.set(account_id, sum);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > ACCOUNTS_MAX && oldest !== undefined) this.#waiting.delete(oldest);
  }

  turn(
    { faults }: Pick<AnyOperation, 'faults'>,
    { account_id, plan }: Pick<Principal, 'account_id' | 'plan'>,
  ): Metered {
    if (account_id === null) return UNMETERED;
    let bytes = 0;
    /** The waiting bytes that this turn counts; no other turn counts them meanwhile. */
    let taken: number | null = null;
    return {
      count: (decision) => {
        bytes = 'fault' in decision || !decision.effects ? 0 : storedBytes(decision.effects, this.#event_bytes);
        if (bytes === 0) return decision;
        if (taken === null) {
          const waiting = this.#waiting.get(account_id) ?? 0;
          if (Math.abs(waiting + bytes) < STEP_BYTES) return decision;
          taken = waiting;
          this.#waiting.delete(account_id);
        }
        const limit = bytes > 0 && faults.includes('plan_limit') ? PLANS[plan].storage_bytes : UNLIMITED;
        const counts = count(storageKey(account_id), limit, storageFull(limit), null, taken + bytes);
        return { ...decision, effects: [...(decision.effects ?? []), counts] };
      },
      end: (is_stored) => {
        if (taken === null && is_stored && bytes !== 0) this.#add(account_id, bytes);
        else if (taken !== null && !is_stored) this.#add(account_id, taken);
      },
    };
  }
}

/** The holder of the platform's token. */
const PLATFORM = 'platform';

/** Commands of the platform that are acts of administration as well. */
const OF_PLATFORM = /^platform\.admin_/;

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A call as the list of administrators' acts stores it. */
interface Act {
  readonly call: { readonly operation: Pick<AnyOperation, 'access' | 'name' | 'as_admin'> };
  readonly principal: Pick<Principal, 'account_id' | 'admin'>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly ctx: Pick<Ctx, 'id' | 'now_ms'>;
}

/** The decision, with a row in that list if it is an administrator's act. */
function noted(act: Act, decision: Decision<unknown>): Decision<unknown> {
  const {
    call: { operation },
    principal,
    input,
    ctx,
  } = act;
  const isAct =
    operation.access === 'admin' || (operation.as_admin && principal.admin) || OF_PLATFORM.test(operation.name);
  if (!isAct || 'fault' in decision) return decision;
  const row = adminAct(ctx, {
    by_id: principal.account_id ?? PLATFORM,
    operation: operation.name,
    subject_id: textOf(input['id']) ?? textOf(input['handle']),
    reason: textOf(input['reason']) ?? textOf(input['note']),
  });
  return { ...decision, effects: [...(decision.effects ?? []), row] };
}

/** A reminder as it was when its run began. */
export type Consumed = Pick<Row<'reminders'>, 'id' | 'version'>;

export interface Running {
  readonly call: Call;
  readonly principal: Principal;
  readonly input: Record<string, unknown>;
  readonly ctx: Ctx;
  /** When the sent access token expires; absent for a key. */
  readonly token_ends_at?: number;
  /** The reminder of this operation: its row is deleted in the same commit, unless it was set again meanwhile. */
  readonly reminder?: Consumed;
}

type Ending = (outcome: Outcome<unknown>) => Answer | Refused;
type Attempt = (read: Read) => Promise<Decision<unknown>>;

/** A turn's requests to the runner: reminders to run before the reply, and letters by their ids. */
interface Asked {
  readonly now: readonly RemindEffect[];
  readonly letters: readonly string[];
}

function askedBy(effects: readonly Effect[]): Asked {
  const now: RemindEffect[] = [];
  const letters: string[] = [];
  for (const effect of effects) {
    if (effect.do === 'remind' && effect.now) now.push(effect);
    else if (effect.do === 'send') letters.push(effect.id);
  }
  return { now, letters };
}

const NOTHING_ASKED: Asked = { now: [], letters: [] };

export class Runner {
  readonly #core: Core;
  readonly #ports: Ports;
  readonly #storage: StorageMeter;

  constructor(core: Core, ports: Ports) {
    this.#core = core;
    this.#ports = ports;
    this.#storage = new StorageMeter(core.settings.retention.events === undefined ? EVENT_BYTES : 0);
  }

  run(running: Running, claim: Claim | null, end: Ending): Promise<Outcome<unknown>> {
    const { operation } = running.call;
    switch (operation.kind) {
      case 'query':
        return this.#query(operation, running);
      case 'command': {
        const { input, ctx } = running;
        const attempt: Attempt = async (read) => {
          const load = () => operation.load(read, input, ctx, this.#ports.load);
          // With a database server both reads start at once; else the second is made only when needed.
          const loading = this.#core.store.shared ? load() : null;
          // Its result is awaited below, unless there is an answer already.
          loading?.catch(() => {});
          const again = claim && (await readReplay(read.peek, claim));
          return again ? { reply: again } : noted(running, operation.decide(await (loading ?? load()), input, ctx));
        };
        return this.#turn(
          running,
          running.principal.guard,
          attempt,
          running.ctx.agent?.id ?? null,
          claim ? rowOf(claim, end) : undefined,
          running.reminder ?? null,
        );
      }
      case 'flow':
        return this.#flow(operation, running, claim, end);
      case 'stream':
        throw new Error('a stream is opened, not run');
    }
  }

  async #query(
    operation: Extract<AnyOperation, { kind: 'query' }>,
    { input, ctx }: Running,
  ): Promise<Outcome<unknown>> {
    this.#core.loop.noteBegin(operation.name);
    const reply: unknown = await operation.run(this.#core.store.read, input, ctx, this.#ports.query);
    if (reply instanceof Noted) return { reply: reply.reply, notes: reply.notes };
    return isFault(reply) ? reply : { reply };
  }

  async #turn(
    running: Running,
    guard: Principal['guard'],
    attempt: Attempt,
    agent_id: string | null,
    idempotency: Turn<unknown>['idempotency'],
    consumes: Consumed | null,
  ): Promise<Outcome<unknown>> {
    let asked = NOTHING_ASKED;
    const metered = this.#storage.turn(running.call.operation, running.principal);
    const go = (applied?: () => void): Promise<Outcome<unknown>> =>
      this.#core.store.turn<unknown>({
        attempt: async (read) => {
          this.#core.loop.noteBegin(running.call.operation.name);
          const decision = metered.count(await attempt(read));
          asked = decision.effects ? askedBy(decision.effects) : NOTHING_ASKED;
          if (consumes === null) return decision;
          return { ...decision, effects: [consume(consumes), ...(decision.effects ?? [])] };
        },
        guards: running.call.operation.safe ? [] : guardRows(guard),
        idempotency,
        applied,
      });
    const outcome = agent_id === null ? await go() : await this.#core.directory.actor(agent_id).mailbox.run(go);
    metered.end(!isFault(outcome));
    const { now, letters } = asked;
    if (!isFault(outcome) && now.length > 0) await this.#runNow(now, running);
    // The caller may read its letter in the outbox at once, so wait for this turn's letters only.
    if (letters.length > 0 && this.#core.settings.outbox) await this.#core.waitForAttempts(letters);
    return outcome;
  }

  /** Runs the reminders that a turn set for before the reply, except its own, which would wait for its own end: the supervisor
   * runs that after it. */
  async #runNow(asked: readonly RemindEffect[], { reminder }: Running): Promise<void> {
    for (const { id } of asked) if (id !== reminder?.id) await this.#core.supervisor.runNow(id);
  }

  async #flow(
    operation: Extract<AnyOperation, { kind: 'flow' }>,
    running: Running,
    claim: Claim | null,
    end: Ending,
  ): Promise<Outcome<unknown>> {
    // The credential is checked in the flow's first turn only: a key that is renewed or revoked later must not leave the flow
    // half done.
    let { guard } = running.principal;
    const single = operation.single?.(running.input) ?? false;
    const ctx: FlowCtx = {
      ...running.ctx,
      read: this.#core.store.read,
      claim,
      turn: async <O, C extends Code>(step: {
        attempt(read: Read): Promise<Decision<O, C>>;
        agent_id?: string;
        final?: boolean | 'refusals';
      }) => {
        const agent_id = step.agent_id ?? running.ctx.agent?.id ?? null;
        const last = step.final ? claim : null;
        let tries = 0;
        const attempt: Attempt = async (read) => {
          if (last && (single || ++tries > 1)) {
            const again = await readReplay(read.peek, last);
            if (again && single) return { reply: again };
            // Another node answered under the same key meanwhile; the caller's retry will get that answer.
            if (again) return fault('idempotency_in_flight');
          }
          return step.attempt(read);
        };
        const kept = last && (step.final === 'refusals' ? refusalsOf(last, end) : rowOf(last, end));
        const outcome = await this.#turn(running, guard, attempt, agent_id, kept ?? undefined, null);
        guard = null;
        // The store returns the step's reply, whose type is O.
        return outcome as Outcome<O>;
      },
    };
    this.#core.loop.noteBegin(operation.name);
    const outcome = await operation.run(running.input, ctx, this.#ports.flow);
    const { reminder } = running;
    if (reminder !== undefined && !isFault(outcome)) {
      await this.#core.store.turn({ attempt: async () => ({ reply: null, effects: [unremindRead(reminder)] }) });
    }
    return outcome;
  }
}
