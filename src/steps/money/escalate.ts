// What becomes of an amount outside the bounds of an agent to which its program would agree: it is refused, its person is told, and
// what was asked for is kept, so that the person's yes does it (decisions.md 8). The row stands in the commit of the event.
import { isDeepStrictEqual } from 'node:util';
import { count, type Effect, insert } from '../../../db/effects.ts';
import { actionsPending } from '../../../db/queries/action.ts';
import type { Party } from '../../../db/queries/agent.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { PolicyColumn } from '../../../db/schema/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { askMs } from '../../domain/agent/policy.ts';
import { type Fault, type FaultData, fault } from '../../domain/fault.ts';
import { ACTION_KEPT_MS, ACTION_MS, type Performable } from '../../domain/negotiation/action.ts';
import type { Ctx } from '../../operations/context.ts';
import { tell } from '../event.ts';
import { timed } from '../negotiation/timeout.ts';

const DAY_MS = 86_400_000;
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** So often in a day a person is told of payments outside the bounds: what tries on after that is a program gone wrong, and
 * more letters say no more. */
const ESCALATIONS_MAX = 10;

/** Which of an agent's bounds an amount is held to: what it pays at most, or charges at least. */
export type BoundPassed = 'max_pay_cents' | 'min_charge_cents';

/** What asks for the person: a bound that the amount passes, or a policy of theirs. */
export type Asking =
  | { readonly bound: BoundPassed; readonly bound_cents: number }
  | { readonly bound: 'policy'; readonly policy: PolicyColumn };

/** One payment to be. */
export interface Spending {
  readonly amount_cents: number;
  /** Who is paid; null where that is not known yet. */
  readonly to_id: string | null;
  /** The routed capability that is called. */
  readonly capability?: string;
  /** What it is for, as policies name it. */
  readonly operation: Performable;
  /** The call that asks for it, which the person's yes does; what is not said cannot be approved. */
  readonly input?: object;
}

/** What of an agent's person was told lately of what it may not pay. */
export interface Escalated {
  /** How often on the day. */
  readonly escalated: number;
  /** What waits for a word. */
  readonly waiting: readonly Row<'actions'>[];
}

/** Nothing. */
export const NOT_ESCALATED: Escalated = { escalated: 0, waiting: [] };

/** The refusal of an amount outside the bounds, which is told to the agent and its person too. */
export type BoundFault = Fault<'outside_bounds'> & { readonly effects?: readonly Effect<'outside_bounds'>[] };

function escalationsKey(agent_id: string): string {
  return `escalations:${agent_id}`;
}

/** Reads it for an agent that has bounds. */
export async function readEscalated(read: Read, agent_id: string): Promise<Escalated> {
  const [counter, waiting] = await Promise.all([
    read.peek(counterById, { id: escalationsKey(agent_id) }),
    read.peek(actionsPending, { agent_id, limit: 3 * ESCALATIONS_MAX }),
  ]);
  return { escalated: counter?.n ?? 0, waiting };
}

/** What a call was given, as it is kept: JSON, without what is not said. */
function inputOf(given: Spending['input'] = {}): Readonly<Record<string, unknown>> {
  const { dry_run: _nothing_moves, ...input } = JSON.parse(JSON.stringify(given));
  return input;
}

/** What a program is told of a policy that it ran into. */
export function policyNamed({ operation, handle, outcome }: PolicyColumn): FaultData {
  return { operation, handle, outcome };
}

/** The refusal as a program reads it. */
function refusalOf(asking: Asking, amount_cents: number): { readonly message: string; readonly data: FaultData } {
  const { bound } = asking;
  if (bound === 'policy') {
    const message = 'A policy of the agent asks its person about this.';
    return { message, data: { amount_cents, bound, policy: policyNamed(asking.policy) } };
  }
  const { bound_cents } = asking;
  const side = bound === 'max_pay_cents' ? 'at most' : 'at least';
  const message = `The agent may agree to ${bound_cents} cents ${side}; its person can change that.`;
  return { message, data: { amount_cents, bound, bound_cents } };
}

/** How long the person has, and what comes of no answer: only a policy says it otherwise than that nothing does after three days. */
function waitOf(asking: Asking): Pick<Row<'actions'>, 'bound' | 'bound_cents' | 'on_timeout'> & { wait_ms: number } {
  if (asking.bound !== 'policy') {
    return { bound: asking.bound, bound_cents: asking.bound_cents, on_timeout: null, wait_ms: ACTION_MS };
  }
  const { policy } = asking;
  return { bound: 'policy', bound_cents: 0, on_timeout: policy.on_timeout, wait_ms: askMs(policy) };
}

/** The refusal of what is outside the bounds of the agent, or asked by a policy. Its person is told, of the same amount once a day, and by
 * a policy whenever nothing of the kind waits. */
export function escalate(
  ctx: Ctx,
  agent: Party,
  { amount_cents, to_id: payee_id, capability, operation, input: given }: Spending,
  asking: Asking,
  { escalated, waiting }: Escalated,
): BoundFault {
  const { message, data } = refusalOf(asking, amount_cents);
  const refusal = fault('outside_bounds', message, data);
  // Whoever serves a routed call may be another by the time it is approved.
  const to_id = capability === undefined ? payee_id : null;
  const input = inputOf(given);
  const { wait_ms, bound, ...kept_of } = waitOf(asking);
  const known = waiting.find(
    (row) =>
      row.operation === operation &&
      row.to_id === to_id &&
      row.amount_cents === amount_cents &&
      row.respond_by > ctx.now_ms &&
      isDeepStrictEqual(row.input, input),
  );
  // What waits already is asked for once, however often a program tries.
  const told = known ? fault('outside_bounds', message, { ...data, action_id: known.id }) : refusal;
  if (escalated >= ESCALATIONS_MAX || (known && bound === 'policy')) return told;
  const expires_at = ctx.now_ms + DAY_MS;
  const same = `escalated:${agent.id}:${payee_id ?? ''}:${amount_cents}`;
  const once = [
    // Where it stands already the turn ends with this very refusal, and nobody is told again. What a policy asks is asked as often as
    // it comes.
    ...(bound === 'policy' ? [] : [insert('counters', { id: same, n: 1, expires_at }, told)]),
    count(escalationsKey(agent.id), UNLIMITED, told, expires_at),
  ];
  if (!given) {
    return { ...refusal, effects: [...once, tell(ctx, agent, 'negotiation.escalated', { amount_cents, bound })] };
  }
  const row: Row<'actions'> = known ?? {
    ...{ id: ctx.id(), agent_id: agent.id, account_id: agent.account_id },
    ...{ operation, input, amount_cents, to_id, bound, ...kept_of, status: 'pending', result: null },
    ...{ asked_by: ctx.principal.credential_id, respond_by: ctx.now_ms + wait_ms, decided_at: null },
    ...{ created_at: ctx.now_ms, expires_at: ctx.now_ms + ACTION_KEPT_MS, version: 1 },
  };
  const news = { amount_cents, bound, action_id: row.id, operation };
  const about = { subject_id: row.id, respond_by: row.respond_by };
  const kept = known ? [] : [insert('actions', row), ...timed(row, ctx.now_ms)];
  return {
    ...fault('outside_bounds', message, { ...data, action_id: row.id }),
    effects: [...once, ...kept, tell(ctx, agent, 'negotiation.escalated', news, about)],
  };
}

/**
 * The refusal of what is not what a person approves: the price went up since, or the name is somebody else's. A routed call goes to
 * whoever serves it.
 */
export function approvedFault(
  { approved }: Ctx,
  bound: BoundPassed,
  { amount_cents, to_id, capability }: Spending,
): Fault<'outside_bounds'> | null {
  if (!approved) return null;
  const { amount_cents: bound_cents } = approved;
  const wider = bound === 'max_pay_cents' ? amount_cents > bound_cents : amount_cents < bound_cents;
  if (!wider && (capability !== undefined || to_id === approved.to_id)) return null;
  const message = 'That is no longer what was asked for; its agent has to ask anew.';
  return fault('outside_bounds', message, { amount_cents, bound: 'approved', bound_cents });
}
