// Escalation of an amount outside an agent's bounds that its program would agree to: it is refused, its person is told, and the call
// is stored, so that the person's approval performs it (rules.md 8). The row is written in the event's commit. Repeated requests
// for the same wait once, a refusal counts for a day, and letters stay few.
import { isDeepStrictEqual } from 'node:util';
import { count, type Effect, insert } from '../../../db/effects.ts';
import type { Party } from '../../../db/queries/agent.ts';
import type { PolicyColumn } from '../../../db/schema/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { askMs } from '../../domain/agent/policy.ts';
import { type Fault, type FaultData, fault } from '../../domain/fault.ts';
import { heldForTheDay } from '../../domain/inbox/notification-settings.ts';
import {
  ACTION_KEPT_MS,
  ACTION_MS,
  ACTIONS_OPEN_MAX,
  ASKED_A_DAY,
  type Performable,
  REFUSED_MS,
} from '../../domain/negotiation/action.ts';
import type { BoundPassed } from '../../domain/negotiation/proposal.ts';
import { type Guidance, guide, step } from '../../domain/next-step.ts';
import { dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import { tell } from '../event.ts';
import { timed } from '../negotiation/timeout.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The largest stored input of a call; kept until its person has decided, and ninety days longer. */
const INPUT_MAX_BYTES = 16_384;

/** Immediate letters about escalations to one person a day (UTC). Later ones are in the inbox like the others, and one letter at the
 * end of the day covers them. */
const ESCALATIONS_MAX = 10;

/** Why the person is asked: a bound that the amount exceeds, or their policy. */
type Asking =
  | { readonly bound: BoundPassed | 'max_pay_per_day_cents'; readonly bound_cents: number }
  | { readonly bound: 'policy'; readonly policy: PolicyColumn };

export interface Spending {
  readonly amount_cents: number;
  /** The payee; null when it is not known yet. */
  readonly to_id: string | null;
  /** The routed capability that is called. */
  readonly capability?: string;
  /** The operation, as policies name it. */
  readonly operation: Performable;
  /** The input of the call, which an approval performs; without it there is nothing to approve. */
  readonly input?: object;
}

/** The recent escalations to an agent's person. */
export interface Escalated {
  /** The events of the day. */
  readonly escalated: number;
  readonly waiting: readonly Row<'actions'>[];
  /** The person's refusals within a day. */
  readonly refused: readonly Row<'actions'>[];
  /** The number of new actions. */
  readonly asked: number;
}

export const NOT_ESCALATED: Escalated = { escalated: 0, waiting: [], refused: [], asked: 0 };

/** The refusal of an amount outside the bounds, with an event to the agent and its person. */
export type BoundFault = Fault<'outside_bounds'> & { readonly effects?: readonly Effect<'outside_bounds'>[] };

export function escalationsKey(agent_id: string, now_ms: number): string {
  return `escalations:${agent_id}:${dayOf(now_ms)}`;
}

/** The counter of what an agent's person was asked. */
export function askedKey(agent_id: string): string {
  return `asked:${agent_id}`;
}

/** A call's input for storage: JSON, without undefined members. */
function inputOf(given: Spending['input'] = {}): Readonly<Record<string, unknown>> {
  const { dry_run: _nothing_moves, ...input } = JSON.parse(JSON.stringify(given));
  return input;
}

/** The part of a policy that a program is told. */
export function policyNamed({ operation, handle, outcome }: PolicyColumn): FaultData {
  return { operation, handle, outcome };
}

/** The refusal as a program reads it. */
function refusalOf(asking: Asking, amount_cents: number): { readonly message: string; readonly data: FaultData } {
  const { bound } = asking;
  if (bound === 'policy') {
    const message = 'A policy of the agent requires approval by its person.';
    return { message, data: { amount_cents, bound, policy: policyNamed(asking.policy) } };
  }
  const { bound_cents } = asking;
  const side = bound === 'min_charge_cents' ? 'at least' : 'at most';
  const by_day = bound === 'max_pay_per_day_cents' ? ' in a day' : '';
  const message = `The agent may agree to ${bound_cents} cents ${side}${by_day}; its person can change that.`;
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

/** The request in the form of its row. */
type Asked = Pick<Row<'actions'>, 'operation' | 'to_id' | 'amount_cents' | 'input'>;

/** Null when an approval could not perform it: there is no input, or it is larger than what is stored. */
function askedOf({ operation, to_id, amount_cents, capability, input }: Spending): Asked | null {
  const kept = input && inputOf(input);
  if (!kept || Buffer.byteLength(JSON.stringify(kept)) > INPUT_MAX_BYTES) return null;
  // Another provider may serve a routed call by the time it is approved.
  return { operation, to_id: capability === undefined ? to_id : null, amount_cents, input: kept };
}

function isSame(asked: Asked, row: Row<'actions'>): boolean {
  return (
    row.operation === asked.operation &&
    row.to_id === asked.to_id &&
    row.amount_cents === asked.amount_cents &&
    isDeepStrictEqual(row.input, asked.input)
  );
}

/** The event to an agent and its person, with its counter. */
function telling(
  ctx: Ctx,
  agent: Party,
  { amount_cents, bound, id, operation, respond_by, on_timeout }: Row<'actions'>,
  { escalated }: Escalated,
): Effect<'outside_bounds'>[] {
  const { now_ms } = ctx;
  const late = escalated >= ESCALATIONS_MAX && heldForTheDay(now_ms);
  const silence = on_timeout === 'allow' && { done_at: new Date(respond_by).toISOString() };
  const news = { amount_cents, bound, action_id: id, operation, ...silence, ...late };
  return [
    count(escalationsKey(agent.id, now_ms), UNLIMITED, fault('outside_bounds'), now_ms + DAY_MS),
    tell(ctx, agent, 'negotiation.escalated', news, { subject_id: id, respond_by }),
  ];
}

/** The refusal of a repeated request: it names the waiting action. Escalations by a bound remind the person once a day. */
function askedBefore(ctx: Ctx, agent: Party, known: Row<'actions'>, lately: Escalated, told: BoundFault): BoundFault {
  const days = Math.floor((ctx.now_ms - known.created_at) / DAY_MS);
  const rests = known.bound === 'policy' || known.status !== 'pending' || days === 0;
  if (rests || lately.escalated >= ESCALATIONS_MAX) return told;
  const id = `asked:${known.id}:${days}`;
  // If the counter exists already, the turn ends with this refusal and sends no event.
  const once = insert('counters', { id, n: 1, expires_at: ctx.now_ms + DAY_MS }, told);
  return { ...told, effects: [once, ...telling(ctx, agent, known, lately)] };
}

/** The refusal of a call without a stored input, which cannot be approved: its person is told of the same amount once a day. */
function toldOnly(
  ctx: Ctx,
  agent: Party,
  { amount_cents, to_id }: Spending,
  bound: Row<'actions'>['bound'],
  refusal: BoundFault,
) {
  const expires_at = ctx.now_ms + DAY_MS;
  const same = `escalated:${agent.id}:${to_id ?? ''}:${amount_cents}`;
  const effects = [
    insert('counters', { id: same, n: 1, expires_at }, refusal),
    count(escalationsKey(agent.id, ctx.now_ms), UNLIMITED, refusal, expires_at),
    tell(ctx, agent, 'negotiation.escalated', { amount_cents, bound }),
  ];
  return { ...refusal, effects };
}

/** The refusal of a payment outside the agent's bounds, or asked by a policy: its person is asked, and the refusal names the action that
 * they can approve. A repeat is the same action while it waits, and a refused one stays refused for a day. */
export function escalate(ctx: Ctx, agent: Party, spending: Spending, asking: Asking, lately: Escalated): BoundFault {
  const { message, data } = refusalOf(asking, spending.amount_cents);
  const because = (more: FaultData, said: Guidance = message) => fault('outside_bounds', said, { ...data, ...more });
  const asked = askedOf(spending);
  if (!asked) {
    const bare = because({});
    return lately.escalated < ESCALATIONS_MAX ? toldOnly(ctx, agent, spending, asking.bound, bare) : bare;
  }
  const how = guide`Its signed-in person decides on the action; approval performs it. ${step('action.list')} shows the result; the same call after that requests it again.`;
  const known = lately.waiting.find((row) => isSame(asked, row));
  if (known) return askedBefore(ctx, agent, known, lately, because({ action_id: known.id, how }));
  const refused = lately.refused.find((row) => isSame(asked, row));
  if (refused) {
    const ask_again_at = new Date((refused.decided_at ?? ctx.now_ms) + REFUSED_MS).toISOString();
    const no = { action_id: refused.id, action_status: refused.status, ask_again_at };
    return because(no, `${message} Its person refused this; the same can be requested again after a day.`);
  }
  if (lately.waiting.length >= ACTIONS_OPEN_MAX) {
    const later = guide`Read the pending actions with ${step('action.list')}; try again when its person has decided on some of them.`;
    return because(
      { waiting: lately.waiting.length, how: later },
      `${message} The limit of pending actions for that person is reached.`,
    );
  }
  if (lately.escalated >= ASKED_A_DAY) {
    return because({}, `${message} The limit of requests to that person for this day (UTC) is reached.`);
  }
  const { wait_ms, ...kept_of } = waitOf(asking);
  const row: Row<'actions'> = {
    ...{ id: ctx.id(), agent_id: agent.id, account_id: agent.account_id },
    ...{ ...asked, ...kept_of, status: 'pending', result: null },
    ...{ asked_by: ctx.principal.credential_id, respond_by: ctx.now_ms + wait_ms, decided_at: null },
    ...{ created_at: ctx.now_ms, expires_at: ctx.now_ms + ACTION_KEPT_MS, version: 1 },
  };
  return {
    ...because({ action_id: row.id, how }),
    effects: [
      // One more than was read: of two nodes that ask at once the second reads again, and finds the first's action. Ids would not do: a
      // node whose clock is behind makes ids below the newest.
      count(askedKey(agent.id), lately.asked + 1, 'again', ctx.now_ms + DAY_MS),
      insert('actions', row),
      ...timed(row, ctx.now_ms),
      ...telling(ctx, agent, row, lately),
    ],
  };
}

/**
 * The refusal of a payment that differs from what the person approved: the price rose, or the handle now names another agent. A routed
 * call may go to any provider.
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
  const message = 'The request has changed since; its agent has to request it again.';
  return fault('outside_bounds', message, { amount_cents, bound: 'approved', bound_cents });
}
