// The edges of HTTP, on a real socket with bytes that no client library would send: whatever comes, the answer is an
// error body with a request id, or Bun's own bare refusal of what is not HTTP at all; and the server goes on serving.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { INPUT_MAX } from '../../src/pipeline/validate.ts';
import { type RawAnswer, rawRequest, rawText } from '../support/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const START = '/api/auth/signup/start';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ APP_URL: 'https://app.meshwork.test/home' });
});

afterAll(async () => {
  // A server that some test broke must not pass.
  const [alive] = await rawRequest(server.port, [rawText('GET', '/healthz')]);
  await server.stop();
  expect(alive?.status).toBe(200);
});

async function one(...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const [answer] = await rawRequest(server.port, parts);
  if (!answer) throw new Error('no answer');
  return answer;
}

/** An error body of ours, with its id in the header as well. */
function expectError(answer: RawAnswer, status: number, error: string): void {
  const body: Record<string, unknown> = JSON.parse(answer.body);
  expect({ status: answer.status, error: body['error'] }).toEqual({ status, error });
  expect(answer.headers['content-type']).toBe('application/json');
  expect(body['request_id']).toBe(answer.headers['x-request-id'] ?? 'no header');
  expect(body['message']).toBeString();
}

describe('a body', () => {
  const post = (body: string, headers: Record<string, string> = JSON_TYPE): string =>
    rawText('POST', START, headers, body);

  test.each([
    ['cut off', '{"email":', 'invalid_json'],
    ['with a trailing comma', '{"email":"a@b.test",}', 'invalid_json'],
    ['with two values', '{} {}', 'invalid_json'],
    ['of another language', 'email=a@b.test', 'invalid_json'],
    ['that is an array', '[]', 'invalid_request'],
    ['that is null', 'null', 'invalid_request'],
    ['that is text', '"email"', 'invalid_request'],
    ['that lacks a field', '{}', 'invalid_request'],
    ['with a wrong type', '{"email":7}', 'invalid_request'],
    ['with a lone surrogate', '{"email":"\\ud800@b.test"}', 'invalid_request'],
    ['with NUL', '{"email":"a\\u0000@b.test"}', 'invalid_request'],
  ])('%s is refused', async (_name, body, error) => expectError(await one(post(body)), 400, error));

  test('of wrong fields names them', async () => {
    const { body } = await one(post('{"email":7,"client_name":[]}'));
    const paths = (JSON.parse(body).fields as { path: string }[]).map(({ path }) => path);
    expect(paths).toEqual(['email', 'client_name']);
  });

  test('with an improper key of a hundred thousand letters is told so in few words', async () => {
    const answer = await one(post(`{"${'long'.repeat(25_000)}\\u0000":1}`));
    expectError(answer, 400, 'invalid_request');
    expect(JSON.parse(answer.body).fields[0].path).toBe(`${'long'.repeat(50)}…`);
    expect(answer.body.length).toBeLessThan(1_000);
  });

  test('that is empty is the same as {}', async () => {
    const bare = await one(rawText('POST', START, JSON_TYPE));
    const empty = await one(rawText('POST', START, { 'Content-Length': '0' }));
    for (const answer of [bare, empty]) expectError(answer, 400, 'invalid_request');
  });

  test('of invalid UTF-8 is refused, a byte order mark is not', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"email":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
    const head = rawText('POST', START, { ...JSON_TYPE, 'Content-Length': String(bytes.length) });
    expectError(await one(head, bytes), 400, 'invalid_json');
    expect((await one(post('\ufeff{"email":"bom@b.test"}'))).status).toBe(200);
  });

  test.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('of the type "%s" is refused', async (type) => {
    const answer = await one(post('{"email":"a@b.test"}', type ? { 'Content-Type': type } : {}));
    expectError(answer, 400, 'invalid_content_type');
  });

  test('may have a JSON type with parameters', async () => {
    const type = 'Application/JSON; charset=utf-8';
    expect((await one(post('{"email":"ct@b.test"}', { 'Content-Type': type }))).status).toBe(200);
  });

  test('with fields of our own words is only a body', async () => {
    const body = '{"fault":"internal","error":"x","__proto__":{"email":"p@b.test"},"constructor":{}}';
    expectError(await one(post(body)), 400, 'invalid_request');
  });

  test('on GET is ignored, and the next request is answered', async () => {
    const both = rawText('GET', '/healthz', JSON_TYPE, '{"a":1}') + rawText('GET', '/healthz');
    expect((await rawRequest(server.port, [both], { count: 2 })).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('an over-long body', () => {
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const chunked = `POST ${START} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

  test.each([INPUT_MAX + 1, 17_000_000, 1e12])('of %d announced bytes is refused unread', async (length) => {
    const head = rawText('POST', START, { ...JSON_TYPE, 'Content-Length': String(length) });
    expectError(await one(head), 413, 'payload_too_large');
  });

  test('in chunks is cut off as soon as it is too long', async () => {
    expectError(await one(chunked, ...Array.from({ length: 5 }, () => chunk)), 413, 'payload_too_large');
    expectError(await one(chunked, ...Array.from({ length: 300 }, () => chunk)), 413, 'payload_too_large');
  });

  test('leaves the connection usable', async () => {
    const body = 'x'.repeat(INPUT_MAX + 1);
    const head = rawText('POST', START, { ...JSON_TYPE, 'Content-Length': String(body.length) });
    const answers = await rawRequest(server.port, [head, body, rawText('GET', '/healthz')], { count: 2 });
    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  });

  test('of exactly the limit is read', async () => {
    const start = '{"email":"full@b.test","pad":"';
    const body = `${start}${'x'.repeat(INPUT_MAX - start.length - 2)}"}`;
    expect((await one(rawText('POST', START, JSON_TYPE, body))).status).toBe(200);
  });
});

describe('a path', () => {
  test.each(['/nope', '//healthz', '/api%2fagents', '/api/agents/x/y/z', '/HEALTHZ', '/%zz', '/api/auth/%00'])(
    '%s that leads nowhere is 404',
    async (path) => expectError(await one(rawText('GET', path)), 404, 'not_found'),
  );

  test.each(['%zz', '%', '%00', '%ff%fe', 'a%00b', "'--", '%F0%9F%92%A9'])(
    'with the handle %s is nobody, and no fault of ours',
    async (handle) => {
      for (const path of [`/api/agents/public/${handle}`, `/api/agents/check/${handle}`]) {
        const answer = await one(rawText('GET', path));
        if (answer.status !== 200) expect([400, 404]).toContain(answer.status);
      }
    },
  );

  test('takes a slash at its end or none', async () => {
    for (const path of ['/healthz', '/healthz/', '/api/billing/plans', '/api/billing/plans/']) {
      expect((await one(rawText('GET', path))).status).toBe(200);
    }
  });

  test('with bytes that are no UTF-8, escaped or not, is nobody', async () => {
    for (const bytes of ['\xff', 'caf\xc3', '\xed\xa0\x80', '%ff', '%C0%AF']) {
      const request = Buffer.from(rawText('GET', `/api/agents/public/${bytes}`), 'latin1');
      const [answer] = await rawRequest(server.port, [request]);
      expect([400, 404]).toContain(answer?.status ?? 0);
    }
  });

  test('with two dots is resolved before it is looked up', async () => {
    expect((await one(rawText('GET', '/api/x/../../healthz'))).status).toBe(200);
    expectError(await one(rawText('GET', '/api/agents/%2e%2e')), 404, 'not_found');
  });

  test('with a repeated query parameter takes the last', async () => {
    const [first, last] = await Promise.all(
      ['q=zz&q=se', 'q=se'].map((query) => one(rawText('GET', `/api/labels?${query}`))),
    );
    expect(first?.status).toBe(200);
    expect(first?.body).toBe(last?.body ?? '');
  });

  test('with NUL in its query names the field', async () => {
    const answer = await one(rawText('GET', '/api/labels?q=a%00b'));
    expectError(answer, 400, 'invalid_request');
    expect(JSON.parse(answer.body).fields).toEqual([{ path: 'q', message: 'must be well-formed Unicode without NUL' }]);
  });
});

describe('a method', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PROPFIND', 'TRACE', 'HEAD'])(
    '%s where there is only POST is 405',
    async (method) => {
      const [answer] = await rawRequest(server.port, [rawText(method, START)], { bodiless: method === 'HEAD' });
      expect(answer?.headers['allow']).toBe('POST, OPTIONS');
      expect(answer?.headers['x-request-id']).toBeString();
      if (answer && method !== 'HEAD') expectError(answer, 405, 'method_not_allowed');
    },
  );

  test('HEAD answers as GET does, without the body', async () => {
    const [head] = await rawRequest(server.port, [rawText('HEAD', '/api/billing/plans')], { bodiless: true });
    const get = await one(rawText('GET', '/api/billing/plans'));
    expect(head?.status).toBe(200);
    expect(head?.headers['content-type']).toBe(get.headers['content-type'] ?? '');
  });

  test('HEAD reads no inbox: it would be marked as read without having been seen', async () => {
    const [answer] = await rawRequest(server.port, [rawText('HEAD', '/api/inbox')], { bodiless: true });
    expect(answer?.status).toBe(405);
    expect(answer?.headers['allow']).not.toContain('HEAD');
  });

  test('OPTIONS tells what the path takes', async () => {
    const answer = await one(rawText('OPTIONS', '/api/agents'));
    expect([answer.status, answer.headers['allow']]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
  });
});

describe('the Host header', () => {
  test.each(['Host: a\r\nHost: b', 'Host: a\r\nHost: a', 'Host: a/../b', 'Host: a@b', 'Host: a b', 'Host: a?b'])(
    '%j is refused before the path is looked at',
    async (host) => {
      for (const path of ['/healthz', '/nope']) {
        expectError(await one(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`), 400, 'invalid_request');
      }
    },
  );

  test.each(['a', 'web', 'localhost:80', '[::1]:3000', '127.0.0.1', 'xn--bcher-kva.example'])(
    '%s is fine',
    async (host) => {
      expect((await one(rawText('GET', '/healthz', { Host: host }))).status).toBe(200);
    },
  );

  test('may not be missing', async () => {
    expect((await one('GET /healthz HTTP/1.1\r\n\r\n')).status).toBe(400);
  });
});

describe('a connection', () => {
  test('answers pipelined requests in their order', async () => {
    const all = rawText('GET', '/healthz') + rawText('POST', START, JSON_TYPE, '{}') + rawText('GET', '/nope');
    expect((await rawRequest(server.port, [all], { count: 3 })).map(({ status }) => status)).toEqual([200, 400, 404]);
  });

  test('is told to go on when it asks', async () => {
    const head = rawText('POST', START, { ...JSON_TYPE, Expect: '100-continue', 'Content-Length': '2' });
    expect((await rawRequest(server.port, [head, '{}'])).map(({ status }) => status)).toEqual([100, 400]);
  });

  test('that drops in the middle of a body stores nothing', async () => {
    const body = '{"email":"dropped@b.test"}';
    const head = rawText('POST', START, { ...JSON_TYPE, 'Content-Length': String(body.length + 20) });
    expect(await rawRequest(server.port, [head, body], { drop: true })).toEqual([]);
    const token = (await Bun.file(`${server.data_dir}/internal-token`).text()).trim();
    const outbox = rawText('GET', '/internal/outbox?to=dropped@b.test', { 'X-Internal-Token': token });
    const answer = await one(outbox);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain('dropped@b.test');
  });

  test.each([
    ['garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['two lengths', `POST ${START} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
    [
      'a length and chunks',
      `POST ${START} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a negative length', rawText('POST', START, { 'Content-Length': '-1' })],
    ['NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'],
    ['an endless address', rawText('GET', `/healthz?${'a'.repeat(20_000)}`)],
    ['endless headers', rawText('GET', '/healthz', { X: 'a'.repeat(20_000) })],
  ])('with %s is refused by Bun itself', async (_name, bytes) => {
    const { status } = await one(bytes);
    expect([400, 431]).toContain(status);
  });
});

describe('a page of another origin', () => {
  const ask = (path: string, method: string, origin: string): Promise<RawAnswer> =>
    one(
      rawText('OPTIONS', path, {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'x-api-key',
      }),
    );

  test('reads what needs no credential', async () => {
    const preflight = await ask('/api/labels?q=a', 'GET', 'https://elsewhere.test');
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    const answer = await one(rawText('GET', '/api/labels?q=a', { Origin: 'https://elsewhere.test' }));
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  test('reads and sends nothing else', async () => {
    const preflight = await ask('/api/agents', 'POST', 'https://elsewhere.test');
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const answer = await one(rawText('GET', '/api/agents', { Origin: 'https://elsewhere.test' }));
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('that is the web app may do all', async () => {
    const preflight = await ask('/api/agents', 'POST', 'https://app.meshwork.test');
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.meshwork.test',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'x-api-key',
      vary: 'Origin',
    });
  });
});
