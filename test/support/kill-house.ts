// Servers of which one is killed in each round of a test: a machine that is started again, or two nodes of which the other goes on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, type ServerChild, startServer } from './child.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** Who serves in a round, and after it. */
export interface House {
  /** Who serves until it is killed in a round. */
  victim(round: number): ServerChild;
  /** Who serves once it was. */
  next(round: number): Promise<ServerChild>;
  /** Makes it whole for the next round. */
  mend(round: number): Promise<void>;
}

/** Where the houses of a test file stand. */
export interface Site {
  /** Null where there is none on this machine. */
  readonly postgres: PostgresServer | null;
  /** A machine with its own disk, which serves again after each kill. */
  oneMachine(env: Readonly<Record<string, string>>): Promise<House>;
  twoNodes(env: Readonly<Record<string, string>>): Promise<House>;
  /** Ends what is left; for `afterAll`. */
  clear(): void;
}

/** A site of its own for a test file. */
export async function openSite(): Promise<Site> {
  const postgres = await startPostgres();
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'meshwork-kill-'));
    folders.push(folder);
    return folder;
  };
  return {
    postgres,
    oneMachine: async (env) => {
      const data_dir = newFolder();
      let server = await startServer(data_dir, env);
      return {
        victim: () => server,
        next: async () => {
          server = await startServer(data_dir, env);
          return server;
        },
        mend: async () => {},
      };
    },
    twoNodes: async (env) => {
      const shared = { ...env, DATABASE_URL: (await postgres?.database()) ?? '' };
      const homes = [newFolder(), newFolder()];
      const start = (n: number): Promise<ServerChild> => startServer(homes[n % 2] ?? '', shared);
      // One after the other: the first makes the tables.
      const first = await start(0);
      const nodes = [first, await start(1)];
      const node = (n: number): ServerChild => nodes[n % 2] ?? first;
      return {
        victim: node,
        next: async (round) => node(round + 1),
        mend: async (round) => {
          nodes[round % 2] = await start(round);
        },
      };
    },
    clear: () => {
      endServers();
      postgres?.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
