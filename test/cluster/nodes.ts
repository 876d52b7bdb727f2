// Three server processes on one database, each behind its cutting proxy, so that a client keeps a node's address over the
// node's death and restart.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../sim/random.ts';
import { type ServerChild, startServer } from '../support/child.ts';
import { type CutProxy, cutProxy } from './cut-proxy.ts';

export const NODES = 3;
export const TOKEN = 'token-of-the-cluster-test';

/** What the fault test may take away; see node.ts. */
export type Without = 'version_check' | 'idempotency_row';

export interface Nodes {
  /** The address of a node, counted round. */
  url(n: number): string;
  kill(n: number): Promise<void>;
  restart(n: number): Promise<void>;
  pause(n: number, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Loses so great a share of all answers. */
  lose(share: number): void;
  lost(): number;
  stop(): Promise<void>;
}

/** How the nodes reach their database: with a pooler, they go around it to listen. */
interface Reached {
  readonly database_url: string;
  readonly pooled_url?: string | undefined;
  /** Whether the first leaves matching to the others. */
  readonly roles?: boolean | undefined;
}

/** Starts the nodes one after the other; the first one migrates. */
export async function startNodes(
  { database_url, pooled_url, roles = false }: Reached,
  seed: number,
  without?: Without,
): Promise<Nodes> {
  const home = mkdtempSync(join(tmpdir(), 'meshwork-cluster-'));
  const entry = without === undefined ? undefined : [new URL('./node.ts', import.meta.url).pathname, without];
  const pooled = pooled_url && { DATABASE_URL: pooled_url, DATABASE_DIRECT_URL: database_url };
  const env = { DATABASE_URL: database_url, ...pooled, INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1' };
  const proxies: CutProxy[] = [];
  const children: ServerChild[] = [];
  const at = <T>(list: readonly T[], n: number): T => {
    const item = list[n % NODES];
    if (item === undefined) throw new Error('there is no such node');
    return item;
  };
  const run = async (n: number): Promise<void> => {
    const role = roles && { ROLE: n % NODES === 0 ? 'web' : 'matching' };
    const child = await startServer(join(home, `node-${n}`), { ...env, ...role }, entry);
    children[n] = child;
    at(proxies, n).aim(Number(new URL(child.url).port));
  };
  for (let n = 0; n < NODES; n += 1) {
    mkdirSync(join(home, `node-${n}`));
    proxies.push(await cutProxy(new Random(seed, `proxy ${n}`)));
    await run(n);
  }
  return {
    url: (n) => at(proxies, n).url,
    kill: async (n) => {
      await at(children, n).end('SIGKILL');
    },
    restart: run,
    pause: (n, signal) => at(children, n).pause(signal),
    lose: (share) => {
      for (const proxy of proxies) proxy.lose(share);
    },
    lost: () => proxies.reduce((sum, proxy) => sum + proxy.lost(), 0),
    stop: async () => {
      await Promise.all(children.map((child) => child.end('SIGKILL')));
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      rmSync(home, { recursive: true, force: true });
    },
  };
}
