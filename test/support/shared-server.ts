// The server of a test file, opened and closed by hooks.
import { kept } from './kept.ts';
import { startTestServer, type TestServer } from './server.ts';

/** One server for all tests of the block. */
export const sharedServer = (env: Record<string, string> = {}): TestServer =>
  kept(
    'all',
    () => startTestServer(env),
    (server) => server.stop(),
  );
