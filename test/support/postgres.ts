// PostgreSQL for tests: one server for the whole test process, and on it a database for each caller, cloned from one
// that has every migration, or emptied after another test. TEST_DATABASE_URL names a server that runs already; else one is started.
import type { SQL } from 'bun';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import type { Kept } from '../../db/postgres/connection.ts';
import { borrowServer } from './postgres/borrowed.ts';
import { findPostgres } from './postgres/find.ts';
import { type Server, startServer } from './postgres/server.ts';

export interface PostgresServer {
  /** Makes an empty database and answers its URL. */
  database(): Promise<string>;
  /** Makes a database with every migration, and answers its URL. */
  migrated(): Promise<string>;
  /** Where the connections to a database wait for the next store on it. */
  kept(url: string): Kept;
  /** Empties a database with every migration, whose schema nobody changed, for the next caller of `migrated`. */
  giveBack(url: string): Promise<void>;
  /** Drops a database of either kind. */
  drop(url: string): Promise<void>;
  /** Ends the server that was started, or drops what was made on a server that is somebody else's. */
  stop(): Promise<void>;
}

/** Empties every table but the list of migrations. Only a superuser may leave out what foreign keys and triggers would do. */
const EMPTY = `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    AND relname <> 'migrations' AND pg_relation_size(oid) > 0
  LOOP EXECUTE format('DELETE FROM %I', name); END LOOP; END $$`;

/** How often a database is emptied before a fresh one takes its place: what was deleted stays in its files. */
const USES_MAX = 40;

/** How often a database that was given back is asked whether whoever used it has left, and the pause between two times. */
const LOOKS = 100;
const LOOK_MS = 5;
const OTHERS = `SELECT count(*)::int AS n, count(*) FILTER (WHERE state <> 'idle')::int AS busy FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** The connections to one database, from one store to the next. */
class Shelf implements Kept {
  readonly #pools: { readonly sql: SQL; readonly max: number; readonly use: string }[] = [];
  #root: SQL | null = null;
  uses = 0;

  take(max: number, use: string): SQL | undefined {
    const at = this.#pools.findIndex((pool) => pool.max === max && pool.use === use);
    return at === -1 ? undefined : this.#pools.splice(at, 1)[0]?.sql;
  }

  put(sql: SQL, max: number, use: string): void {
    this.#pools.push({ sql, max, use });
  }

  /** Removes all rows; false where somebody else is still connected, or in the middle of a transaction. */
  async empty(root: string): Promise<boolean> {
    this.#root ??= new Bun.SQL(root, { max: 1, idleTimeout: 0 });
    const own = this.#pools.reduce((sum, { max }) => sum + max, 0);
    for (let looks = 0; looks < LOOKS; looks++) {
      const [others] = await this.#root.unsafe(OTHERS);
      if (others.n <= own && others.busy === 0) {
        await this.#root.unsafe(EMPTY);
        return true;
      }
      await Bun.sleep(LOOK_MS);
    }
    return false;
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.splice(0).map(({ sql }) => sql), ...(this.#root ? [this.#root] : [])];
    await Promise.all(pools.map((sql) => sql.close({ timeout: 0 })));
  }
}

class Databases implements PostgresServer {
  readonly #server: Server;
  /** Several runs may share a server that is somebody else's. */
  readonly #prefix: string;
  readonly #sql: SQL;
  readonly #names = new Set<string>();
  /** Databases that wait for a caller. */
  readonly #free: string[] = [];
  readonly #shelves = new Map<string, Shelf>();
  #template: Promise<string> | null = null;
  #made = 0;

  constructor(server: Server, prefix: string) {
    this.#server = server;
    this.#prefix = prefix;
    this.#sql = new Bun.SQL(server.url('postgres'), { max: 1, idleTimeout: 0 });
  }

  async #create(how = ''): Promise<string> {
    this.#made += 1;
    const name = `${this.#prefix}_${this.#made}`;
    this.#names.add(name);
    await this.#sql.unsafe(`CREATE DATABASE ${name} OWNER ${this.#server.account} ${how}`);
    return name;
  }

  async database(): Promise<string> {
    return this.#server.url(await this.#create());
  }

  async #migrate(): Promise<string> {
    const name = await this.#create();
    await using pool = new Bun.SQL(this.#server.url(name), { max: 2 });
    await migratePostgres(pool, 0);
    return name;
  }

  async migrated(): Promise<string> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#template ??= this.#migrate();
    // Copied as files, the clone keeps the cache of its catalogue, which the first connection would build anew.
    return this.#server.url(await this.#create(`TEMPLATE ${await this.#template} STRATEGY file_copy`));
  }

  kept(url: string): Kept {
    return this.#shelf(nameOf(url));
  }

  #shelf(name: string): Shelf {
    const shelf = this.#shelves.get(name) ?? new Shelf();
    this.#shelves.set(name, shelf);
    return shelf;
  }

  async giveBack(url: string): Promise<void> {
    const shelf = this.#shelf(nameOf(url));
    const root = this.#server.root?.(nameOf(url));
    shelf.uses += 1;
    if (root === undefined || shelf.uses > USES_MAX || !(await shelf.empty(root))) return this.drop(url);
    this.#free.push(url);
  }

  async drop(url: string): Promise<void> {
    const name = nameOf(url);
    await this.#shelves.get(name)?.close();
    this.#shelves.delete(name);
    if (this.#names.delete(name)) await this.#sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  }

  async stop(): Promise<void> {
    await Promise.allSettled([this.#template]);
    await this.#sql.close({ timeout: 0 });
    await this.#server.stop();
  }
}

/** Starts a server, or borrows the one of TEST_DATABASE_URL; null, with a loud line, where there is none. Only a durable
 * one waits for the disk, as a benchmark or a crash of the machine would ask for. With `plain` its databases are reached
 * as an account that owns them and may do nothing else. */
export async function startPostgres({ durable = true, plain = false } = {}): Promise<PostgresServer | null> {
  const given = process.env['TEST_DATABASE_URL'];
  const prefix = `meshwork_test_${crypto.randomUUID().slice(0, 8)}`;
  if (given) return new Databases(borrowServer(given, prefix), prefix);
  const bin = findPostgres();
  return bin === null ? null : new Databases(await startServer(bin, { durable, plain }), prefix);
}

/** Whether the scenarios run on PostgreSQL. */
export const onPostgres = process.env['TEST_STORE'] === 'postgres';

let shared: Promise<PostgresServer | null> | null = null;

/** The server that all test files of this process share; it ends with the process. No test may change the server itself. Ask for it before any test, whose time
 * starting it would take otherwise. */
export function sharedPostgres(): Promise<PostgresServer | null> {
  shared ??= startPostgres({ durable: false, plain: true });
  return shared;
}

if (onPostgres) await sharedPostgres();
