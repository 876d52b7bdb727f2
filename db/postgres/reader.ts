// Runs queries over the pool, each built once. With a read set it notes the version of every row that a load saw. Reads see
// committed state, and are repeated after a lost connection.
import type { SQL } from 'bun';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sql';
import { note, type ReadSet } from '../outcome.ts';
import type { Db, Query } from '../query.ts';
import { PARTED } from '../schema/keys.ts';
import { tables } from '../schema/postgres.ts';
import type { Read } from '../store.ts';
import { StoreUnavailable } from '../unavailable.ts';
import type { Pool, Source } from './pool.ts';
import { type Args, isLookUp, type ManySelect, type Select, selectOf, textOf } from './select.ts';
import type { Shards } from './shards.ts';

type Values = unknown[][];

interface Waiting {
  readonly args: Args;
  resolve(rows: Values): void;
  reject(error: unknown): void;
}

const MOST = 256;

class Gathered {
  readonly #pool: Pool;
  readonly #select: ManySelect;
  readonly #waiting: Waiting[] = [];
  #busy = false;

  constructor(pool: Pool, select: ManySelect) {
    this.#pool = pool;
    this.#select = select;
  }

  /** The result of a read for one set of arguments. The query is sent after this call, so it sees all earlier
   * commits. */
  find(args: Args): Promise<Values> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ args, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#next());
    });
  }

  #next(): void {
    const batch = this.#waiting.splice(0, MOST);
    this.#busy = batch.length > 0;
    if (this.#busy) this.#run(batch).then(() => this.#next());
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.#pool.again(() => this.#ask(batch));
      for (const [i, waiting] of batch.entries()) waiting.resolve(found[i] ?? []);
    } catch (error) {
      // Later reads have waited for the same database: refuse them too, instead of waiting again for each.
      const away = error instanceof StoreUnavailable ? this.#waiting.splice(0) : [];
      for (const waiting of away) waiting.reject(error);
      // An invalid set of arguments must not fail the others.
      if (batch.length === 1 || error instanceof StoreUnavailable) for (const waiting of batch) waiting.reject(error);
      else for (const waiting of batch) await this.#run([waiting]);
    }
  }

  async #ask(batch: readonly Waiting[]): Promise<Values[]> {
    const bound = this.#select.bind(batch.map(({ args }) => args));
    const rows: Values = await this.#pool.values(this.#select.text, bound);
    const found: Values[] = batch.map(() => []);
    for (const row of rows) found[Number(row.at(-1)) - 1]?.push(row);
    return found;
  }
}

/** Where reads go: look-ups by key are gathered on connections of their own, where those of tables in parts go too. */
export interface Pools {
  readonly reads: Pool;
  readonly keys: Pool;
  readonly shards?: Shards | null | undefined;
}

type Runner = (args: Args) => Promise<unknown[]>;

interface Built {
  /** Null for those that only drizzle's own mapping can run. */
  readonly select: Select | null;
  /** Whether it reads a table in parts. */
  readonly parted: boolean;
}

/** The built form of each query, for every connection. */
// biome-ignore lint/suspicious/noExplicitAny: a query's argument and row types end at this cache.
const built = new Map<Query<any, any>, Built>();

/** Unwraps drizzle's errors, because the client's error decides whether a retry may succeed. */
function asThrown(error: unknown): never {
  throw error instanceof DrizzleQueryError ? error.cause : error;
}

/** drizzle over connections. Only its select builder is used; what it gives has been tried on both engines. */
function drizzleOf(source: Source): Db {
  const unsafe = (text: string, values: readonly unknown[]) => ({ values: () => source.values(text, values) });
  return drizzle({ client: { unsafe } as unknown as SQL }) as unknown as Db;
}

export class QueryReader {
  readonly #source: Source;
  readonly #pools: Pools | null;
  // biome-ignore lint/suspicious/noExplicitAny: a query's argument and row types end at this cache.
  readonly #runners = new Map<Query<any, any>, Runner>();

  /** Over pools, or inside a transaction. */
  constructor(from: Pools | Source) {
    this.#pools = 'keys' in from ? from : null;
    this.#source = 'keys' in from ? from.reads : from;
  }

  async run<A extends Args, R>(query: Query<A, R>, args: A, set: ReadSet | null): Promise<R> {
    let runner = this.#runners.get(query);
    if (!runner) {
      runner = this.#runner(query, args);
      this.#runners.set(query, runner);
    }
    const rows = await runner(args);
    if (set && query.tracks) for (const row of rows) note(set, query.tracks, row);
    return query.shape(rows);
  }

  #runner<A extends Args, R>(query: Query<A, R>, args: A): Runner {
    const prepare = (from: Source) => query.build(drizzleOf(from), tables).prepare();
    let known = built.get(query);
    if (!known) {
      const prepared = prepare(this.#source);
      const text = textOf(prepared);
      const parted = Object.keys(PARTED).some((table) => text.includes(`"${table}".`));
      known = { select: selectOf(prepared), parted };
      built.set(query, known);
    }
    const { select, parted } = known;
    const pool = this.#pools && (parted ? this.#pools.keys : this.#pools.reads);
    const source = pool ?? this.#source;
    // In a transaction the whole of it is tried again, by onSnapshot.
    const tried = <T>(attempt: () => Promise<T>): Promise<T> => (pool ? pool.again(attempt) : attempt());
    if (select === null) {
      const prepared = prepare(source);
      return (given) => tried(async () => Promise.resolve(prepared.execute(given)).catch(asThrown));
    }
    const { text, bind, decode, many } = select;
    // Citus joins a table in shards to no LATERAL; a single look-up goes to one shard.
    if (this.#pools && isLookUp(args) && !this.#pools.shards?.readBy(text)) {
      const gathered = new Gathered(this.#pools.keys, many());
      return async (given) => decode(await gathered.find(given));
    }
    return (given) => tried(async () => decode(await source.values(text, bind(given))));
  }

  /** A `Read` that notes versions in the set, if any. */
  as(set: ReadSet | null): Read {
    const read = <A extends Args, R>(query: Query<A, R>, args: A): Promise<R> => this.run(query, args, set);
    const peek = <A extends Args, R>(query: Query<A, R>, args: A): Promise<R> => this.run(query, args, null);
    return Object.assign(read, { peek });
  }
}

/** Loads on one snapshot of the database: all of its queries see the same moment, at the price of a transaction. */
export function onSnapshot<T>(pool: Pool, set: ReadSet, load: (read: Read) => Promise<T>): Promise<T> {
  return pool.again(() => {
    set.clear();
    return pool.begin(
      (transaction) => load(new QueryReader(transaction).as(set)),
      'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    );
  });
}
