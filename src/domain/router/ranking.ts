// The order of a call's providers, by expected cost: the price over the likelihood of an answer. New providers compete in one call in
// twenty while others serve, since their likelihood is only assumed.
import { chance } from './reliability.ts';

/** A provider with fewer weighted attempts, in thousandths, is new. */
const NEW_BELOW = 20_000;
/** The share of calls in which new providers compete. */
const NEW_SHARE = 0.05;

/** The sort orders for callers. */
export const SORTS = ['cost', 'price', 'latency', 'reliability'] as const;
export type Sort = (typeof SORTS)[number];

export interface Ranked {
  readonly id: string;
  readonly price_cents: number;
  readonly weighed_attempts: number;
  readonly weighed_served: number;
  readonly p50_ms: number | null;
}

/** The expected cost of a call in cents; a free provider still pays for its failures. */
function expectedCost(provider: Ranked): number {
  return (provider.price_cents + 1) / chance(provider);
}

/** A provider without answers counts as slowest. */
const latencyOf = ({ p50_ms }: Ranked): number => p50_ms ?? Number.MAX_SAFE_INTEGER;

const KEYS: Readonly<Record<Sort, (provider: Ranked) => number>> = {
  cost: expectedCost,
  price: ({ price_cents }) => price_cents,
  latency: latencyOf,
  reliability: (provider) => -chance(provider),
};

/**
 * Providers in the order of dispatch. `luck` is a random number from 0 to 1 for the call: below a twentieth new providers rank by
 * expected cost, else after all others. Latency breaks ties, then the id.
 */
export function rank<P extends Ranked>(providers: readonly P[], sort: Sort, luck: number): readonly P[] {
  const key = KEYS[sort];
  const late = (provider: P): boolean => luck >= NEW_SHARE && provider.weighed_attempts < NEW_BELOW;
  return providers.toSorted(
    (a, b) =>
      Number(late(a)) - Number(late(b)) ||
      key(a) - key(b) ||
      expectedCost(a) - expectedCost(b) ||
      latencyOf(a) - latencyOf(b) ||
      (a.id < b.id ? -1 : 1),
  );
}
