// Whom a call goes to, and to whom next. Expected cost decides: what a provider asks, by how likely it answers. Who has shown little yet
// gets one call in twenty at most while others serve, since its likelihood is only assumed.
import { chance } from './reliability.ts';

/** Below so many weighed attempts, in thousandths, a provider is new. */
const NEW_BELOW = 20_000;
/** The share of calls in which new providers compete. */
const NEW_SHARE = 0.05;

/** How a caller may want its providers sorted. */
export const SORTS = ['cost', 'price', 'latency', 'reliability'] as const;
export type Sort = (typeof SORTS)[number];

export interface Ranked {
  readonly id: string;
  readonly price_cents: number;
  readonly weighed_attempts: number;
  readonly weighed_served: number;
  readonly p50_ms: number | null;
}

/** What a call is expected to cost with a provider, in cents; a free one is not free of its failures. */
function expectedCost(provider: Ranked): number {
  return (provider.price_cents + 1) / chance(provider);
}

/** Who never answered is as slow as can be. */
const latencyOf = ({ p50_ms }: Ranked): number => p50_ms ?? Number.MAX_SAFE_INTEGER;

const KEYS: Readonly<Record<Sort, (provider: Ranked) => number>> = {
  cost: expectedCost,
  price: ({ price_cents }) => price_cents,
  latency: latencyOf,
  reliability: (provider) => -chance(provider),
};

/**
 * Providers in the order in which a call tries them. `luck` is a number from 0 to 1, drawn for the call: below a twentieth new
 * providers stand where their expected cost puts them, else behind all others. Latency breaks ties, then the id.
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
