// PostgreSQL for tests: one server for the whole test process, and on it a database for whoever asks, cloned from one
// that has every migration. TEST_DATABASE_URL names a server that runs already; else one is started.
import type { SQL } from 'bun';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { borrowServer } from './postgres/borrowed.ts';
import { findPostgres } from './postgres/find.ts';
import { type Server, startServer } from './postgres/server.ts';

export interface PostgresServer {
  /** Makes an empty database and answers its URL. */
  database(): Promise<string>;
  /** Makes a database with every migration, and answers its URL. */
  migrated(): Promise<string>;
  /** Drops a database of either kind. */
  drop(url: string): Promise<void>;
  /** Ends the server that was started, or drops what was made on a server that is somebody else's. */
  stop(): Promise<void>;
}

/** Copies that are made before they are asked for: making one takes the server longer than a small test takes. */
const AHEAD = 2;

class Databases implements PostgresServer {
  readonly #server: Server;
  /** Several runs may share a server that is somebody else's. */
  readonly #prefix: string;
  readonly #sql: SQL;
  readonly #names = new Set<string>();
  readonly #ahead: Promise<string>[] = [];
  #template: Promise<string> | null = null;
  #made = 0;

  constructor(server: Server, prefix: string) {
    this.#server = server;
    this.#prefix = prefix;
    this.#sql = new Bun.SQL(server.url('postgres'), { max: 1 + AHEAD, idleTimeout: 0 });
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

  #clone(): Promise<string> {
    this.#template ??= this.#migrate();
    const cloned = this.#template.then((template) => this.#create(`TEMPLATE ${template}`));
    // Whoever takes it hears of a failure; one that nobody takes any more is none.
    cloned.catch(() => {});
    return cloned;
  }

  async migrated(): Promise<string> {
    while (this.#ahead.length <= AHEAD) this.#ahead.push(this.#clone());
    return this.#server.url(await (this.#ahead.shift() ?? this.#clone()));
  }

  async drop(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    if (this.#names.delete(name)) await this.#sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
  }

  async stop(): Promise<void> {
    await Promise.allSettled([this.#template, ...this.#ahead]);
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
