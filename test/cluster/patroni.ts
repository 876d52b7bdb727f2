// PostgreSQL as it is run in earnest, all of it on the loopback: three members under Patroni with etcd, HAProxy that follows the
// leader, and PgBouncer. Everything is a real process, and goes with the one that started it.
import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../sim/random.ts';
import { account, freePort, type Watched, waitUntilReached, watchedFolder } from '../support/postgres/server.ts';
import { type CutProxy, cutProxy } from './cut-proxy.ts';
import { DATABASE, haproxyFile, type MemberPorts, OWNER, patroniFile, pgbouncerFile } from './patroni-files.ts';
import { processesOf, programs } from './standby.ts';

const PROGRAMS = {
  patroni: '/usr/bin/patroni',
  etcd: '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
} as const;

const MEMBERS = 3;
const LOOK_MS = 50;
/** Bringing three servers up takes a minute on a slow machine. */
const UP_MS = 240_000;

/** What Patroni tells of a member. */
interface Standing {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

/** A program that runs as the account of PostgreSQL, and ends with this process. */
class Service {
  readonly #watched: Watched;
  readonly home: string;
  #child: Bun.Subprocess | null = null;

  constructor() {
    this.#watched = watchedFolder();
    this.home = this.#watched.home;
    const who = account();
    if (who) chownSync(this.home, who.uid, who.gid);
  }

  file(name: string, text: string): string {
    const path = join(this.home, name);
    writeFileSync(path, text);
    return path;
  }

  start(program: string, args: readonly string[]): void {
    const who = account();
    const as = who ? [`--reuid=${who.uid}`, `--regid=${who.gid}`, '--clear-groups'] : [];
    const log = Bun.file(join(this.home, 'log'));
    this.#child = Bun.spawn(['setpriv', ...as, '--pdeathsig', 'KILL', program, ...args], {
      cwd: this.home,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.home },
      stdin: 'ignore',
      stdout: log,
      stderr: log,
    });
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#child?.exited;
    this.#child = null;
  }

  async end(): Promise<void> {
    await this.kill();
    await this.#watched.end();
  }
}

/** One member: its Patroni, its PostgreSQL, and the proxies that can be cut. */
class Member {
  readonly name: string;
  readonly service = new Service();
  readonly #bin: string;
  readonly #proxies: Record<'postgres' | 'rest' | 'etcd', CutProxy>;
  ports: MemberPorts;

  private constructor(bin: string, ports: MemberPorts, proxies: Record<'postgres' | 'rest' | 'etcd', CutProxy>) {
    this.name = ports.name;
    this.#bin = bin;
    this.ports = ports;
    this.#proxies = proxies;
  }

  static async make(n: number, bin: string, etcd: number): Promise<Member> {
    const carried = async (to: number): Promise<CutProxy> => {
      const proxy = await cutProxy(new Random(n, 'a way between members'));
      proxy.aim(to);
      return proxy;
    };
    const [postgres, rest] = [await freePort(), await freePort()];
    const proxies = { postgres: await carried(postgres), rest: await carried(rest), etcd: await carried(etcd) };
    const portOf = ({ url }: CutProxy): number => Number(new URL(url).port);
    const from_others = { postgres: portOf(proxies.postgres), rest: portOf(proxies.rest) };
    return new Member(bin, { name: `m${n}`, postgres, rest, from_others, etcd: portOf(proxies.etcd) }, proxies);
  }

  start(): void {
    const file = this.service.file('patroni.yml', patroniFile(this.service.home, this.#bin, this.ports));
    this.service.start(PROGRAMS.patroni, [file]);
  }

  /** Kills all of its PostgreSQL. */
  killServer(): void {
    const [first] = readFileSync(join(this.service.home, 'data/postmaster.pid'), 'utf8').split('\n');
    for (const pid of processesOf(Number(first))) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with its first process.
      }
    }
  }

  /** Cuts it off from etcd and the other members, or ends that; who asks it from elsewhere still reaches it. */
  cut(off: boolean): void {
    for (const proxy of Object.values(this.#proxies)) proxy.hold(off);
  }

  async isLeader(): Promise<boolean> {
    const asked = fetch(`http://127.0.0.1:${this.ports.rest}/primary`, { signal: AbortSignal.timeout(1_000) });
    return asked.then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  async standings(): Promise<readonly Standing[]> {
    const asked = fetch(`http://127.0.0.1:${this.ports.rest}/cluster`, { signal: AbortSignal.timeout(2_000) });
    return asked.then(async (answer) => (await answer.json()).members ?? []).catch(() => []);
  }

  async end(): Promise<void> {
    await this.service.end();
    for (const proxy of Object.values(this.#proxies)) await proxy.stop();
  }
}

export interface Patroni {
  /** An empty database, past the pooler and through it. */
  readonly direct_url: string;
  readonly pooled_url: string;
  /** The member that holds the lock; waits for one. */
  leader(): Promise<Member>;
  /** Waits until one member leads, one stands by synchronously, and all are there. */
  whole(): Promise<void>;
  restartPooler(): Promise<void>;
  stop(): Promise<void>;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > UP_MS) throw new Error(`in vain: ${what}`);
    await Bun.sleep(LOOK_MS);
  }
}

function isWhole(standings: readonly Standing[]): boolean {
  const at = (role: string): number => standings.filter((standing) => standing.role === role).length;
  const running = standings.every(({ state, lag }) => /^(running|streaming)$/.test(state) && (lag ?? 0) === 0);
  return standings.length === MEMBERS && running && at('leader') === 1 && at('sync_standby') === 1;
}

async function startEtcd(): Promise<{ service: Service; port: number }> {
  const [service, port, peers] = [new Service(), await freePort(), await freePort()];
  const at = (to: number): string => `http://127.0.0.1:${to}`;
  const own = ['--listen-client-urls', at(port), '--advertise-client-urls', at(port)];
  const others = ['--listen-peer-urls', at(peers), '--initial-advertise-peer-urls', at(peers)];
  const cluster = ['--initial-cluster', `default=${at(peers)}`, '--unsafe-no-fsync'];
  service.start(PROGRAMS.etcd, ['--data-dir', join(service.home, 'etcd'), ...own, ...others, ...cluster]);
  await until('etcd', async () =>
    fetch(`${at(port)}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { service, port };
}

/** Names what is missing on this machine, loudly; null when nothing is. */
export function missing(): string | null {
  const lacking = Object.entries(PROGRAMS).filter(([, path]) => !existsSync(path));
  const names = [...lacking.map(([name]) => name), ...(programs() === null ? ['postgresql'] : [])];
  return names.length === 0 ? null : names.join(', ');
}

/** Starts all of it. */
export async function startPatroni(): Promise<Patroni> {
  const bin = programs() ?? '';
  const etcd = await startEtcd();
  const members: Member[] = [];
  for (let n = 1; n <= MEMBERS; n += 1) members.push(await Member.make(n, bin, etcd.port));
  const [balancer, pooler, direct, pooled] = [new Service(), new Service(), await freePort(), await freePort()];
  const services = [balancer, pooler, etcd.service];
  const leader = async (): Promise<Member> => {
    let found: Member | undefined;
    await until('a leader', async () => {
      const leads = await Promise.all(members.map((member) => member.isLeader()));
      found = members[leads.indexOf(true)];
      return found !== undefined;
    });
    if (found === undefined) throw new Error('no leader');
    return found;
  };
  const whole = async (): Promise<void> =>
    until('all members', async () => isWhole(await (await leader()).standings()));
  const stop = async (): Promise<void> => {
    await Promise.all([...members, ...services].map((each) => each.end()));
  };
  const startPooler = (): void =>
    pooler.start(PROGRAMS.pgbouncer, ['-q', pooler.file('pgbouncer.ini', pgbouncerFile(pooled, direct))]);
  const url = (port: number, database: string): string => `postgres://${OWNER}@127.0.0.1:${port}/${database}`;
  try {
    for (const member of members) member.start();
    balancer.start(PROGRAMS.haproxy, [
      '-db',
      '-f',
      balancer.file(
        'haproxy.cfg',
        haproxyFile(
          direct,
          members.map(({ ports }) => ports),
        ),
      ),
    ]);
    await whole();
    await waitUntilReached(url(direct, 'postgres'), `CREATE DATABASE ${DATABASE}`);
    startPooler();
    await waitUntilReached(url(pooled, DATABASE), 'SELECT 1');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    direct_url: url(direct, DATABASE),
    pooled_url: url(pooled, DATABASE),
    leader,
    whole,
    restartPooler: async () => {
      await pooler.kill();
      startPooler();
    },
    stop,
  };
}
