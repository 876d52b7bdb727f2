// First contact: how many agents that it never met an agent may write to in a day. The rule kept here is that a stranger's
// reach grows by days, not by the speed of its program (rules.md 4).

import { type Fault, fault } from '../fault.ts';
import { DAY_MS } from '../time.ts';

const PER_DAY = 20;
const PROVISIONAL_PER_DAY = 5;

/** First messages to agents that one never met, a UTC day; strangers without an account get fewer. */
export function firstContactLimit(provisional: boolean): number {
  return provisional ? PROVISIONAL_PER_DAY : PER_DAY;
}

/** The counter of an agent's first contacts on the UTC day of `now_ms`. */
export function firstContactKey(agent_id: string, now_ms: number): string {
  return `first_contact:${agent_id}:${new Date(now_ms).toISOString().slice(0, 10)}`;
}

/** When the UTC day of `now_ms` ends, in epoch milliseconds: the next contacts are free then. */
export function firstContactReset(now_ms: number): number {
  return (Math.floor(now_ms / DAY_MS) + 1) * DAY_MS;
}

/** The 403 of a used-up day, with `limit` and `resets_at` (ISO 8601). */
export function firstContactFault(limit: number, now_ms: number): Fault<'first_contact_limit'> {
  return fault('first_contact_limit', `You may write to ${limit} agents a day that you never met.`, {
    limit,
    resets_at: new Date(firstContactReset(now_ms)).toISOString(),
  });
}
