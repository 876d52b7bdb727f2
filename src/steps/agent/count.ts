// How many agents an account may have.
import { type CountEffect, count } from '../../../db/effects.ts';
import { fault } from '../../domain/fault.ts';

/** A request may have to read all agents of the account, and each agent occupies a handle. Deactivated agents count, because
 * they can be restored. */
export const AGENTS_MAX = 200;

export function agentsKey(account_id: string): string {
  return `agents:${account_id}`;
}

export function countAgent(account_id: string): CountEffect<'plan_limit'> {
  const data = { limit: AGENTS_MAX, used: AGENTS_MAX, resets_at: null };
  return count(
    agentsKey(account_id),
    AGENTS_MAX,
    fault('plan_limit', `An account can have at most ${AGENTS_MAX} agents.`, data),
  );
}
