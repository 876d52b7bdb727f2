// What a model may cost an agent on a day (UTC): requests, tokens and money. A request that could pass one of them is not made, and the
// built-in rules answer for the rest of the day; at four fifths, or at the first that is not made, the agent's person hears of it, once a day.
import { DAY_MS } from '../time.ts';

/** Of a day, and of one agent. Money is counted in millionths of a cent, since a request costs less than a cent. */
export const MODEL_CAPS = { calls: 200, tokens: 200_000, microcents: 500_000_000 } as const;

export type ModelMeasure = keyof typeof MODEL_CAPS;
export type ModelUse = Readonly<Record<ModelMeasure, number>>;

export const MODEL_MEASURES: readonly ModelMeasure[] = ['calls', 'tokens', 'microcents'];

/** Counters live one day longer than they count, as clocks differ. */
export const MODEL_COUNTER_MS = 2 * DAY_MS;
/** How long what was asked and answered is kept. */
export const MODEL_CALL_KEPT_MS = 30 * DAY_MS;

export function modelKey(measure: ModelMeasure | 'notice', agent_id: string, now_ms: number): string {
  return `model:${measure}:${agent_id}:${new Date(now_ms).toISOString().slice(0, 10)}`;
}

/** What requests with so many tokens use; without a price no money is counted. */
export function modelUse(calls: number, tokens: number, cents_per_mtok: number | null): ModelUse {
  // So many cents a million tokens are as many millionths of a cent a token.
  return { calls, tokens, microcents: tokens * (cents_per_mtok ?? 0) };
}

export function addUse(a: ModelUse, b: ModelUse): ModelUse {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens, microcents: a.microcents + b.microcents };
}

/** What one use is above another; below 0 where it is less. */
export function lessUse(a: ModelUse, b: ModelUse): ModelUse {
  return { calls: a.calls - b.calls, tokens: a.tokens - b.tokens, microcents: a.microcents - b.microcents };
}

/** Whether all caps leave room for it. */
export function isWithinCaps(used: ModelUse, more: ModelUse): boolean {
  const both = addUse(used, more);
  return MODEL_MEASURES.every((measure) => both[measure] <= MODEL_CAPS[measure]);
}

/** What has come to four fifths of its cap; null where nothing has. */
export function nearCap(used: ModelUse): ModelMeasure | null {
  return MODEL_MEASURES.find((measure) => used[measure] * 5 >= MODEL_CAPS[measure] * 4) ?? null;
}

/** How long a question is taken to be under way where nobody says that it has ended: its process may have died. A question takes half of
 * this at most, so that clocks may differ by the other half. */
export const UNDER_WAY_MS = 60_000;

/** The counter that stands at the moment up to which a question of the agent is under way, on whichever node. */
export function underWayKey(agent_id: string): string {
  return `model:under_way:${agent_id}`;
}
