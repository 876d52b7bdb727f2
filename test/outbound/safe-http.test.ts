// The safe client against real receivers, a real DNS and real certificates: each outcome as it is specified, nothing
// hangs beyond its deadline, nothing is read beyond its cap.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createDns } from '../../src/outbound/dns.ts';
import { createSafeHttp, type SafeHttp, type SafeRequest } from '../../src/outbound/safe-http/safe-http.ts';
import { AUTHORITY, EXPIRED, OTHER, RECEIVERS } from '../support/authority.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import {
  type Receiver,
  startEndlessListener,
  startInterimListener,
  startReceiver,
  startResettingListener,
  startSilentListener,
} from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';

const DEADLINE_MS = 1_000;
const CAP_BYTES = 65_536;
/** What a busy machine may add to a deadline: what no deadline ends goes on until the test is given up. */
const GRACE_MS = 20_000;

let dns: DnsServer;
let receiver: Receiver;
const others: Record<string, { port: number; close(): Promise<void> }> = {};
let http: SafeHttp;

beforeAll(async () => {
  dns = await startDnsServer({
    'receivers.example': { a: ['127.0.0.1'] },
    'two.receivers.example': { a: ['127.0.0.2', '127.0.0.1'] },
    'silent.receivers.example': { trouble: 'silence' },
    'broken.receivers.example': { trouble: 'servfail' },
    'empty.receivers.example': {},
  });
  receiver = await startReceiver();
  others['other'] = await startReceiver(OTHER);
  others['expired'] = await startReceiver(EXPIRED);
  others['self'] = await startReceiver({ cert: CERTIFICATE, key: CERTIFICATE_KEY });
  others['mute'] = await startSilentListener();
  others['rst'] = await startResettingListener();
  const ports = [receiver, ...Object.values(others)].map(({ port }) => port);
  const hosts = ['receivers.example', 'two.receivers.example', 'silent.receivers.example', 'broken.receivers.example'];
  http = createSafeHttp({
    dns: createDns([dns.address]),
    allow: [...hosts, 'gone.receivers.example'].flatMap((host) => [...ports, 1].map((port) => ({ host, port }))),
    ca: AUTHORITY,
  });
});
afterAll(async () => {
  http.close();
  dns.close();
  await receiver.close();
  for (const other of Object.values(others)) await other.close();
});

const call = (path: string, more: Partial<SafeRequest> = {}, port = receiver.port, host = 'receivers.example') =>
  http.request({
    method: 'POST',
    url: `https://${host}:${port}/${path}`,
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
    deadline_ms: DEADLINE_MS,
    bytes_max: CAP_BYTES,
    ...more,
  });

describe('interim answers', () => {
  const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n';
  const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  async function answerOf(head: string, times: number | null): Promise<unknown> {
    const listener = await startInterimListener(head, times, ANSWER);
    const { port } = listener;
    const allow = [{ host: 'receivers.example', port }];
    const client = createSafeHttp({ dns: createDns([dns.address]), allow });
    const url = `http://receivers.example:${port}/`;
    // Only who gives up by itself ends before this deadline.
    const answer = await client.request({ method: 'POST', url, body: 'x', deadline_ms: 60_000, bytes_max: CAP_BYTES });
    client.close();
    await listener.close();
    return answer;
  }

  test('of a proxy or two are passed over', async () => {
    expect(await answerOf(HINT, 8)).toMatchObject({ ok: true, status: 200 });
  });

  test.each([
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 102 Processing\r\n\r\n',
    HINT,
    'HTTP/1.1 199 X\r\nA: b\r\n\r\n',
  ])('without end (%j) are given up', async (head) => {
    expect(await answerOf(head, null)).toMatchObject({ ok: false, reason: 'too_large', status: null });
  });

  test('that switch to another protocol are given up', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nX: y\r\n\r\n';
    expect(await answerOf(head, null)).toMatchObject({ ok: false, reason: 'reset', status: 101 });
  });
});

describe('what never becomes an answer', () => {
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  /** Above what the client takes in for this cap and what lies between the two, and far below what comes by the deadline. */
  const SENT_MAX = 8 * 1024 ** 2;

  /** What is told of an answer, and whether no more was taken than the cap explains. */
  async function toldOf(first: string, then: string): Promise<unknown> {
    const listener = await startEndlessListener(first, then);
    const { port } = listener;
    const client = createSafeHttp({
      dns: createDns([dns.address]),
      allow: [{ host: 'receivers.example', port }],
      ca: AUTHORITY,
    });
    const url = `https://receivers.example:${port}/`;
    const answer = await client.request({ method: 'POST', url, body: 'x', deadline_ms: 60_000, bytes_max: CAP_BYTES });
    const sent = listener.sent();
    client.close();
    await listener.close();
    return { told: answer.ok ? answer.status : answer.reason, bounded: sent < SENT_MAX };
  }

  test.each([
    ['extensions of small chunks', CHUNKED, `1;${'a'.repeat(8_000)}\r\nx\r\n`, 'too_large'],
    ['an extension without end', `${CHUNKED}1;`, 'a', 'reset'],
    ["zeros before a chunk's size", CHUNKED, '0', 'too_large'],
    ['empty lines before the head', '', '\r\n', 'too_large'],
    ['trailers', `${CHUNKED}0\r\n`, 'A: b\r\n', 'reset'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'A: b\r\n', 'reset'],
  ])('%s: it is given up, and what came of it counts', async (_what, first, then, reason) => {
    expect(await toldOf(first, then)).toEqual({ told: reason, bounded: true });
  });
});

test('an answer in pieces is put together, one in crumbs is given up before each of them has had its turn', async () => {
  const told = async (piece: string, times: number): Promise<unknown> => {
    const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
    const head = 'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const listener = await startInterimListener('', 1, `${head}${chunk.repeat(times)}0\r\n\r\n`);
    const { port } = listener;
    const client = createSafeHttp({ dns: createDns([dns.address]), allow: [{ host: 'receivers.example', port }] });
    const url = `http://receivers.example:${port}/`;
    const answer = await client.request({ method: 'GET', url, deadline_ms: 60_000, bytes_max: CAP_BYTES });
    client.close();
    await listener.close();
    return answer.ok ? answer.body.byteLength : answer.message;
  };
  expect(await told('x', 2_000)).toBe(2_000);
  expect(await told('a'.repeat(32), 2_048)).toBe(65_536);
  expect(await told('x', 60_000)).toContain('small pieces');
});

describe('an answer', () => {
  test.each([200, 204, 301, 302, 307, 308, 410, 429, 500, 503])(
    'of %d is an answer, and no redirect is followed',
    async (status) => {
      const before = receiver.received.length;
      const answer = await call(String(status));
      expect(answer).toMatchObject({ ok: true, status });
      expect(receiver.received.length).toBe(before + 1);
    },
  );

  test('carries headers in lower case and the whole body', async () => {
    const answer = await call('200');
    if (!answer.ok) throw new Error(answer.message);
    expect(answer.headers['content-type']).toBe('text/plain');
    expect(Buffer.from(answer.body).toString()).toBe('this is 200');
    expect(answer.took_ms).toBeGreaterThan(0);
  });

  test('of a compressed bomb stays as small as it came', async () => {
    const answer = await call('bomb');
    if (!answer.ok) throw new Error(answer.message);
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.body.byteLength).toBeLessThan(CAP_BYTES);
    expect(receiver.received.at(-1)?.headers['accept-encoding']).toBe('identity');
  });

  test('to a HEAD may announce more than the cap', async () => {
    expect(await call('200', { method: 'HEAD', body: undefined, bytes_max: 1 })).toMatchObject({
      ok: true,
      status: 200,
    });
  });
});

test('the receiver sees the name, the method, the body and no header of another hop', async () => {
  await call('200/path?q=1', { method: 'PUT', body: 'höhe' });
  const seen = receiver.received.at(-1);
  expect(seen).toMatchObject({ method: 'PUT', path: '/200/path?q=1', body: 'höhe' });
  expect(seen?.headers.host).toBe(`receivers.example:${receiver.port}`);
  expect(seen?.headers['content-length']).toBe('5');
  expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(
    ['accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent'].sort(),
  );
});

describe('trouble ends in one word, and in time', () => {
  const outcomes: readonly [string, string, number | null][] = [
    ['hang', 'timeout', null],
    ['drip', 'too_large', 200],
    ['drip-head', 'timeout', null],
    ['reset', 'reset', null],
    ['close', 'reset', null],
    ['half', 'reset', 200],
    ['garbage', 'reset', null],
    ['huge', 'too_large', 200],
    ['huge-announced', 'too_large', 200],
    ['huge-head', 'reset', null],
    ['upgrade', 'reset', null],
  ];
  test.each(outcomes)('%s: %s', async (path, reason, status) => {
    const answer = await call(path);
    expect(answer).toMatchObject({ ok: false, reason, status });
    expect(answer.took_ms).toBeLessThan(DEADLINE_MS + GRACE_MS);
  });

  test('no answer that is cut off before its Content-Length passes for a whole one, however many come at once', async () => {
    const calls = ['half', 'most'].flatMap((path) =>
      Array.from({ length: 40 }, () => call(path, { deadline_ms: 30_000 })),
    );
    const outcomes = new Set((await Promise.all(calls)).map(({ ok, status }) => `${ok} ${status}`));
    expect([...outcomes]).toEqual(['false 200']);
  });

  test('a body that drips within the cap runs into the one deadline', async () => {
    const answer = await call('drip', { bytes_max: 2_000_000 });
    expect(answer).toMatchObject({ ok: false, reason: 'timeout', status: 200 });
    expect(answer.took_ms).toBeLessThan(DEADLINE_MS + GRACE_MS);
  });

  test('endless 100 Continue runs into the deadline', async () => {
    const answer = await call('continues');
    expect(answer.ok).toBe(false);
    expect(answer.took_ms).toBeLessThan(DEADLINE_MS + GRACE_MS);
  });

  test.each(['huge', 'huge-announced'])('a body that may be cut is: %s', async (path) => {
    const answer = await call(path, { cut: true, bytes_max: 1_000 });
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(answer.ok && Buffer.from(answer.body).toString()).toBe('x'.repeat(1_000));
  });

  test.each(['drip', 'drip-slow', 'half'])('a body that may be cut is not waited for: %s', async (path) => {
    const answer = await call(path, { cut: true, bytes_max: 65_536, deadline_ms: 60_000 });
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(answer.ok && Buffer.from(answer.body).toString()).toMatch(/^(a+|only this)$/);
    expect(answer.took_ms).toBeLessThan(500 + GRACE_MS);
  });

  test('2 GB are not read: neither sent by the receiver nor kept by us', async () => {
    const [before_bytes, before_rss] = [receiver.sent(), process.memoryUsage().rss];
    for (let i = 0; i < 20; i++) expect(await call('huge')).toMatchObject({ ok: false, reason: 'too_large' });
    const [sent, grown] = [receiver.sent() - before_bytes, process.memoryUsage().rss - before_rss];
    console.log(
      `20 answers of 2 GB: ${Math.round(sent / 2 ** 20)} MB sent, ${Math.round(grown / 2 ** 20)} MB more memory`,
    );
    expect(sent).toBeLessThan(1024 ** 3);
    expect(grown).toBeLessThan(256 * 1024 ** 2);
  });

  test('a port that nobody listens on is a reset', async () => {
    expect(await call('200', {}, 1)).toMatchObject({ ok: false, reason: 'reset', status: null });
  });

  test('a listener that resets every connection is a reset', async () => {
    expect(await call('200', {}, others['rst']?.port)).toMatchObject({ ok: false, reason: 'reset', status: null });
  });

  test('a listener that never begins TLS runs into the deadline', async () => {
    expect(await call('200', {}, others['mute']?.port)).toMatchObject({ ok: false, reason: 'timeout' });
  });

  test('a call can be given up', async () => {
    const giveUp = new AbortController();
    const pending = call('hang', { signal: giveUp.signal, deadline_ms: 60_000 });
    giveUp.abort();
    expect(await pending).toMatchObject({ ok: false, reason: 'reset' });
    expect(await call('200', { signal: giveUp.signal })).toMatchObject({ ok: false });
  });
});

describe('a certificate', () => {
  test.each(['other', 'expired', 'self'])('of %s is refused before anything is sent', async (which) => {
    expect(await call('200', {}, others[which]?.port)).toMatchObject({ ok: false, reason: 'tls', status: null });
    expect(await call('200', {}, others[which]?.port)).toMatchObject({ ok: false, reason: 'tls', status: null });
  });

  test('is asked of the name, also where the kept connection of another name leads to the same address', async () => {
    const shared = createSafeHttp({
      dns: createDns([dns.address]),
      allow: ['receivers.example', 'empty.receivers.example', 'stranger.example'].map((host) => ({
        host,
        port: receiver.port,
      })),
      ca: AUTHORITY,
    });
    dns.set('stranger.example', { a: ['127.0.0.1'] });
    const ask = (host: string) =>
      shared.request({
        method: 'GET',
        url: `https://${host}:${receiver.port}/200`,
        deadline_ms: DEADLINE_MS,
        bytes_max: 100,
      });
    expect(await ask('receivers.example')).toMatchObject({ ok: true });
    expect(await ask('stranger.example')).toMatchObject({ ok: false, reason: 'tls' });
    shared.close();
  });
});

describe('the DNS', () => {
  test('that knows no such name, has no address for it, fails or keeps silent is told apart from a refusal', async () => {
    for (const host of ['gone.receivers.example', 'broken.receivers.example', 'silent.receivers.example']) {
      const answer = await call('200', {}, receiver.port, host);
      expect(answer).toMatchObject({ ok: false, status: null });
      // A DNS that keeps silent costs three seconds of its own: the deadline of the whole call comes first.
      expect(answer.ok ? '' : answer.reason).toBe(host.startsWith('silent') ? 'timeout' : 'unresolved');
      expect(answer.took_ms).toBeLessThan(DEADLINE_MS + GRACE_MS);
    }
  });

  test('is asked once for many calls of the same half minute', async () => {
    const before = dns.asked('receivers.example', 'A');
    await Promise.all(Array.from({ length: 20 }, () => call('200')));
    expect(dns.asked('receivers.example', 'A') - before).toBeLessThanOrEqual(1);
  });

  test('may name several addresses: when one does not answer the next is dialled', async () => {
    expect(await call('200', {}, receiver.port, 'two.receivers.example')).toMatchObject({ ok: true, status: 200 });
  });
});

test('connections are kept for a checked address, and replaced when the receiver closed them meanwhile', async () => {
  const [connections, requests] = [receiver.connections(), receiver.received.length];
  for (let i = 0; i < 50; i++) expect(await call('200')).toMatchObject({ ok: true });
  expect(receiver.received.length - requests).toBe(50);
  expect(receiver.connections() - connections).toBeLessThanOrEqual(1);
  expect(await call('reset')).toMatchObject({ ok: false });
  expect(await call('200')).toMatchObject({ ok: true });
});

describe('a call that waited for a connection', () => {
  test('and broke was sent: another address is not tried', async () => {
    const second = await startReceiver(RECEIVERS, '127.0.0.2', receiver.port);
    const host = 'two.receivers.example';
    const arrived = () =>
      [...receiver.received, ...second.received].filter(({ path }) => path === '/reset/once').length;
    const first = call('200', { sockets: 1 }, receiver.port, host);
    const waiting = call('reset/once', { sockets: 1, once: true }, receiver.port, host);
    expect(await first).toMatchObject({ ok: true });
    expect(await waiting).toMatchObject({ ok: false, reason: 'reset', unsent: false });
    expect(arrived()).toBe(1);
    await second.close();
  });

  test('leaves no listener on it', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): number => warnings.push(name);
    process.on('warning', note);
    const calls = Array.from({ length: 30 }, () => call('200', { sockets: 1, deadline_ms: 30_000 }));
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ ok: true });
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});

test.each([
  ['a line end', { 'x-a': 'b\r\nx-c: d' }],
  ['other letters', { 'x-a': '语' }],
  ['nothing', { 'x-a': undefined as unknown as string }],
])('a header of %s is not sent, and no call rejects', async (_what, headers) => {
  expect(await call('200', { headers })).toMatchObject({ ok: false, reason: 'reset', status: null, unsent: true });
});

describe('after close', () => {
  const ownClient = () =>
    createSafeHttp({
      dns: createDns([dns.address]),
      allow: [{ host: 'receivers.example', port: receiver.port }],
      ca: AUTHORITY,
    });
  const ask = (client: SafeHttp, path: string) =>
    client.request({
      method: 'POST',
      url: `https://receivers.example:${receiver.port}/${path}`,
      body: 'x',
      deadline_ms: 60_000,
      bytes_max: CAP_BYTES,
      sockets: 1,
    });
  const arrived = (wanted: string) => receiver.received.filter(({ path }) => path === `/${wanted}`).length;

  test('what runs is given up, what waits is not sent, and nothing is repeated or dialled', async () => {
    const client = ownClient();
    expect(await ask(client, '200')).toMatchObject({ ok: true });
    const calls = [ask(client, 'hang/closed'), ask(client, '200/closed')];
    await until(() => arrived('hang/closed') === 1);
    const connections = receiver.connections();
    client.close();
    const [ran, waited] = await Promise.all(calls);
    expect(ran).toMatchObject({ ok: false, reason: 'reset', unsent: false });
    expect(waited).toMatchObject({ ok: false, reason: 'reset', unsent: true });
    expect(await ask(client, '200/closed')).toMatchObject({ ok: false, reason: 'reset', unsent: true });
    await Bun.sleep(100);
    expect([arrived('hang/closed'), arrived('200/closed')]).toEqual([1, 0]);
    expect(receiver.connections()).toBe(connections);
  });
});

test.each([
  ['POST', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok', 204],
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 200],
] as const)('to a %s a body that must not be there is passed over', async (method, answer, status) => {
  const listener = await startInterimListener('', 1, answer);
  const { port } = listener;
  const client = createSafeHttp({ dns: createDns([dns.address]), allow: [{ host: 'receivers.example', port }] });
  const url = `http://receivers.example:${port}/`;
  const told = await client.request({ method, url, deadline_ms: 60_000, bytes_max: CAP_BYTES });
  expect(told).toMatchObject({ ok: true, status, body: new Uint8Array() });
  client.close();
  await listener.close();
});
