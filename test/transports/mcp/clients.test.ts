// The official clients of the protocol, unmodified, each doing the main job from end to end: by every transport that there is, in both
// eras.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { doMainJob, type ToolClient } from '../../support/mcp-main-job.ts';
import { listenFor, type McpServer } from '../../support/mcp-server.ts';
import { openTestService, type TestService } from '../../support/testbed.ts';

const ENTRY = join(import.meta.dir, '../../../src/cli/meshwork.ts');
const INFO = { name: 'main-job', version: '1.0.0' };

/** A client that is there, and how it ends. */
interface Open extends ToolClient {
  readonly revision: string | undefined;
  /** Asks to be told of the inbox; `told` is called with each address that has changed. */
  listen(told: (uri: string) => void): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

const INBOX = 'mesh://inbox';

async function openOld(transport: Transport): Promise<Open> {
  const client = new Client(INFO);
  await client.connect(transport);
  return {
    revision: (transport as { protocolVersion?: string }).protocolVersion,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given) => client.callTool({ name, arguments: given }),
    listen: (told) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => told(params.uri));
      return client.subscribeResource({ uri: INBOX });
    },
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}

async function openNew(endpoint: URL, key: string, mode: 'legacy' | { pin: string }): Promise<Open> {
  const client = new NewClient(INFO, { versionNegotiation: { mode } });
  await client.connect(new NewHttp(endpoint, { requestInit: { headers: { 'X-API-Key': key } } }));
  return {
    revision: client.getNegotiatedProtocolVersion(),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given) => client.callTool({ name, arguments: given }),
    listen: (told) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => told(params.uri));
      return mode === 'legacy'
        ? client.subscribeResource({ uri: INBOX })
        : client.listen({ resourceSubscriptions: [INBOX] });
    },
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}

type Opening = (server: McpServer, key: string) => Promise<Open>;

const CLIENTS: Readonly<Record<string, { open: Opening; revision?: string }>> = {
  '@modelcontextprotocol/sdk over Streamable HTTP': {
    revision: '2025-11-25',
    open: ({ endpoint }, key) =>
      openOld(
        new StreamableHTTPClientTransport(endpoint, { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
      ),
  },
  '@modelcontextprotocol/sdk over SSE': {
    open: ({ url }, key) =>
      openOld(
        new SSEClientTransport(new URL(`${url}/mcp/sse`), {
          requestInit: { headers: { Authorization: `Bearer ${key}` } },
        }),
      ),
  },
  '@modelcontextprotocol/sdk over standard input and output': {
    open: ({ url }, key) =>
      openOld(
        new StdioClientTransport({
          command: process.execPath,
          args: [ENTRY, 'mcp'],
          env: { PATH: process.env['PATH'] ?? '', MESHWORK_URL: url, MESHWORK_API_KEY: key },
        }),
      ),
  },
  '@modelcontextprotocol/client in the era of handshakes': {
    revision: '2025-11-25',
    open: ({ endpoint }, key) => openNew(endpoint, key, 'legacy'),
  },
  '@modelcontextprotocol/client without sessions': {
    revision: '2026-07-28',
    open: ({ endpoint }, key) => openNew(endpoint, key, { pin: '2026-07-28' }),
  },
};

describe.each(Object.entries(CLIENTS))('%s', (_name, { open, revision }) => {
  let service: TestService;
  let server: McpServer;
  let agents: readonly TestAgent[];

  beforeAll(async () => {
    service = await openTestService();
    server = listenFor(service);
    agents = [
      await newAgent(service, { handle: 'north_frame', verified: true }),
      await newAgent(service, { handle: 'knit_nordic', verified: true }),
    ];
  });

  afterAll(async () => {
    await server.stop();
    await service.close();
  });

  test('does the main job', async () => {
    const [offerer, seeker] = await Promise.all(agents.map(({ key }) => open(server, key)));
    if (!offerer || !seeker) throw new Error('two clients were to be opened');
    if (revision !== undefined) expect([offerer.revision, seeker.revision]).toEqual([revision, revision]);
    await doMainJob(service, offerer, seeker);
    await Promise.all([offerer.close(), seeker.close()]);
  });

  test('is told of its inbox, and reads it', async () => {
    const [agent] = agents;
    if (!agent) throw new Error('there is an agent');
    const client = await open(server, agent.key);
    let told: string | null = null;
    await client.listen((uri) => {
      told = uri;
    });
    // A stream of its own may open after the subscription, and tells of what comes from then on.
    while (told === null) await service.call('POST', '/api/inbox/test', { key: agent.key });
    expect(told as string | null).toBe(INBOX);
    expect(JSON.stringify(await client.read(INBOX))).toContain('test.ping');
    await client.close();
  });

  test('is told of a wrong key', async () => {
    const wrong = `mesh_live_${'x'.repeat(43)}_abcdefg`;
    await expect(open(server, wrong)).rejects.toThrow();
  });
});
