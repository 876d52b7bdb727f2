// What meshwork-client makes of servers that are busy, of answers that are lost, and of whatever else may stand at an address:
// a write is done once, a repetition ends, nothing is followed or read without an end.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { installedClient } from '../support/client-package.ts';
import { type Json, matchedPair, restClient } from '../support/rest-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

interface Stranger {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

const servers: ReturnType<typeof createServer>[] = [];

/** A server that gives one answer after the other, the last one again and again. */
async function stranger(...answers: readonly Answer[]): Promise<Stranger> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    answer?.(response, request);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, requests };
}

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const cuts: Answer = (_response, { socket }) => socket.destroy();
const refuses = (status: number, error: string, headers: Record<string, string> = {}): Answer =>
  says(status, { error, message: `It is ${error}.`, request_id: 'r-1' }, headers);

let MeshworkClient: Json;
let MeshworkError: Json;
beforeAll(async () => {
  const at = join(await installedClient(), 'node_modules/meshwork-client/esm/package.js');
  ({ MeshworkClient, MeshworkError } = await import(at));
}, 600_000);
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const client = ({ url }: { readonly url: string }, options: object = {}): Json =>
  new MeshworkClient({ url, api_key: 'mesh_live_a', ...options });
const errorOf = async (promise: Promise<unknown>): Promise<Json> => {
  const error = await promise.then(
    (value) => ({ answered: value }),
    (reason: unknown) => reason,
  );
  return error;
};
const keys = ({ requests }: Stranger) => requests.map(({ headers }) => headers['idempotency-key']);

describe('a write whose answer is lost', () => {
  let server: TestServer;
  let pair: Awaited<ReturnType<typeof matchedPair>>;
  beforeAll(async () => {
    server = await startTestServer({ INTERNAL_TOKEN: 'token-of-the-answers-test', TEST_CLOCK: '1' });
    pair = await matchedPair(restClient(server.url), 'token-of-the-answers-test');
  });
  afterAll(() => server.stop());

  /** Carries requests on to the server; answers of the first `lost` reach nobody. */
  const losing = (lost: number): Promise<Stranger> => {
    const carry =
      (drop: boolean): Answer =>
      async (response, request) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { host: _own, connection: _kept, ...headers } = request.headers as Record<string, string>;
        const init = { method: request.method, headers, body: chunks.length > 0 ? Buffer.concat(chunks) : undefined };
        const answer = await fetch(`${server.url}${request.url}`, init as RequestInit);
        const text = await answer.text();
        if (drop) cuts(response, request);
        else says(answer.status, text, Object.fromEntries(answer.headers.entries()))(response, request);
      };
    return stranger(...Array.from({ length: lost }, () => carry(true)), carry(false));
  };

  test('is repeated under the same key, and is done once', async () => {
    const proxy = await losing(2);
    const mesh = client(proxy, { api_key: pair.buyer.key });
    const { conversation_id } = pair;
    const sent = await mesh.message.send({ conversation_id, content: 'once only' });
    expect(sent).toMatchObject({ content: 'once only' });
    expect(proxy.requests).toHaveLength(3);
    expect(new Set(keys(proxy)).size).toBe(1);
    const { items } = await mesh.message.list({ conversation_id });
    expect(items.filter(({ content }: Json) => content === 'once only')).toHaveLength(1);
  });

  test('is repeated by its program under a key of its own, and is done once', async () => {
    const mesh = client(await losing(1), { api_key: pair.buyer.key, retries_max: 0 });
    const { conversation_id } = pair;
    const send = () => mesh.message.send({ conversation_id, content: 'mine' }, { idempotency_key: 'mine-1' });
    expect(await errorOf(send())).toMatchObject({ code: 'network_error', status: 0, operation: 'message.send' });
    expect(await send()).toMatchObject({ content: 'mine' });
    const { items } = await mesh.message.list({ conversation_id });
    expect(items.filter(({ content }: Json) => content === 'mine')).toHaveLength(1);
  });
});

describe('what passes by itself', () => {
  test.each([
    [429, 'rate_limited'],
    [503, 'overloaded'],
    [409, 'idempotency_in_flight'],
  ])('%d %s is asked again', async (status, error) => {
    const server = await stranger(refuses(status, error, { 'Retry-After': '0' }), says(200, { handle: 'ada' }));
    expect(await client(server).agent.read({ handle: 'ada' })).toEqual({ handle: 'ada' });
    expect(server.requests).toHaveLength(2);
  });

  test('a gateway that speaks HTML is asked again, as is a connection that was cut', async () => {
    const server = await stranger(says(502, '<html>', { 'Content-Type': 'text/html' }), cuts, says(200, {}));
    expect(await client(server).agent.create({ handle: 'ada' })).toEqual({});
    expect(keys(server)[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys(server)).size).toBe(1);
  });

  test('two writes have two keys', async () => {
    const server = await stranger(says(200, {}));
    await client(server).inbox.test();
    await client(server).inbox.test();
    expect(new Set(keys(server)).size).toBe(2);
  });

  test('the credential is asked for before each attempt', async () => {
    const server = await stranger(refuses(503, 'overloaded', { 'Retry-After': '0' }), says(200, {}));
    let asked = 0;
    const access_token = async (): Promise<string> => `token-${++asked}`;
    await client(server, { api_key: undefined, access_token }).agent.read({ handle: 'ada' });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test.each([
    [429, 'rate_limited', { 'Retry-After': '3600' }, 3600],
    [429, 'too_many_tries', {}, null],
    [503, 'provider_not_configured', {}, null],
    [500, 'internal', {}, null],
    [409, 'handle_taken', {}, null],
  ])('%d %s %j is told at once', async (status, error, headers, retry_after) => {
    const server = await stranger(refuses(status, error, headers));
    const told = await errorOf(client(server).inbox.test());
    expect(told).toBeInstanceOf(MeshworkError);
    expect(told).toMatchObject({ code: error, status, retry_after, request_id: 'r-1', operation: 'inbox.test' });
    expect(server.requests).toHaveLength(1);
  });

  test('has an end: after retries_max repetitions the last refusal is told', async () => {
    const server = await stranger(refuses(503, 'overloaded', { 'Retry-After': '0' }));
    expect(await errorOf(client(server, { retries_max: 1 }).inbox.test())).toMatchObject({ code: 'overloaded' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('what is no answer of the service', () => {
  test('a page is told as such, whatever its status', async () => {
    const page = (status: number, text: string) => stranger(says(status, text, { 'Content-Type': 'text/html' }));
    for (const [status, text] of [
      [200, '<html>'],
      [200, ''],
      [404, '<html>'],
      [500, ''],
    ] as const) {
      const told = await errorOf(client(await page(status, text)).inbox.test());
      expect(told).toMatchObject({ code: 'invalid_answer', status, operation: 'inbox.test' });
    }
  });

  test('an answer without an end is read no further than 16 MiB', async () => {
    let written = 0;
    const endless: Answer = (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) written += 65_536;
      };
      response.on('drain', more);
      more();
    };
    const told = await errorOf(client(await stranger(endless)).inbox.pull());
    expect(told).toMatchObject({ code: 'answer_too_large' });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test('a redirect is not followed, and takes no key along', async () => {
    const other = await stranger(says(200, {}));
    const server = await stranger((response) => {
      response.writeHead(302, { Location: `${other.url}/api/inbox` });
      response.end();
    });
    expect(await errorOf(client(server).inbox.pull())).toMatchObject({ code: 'redirected', status: 302 });
    expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  test('an error body of odd types is told without failing over it', async () => {
    const odd = { error: 'odd', message: { a: 1 }, fields: ['x', { path: 'a', message: 'b' }, null], how: 5 };
    const told = await errorOf(client(await stranger(says(400, odd))).inbox.test());
    const fields = [{ path: 'a', message: 'b' }];
    expect(told).toMatchObject({ code: 'odd', message: 'odd', fields, how: null, request_id: null });
  });

  test('a list that names the same page again ends, as does one that is no list', async () => {
    const list = client(await stranger(says(200, [1], { 'X-Next-Cursor': 'again' }))).conversation.list();
    const seen: unknown[] = [];
    const told = await errorOf(
      (async () => {
        for await (const item of list) seen.push(item);
      })(),
    );
    expect([seen, told.code]).toEqual([[1, 1], 'invalid_answer']);
    const none = client(await stranger(says(200, { items: [] }))).conversation.list();
    expect(await errorOf(none)).toMatchObject({ code: 'invalid_answer' });
  });

  test('an answer that never comes is a time-out, and one whose body never ends as well', async () => {
    const half: Answer = (response) => response.write('{');
    for (const answer of [() => undefined, half]) {
      const server = await stranger(answer);
      const told = await errorOf(client(server, { timeout_ms: 20, retries_max: 0 }).inbox.test());
      expect(told).toMatchObject({ code: 'timeout', status: 0 });
    }
  });

  test('an answer that was kept only as a receipt is told as done', async () => {
    const receipt = says(201, { receipt: true, status: 201 }, { 'Idempotent-Replayed': 'true' });
    expect(await errorOf(client(await stranger(receipt)).inbox.test())).toMatchObject({ code: 'not_kept' });
  });
});

describe('what the caller says', () => {
  test('a signal ends a call with its own reason, also between two attempts', async () => {
    const ending = new AbortController();
    const server = await stranger((response) => {
      refuses(503, 'overloaded', { 'Retry-After': '30' })(response, response.req);
      setImmediate(() => ending.abort(new Error('enough')));
    });
    const told = await errorOf(client(server).inbox.test({}, { signal: ending.signal }));
    expect([told.message, server.requests.length]).toEqual(['enough', 1]);
  });

  test.each(['..', '.', ''])('a name that would lead elsewhere is not sent: %j', async (handle) => {
    const server = await stranger(says(200, {}));
    const told = await errorOf(client(server).agent.read({ handle }));
    expect(told).toMatchObject({ code: 'invalid_input', status: 0, fields: [{ path: 'handle' }] });
    expect(server.requests).toEqual([]);
  });

  test('path, query and body each get their own, and who acts stands where the operation wants it', async () => {
    const server = await stranger(says(200, {}));
    const mesh = client(server, { agent: 'ada' });
    await mesh.listing.create({ headline: 'A/b' });
    await mesh.listing.create({ handle: 'bo', headline: 'A/b' });
    await mesh.inbox.pull({ after: 3, limit: undefined });
    await mesh.conversation.read({ conversation_id: 'a/b?c' }, { agent: 'cy' });
    await mesh.oauth.token({ grant_type: 'client_credentials', scope: 'a&b' });
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/agents/ada/cards',
      'POST /api/agents/bo/cards',
      'GET /api/inbox?after=3',
      'GET /api/conversations/a%2Fb%3Fc',
      'POST /oauth/token',
    ]);
    const types = server.requests.map(({ headers }) => headers['content-type']);
    expect(types.filter((type) => type !== undefined)).toEqual([
      'application/json',
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
    const acting = server.requests.map(({ headers }) => headers['x-agent-handle']);
    expect(acting).toEqual([undefined, undefined, 'ada', 'cy', undefined]);
    expect(server.requests.every(({ headers }) => headers['x-api-key'] === 'mesh_live_a')).toBe(true);
  });
});
