// The score that a pair must exceed to be among a listing's best, kept in the index in memory, so that lower pairs are skipped. Too
// low a threshold costs a comparison, too high a one keeps a pair from a listing until its own next run. So it is noted when a
// listing's best are read, and dropped with the commit that takes a place away, on any node.

import type { BestPair } from '../../db/queries/match.ts';
import type { Store } from '../../db/store.ts';
import { MATCHES_BEST } from '../domain/match/rank.ts';
import { MATCH_TTL_MS } from '../domain/match/state.ts';
import { HOUR_MS } from '../domain/time.ts';

/** Other nodes do not announce moved places, so with several nodes a threshold is used no longer than this. */
const SHARED_MS = HOUR_MS;

type Thresholds = Pick<Store, 'shared' | 'vectors'>;

/** Notes the threshold of a listing by its best pairs, best first. `slack`: by how much its agent's taste may lift a pair. */
export function noteThreshold(
  { shared, vectors }: Thresholds,
  listing_id: string,
  pairs: readonly BestPair[],
  slack: number,
  now_ms: number,
): void {
  const best = pairs.slice(0, MATCHES_BEST);
  const last = best[MATCHES_BEST - 1];
  if (!last) {
    forgetThreshold({ vectors }, listing_id);
    return;
  }
  // The first that expires leaves a place.
  const expires_at = Math.min(...best.map(({ created_at }) => created_at)) + MATCH_TTL_MS;
  const until_ms = shared ? Math.min(expires_at, now_ms + SHARED_MS) : expires_at;
  vectors.setThreshold(listing_id, Math.max(0, last.score_ppm / 1_000_000 - slack), until_ms);
}

/** Any pair may be among a listing's best again. */
export function forgetThreshold({ vectors }: Pick<Thresholds, 'vectors'>, listing_id: string): void {
  vectors.setThreshold(listing_id, 0, 0);
}

/** Drops the thresholds of two listings with each commit that announces their pair: a side answered, or it ended. */
export function followThresholds(store: Thresholds & Pick<Store, 'onCommit'>): void {
  store.onCommit(({ changed }) => {
    // A pair's key is made of its two listings.
    for (const { table, id } of changed)
      if (table === 'matches') for (const one of id.split(':')) forgetThreshold(store, one);
  });
}
