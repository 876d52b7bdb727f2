// The service of a test file, opened and closed by hooks.
import { AUTHORITY } from './authority.ts';
import { kept } from './kept.ts';
import type { PostgresServer } from './postgres.ts';
import { openTestNodes } from './test-nodes.ts';
import { openTestService, type TestService } from './testbed.ts';

type Given = Parameters<typeof openTestService>;

/** One service for all tests of the file. */
export const sharedService = (...given: Given): TestService =>
  kept(
    'all',
    () => openTestService(...given),
    (t) => t.close(),
  );

/** A service of its own for each test of the file. */
export const freshService = (...given: Given): TestService =>
  kept(
    'each',
    () => openTestService(...given),
    (t) => t.close(),
  );

/** Two nodes on one database for all tests of the block, which is skipped where there is no server. */
export function sharedNodes(server: PostgresServer | null): readonly [one: TestService, other: TestService] {
  let nodes: ReturnType<typeof openTestNodes> | undefined;
  const open = async (at: 0 | 1): Promise<TestService> => {
    if (!server) throw new Error('there is no PostgreSQL');
    nodes ??= openTestNodes(server);
    return (await nodes)[at];
  };
  const node = (at: 0 | 1): TestService =>
    kept(
      'all',
      () => open(at),
      (t) => t.close(),
    );
  return [node(0), node(1)];
}

interface Outside {
  readonly port: number;
  close(): Promise<void>;
}

/** By which name in the DNS of a test its own servers are reached. */
export const OUTSIDE_HOST = 'receivers.example';

/** One service for all tests of the file, which reaches a server of the file's own. */
export function sharedServiceReaching<S extends Outside>(
  start: () => Promise<S>,
  settings: Given[0] = {},
): { readonly t: TestService; readonly server: S } {
  let started: S | undefined;
  const server = kept(
    'all',
    async () => {
      started = await start();
      return started;
    },
    async () => {},
  );
  const t = kept(
    'all',
    async () => {
      const allow = [{ host: OUTSIDE_HOST, port: server.port }];
      const outside = { allow, ca: AUTHORITY };
      const opened = await openTestService(settings, 'memory', { outside }).catch(async (error: unknown) => {
        await server.close();
        throw error;
      });
      opened.zone.setAddresses(OUTSIDE_HOST, ['127.0.0.1']);
      return opened;
    },
    async (opened) => {
      await opened.close();
      await started?.close();
    },
  );
  return { t, server };
}
