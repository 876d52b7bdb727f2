// A PostgreSQL of the tests' own, found on the machine and run in a temporary folder: the server's binary by its usual
// places, under an unprivileged user where the tests run as root, which PostgreSQL refuses.
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const PLACES = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt'];

export interface PostgresServer {
  /** Makes an empty database and answers its URL. */
  database(): Promise<string>;
  stop(): void;
}

/** The folder of initdb and postgres, or null when the machine has none. */
function postgresBinaries(): string | null {
  const versions = PLACES.filter((place) => existsSync(place)).flatMap((place) =>
    readdirSync(place)
      .filter((name) => /\d/.test(name))
      .sort((a, b) => Number.parseInt(b.replace(/\D/g, ''), 10) - Number.parseInt(a.replace(/\D/g, ''), 10))
      .map((name) => join(place, name, 'bin')),
  );
  const path = (process.env.PATH ?? '').split(delimiter);
  return (
    [...versions, ...path].find((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres'))) ?? null
  );
}

/** Who runs the server: ourselves, unless we are root. */
function account(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Bun.spawnSync(['id', flag, name]).stdout.toString().trim());
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** Starts a server; null, with a loud line, where there is none to start. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const bin = postgresBinaries();
  if (bin === null) {
    console.warn('SKIPPED: no PostgreSQL on this machine (initdb and postgres are in no usual place)');
    return null;
  }
  const home = mkdtempSync(join(tmpdir(), 'meshwork-pg-'));
  const who = account();
  if (who) chownSync(home, who.uid, who.gid);
  const data = join(home, 'data');
  const as = who ? ['setpriv', `--reuid=${who.uid}`, `--regid=${who.gid}`, '--clear-groups'] : [];
  const options = { cwd: home, stdout: 'ignore', stderr: 'ignore' } as const;
  const made = Bun.spawnSync(
    [...as, join(bin, 'initdb'), '-D', data, '-U', 'meshwork', '-A', 'trust', '-E', 'UTF8'],
    options,
  );
  if (made.exitCode !== 0) throw new Error(`initdb ended with ${made.exitCode}`);
  const port = await freePort();
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=100', '-k', home, '-p', String(port)];
  const server = Bun.spawn([...as, join(bin, 'postgres'), '-D', data, ...settings], options);
  const url = (name: string): string => `postgres://meshwork@127.0.0.1:${port}/${name}`;
  await reached(url('postgres'));
  let databases = 0;
  return {
    database: async () => {
      const name = `test_${++databases}`;
      await using sql = new Bun.SQL(url('postgres'), { max: 1 });
      await sql.unsafe(`CREATE DATABASE ${name}`);
      return url(name);
    },
    stop: () => {
      server.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function reached(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await using sql = new Bun.SQL(url, { max: 1 });
      await sql.unsafe('SELECT 1');
      return;
    } catch (error) {
      if (tries === 200) throw error;
      await Bun.sleep(50);
    }
  }
}

/** Whether the scenarios run on PostgreSQL. The server is started before any test, whose time it would take otherwise. */
export const onPostgres = process.env.TEST_STORE === 'postgres';
const shared = onPostgres ? await startPostgres() : null;
if (shared) process.on('exit', () => shared.stop());

/** An empty database on a server that lives as long as the test process. */
export async function sharedDatabase(): Promise<string> {
  if (!shared) throw new Error('TEST_STORE=postgres is not set, or this machine has no PostgreSQL');
  return shared.database();
}
