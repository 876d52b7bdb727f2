// Obligations: open escrows, payouts, subscriptions and receivables of an agent, counted so that no agent is deactivated with any
// open (rules.md 8). The turn that opens one must read, not peek, the rows of all agents concerned, so that a concurrent
// deactivation makes it decide again. And the 402 of a short wallet (interface.md, Errors 3).
import { count, type Effect } from '../../../db/effects.ts';
import { type Fault, fault } from '../../domain/fault.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The counter of an agent's open obligations. */
export function obligationsKey(agent_id: string): string {
  return `obligations:${agent_id}`;
}

function counted(agent_id: string, by: number): Effect<never> {
  // A count without limit is never refused.
  return count(obligationsKey(agent_id), UNLIMITED, fault('open_obligations'), null, by) as Effect<never>;
}

/** One more of each agent. */
export function openObligations(...agent_ids: readonly string[]): Effect<never>[] {
  return agent_ids.map((id) => counted(id, 1));
}

/** One less of each agent; in the same commit as the end of what was open. */
export function endObligations(...agent_ids: readonly string[]): Effect<never>[] {
  return agent_ids.map((id) => counted(id, -1));
}

/** Refuses the turn while the agent has any. */
export function noObligations(agent_id: string): Effect<'open_obligations'> {
  return count(obligationsKey(agent_id), 0, fault('open_obligations'), null, 0);
}

const HOW_TO_FIX = 'Fund the wallet: its person signs in and adds money, or uses the funding link of the agent.';

/** The refusal of a charge. */
export function paymentRequired(price_cents: number): Fault<'payment_required'> {
  return fault('payment_required', undefined, {
    status: 'payment_required',
    payment_required: { price_cents, currency: 'USD' },
    how_to_fix: HOW_TO_FIX,
  });
}
