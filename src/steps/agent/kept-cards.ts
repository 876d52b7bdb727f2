// Public cards with their JSON, kept until a commit touches an agent, a handle or a listing. What changes without one, such as
// presence, is compared at each reading.
import type { Clock } from '../../../actors/clock.ts';
import { type CommitCache, commitCache } from '../../../db/commit-cache.ts';
import type { Store } from '../../../db/store.ts';
import type { KeptCard } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { agentWithCard } from './find.ts';

/** A card with a few listings is some 5 KB; longer ones are not kept. */
const CARDS_MAX = 200;

export class KeptCards {
  readonly #cards: CommitCache<KeptCard | null>;
  readonly #load: (handle: string) => Promise<KeptCard | null>;

  constructor(store: Store, clock: Clock) {
    this.#load = async (handle) => {
      const agent = await agentWithCard(store.read, handle, clock.now());
      return agent && { agent, texts: new Map() };
    };
    this.#cards = commitCache({
      store,
      now: () => clock.now(),
      tables: ['agents', 'handles', 'listings'],
      max: CARDS_MAX,
      load: this.#load,
    });
  }

  /** The card of the agent of a handle; null without a public one. */
  async of(handle: string): Promise<KeptCard | null> {
    const name = parseHandle(handle);
    if (isFault(name)) return null;
    const kept = await this.#cards.get(name);
    // A former handle lapses by the clock, without a commit.
    return kept && kept.agent.handle !== name ? this.#load(name) : kept;
  }
}
