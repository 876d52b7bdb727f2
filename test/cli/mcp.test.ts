// `meshwork mcp` as a client starts it: a real process between a real server on loopback and lines on its standard input.
// Standard output is the protocol's alone, the key goes to the server and nowhere else, and what HTTP refuses by a status is
// the answer to its request.
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { httpHeaders, mcpSettings } from '../../src/cli/mcp.ts';

const ENTRY = join(import.meta.dir, '../../src/cli/meshwork.ts');
const KEY = 'mesh_live_secretsecretsecretsecretsecretsecretsec_abcdefg';
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Message = Record<string, unknown>;

interface Seen {
  readonly request: Request;
  readonly message: Message;
}

const seen: Seen[] = [];
const cut = Promise.withResolvers<void>();

const sse = (text: string): Response => new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });

/** How the server of these tests answers, by method. */
const ANSWERS: Record<string, (id: unknown, request: Request) => Response> = {
  initialize: (id) => Response.json({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } }),
  'tools/list': (id) => Response.json({ jsonrpc: '2.0', id, result: { tools: [] } }),
  'tools/call': (id) =>
    Response.json({ jsonrpc: '2.0', id, error: { code: -31403, message: 'no scope' } }, { status: 403 }),
  'prompts/list': () => new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
  'resources/read': () => sse(': open\n\n'),
  'resources/list': () => Response.redirect('http://127.0.0.1:9/elsewhere', 307),
  echo: () => new Response(`who sent ${KEY}?`, { status: 500 }),
  'subscriptions/listen': (id, request) => {
    request.signal.addEventListener('abort', () => cut.resolve());
    const note = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { about: id } };
    const open = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(note)}\n\n`)),
    });
    return new Response(open, { headers: { 'Content-Type': 'text/event-stream' } });
  },
};

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  // What nobody cuts stays open.
  idleTimeout: 0,
  fetch: async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const message: Message = await request.json();
    seen.push({ request, message });
    if (message.id === undefined) return new Response(null, { status: 202 });
    const answer = ANSWERS[String(message.method)];
    return answer ? answer(message.id, request) : new Response('unknown', { status: 404 });
  },
});
afterAll(() => server.stop(true));

interface Child {
  send(message: Message): void;
  /** The next message that the child prints. */
  next(): Promise<Message>;
  /** Closes its input; answers how it ended, and all that it printed as errors. */
  end(): Promise<{ status: number; err: string; rest: Message[] }>;
}

function startChild(env: Record<string, string> = {}): Child {
  const child = Bun.spawn([process.execPath, ENTRY, 'mcp'], {
    env: { PATH: process.env.PATH ?? '', MESHWORK_URL: `${server.url}`, MESHWORK_API_KEY: KEY, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<Message | null> => {
    for (;;) {
      const end = text.indexOf('\n');
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return JSON.parse(line);
      }
      const { done, value } = await lines.read();
      if (done) return null;
      text += value;
    }
  };
  return {
    send: (message) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      child.stdin.flush();
    },
    next: async () => {
      const message = await next();
      if (!message) throw new Error(`the child ended: ${await new Response(child.stderr).text()}`);
      return message;
    },
    end: async () => {
      child.stdin.end();
      const rest: Message[] = [];
      for (let message = await next(); message; message = await next()) rest.push(message);
      const [status, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
      return { status, err, rest };
    },
  };
}

describe('settings', () => {
  test.each([
    [{ MESHWORK_API_KEY: KEY }, 'MESHWORK_URL is not set'],
    [{ MESHWORK_API_KEY: KEY, MESHWORK_URL: 'file:///etc/passwd' }, 'MESHWORK_URL must be a URL'],
    [{ MESHWORK_API_KEY: KEY, MESHWORK_URL: 'https://ada:secret@mesh.example' }, 'must not hold a name or password'],
    [{ MESHWORK_URL: 'https://mesh.example' }, 'MESHWORK_API_KEY is not set'],
    [{ MESHWORK_URL: 'https://mesh.example', MESHWORK_API_KEY: 'se\ncret' }, 'characters that no key has'],
  ])('%o is told by the name of the variable, and no secret', (env, line) => {
    const read = mcpSettings(env);
    expect(read).toContain(line);
    expect(read).not.toMatch(/secret|cret/);
  });

  test.each([
    ['https://mesh.example', 'https://mesh.example/mcp'],
    ['https://mesh.example/', 'https://mesh.example/mcp'],
    ['https://mesh.example/mcp', 'https://mesh.example/mcp'],
    ['https://mesh.example/behind/a/proxy/', 'https://mesh.example/behind/a/proxy/mcp'],
  ])('%s leads to %s', (MESHWORK_URL, endpoint) => {
    const read = mcpSettings({ MESHWORK_URL, MESHWORK_API_KEY: KEY });
    expect(typeof read === 'string' ? read : read.endpoint.href).toBe(endpoint);
  });

  test('a missing key ends it with status 2, one line and an empty output', async () => {
    const { status, err, rest } = await startChild({ MESHWORK_API_KEY: '' }).end();
    expect([status, rest]).toEqual([2, []]);
    expect(err).toBe(
      'meshwork: MESHWORK_API_KEY is not set; it takes the API key of an agent or an account. Or unset both and run meshwork login URL once\n',
    );
  });
});

describe('headers of the revision without sessions', () => {
  const call = { method: 'tools/call', params: { name: 'mesh_find_matches', _meta: MODERN } };

  test('are made of the body, in Base64 where a header cannot carry a name', () => {
    const plain = Object.fromEntries(httpHeaders(call));
    expect(plain).toEqual({
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'mesh_find_matches',
    });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const named = httpHeaders({ method, params: { taskId: 'proposal.propose:7', _meta: MODERN } });
      expect(named).toContainEqual(['Mcp-Name', 'proposal.propose:7']);
    }
    const odd = { method: 'resources/read', params: { uri: 'mesh://ä\r\nX: y', _meta: MODERN } };
    expect(Object.fromEntries(httpHeaders(odd))['Mcp-Name']).toBe(
      `=?base64?${Buffer.from('mesh://ä\r\nX: y').toString('base64')}?=`,
    );
  });

  test('are not sent with older messages', () => {
    expect(httpHeaders({ method: 'tools/call', params: { name: 'mesh_find_matches' } })).toEqual([]);
    expect(httpHeaders({ jsonrpc: '2.0', id: 1, result: {} })).toEqual([]);
  });
});

describe('messages', () => {
  test('are handed on with the key, and the revision that was agreed on', async () => {
    seen.length = 0;
    const child = startChild();
    child.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    expect(await child.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } });
    child.send({ method: 'notifications/initialized' });
    child.send({ id: 'two', method: 'tools/list' });
    expect(await child.next()).toMatchObject({ id: 'two', result: { tools: [] } });
    expect(await child.end()).toEqual({ status: 0, err: '', rest: [] });
    const list = seen.find(({ message }) => message.method === 'tools/list');
    expect(list?.request.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    expect(list?.request.headers.get('mcp-protocol-version')).toBe('2025-11-25');
  });

  test('that are refused by a status are answered with what the refusal says', async () => {
    const child = startChild();
    child.send({ id: 1, method: 'tools/call', params: { name: 'x', _meta: MODERN } });
    expect(await child.next()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -31403, message: 'no scope' } });
    const { request } = seen.at(-1) as Seen;
    expect([request.headers.get('mcp-method'), request.headers.get('mcp-name')]).toEqual(['tools/call', 'x']);
    await child.end();
  });

  test.each([
    ['prompts/list', 'a page of HTML'],
    ['resources/read', 'a stream that breaks off'],
    ['resources/list', 'a redirect to another server'],
    ['echo', 'an error that holds the key'],
  ])('that %s meets with %s are answered with an error that never holds the key', async (method) => {
    const child = startChild();
    child.send({ id: 7, method });
    const answer = await child.next();
    expect(answer).toMatchObject({ id: 7, error: { code: -32603 } });
    const { err, status, rest } = await child.end();
    expect([status, rest]).toEqual([0, []]);
    expect(JSON.stringify(answer) + err).not.toContain('secret');
  });

  test('to a server that is not there are answered, and told in one line', async () => {
    const child = startChild({ MESHWORK_URL: 'http://127.0.0.1:9' });
    child.send({ id: 1, method: 'tools/list' });
    expect(await child.next()).toMatchObject({ id: 1, error: { code: -32603 } });
    const { err } = await child.end();
    expect(err).toMatch(/^meshwork mcp: http:\/\/127\.0\.0\.1:9 cannot be reached: [^\n]*\n$/);
  });

  test('that wait when the input ends are answered before it leaves', async () => {
    const child = startChild();
    child.send({ id: 1, method: 'tools/list' });
    const { status, rest } = await child.end();
    expect(status).toBe(0);
    expect(rest).toEqual([{ jsonrpc: '2.0', id: 1, result: { tools: [] } }]);
  });

  test('what is no message is told in one line, and the next one is still handed on', async () => {
    const child = startChild();
    child.send({ method: 7 });
    child.send({ id: 1, method: 'tools/list' });
    expect(await child.next()).toMatchObject({ id: 1 });
    expect((await child.end()).err).toBe('meshwork mcp: a line came in that is no message of JSON-RPC 2.0\n');
  });
});

describe('subscriptions of the revision without sessions', () => {
  test('are cut where the client cancels them', async () => {
    const child = startChild();
    child.send({ id: 3, method: 'subscriptions/listen', params: { notifications: {}, _meta: MODERN } });
    expect(await child.next()).toMatchObject({ params: { about: 3 } });
    child.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
    await cut.promise;
    expect(await child.end()).toMatchObject({ status: 0, rest: [] });
  });

  test('that the server ends are told as cancelled, since no client sees a stream end here', async () => {
    const answer = ANSWERS['subscriptions/listen'];
    ANSWERS['subscriptions/listen'] = () => sse(': bye\n\n');
    const child = startChild();
    child.send({ id: 3, method: 'subscriptions/listen', params: { notifications: {}, _meta: MODERN } });
    expect(await child.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 3 } });
    if (answer) ANSWERS['subscriptions/listen'] = answer;
    await child.end();
  });
});
