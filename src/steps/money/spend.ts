// The checks of every payment out of a wallet: the account's restriction after a chargeback, the limits of the
// wallet, and, by key, the agent's bounds and the key's budget (rules.md 8). The caller moves the money in the same commit;
// the store refuses a short balance.
import { type CountEffect, count, type Effect } from '../../../db/effects.ts';
import type { Payer } from '../../../db/queries/wallet.ts';
import type { BudgetColumn } from '../../../db/schema/identity.ts';
import type { Ctx } from '../../contract/context.ts';
import { policyFor } from '../../domain/agent/policy.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { isBoundByDefault, type KeyLimit, keyLimitOf } from '../../domain/money/key-limit.ts';
import type { BoundPassed } from '../../domain/negotiation/proposal.ts';
import { dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import { approvedFault, type BoundFault, type Escalated, escalate, policyNamed, type Spending } from './escalate.ts';
import { warnWhenLow } from './low-balance.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** A day's counter is kept for a while, because a voided hold gives back to the day on which it was counted. */
const KEPT_MS = 40 * DAY_MS;

type SpendRefusal = 'not_found' | 'account_restricted' | 'spending_limit' | 'outside_bounds';

/** What `spend` needs of the store. */
export interface SpendState extends Escalated {
  /** Read, not peeked: a concurrently deactivated agent pays nothing and opens nothing. */
  readonly payer: Payer | null;
  /** The payments of keys on this day, if bounded. */
  readonly paid_by_keys: number;
}

/** The counter that is above 0 while the account owes money after a chargeback. */
export function restrictionKey(account_id: string): string {
  return `receivables:${account_id}`;
}

/** Refuses the turn while the account owes. */
export function unrestricted(account_id: string): Effect<'account_restricted'> {
  return count(restrictionKey(account_id), 0, fault('account_restricted'), null, 0);
}

/** The same for a turn that has read the counter: it decides again if the account owes money since. */
export function stillUnrestricted(account_id: string): Effect<never> {
  return count(restrictionKey(account_id), 0, 'again', null, 0);
}

/** The counter of what programs paid for an agent on a day (UTC), where that is bounded. */
export function paidByKeys(agent_id: string, at_ms: number): string {
  return `by_keys:${agent_id}:${dayOf(at_ms)}`;
}

/** The counter of what an agent spent on a day (UTC). */
export function spentKey(agent_id: string, at_ms: number): string {
  return `spent:${agent_id}:${dayOf(at_ms)}`;
}

function overLimit(limit: string, limit_cents: number): Fault<'spending_limit'> {
  return fault('spending_limit', `This is above ${limit}, which is ${limit_cents} cents.`, { limit, limit_cents });
}

/** The counters of what was spent by a key's budget: in all, and on a day. */
export function budgetKey(id: string): string {
  return `budget:${id}`;
}

export function budgetDayKey(id: string, at_ms: number): string {
  return `${budgetKey(id)}:${dayOf(at_ms)}`;
}

/** The counters of a payment, which a hold stores to give them back. */
export type Counted = readonly (readonly [key: string, cents: number])[];

interface Counter {
  readonly key: string;
  readonly limit: string;
  readonly limit_cents: number | null;
  readonly expires_at: number | null;
}

function counted({ key, limit, limit_cents, expires_at }: Counter, by: number): CountEffect<'spending_limit'> {
  const refusal = limit_cents === null ? fault('spending_limit') : overLimit(limit, limit_cents);
  return count(key, limit_cents ?? UNLIMITED, refusal, expires_at, by);
}

function countersOf(payer: Payer, budget: BudgetColumn | null, now_ms: number): Counter[] {
  const expires_at = now_ms + KEPT_MS;
  const day: Counter = {
    key: spentKey(payer.id, now_ms),
    limit: 'spending_limit.per_day_cents',
    limit_cents: payer.per_day_cents,
    expires_at,
  };
  if (budget === null) return [day];
  const { id, per_day_cents, total_cents } = budget;
  const of_day = budgetDayKey(id, now_ms);
  return [
    day,
    { key: of_day, limit: 'budget.per_day_cents', limit_cents: per_day_cents, expires_at },
    { key: budgetKey(id), limit: 'budget.total_cents', limit_cents: total_cents, expires_at: null },
  ];
}

/** Counts a payment that no caller makes, such as a due period; `budget` is that of the key that began it. The turn has read the
 * counters, and decides again when another payment has filled one since, as there is no caller to refuse. */
export function countUnasked(
  payer: Payer,
  budget: BudgetColumn | null,
  amount_cents: number,
  now_ms: number,
): Effect<never>[] {
  return countersOf(payer, budget, now_ms).map(({ key, limit_cents, expires_at }) =>
    count(key, limit_cents ?? UNLIMITED, 'again', expires_at, amount_cents),
  );
}

/** What a key's budget forbids, whatever was spent. */
export function budgetFault(
  budget: BudgetColumn,
  { amount_cents, to_id, capability }: Pick<Spending, 'amount_cents' | 'to_id' | 'capability'>,
): Fault<'spending_limit'> | null {
  const { per_call_cents, recipients, capabilities } = budget;
  if (per_call_cents !== null && amount_cents > per_call_cents)
    return overLimit('budget.per_call_cents', per_call_cents);
  if (recipients !== null && (to_id === null || !recipients.includes(to_id))) {
    return fault('spending_limit', 'The budget of this key does not name that recipient.', {
      limit: 'budget.recipients',
    });
  }
  if (capabilities !== null && (capability === undefined || !capabilities.includes(capability))) {
    return fault('spending_limit', 'The budget of this key does not name that capability.', {
      limit: 'budget.capabilities',
    });
  }
  return null;
}

/** A payment that may be made: what it counts, beside the caller's own effects. */
interface Spent {
  /** Passed before anything is written. */
  readonly gate: Effect<SpendRefusal>;
  /** After the booking: a turn that is refused before its first write needs no rollback. */
  readonly counts: readonly Effect<SpendRefusal>[];
  readonly counted: Counted;
}

/** The refusal of an action by timeout, when the bounds or policies have changed against it since. */
function sinceNarrowed(): BoundFault {
  return fault('outside_bounds', 'The bounds or policies of the agent no longer allow this without approval.');
}

/**
 * The refusal of an amount that a program would agree to, before money moves: 403 `outside_bounds` by key, as for a payment; null when
 * no bound or policy of the person is violated. A bound is checked before a policy, so that no policy widens it. An approval by the
 * person, or by timeout, covers only what was asked: the same code when the call has changed since.
 */
export function boundFault(
  ctx: Ctx,
  { payer: agent, ...told }: SpendState,
  bound: BoundPassed,
  spending: Spending,
): BoundFault | null {
  const other = approvedFault(ctx, bound, spending);
  if (other) return other;
  if (agent === null || ctx.principal.kind !== 'key') return null;
  const { amount_cents, operation, to_id } = spending;
  const policy = policyFor(agent.bounds.policies, operation, to_id);
  if (policy?.outcome === 'refuse') {
    const data = { amount_cents, bound: 'policy', policy: policyNamed(policy) };
    return fault('outside_bounds', 'A policy of the agent forbids this; its person can change that.', data);
  }
  const bound_cents = agent.bounds[bound] ?? null;
  const passed =
    bound_cents !== null && (bound === 'max_pay_cents' ? amount_cents > bound_cents : amount_cents < bound_cents);
  if (passed) return ctx.approved ? sinceNarrowed() : escalate(ctx, agent, spending, { bound, bound_cents }, told);
  if (policy?.outcome !== 'ask') return null;
  if (ctx.approved) return policy.on_timeout === 'allow' ? null : sinceNarrowed();
  return escalate(ctx, agent, spending, { bound: 'policy', policy }, told);
}

/** The refusal of what keys would pay beyond the bound of a day; a person's yes does it, which is no payment of a key. */
function dayBoundFault(ctx: Ctx, { payer, paid_by_keys, ...told }: SpendState, spending: Spending): BoundFault | null {
  const bound_cents = payer?.bounds.max_pay_per_day_cents ?? null;
  if (payer === null || bound_cents === null || ctx.principal.kind !== 'key') return null;
  if (paid_by_keys + spending.amount_cents <= bound_cents) return null;
  if (ctx.approved) return sinceNarrowed();
  return escalate(ctx, payer, spending, { bound: 'max_pay_per_day_cents', bound_cents }, told);
}

/** Counts a program's payment to that bound; a concurrent payment makes the turn decide again. */
export function countByDay({ id, bounds }: Payer, amount_cents: number, now_ms: number): CountEffect<never>[] {
  const { max_pay_per_day_cents: most = null } = bounds;
  return most === null ? [] : [count(paidByKeys(id, now_ms), most, 'again', now_ms + KEPT_MS, amount_cents)];
}

/** Counts what keys without the right to pay spend in routed calls. */
function countedRouted(ctx: Ctx, { id }: Payer, most: number, amount_cents: number): CountEffect<'spending_limit'> {
  const refusal = overDefault(ctx, 'default_key_limit.per_day_cents', most);
  return count(`routed:${id}:${dayOf(ctx.now_ms)}`, most, refusal, ctx.now_ms + KEPT_MS, amount_cents);
}

/** A refusal of a payment; one outside the bounds has an event to the agent and its person. */
export type SpendFault = Fault<SpendRefusal> & { readonly effects?: readonly Effect<'outside_bounds'>[] };

/**
 * The effects of a payment by the acting agent, or its refusal: 403 `outside_bounds` (by key, with `bound` and `bound_cents`;
 * the agent's person is told), 403 `spending_limit` (with `limit`, `limit_cents` and, of a counter, `used_cents` and `left_cents`), and by the store 403
 * `account_restricted`. Money is counted also without a limit, so that a limit that is set later applies at once.
 */
export function spend(ctx: Ctx, state: SpendState, spending: Spending): Spent | SpendFault {
  const { payer: agent } = state;
  if (agent === null || agent.deactivated_at !== null) return fault('not_found');
  const { amount_cents } = spending;
  const { budget } = ctx.principal;
  const outside = boundFault(ctx, state, 'max_pay_cents', spending) ?? dayBoundFault(ctx, state, spending);
  if (outside) return outside;
  const { per_transaction_cents } = agent;
  if (per_transaction_cents !== null && amount_cents > per_transaction_cents) {
    return overLimit('spending_limit.per_transaction_cents', per_transaction_cents);
  }
  const standing = defaultLimitOf(ctx, agent, spending.operation);
  if (standing !== null && amount_cents > standing.per_transaction_cents) {
    return overDefault(ctx, 'default_key_limit.per_transaction_cents', standing.per_transaction_cents);
  }
  const barred = budget && budgetFault(budget, spending);
  if (barred) return barred;
  const counts = [
    ...countersOf(agent, budget, ctx.now_ms).map((counter) => counted(counter, amount_cents)),
    ...(ctx.principal.kind === 'key' ? countByDay(agent, amount_cents, ctx.now_ms) : []),
    ...(standing ? [countedRouted(ctx, agent, standing.per_day_cents, amount_cents)] : []),
  ];
  return {
    counted: counts.map(({ key }) => [key, amount_cents]),
    gate: unrestricted(agent.account_id),
    counts: [...counts, ...warnWhenLow(ctx, agent, amount_cents)],
  };
}

/** Whether `spend` refused. */
export function isSpendFault(spent: Spent | SpendFault): spent is SpendFault {
  return 'fault' in spent;
}

/** When the counter of a day expires; null for other counters. */
function endOf(key: string): number | null {
  const at_ms = Date.parse(key.slice(-10));
  return /:\d{4}-\d\d-\d\d$/.test(key) ? at_ms + KEPT_MS : null;
}

/** Gives back what a failed payment had counted, to the day on which it was counted. */
export function unspend(counted: Counted): Effect<'spending_limit'>[] {
  return counted.map(([key, cents]) => count(key, UNLIMITED, fault('spending_limit'), endOf(key), -cents));
}

/** The default limit of a payment by the caller, or null. */
export function defaultLimitOf(
  { principal }: Pick<Ctx, 'principal'>,
  payer: { readonly limit_set_at: number | null } | null,
  operation: string,
): KeyLimit | null {
  const bound = operation === 'router_call.make' && isBoundByDefault(principal.kind, principal.scopes);
  return bound ? keyLimitOf(payer) : null;
}

/** The refusal, with where a person lifts it. */
function overDefault(
  { settings }: Pick<Ctx, 'settings'>,
  limit: `default_key_limit.${keyof KeyLimit}`,
  limit_cents: number,
): Fault<'spending_limit'> {
  const how =
    'Its person sets the spending limit of the wallet, signed in; until then keys without payments:write have this one.';
  const data = { limit, limit_cents, how, url: `${settings.app_url}/payouts` };
  return fault('spending_limit', `This is above ${limit}, which is ${limit_cents} cents.`, data);
}
