// The most open payment pages, for an agent's fundings and an account's plans. The service polls the processor about each until it
// ends, so an unlimited number would cause unlimited polling.
import { count, type Effect } from '../../../db/effects.ts';
import { fault } from '../../domain/fault.ts';

/** Far more than a person looks at. */
export const FUNDINGS_OPEN_MAX = 20;
export const CHECKOUTS_OPEN_MAX = 5;

const UNLIMITED = Number.MAX_SAFE_INTEGER;
const HOW = 'Have your person pay or cancel on one of them; an unused page closes after a day.';
const FULL = fault('too_many_open', undefined, { how: HOW });

const fundingsKey = (agent_id: string): string => `fundings_open:${agent_id}`;
const checkoutsKey = (account_id: string): string => `checkouts_open:${account_id}`;

/** One less; a count without limit is never refused. */
function oneLess(key: string): Effect<never> {
  return count(key, UNLIMITED, FULL, null, -1) as Effect<never>;
}

/** One more page for an agent's wallet. */
export function openFunding(agent_id: string): Effect<'too_many_open'> {
  return count(fundingsKey(agent_id), FUNDINGS_OPEN_MAX, FULL);
}

/** One less of an agent; in the same commit as the end of what was open. */
export function endFunding(agent_id: string): Effect<never> {
  return oneLess(fundingsKey(agent_id));
}

/** One more page for an account's plan. */
export function openCheckout(account_id: string): Effect<'too_many_open'> {
  return count(checkoutsKey(account_id), CHECKOUTS_OPEN_MAX, FULL);
}

/** One less of an account; in the same commit as the end of what was open. */
export function endCheckout(account_id: string): Effect<never> {
  return oneLess(checkoutsKey(account_id));
}
