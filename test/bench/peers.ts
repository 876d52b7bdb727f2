// The peers that a durable message is measured beside, from Debian's packages: each runs in the run's folder on a free port of
// loopback, and ends with the job. Nothing of a service of the machine is touched.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { startPostgres } from '../support/postgres.ts';
import { onServerCore } from './children.ts';
import type { Bench } from './job.ts';
import { inTurn, requestBytes, timed } from './load.ts';
import { freePort, startNchan } from './nchan.ts';
import {
  natsPublisher,
  type Publisher,
  publishAll,
  rabbitPublisher,
  redisPublisher,
  xmppPublisher,
} from './peer-wires.ts';
import { familyOf } from './process-figures.ts';
import { CONTENT } from './talks.ts';

export const PUBLISHERS = 64;
const READY_MS = 60_000;
const TRY_MS = 200;

export interface Peer {
  readonly name: string;
  /** What is on disk when it answers. */
  readonly kept: string;
  /** The first of its processes. */
  readonly pid: number;
  open(): Promise<Publishers>;
}

export interface Publishers {
  /** Publish side by side for so long; the latencies, in milliseconds. */
  run(window_ms: number): Promise<number[]>;
  close(): void;
}

/** Publishers that connect by themselves. */
export function unopened(run: Publishers['run']): Peer['open'] {
  return async () => ({ run, close: () => {} });
}

/** A peer to be: what it is called, and how it is started; null where it is not installed. */
export interface Offer {
  readonly name: string;
  /** Debian's package. */
  readonly from: string;
  start(bench: Bench): Promise<Omit<Peer, 'name'> | null>;
}

function folderOf(bench: Bench, name: string): string {
  const folder = join(bench.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

interface Started {
  readonly folder: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program, and ends it with all that it started when the job is over: its data are not needed again. */
function begin(bench: Bench, { folder, command, env }: Started): number {
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } };
  const child = Bun.spawn(onServerCore(command), { ...options, stdout: 'ignore', stderr: 'ignore' });
  bench.after(async () => {
    for (const pid of familyOf(child.pid).reverse()) process.kill(pid, 'SIGKILL');
    await child.exited;
  });
  return child.pid;
}

/** Resolves once a publisher gets through. */
async function ready(connect: () => Promise<Publisher>): Promise<void> {
  for (const ends_ms = performance.now() + READY_MS; ; ) {
    try {
      const publisher = await connect();
      await publisher.publish();
      return publisher.close();
    } catch (error) {
      if (performance.now() > ends_ms) throw error;
      await Bun.sleep(TRY_MS);
    }
  }
}

function opened(connect: () => Promise<Publisher>): Peer['open'] {
  return async () => {
    const all = await Promise.all(Array.from({ length: PUBLISHERS }, connect));
    const publish = all.map((one) => one.publish);
    return {
      run: (window_ms) => publishAll(publish, window_ms),
      close: () => {
        for (const { close } of all) close();
      },
    };
  };
}

const rabbit: Offer = {
  name: 'RabbitMQ, quorum queue with confirms',
  from: 'rabbitmq-server',
  start: async (bench) => {
    const [program, registrar] = ['/usr/lib/rabbitmq/bin/rabbitmq-server', Bun.which('epmd')];
    if (!existsSync(program) || !registrar) return null;
    const folder = folderOf(bench, 'rabbitmq');
    const [port, own, names] = [await freePort(), await freePort(), String(await freePort())];
    for (const file of ['rabbitmq.conf', 'environment']) writeFileSync(join(folder, file), '');
    writeFileSync(join(folder, 'plugins'), '[].');
    // Of its own, since Erlang leaves one behind.
    begin(bench, { folder, command: [registrar, '-port', names, '-address', '127.0.0.1'] });
    const env = {
      RABBITMQ_NODENAME: 'bench@localhost',
      RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
      RABBITMQ_NODE_PORT: String(port),
      RABBITMQ_DIST_PORT: String(own),
      RABBITMQ_MNESIA_BASE: folder,
      RABBITMQ_LOG_BASE: folder,
      RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
      RABBITMQ_CONF_ENV_FILE: join(folder, 'environment'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
      ERL_EPMD_PORT: names,
      ERL_EPMD_ADDRESS: '127.0.0.1',
    };
    const pid = begin(bench, { folder, command: [program], env });
    const connect = () => rabbitPublisher(port);
    await ready(connect);
    return { pid, open: opened(connect), kept: 'the message in a log, synced for many at once' };
  },
};

const redis: Offer = {
  name: 'Redis stream, appendfsync always',
  from: 'redis-server',
  start: async (bench) => {
    const program = Bun.which('redis-server');
    if (!program) return null;
    const [folder, port] = [folderOf(bench, 'redis'), await freePort()];
    const settings = { port, bind: '127.0.0.1', dir: folder, appendonly: 'yes', appendfsync: 'always', save: '' };
    const command = [program, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])];
    const pid = begin(bench, { folder, command });
    const connect = () => redisPublisher(port);
    await ready(connect);
    return { pid, open: opened(connect), kept: 'the command in a log, synced for many at once' };
  },
};

const nats: Offer = {
  name: 'NATS JetStream',
  from: 'nats-server',
  start: async (bench) => {
    const program = Bun.which('nats-server');
    if (!program) return null;
    const [folder, port] = [folderOf(bench, 'nats'), await freePort()];
    const pid = begin(bench, { folder, command: [program, '-js', '-sd', folder, '-a', '127.0.0.1', '-p', `${port}`] });
    const connect = () => natsPublisher(port);
    await ready(connect);
    return { pid, open: opened(connect), kept: 'nothing yet: written, synced every two minutes' };
  },
};

const postgres: Offer = {
  name: 'PostgreSQL, an insert',
  from: 'postgresql',
  start: async (bench) => {
    const server = await startPostgres();
    if (!server) return null;
    bench.after(() => server.stop());
    const sql = new SQL({ url: await server.database(), max: PUBLISHERS, idleTimeout: 0 });
    bench.after(() => sql.close({ timeout: 0 }));
    await sql`CREATE TABLE messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content text NOT NULL)`;
    const [place] = await sql`SELECT current_setting('data_directory') AS folder`;
    const pid = Number.parseInt(readFileSync(join(place.folder, 'postmaster.pid'), 'utf8'), 10);
    const insert = async (): Promise<unknown> => sql`INSERT INTO messages (content) VALUES (${CONTENT})`;
    const open = unopened((window_ms) => publishAll(Array(PUBLISHERS).fill(insert), window_ms));
    return { pid, open, kept: 'the row in a log, synced for those that commit together' };
  },
};

const ACCOUNTS = `
daemonize = false
run_as_root = true
interfaces = { "127.0.0.1" }
modules_enabled = { "saslauth", "roster", "disco", "offline", "mam", "smacks" }
modules_disabled = { "s2s", "tls" }
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"
storage = "internal"
default_archive_policy = true
archive_expires_after = "never"
log = { error = "*console" }
VirtualHost "localhost"
`;

const prosody: Offer = {
  name: 'prosody with its archive',
  from: 'prosody',
  start: async (bench) => {
    const program = Bun.which('prosody');
    if (!program) return null;
    const [folder, port] = [folderOf(bench, 'prosody'), await freePort()];
    const accounts = folderOf(bench, 'prosody/localhost/accounts');
    for (let n = 0; n < PUBLISHERS; n++)
      for (const who of ['sender', 'reader'])
        writeFileSync(join(accounts, `${who}${n}.dat`), 'return { ["password"] = "secret"; };\n');
    const file = join(folder, 'prosody.cfg.lua');
    const places = `data_path = "${folder}"\npidfile = "${folder}/prosody.pid"\nc2s_ports = { ${port} }\n`;
    writeFileSync(file, places + ACCOUNTS);
    const pid = begin(bench, { folder, command: [program, '-F', '--config', file] });
    const connect = () => xmppPublisher(port, PUBLISHERS);
    await ready(connect);
    return { pid, open: opened(connect), kept: 'nothing yet: written to the archives of both, never synced' };
  },
};

const nchan: Offer = {
  name: 'nginx with nchan',
  from: 'libnginx-mod-nchan',
  start: async (bench) => {
    const server = await startNchan(bench);
    if (!server) return null;
    const body = JSON.stringify({ content: CONTENT });
    const all = Array.from({ length: PUBLISHERS }, (_, n) => requestBytes('POST', `/pub/c${n}`, {}, body));
    const { port, pid } = server;
    return {
      pid,
      open: unopened((window_ms) => timed(port, PUBLISHERS, window_ms, inTurn(all), 0)),
      kept: 'nothing: messages are in memory',
    };
  },
};

export const OFFERS: readonly Offer[] = [rabbit, redis, nats, postgres, prosody, nchan];
