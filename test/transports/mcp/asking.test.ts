// What this service asks of a client while a call of the older revisions runs: on the stream of the call, answered by another POST of
// the same caller and of nobody else. And what it tells on the way: progress and logs, to whom asked for them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ClientSide } from '../../../src/transports/mcp/client-requests.ts';
import type { OfferedTool } from '../../../src/transports/mcp/offer.ts';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { rpc, STATELESS, statelessMeta } from '../../support/mcp.ts';
import { CONFORMANCE } from '../../support/mcp-fixtures/overlay.ts';
import { listenFor, type McpServer } from '../../support/mcp-server.ts';
import { type McpStream, openMcpStream } from '../../support/mcp-stream.ts';
import { openTestService, type TestService } from '../../support/testbed.ts';

/** A tool with a flaw, behind an answer that has begun. */
const BROKEN: OfferedTool = {
  set: 'meta',
  extension: false,
  lacks: () => null,
  shown: {
    name: 'test_broken',
    title: 'Broken',
    description: 'Breaks',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  reach: () => 'reached',
  call: () => ({
    stream: async () => {
      throw new Error('a flaw');
    },
  }),
};

let t: TestService;
let server: McpServer;
let ada: TestAgent;
let bob: TestAgent;
beforeAll(async () => {
  const mcp = { ...CONFORMANCE, tools: (side: ClientSide) => [...(CONFORMANCE.tools?.(side) ?? []), BROKEN] };
  t = await openTestService({}, 'memory', { mcp });
  server = listenFor(t);
  ada = await newAgent(t, { handle: 'ada' });
  bob = await newAgent(t, { handle: 'bob' });
});
afterAll(async () => {
  await server.stop();
  await t.close();
});

const HANDSHAKE = '2025-11-25';

function send(key: string, message: object, revision = HANDSHAKE, headers = {}): RequestInit {
  return {
    method: 'POST',
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': revision,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  };
}

function callTool(name: string, params: object = {}, revision = HANDSHAKE): Promise<McpStream> {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: {}, ...params } };
  const headers = revision === STATELESS ? { 'Mcp-Method': 'tools/call', 'Mcp-Name': name } : {};
  return openMcpStream(server.endpoint.href, send(ada.key, message, revision, headers));
}

const answer = (key: string, id: unknown, result: unknown = { action: 'accept', content: { a: 1 } }) =>
  fetch(server.endpoint, send(key, { id, result }));

describe('a request to the client', () => {
  test('is answered by its own caller alone, once, and the call goes on', async () => {
    const stream = await callTool('test_elicitation', { arguments: { message: 'Who are you?' } });
    const asked = await stream.next();
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { message: 'Who are you?' } });
    expect((await answer(bob.key, asked.id)).status).toBe(400);
    expect((await answer(ada.key, 'guessed')).status).toBe(400);
    expect((await answer(ada.key, asked.id)).status).toBe(202);
    expect(await stream.next()).toMatchObject({
      id: 1,
      result: { content: [{ text: expect.stringContaining('accept') }] },
    });
    expect(await stream.nextEvent()).toBeNull();
    expect((await answer(ada.key, asked.id)).status).toBe(400);
  });

  test('that the client cannot do ends the call with what it said', async () => {
    const stream = await callTool('test_sampling', { arguments: { prompt: 'Hi' } });
    const { id } = await stream.next();
    const refusal = { code: -32601, message: 'no sampling here' };
    expect((await fetch(server.endpoint, send(ada.key, { id, error: refusal }))).status).toBe(202);
    expect(await stream.next()).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('no sampling here') },
    });
  });

  test('ends with the stream of its call, and after ten minutes', async () => {
    const left = await callTool('test_sampling', { arguments: { prompt: 'Hi' } });
    const { id } = await left.next();
    left.leave();
    // The connection's end reaches the service when it does.
    for (let status = 202; status === 202; ) status = (await answer(ada.key, id, 7)).status;
    const late = await callTool('test_sampling', { arguments: { prompt: 'Hi' } });
    await late.next();
    await t.advance(600_000);
    expect(await late.next()).toMatchObject({ id: 1, error: { code: -32603 } });
  });
});

describe('what is told on the way', () => {
  const methods = async (stream: McpStream): Promise<string[]> => {
    const seen: string[] = [];
    for (let event = await stream.nextEvent(); event; event = await stream.nextEvent()) {
      seen.push(JSON.parse(event.data).method ?? 'result');
    }
    return seen;
  };

  test('are logs from the level on that the caller set, which is nobody else’s', async () => {
    const logs = ['notifications/message', 'notifications/message', 'notifications/message', 'result'];
    expect(await methods(await callTool('test_tool_with_logging'))).toEqual(logs);
    expect((await rpc(t, 'logging/setLevel', { level: 'error' }, { key: ada.key })).body.result).toEqual({});
    await rpc(t, 'logging/setLevel', { level: 'debug' }, { key: bob.key });
    expect(await methods(await callTool('test_tool_with_logging'))).toEqual(['result']);
    expect((await rpc(t, 'logging/setLevel', { level: 'loud' }, { key: ada.key })).body.error.code).toBe(-32602);
  });

  test('is progress where there is a token for it, in either era', async () => {
    const params = { _meta: { ...statelessMeta(), progressToken: 'p1' } };
    const stream = await callTool('test_tool_with_progress', params, STATELESS);
    expect(await stream.next()).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p1', progress: 0, total: 100 },
    });
    const none = await callTool('test_tool_with_progress');
    expect(await methods(none)).toEqual(['result']);
  });
});

test('what breaks behind an answer that has begun ends that call alone, and says nothing of why', async () => {
  const stream = await callTool('test_broken');
  const ended = await stream.next();
  expect(ended).toMatchObject({ id: 1, error: { code: -32603 } });
  expect(JSON.stringify(ended)).not.toContain('a flaw');
  expect((await rpc(t, 'ping', {}, { key: ada.key })).body.result).toEqual({});
});
