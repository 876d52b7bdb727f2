// One PostgreSQL server in a temporary folder. It is gone with whoever started it, folder and all, however that one ends:
// a watchman waits at a pipe which the kernel closes, even after SIGKILL.
import { chownSync, cpSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Server {
  /** The URL of one of its databases; that of `postgres` is for whoever makes the others. */
  url(database: string): string;
  /** The URL of one of its databases, for a superuser; absent where we may not be one. */
  readonly root?: (database: string) => string;
  /** Whose the databases shall be. */
  readonly account: string;
  /** Ends the server and removes its folder; resolves once both are done. */
  stop(): Promise<void>;
}

/** Who runs the server: ourselves, unless we are root, which PostgreSQL refuses. */
export function account(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Bun.spawnSync(['id', flag, name]).stdout.toString().trim());
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

/** A port of the loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** Reads to the end of its input, ends the server that the folder names, and removes the folder; an initdb that is still
 * at work there makes the first attempts fail. */
const WATCHMAN = `cat >/dev/null
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
  rm -rf "$1" 2>/dev/null
  [ -e "$1" ] || exit 0
  sleep 0.1
done`;

export interface Watched {
  readonly home: string;
  /** Ends the server whose data lie in `data` there, and removes the folder. */
  end(): Promise<void>;
}

/** A temporary folder that outlives nobody. The watchman is in a session of its own: a signal to the group of the tests
 * must not end it before its work. */
export function watchedFolder(): Watched {
  const home = join(tmpdir(), `meshwork-pg-${crypto.randomUUID()}`);
  const watchman = Bun.spawn(['sh', '-c', WATCHMAN, 'sh', home], {
    cwd: '/',
    detached: true,
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  // It must not keep the process that it waits for.
  watchman.unref();
  // Made only now: a folder that stood before its watchman was left behind by a process that was killed in between.
  mkdirSync(home, { mode: 0o700 });
  const end = async (): Promise<void> => {
    await watchman.stdin.end();
    await watchman.exited;
  };
  return { home, end };
}

/** Programs that another account can reach: a checkout may lie where only root may look. */
function makeReachable(bin: string, home: string): string {
  if (!bin.includes('node_modules')) return bin;
  cpSync(dirname(bin), join(home, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(home, 'native/bin');
}

// A connection that a test lets fall silent stays open on this side: a file of such tests holds a hundred at its end.
const DURABLE = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300'];
/** What only a crash of the machine would need. */
const FORGETFUL = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'].flatMap((setting) => ['-c', setting]);

/** Who may do everything on the server, and who may not. */
const [ROOT, PLAIN] = ['meshwork', 'meshwork_plain'];

export interface ServerOptions {
  /** Whether it waits for the disk. */
  readonly durable: boolean;
  /** Whether its databases belong to an account without any other right. */
  readonly plain: boolean;
}

/** Starts a server from the programs in `bin`. */
export async function startServer(bin: string, { durable, plain }: ServerOptions): Promise<Server> {
  const { home, end } = watchedFolder();
  const who = account();
  const programs = who ? makeReachable(bin, home) : bin;
  if (who) chownSync(home, who.uid, who.gid);
  const as = who ? ['setpriv', `--reuid=${who.uid}`, `--regid=${who.gid}`, '--clear-groups'] : [];
  const data = join(home, 'data');
  const init = ['-D', data, '-U', ROOT, '-A', 'trust', '-E', 'UTF8', ...(durable ? [] : ['--no-sync'])];
  const made = Bun.spawnSync([...as, join(programs, 'initdb'), ...init], {
    cwd: home,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  if (made.exitCode !== 0) throw new Error(`initdb ended with ${made.exitCode}: ${made.stderr}`);
  const options = { cwd: home, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const;
  const settings = [...DURABLE, ...(durable ? [] : FORGETFUL), '-k', home];
  const { port, server } = await onFreePort(data, (to) =>
    Bun.spawn([...as, join(programs, 'postgres'), '-D', data, ...settings, '-p', String(to)], options),
  );
  server.unref();
  const owner = plain ? PLAIN : ROOT;
  if (plain) await waitUntilReached(urlOf(port, ROOT, 'postgres'), `CREATE ROLE ${PLAIN} LOGIN`);
  const url = (database: string): string => urlOf(port, database === 'postgres' ? ROOT : owner, database);
  return { url, root: (database) => urlOf(port, ROOT, database), account: owner, stop: end };
}

const urlOf = (port: number, account: string, database: string): string =>
  `postgres://${account}@127.0.0.1:${port}/${database}`;

/** How often a port is chosen anew when somebody else was quicker. */
const PORT_TRIES = 5;
/** The pause between two looks at a server that starts, and how many there are: a busy machine takes its time. */
const LOOK_MS = 50;
const LOOKS = 1_200;

/** Starts a server on a free port. Another program may take the port in between, even another server such as this one; so
 * who answers there is asked for its folder. */
async function onFreePort(
  data: string,
  start: (port: number) => Bun.Subprocess,
): Promise<{ port: number; server: Bun.Subprocess }> {
  for (let tries = 1; tries <= PORT_TRIES; tries++) {
    const port = await freePort();
    const server = start(port);
    if (await serves(urlOf(port, ROOT, 'postgres'), data, server)) return { port, server };
    server.kill();
    await server.exited;
  }
  throw new Error(`no server could be started in ${data}`);
}

/** Whether what answers under the address is the server of this folder; false once that has ended. */
async function serves(url: string, data: string, server: Bun.Subprocess): Promise<boolean> {
  for (let looks = 0; looks < LOOKS && server.exitCode === null; looks++) {
    try {
      await using sql = new Bun.SQL(url, { max: 1 });
      const [row] = await sql.unsafe('SHOW data_directory');
      return row.data_directory === data;
    } catch {
      await Bun.sleep(LOOK_MS);
    }
  }
  return false;
}

/** Resolves once the server has done the first thing that it was told. */
export async function waitUntilReached(url: string, first: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await using sql = new Bun.SQL(url, { max: 1 });
      await sql.unsafe(first);
      return;
    } catch (error) {
      if (tries === LOOKS) throw error;
      await Bun.sleep(LOOK_MS);
    }
  }
}
