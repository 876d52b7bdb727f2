// The measurement of a site over real TLS with certificates that are really checked, against sites as the internet has them.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { createDns } from '../../src/outbound/dns.ts';
import { measureSite, type SiteFacts } from '../../src/outbound/page/site.ts';
import { createSafeHttp, type SafeHttp } from '../../src/outbound/safe-http/safe-http.ts';
import { AUTHORITY, OTHER, RECEIVERS } from '../support/authority.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';

interface Site {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly robots?: string | number;
}

/** The sites under receivers.example, by the first label of their hosts. */
const SITES = new Map<string, Site>();
const asked: string[] = [];

const answer: http.RequestListener = (request, response) => {
  const [label = ''] = (request.headers.host ?? '').split('.');
  asked.push(`${label}${request.url}`);
  const { status = 200, headers = { 'content-type': 'text/html' }, body = '', robots = 404 } = SITES.get(label) ?? {};
  if (request.url !== '/robots.txt') response.writeHead(status, headers).end(body);
  else if (typeof robots === 'number') response.writeHead(robots).end('<title>not found</title>');
  else response.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
};

const secure = https.createServer({ ...RECEIVERS }, answer);
const plain = http.createServer(answer);
let receiver: Receiver;
let stranger: Receiver;
let dns: DnsServer;
let client: SafeHttp;

const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  await Promise.all([secure, plain].map((server) => new Promise<void>((up) => server.listen(0, '127.0.0.1', up))));
  receiver = await startReceiver();
  stranger = await startReceiver(OTHER);
  dns = await startDnsServer({}, { a: ['127.0.0.1'] });
  const ports = [portOf(secure), portOf(plain), receiver.port, stranger.port];
  const hosts = ['site', 'lone', 'odd', 'huge'].map((label) => `${label}.receivers.example`);
  client = createSafeHttp({
    dns: createDns([dns.address]),
    allow: [...hosts, 'receivers.example', 'other.receivers.example'].flatMap((host) =>
      ports.map((port) => ({ host, port })),
    ),
    ca: AUTHORITY,
  });
});
afterAll(async () => {
  client.close();
  dns.close();
  await Promise.all([receiver.close(), stranger.close()]);
  for (const server of [secure, plain]) server.closeAllConnections();
  for (const server of [secure, plain]) server.close();
});

/** The client, sent to the ports of this test where the customary ones are meant. */
function through(tls: number, text: number | null, path = ''): Pick<SafeHttp, 'request'> {
  return {
    request: (request) => {
      const url = new URL(request.url);
      const port = url.protocol === 'https:' ? tls : text;
      if (port === null) return client.request(request);
      return client.request({ ...request, url: `${url.protocol}//${url.host}:${port}${path || url.pathname}` });
    },
  };
}

const measure = (label: string, text: number | null = null): Promise<SiteFacts | null> =>
  measureSite(through(portOf(secure), text), `${label}.receivers.example`);

function site(facts: Site): Promise<SiteFacts | null> {
  SITES.set('site', facts);
  return measure('site');
}

test('a good site is measured whole: its status, index, title and the links that lead out of it', async () => {
  const body = [
    '<title>The\n Magazine</title>',
    '<a href="https://elsewhere.example/a">out</a><a href="//third.example">out</a><a href="http://elsewhere.example">out</a>',
    '<a href="/about">in</a><a href="https://blog.receivers.example/">in</a><a href="#top">in</a>',
    '<a href="mailto:ada@elsewhere.example">none</a><a href="javascript:void 0">none</a><a href="https://">none</a>',
    `<a href="https://${'a'.repeat(5_000)}.example/">none</a>`,
  ].join('');
  expect(await site({ body })).toEqual({
    https: true,
    http_status: 200,
    robots_indexable: true,
    outbound_links: 3,
    page_title: 'The Magazine',
  });
});

test('what forbids the index: a header, a meta element, robots.txt, and an answer that is no success', async () => {
  const forbids = async (facts: Site): Promise<boolean | undefined> => (await site(facts))?.robots_indexable;
  const html = { 'content-type': 'text/html' };
  expect(await forbids({ headers: { ...html, 'x-robots-tag': 'noindex' } })).toBe(false);
  expect(await forbids({ body: '<meta name="robots" content="noindex, nofollow">' })).toBe(false);
  expect(await forbids({ robots: 'User-agent: *\nDisallow: /' })).toBe(false);
  expect(await forbids({ robots: 'User-agent: *\nDisallow: /admin' })).toBe(true);
  expect(await forbids({ robots: 500 })).toBe(true);
  expect(await forbids({ status: 503 })).toBe(false);
});

test('an error and a redirect are what they are: none is followed, and no page is read', async () => {
  for (const status of [301, 302, 404, 410, 500]) {
    const headers = { 'content-type': 'text/html', location: 'https://lone.receivers.example/' };
    const facts = await site({ status, headers, body: '<title>Sorry</title><a href="https://x.example/">x</a>' });
    const none = { outbound_links: null, page_title: null };
    expect(facts).toEqual({ https: true, http_status: status, robots_indexable: false, ...none });
  }
  expect(asked.filter((line) => line.startsWith('lone'))).toEqual([]);
});

test('what is no page has no title and no links', async () => {
  const facts = await site({ headers: { 'content-type': 'application/pdf' }, body: '<title>%PDF</title>' });
  expect(facts).toMatchObject({ http_status: 200, robots_indexable: true, outbound_links: null, page_title: null });
});

test('a page of another encoding is read in it', async () => {
  const body = Uint8Array.from([
    ...Buffer.from('<title>'),
    0xcf,
    0xf0,
    0xe8,
    0xe2,
    0xe5,
    0xf2,
    ...Buffer.from('</title>'),
  ]);
  const facts = await site({ headers: { 'content-type': 'text/html; charset=windows-1251' }, body });
  expect(facts?.page_title).toBe('Привет');
});

test('a page of 2 MB is read, and one byte more is not', async () => {
  const page = (bytes: number): string => '<title>big</title>'.padEnd(bytes, 'x');
  expect((await site({ body: page(2 * 1024 ** 2) }))?.page_title).toBe('big');
  expect(await site({ body: page(2 * 1024 ** 2 + 1) })).toBeNull();
}, 600_000);

test('without TLS a site is measured only where the operator allows that', async () => {
  SITES.set('odd', { body: '<title>plain</title>' });
  const broken = (text: number | null) => measureSite(through(stranger.port, text), 'odd.receivers.example');
  expect(await broken(null)).toBeNull();
  expect(await broken(portOf(plain))).toMatchObject({ https: false, http_status: 200, page_title: 'plain' });
});

test('sites that hang, drip, break off, never end or speak nonsense are none, and given up', async () => {
  const troubles = ['hang', 'drip', 'drip-head', 'reset', 'close', 'half', 'garbage', 'huge', 'huge-head', 'upgrade'];
  const facts = await Promise.all(
    troubles.map((path) => measureSite(through(receiver.port, receiver.port, `/${path}`), 'receivers.example')),
  );
  expect(facts).toEqual(troubles.map(() => null));
}, 600_000);

test('the measurement ends at once when it is called back', async () => {
  const gone = new AbortController();
  const asked = receiver.received.length;
  const hanging = (signal?: AbortSignal) =>
    measureSite(through(receiver.port, null, '/hang'), 'receivers.example', signal);
  const other = hanging().then(() => 'given up');
  const measured = hanging(gone.signal);
  while (receiver.received.length < asked + 2) await new Promise((resolve) => setImmediate(resolve));
  gone.abort();
  expect(await Promise.race([other, measured])).toBeNull();
  await other;
}, 600_000);

test('a name that leads into a private network is not called', async () => {
  const before = asked.length;
  // The client itself, with its allowance for this test's hosts alone.
  expect(await measureSite(client, 'inner.example')).toBeNull();
  expect(await measureSite(client, 'localhost')).toBeNull();
  expect(asked.length).toBe(before);
});
