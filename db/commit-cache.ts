// A cache of reads that ends with the commit that changes them. A commit that touches the rows of a value drops it before the
// commit's reply leaves; a load that began before the commit is neither given to later callers nor kept. Loads must read
// committed state.
import { nameOf, type Told, type ToldTable } from './schema/told.ts';
import type { CommitNotice, Store } from './store.ts';

/** How long a value may be used when other nodes write, whose notices may be late or lost. */
const SHARED_MS = 5_000;
/** This share of the entries is evicted at once: an iteration from the front of a map passes all deleted entries, which for one
 * entry at a time cost more than reading it. */
const ROOM_SHARE = 64;
/** Changes remembered for loads that are on their way. Beyond it these are not kept, and nothing else is lost. */
const CHANGES_MAX = 10_000;

export interface CommitCacheOptions<V, L extends V | Promise<V>, By> {
  readonly store: Pick<Store, 'shared' | 'onCommit'>;
  /** The service's clock. */
  readonly now: () => number;
  /** The tables that values are made of. */
  readonly tables: readonly ToldTable[];
  /** The most entries. Of those not used lately the oldest are evicted first. */
  readonly max: number;
  /** Makes the value of a key; callers at the same time share one making. `by` is that of the first of them. */
  readonly load: (key: string, by: By) => L;
  /** The rows that a value is made of: a change of one forgets it. Null for a value that is not to be kept. Without this
   * any change in the tables forgets everything. */
  readonly rows?: (value: V, key: string) => readonly Told[] | null;
  /** Tables whose new rows may belong to any value: an unknown row drops everything. `rows` must then name all of their rows
   * that a value could depend on. */
  readonly lists?: readonly ToldTable[];
  /** How long a value may be used; by default five seconds when other nodes write, and without limit otherwise. */
  readonly believed_ms?: number;
  /** Called with each value that is forgotten. */
  readonly dropped?: (value: V) => void;
}

interface Cached<V> {
  readonly value: V;
  readonly read_at: number;
  readonly rows: readonly Told[];
  /** Whether it was used since the last eviction. */
  used: boolean;
}

/** Keeps what `load` gives until a commit changes it. */
export function commitCache<V, L extends V | Promise<V> = Promise<V>, By = void>(
  options: CommitCacheOptions<V, L, By>,
): CommitCache<V, L, By> {
  return new CommitCache(options);
}

export class CommitCache<V, L extends V | Promise<V> = Promise<V>, By = void> {
  readonly #options: CommitCacheOptions<V, L, By>;
  readonly #tables: ReadonlySet<ToldTable>;
  readonly #lists: ReadonlySet<ToldTable>;
  readonly #believed_ms: number;
  readonly #entries = new Map<string, Cached<V>>();
  /** The keys of the entries that depend on a row. */
  readonly #keys = new Map<string, string[]>();
  /** Rows of `lists` on which no value depends any more: their changes are ignored. */
  readonly #elsewhere = new Set<string>();
  /** Loads that may still be joined. */
  readonly #loading = new Map<string, L>();
  /** The running loads, and when each row changed during them. */
  #loads = 0;
  readonly #changed = new Map<string, number>();
  #changes = 0;
  /** Loads that began before this change are not kept. */
  #floor = 0;

  constructor(options: CommitCacheOptions<V, L, By>) {
    this.#options = options;
    this.#tables = new Set(options.tables);
    this.#lists = new Set(options.lists);
    this.#believed_ms = options.believed_ms ?? (options.store.shared ? SHARED_MS : Number.POSITIVE_INFINITY);
    if (options.tables.length > 0) options.store.onCommit((notice) => this.#follow(notice));
  }

  /** The value if it is in memory, without waiting. */
  known(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (this.#options.now() - entry.read_at < this.#believed_ms) {
      entry.used = true;
      return entry.value;
    }
    this.#drop(key);
    return undefined;
  }

  /** The cached value, else the result of `load`. A failed load rejects for all its waiters, and is not cached. */
  get(key: string, by: By): V | L {
    const known = this.known(key);
    if (known !== undefined) return known;
    return this.#loading.get(key) ?? this.#load(key, by);
  }

  /** Drops the values that depend on a row, as after a commit. */
  forget(row: Told): void {
    // Later callers must not join a load that began before.
    this.#loading.clear();
    if (!this.#options.rows) {
      this.#forgetAll();
      return;
    }
    const name = nameOf(row);
    this.#note(name);
    const keys = this.#keys.get(name);
    if (keys) {
      // Together: one by one, each would be searched among the rest.
      this.#keys.delete(name);
      for (const key of keys) this.#drop(key);
    } else if (this.#lists.has(row.table) && !this.#elsewhere.has(name)) {
      this.#forgetAll();
      this.#isElsewhere(name);
    }
  }

  #follow({ changed }: CommitNotice): void {
    for (const row of changed) if (this.#tables.has(row.table)) this.forget(row);
  }

  #load(key: string, by: By): L {
    const began = this.#changes;
    const read_at = this.#options.now();
    const loaded = this.#options.load(key, by);
    const made: V | Promise<V> = loaded;
    if (!(made instanceof Promise)) {
      this.#keep(key, made, began, read_at);
      return loaded;
    }
    this.#loads += 1;
    this.#loading.set(key, loaded);
    const over = (): void => {
      this.#loads -= 1;
      if (this.#loading.get(key) === loaded) this.#loading.delete(key);
      if (this.#loads === 0) this.#changed.clear();
    };
    made.then((value) => {
      try {
        this.#keep(key, value, began, read_at);
      } finally {
        over();
      }
    }, over);
    return loaded;
  }

  #keep(key: string, value: V, began: number, read_at: number): void {
    const rows = this.#options.rows ? this.#options.rows(value, key) : [];
    const stale = began < this.#floor || rows?.some((row) => (this.#changed.get(nameOf(row)) ?? 0) > began);
    if (!rows || stale) return;
    this.#drop(key);
    this.#makeRoom();
    this.#entries.set(key, { value, read_at, rows, used: false });
    for (const row of rows) {
      const name = nameOf(row);
      const keys = this.#keys.get(name);
      if (keys) keys.push(key);
      else this.#keys.set(name, [key]);
      this.#elsewhere.delete(name);
    }
  }

  #makeRoom(): void {
    const { max } = this.#options;
    if (this.#entries.size < max) return;
    const left = max - Math.floor(max / ROOM_SHARE);
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size < left) return;
      if (!entry.used) this.#drop(key);
      else {
        // Asked for since the last time: it goes to the end of the line.
        entry.used = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      }
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    for (const row of entry.rows) {
      const name = nameOf(row);
      const keys = this.#keys.get(name) ?? [];
      const at = keys.indexOf(key);
      const last = at < 0 ? undefined : keys.pop();
      if (last !== undefined && last !== key) keys[at] = last;
      if (keys.length === 0) {
        this.#keys.delete(name);
        if (this.#lists.has(row.table)) this.#isElsewhere(name);
      }
    }
    this.#options.dropped?.(entry.value);
  }

  #forgetAll(): void {
    this.#changes += 1;
    this.#floor = this.#changes;
    for (const key of this.#entries.keys()) this.#drop(key);
  }

  /** Remembers a change for the loads that began before it. */
  #note(name: string): void {
    this.#changes += 1;
    if (this.#loads === 0) return;
    this.#changed.set(name, this.#changes);
    if (this.#changed.size <= CHANGES_MAX) return;
    this.#changed.clear();
    this.#floor = this.#changes;
  }

  #isElsewhere(name: string): void {
    if (this.#elsewhere.size >= this.#options.max) this.#elsewhere.clear();
    this.#elsewhere.add(name);
  }
}
