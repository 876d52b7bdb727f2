// The cost of an agent's calls this month (UTC): counted with each charge, so that one read suffices.

import { counterById } from '../../../db/queries/turn.ts';
import type { Read } from '../../../db/store.ts';
import { DAY_MS } from '../../domain/time.ts';

/** A month's counters stay until the next one is well over. */
const KEPT_MS = 70 * DAY_MS;

const monthOf = (at_ms: number): string => new Date(at_ms).toISOString().slice(0, 7);

/** The counters of charged calls and of their cents, with when they may go. */
export function monthCounters(
  agent_id: string,
  at_ms: number,
): readonly (readonly [key: string, expires_at: number])[] {
  const until = at_ms + KEPT_MS;
  return ['calls', 'cents'].map((what) => [`routed_${what}:${agent_id}:${monthOf(at_ms)}`, until]);
}

/** Month to date. */
export async function readMonth(
  read: Read,
  agent_id: string,
  at_ms: number,
): Promise<{ readonly charged_calls: number; readonly spent_cents: number }> {
  const [charged_calls = 0, spent_cents = 0] = await Promise.all(
    monthCounters(agent_id, at_ms).map(async ([id]) => (await read(counterById, { id }))?.n ?? 0),
  );
  return { charged_calls, spent_cents };
}
