// A cache of public pages with their JSON. A page is made again after any commit that touches agents, their handles or
// listings, so that hidden content disappears at once; and after a second, because presence changes without a commit.
import type { Clock } from '../../actors/clock.ts';
import { type CommitCache, commitCache } from '../../db/commit-cache.ts';
import type { Store } from '../../db/store.ts';
import type { Page } from '../contract/reply.ts';

/** How old presence on a page may be. */
const LIFE_MS = 1_000;
/** Pages kept; with 50 entries one is some 60 KB. Cursors are the caller's to choose, so there must be a bound. */
const PAGES_MAX = 200;

type Make = () => Promise<Page<unknown>>;

export class PageCache {
  readonly #pages: CommitCache<Page<unknown>, Promise<Page<unknown>>, Make>;

  constructor(store: Store, clock: Clock) {
    this.#pages = commitCache({
      store,
      now: () => clock.now(),
      tables: ['agents', 'handles', 'listings'],
      max: PAGES_MAX,
      believed_ms: LIFE_MS,
      load: async (_key, make: Make) => {
        const page = await make();
        return { ...page, text: JSON.stringify(page.items) };
      },
    });
  }

  /** The page under a key, made by `make` when there is none or it is stale. Callers at the same time share one making. */
  async get(key: string, make: Make): Promise<Page<unknown>> {
    return this.#pages.get(key, make);
  }
}
