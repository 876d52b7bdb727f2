// Public pages that are read far more often than they change, kept with their JSON. A page is made anew after any commit
// that touches agents, their handles or listings, so nobody ever reads what was just hidden; and after a second, since
// presence changes without a commit.
import type { Clock } from '../../actors/clock.ts';
import type { ToldTable } from '../../db/schema/told.ts';
import type { CommitNotice, Store } from '../../db/store.ts';
import type { Page } from './operation.ts';

/** How old presence on a page may be. */
const LIFE_MS = 1_000;
/** Pages kept; with 50 entries one is some 60 KB. Cursors are the caller's to choose, so there must be a bound. */
const PAGES_MAX = 200;

const SHOWN: ReadonlySet<ToldTable> = new Set(['agents', 'handles', 'listings']);

interface Entry {
  readonly made_at: number;
  readonly page: Promise<Page<unknown>>;
}

async function rendered(make: () => Promise<Page<unknown>>): Promise<Page<unknown>> {
  const page = await make();
  return { ...page, text: JSON.stringify(page.items) };
}

export class PageCache {
  readonly #clock: Clock;
  readonly #pages = new Map<string, Entry>();

  constructor(store: Store, clock: Clock) {
    this.#clock = clock;
    store.onCommit((notice) => this.#forget(notice));
  }

  /** The page under a key, made by `make` when there is none or it is stale. Callers at the same time share one making. */
  get(key: string, make: () => Promise<Page<unknown>>): Promise<Page<unknown>> {
    const now_ms = this.#clock.now();
    const known = this.#pages.get(key);
    if (known && now_ms - known.made_at < LIFE_MS) return known.page;
    if (this.#pages.size >= PAGES_MAX) this.#pages.clear();
    const entry = { made_at: now_ms, page: rendered(make) };
    this.#pages.set(key, entry);
    entry.page.catch(() => this.#pages.delete(key));
    return entry.page;
  }

  #forget(notice: CommitNotice): void {
    if (this.#pages.size > 0 && notice.changed.some(({ table }) => SHOWN.has(table))) this.#pages.clear();
  }
}
