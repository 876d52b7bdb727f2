// A service of a test on a socket of the loopback, for clients that want one.
import type { TestService } from './testbed.ts';

export interface McpServer {
  /** Where it listens, with `/mcp` at its end. */
  readonly endpoint: URL;
  readonly url: string;
  stop(): Promise<void>;
}

/** Listens; `headers` are put on each request, for clients that cannot be told of any. */
export function listenFor(test: Pick<TestService, 'fetch'>, headers: Readonly<Record<string, string>> = {}): McpServer {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // Streams are idle for as long as nothing happens.
    idleTimeout: 0,
    fetch: (request) => {
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return test.fetch(request);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return { url, endpoint: new URL(`${url}/mcp`), stop: () => server.stop(true) };
}
