// A PostgreSQL with a synchronous standby, both real servers on the loopback, behind one address that follows whoever is
// the primary: what a failover manager does for a service. Every commit is on both disks before it is answered.
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../sim/random.ts';
import { findPostgres } from '../support/postgres/find.ts';
import { account, freePort, type Watched, waitUntilReached, watchedFolder } from '../support/postgres/server.ts';
import { cutProxy } from './cut-proxy.ts';

export interface Pair {
  /** An empty database, at the address that stays. */
  readonly database_url: string;
  /** Kills every process of the primary at once, promotes the standby and turns the address to it. Answers how long the
   * promotion took, in milliseconds from the kill. */
  failOver(): Promise<number>;
  stop(): Promise<void>;
}

const DATABASE = 'meshwork';

/** The folder of the server's programs, with those for a standby; npm's package has only the server. */
export function programs(): string | null {
  const debian = '/usr/lib/postgresql';
  const usual = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  const found = [findPostgres(), ...usual.sort().reverse()];
  return found.find((bin) => bin !== null && existsSync(join(bin, 'pg_basebackup'))) ?? null;
}

/** The processes of a server: its first one, and those that this one has started. */
export function processesOf(postmaster: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const stat = (() => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8');
      } catch {
        // It ended in between.
        return '';
      }
    })();
    // The name in parentheses may hold anything; the second field after it is the parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster;
  });
  return [postmaster, ...children.map(Number)];
}

const SETTINGS = ['listen_addresses=127.0.0.1', 'max_connections=200', 'hot_standby=on'];

/** One server, which can be killed and started again. */
export class Member {
  readonly home: string;
  readonly #watched: Watched;
  readonly #bin: string;
  readonly #settings: readonly string[];
  port = 0;

  constructor(bin: string, settings: readonly string[] = []) {
    this.#bin = bin;
    this.#settings = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
    this.#watched = watchedFolder();
    this.home = this.#watched.home;
    const who = account();
    if (who) chownSync(this.home, who.uid, who.gid);
  }

  get data(): string {
    return join(this.home, 'data');
  }

  #as(program: string, args: readonly string[]): string[] {
    const who = account();
    const as = who ? ['setpriv', `--reuid=${who.uid}`, `--regid=${who.gid}`, '--clear-groups'] : [];
    return [...as, join(this.#bin, program), ...args];
  }

  /** Runs a program of the server to its end. */
  async run(program: string, args: readonly string[]): Promise<void> {
    const child = Bun.spawn(this.#as(program, args), {
      cwd: this.home,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    });
    const said = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(`${program}: ${said}`);
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    const args = ['-D', this.data, '-k', this.home, '-p', String(this.port), ...this.#settings];
    const reached = waitUntilReached(this.url('postgres'), 'SELECT 1').then(() => true);
    // While processes of one that was killed still end, a server does not start.
    for (let up = false; !up; ) {
      const server = Bun.spawn(this.#as('postgres', args), {
        cwd: this.home,
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'ignore',
      });
      server.unref();
      up = await Promise.race([reached, server.exited.then(() => false)]);
    }
  }

  url(database: string): string {
    return `postgres://meshwork@127.0.0.1:${this.port}/${database}`;
  }

  /** Ends it as the loss of its machine would. */
  kill(): void {
    const [first] = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
    for (const pid of processesOf(Number(first))) process.kill(pid, 'SIGKILL');
  }

  stop(): Promise<void> {
    return this.#watched.end();
  }
}

/** Repeats a question until its answer is as wanted. */
async function until(url: string, question: string, wanted: string): Promise<void> {
  await using sql = new Bun.SQL(url, { max: 1 });
  for (;;) {
    const [row] = await sql.unsafe(question);
    if (String(row?.answer) === wanted) return;
    await Bun.sleep(20);
  }
}

/** Starts the pair; null, with a loud line, where the machine has no PostgreSQL that can be copied. */
export async function startPair(): Promise<Pair | null> {
  const bin = programs();
  if (bin === null) {
    console.warn('SKIPPED: a standby needs pg_basebackup, as the PostgreSQL packages of a system have it');
    return null;
  }
  const [primary, standby] = [new Member(bin), new Member(bin)];
  await primary.run('initdb', ['-D', primary.data, '-U', 'meshwork', '-A', 'trust', '-E', 'UTF8']);
  await primary.start();
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'meshwork', '-c', 'fast'];
  await standby.run('pg_basebackup', ['-D', standby.data, '-X', 'stream', '-R', ...from]);
  await standby.start();
  await using sql = new Bun.SQL(primary.url('postgres'), { max: 1 });
  await sql.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await sql.unsafe('SELECT pg_reload_conf()');
  await until(primary.url('postgres'), 'SELECT sync_state AS answer FROM pg_stat_replication', 'sync');
  await sql.unsafe(`CREATE DATABASE ${DATABASE}`);
  const address = await cutProxy(new Random(0, 'the address of the database'));
  address.aim(primary.port);
  return {
    database_url: `postgres://meshwork@127.0.0.1:${new URL(address.url).port}/${DATABASE}`,
    failOver: async () => {
      const killed_ms = performance.now();
      primary.kill();
      await using other = new Bun.SQL(standby.url('postgres'), { max: 1 });
      await other.unsafe('SELECT pg_promote()');
      await until(standby.url('postgres'), 'SELECT pg_is_in_recovery() AS answer', 'false');
      address.aim(standby.port);
      return performance.now() - killed_ms;
    },
    stop: async () => {
      await address.stop();
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}
