// PgBouncer before a database of the tests, as operators run it: transaction mode, and few connections to the server. It goes with
// whoever started it, folder and all.
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { account, freePort, watchedFolder } from './server.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const UP_MS = 10_000;

export const hasPgbouncer: boolean = existsSync(PROGRAM);

export interface Pooler {
  /** Of the same database, through the pooler. */
  readonly url: string;
  /** Kills it and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function isUp(port: number): Promise<boolean> {
  return Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => {} } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );
}

/** Starts one before the server of a URL; `ignored` are parameters at a start that it passes over instead of refusing them. */
export async function startPgbouncer(server_url: string, ignored = ''): Promise<Pooler> {
  const { home, end } = watchedFolder();
  const who = account();
  if (who) chownSync(home, who.uid, who.gid);
  const { hostname, port: server_port } = new URL(server_url);
  const port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 3,
    max_client_conn: 200,
    server_login_retry: 1,
    unix_socket_dir: '',
    ignore_startup_parameters: ignored,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const { username } = new URL(server_url);
  const ini = `[databases]\n* = host=${hostname} port=${server_port} user=${username}\n[pgbouncer]\n${lines.join('\n')}\n`;
  writeFileSync(join(home, 'pgbouncer.ini'), ini);
  const as = who
    ? ['setpriv', `--reuid=${who.uid}`, `--regid=${who.gid}`, '--clear-groups', '--pdeathsig', 'KILL']
    : [];
  const run = (): Bun.Subprocess<'ignore', 'ignore', 'pipe'> =>
    Bun.spawn([...as, PROGRAM, '-q', join(home, 'pgbouncer.ini')], {
      cwd: home,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    });
  let child = run();
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.exited;
  };
  const stop = async (): Promise<void> => {
    await kill();
    await end();
  };
  const began = Date.now();
  while (!(await isUp(port))) {
    if (child.exitCode !== null || Date.now() - began > UP_MS) {
      await stop();
      throw new Error(`pgbouncer did not start: ${await new Response(child.stderr).text()}`);
    }
    await Bun.sleep(20);
  }
  const url = new URL(server_url);
  url.port = String(port);
  const restart = async (): Promise<void> => {
    await kill();
    child = run();
  };
  return { url: url.href, restart, stop };
}
