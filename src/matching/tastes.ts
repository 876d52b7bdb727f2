// The agents' tastes, cached in memory: matching a listing reads them, and an answer to a match changes one.
import type { Clock } from '../../actors/clock.ts';
import { type CommitCache, commitCache } from '../../db/commit-cache.ts';
import { tasteById } from '../../db/queries/match.ts';
import type { Store } from '../../db/store.ts';
import { actsAs, type Signal, type TasteSide } from '../domain/match/signal.ts';
import { type Leaning, leaningOf } from '../domain/match/taste.ts';

/** Agents kept; of most there is nothing to hold, of the others some 20 KB. */
const AGENTS_MAX = 2_000;

export class Tastes {
  readonly #signals: CommitCache<readonly Signal[]>;
  readonly #now: () => number;

  constructor(store: Store, clock: Clock) {
    this.#now = () => clock.now();
    this.#signals = commitCache({
      store,
      now: this.#now,
      tables: ['tastes'],
      max: AGENTS_MAX,
      rows: (_signals, id) => [{ table: 'tastes', id }],
      load: async (id) => (await store.read(tasteById, { id }))?.signals ?? [],
    });
  }

  /** How the listing's agent leans in what this listing is shown; null where its answers say nothing yet. */
  async of(own: TasteSide): Promise<Leaning | null> {
    const signals = await this.#signals.get(own.agent_id);
    return signals.length === 0 ? null : leaningOf(signals, actsAs(own), this.#now());
  }
}
