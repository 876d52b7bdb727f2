// Programs that say at their own address who they are: what counts there, for how long, and that a link which names an address inside
// the house, or any other that is none of the public, has nothing dialled for it.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import net from 'node:net';
import { SECOND_MS } from '../../src/domain/time.ts';
import { hostileNames, hostileUrls } from '../outbound/hostile-urls.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { sharedService } from '../support/opened.ts';
import { askingPath, askTokens, broughtBack, decideOn, newVerifier, signedInReader } from '../support/programs.ts';
import { newReader, type Reader, type Shown } from '../support/reader.ts';
import { openTestService } from '../support/testbed.ts';

const REDIRECT = 'http://localhost:3118/callback';

type Answer = () => Response;
const answers = new Map<string, Answer>();
const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return answers.get(pathname)?.() ?? new Response(null, { status: 404 });
  },
});
const AT = `http://127.0.0.1:${server.port}`;

const t = sharedService({}, 'memory', { outside: { allow: [{ host: '127.0.0.1', port: server.port ?? 0 }] } });
let reader: Reader;
beforeAll(async () => {
  reader = await signedInReader(t, 'ada@example.org');
});
afterAll(() => server.stop(true));
beforeEach(() => {
  answers.clear();
  asked.length = 0;
});

let documents = 0;

/** Publishes a document, and answers its address. */
function publish(change: object = {}, headers: Record<string, string> = {}, more: Partial<ResponseInit> = {}): string {
  documents += 1;
  const path = `/client-${documents}.json`;
  const document = { client_id: `${AT}${path}`, client_name: 'Tool Bench', redirect_uris: [REDIRECT], ...change };
  answers.set(path, () => Response.json(document, { headers, ...more }));
  return `${AT}${path}`;
}

const look = (client_id: string, who = reader, fields: Record<string, string> = {}): Promise<Shown> =>
  who.get(askingPath({ client_id, code_challenge: newVerifier().code_challenge, redirect_uri: REDIRECT, ...fields }));

test('a program is named by the host of its address, and connects without being registered', async () => {
  const client_id = publish();
  const shown = await look(client_id);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain(`Let 127.0.0.1:${server.port} in?`);
  expect(shown.text).toContain('Tool Bench');
  expect(shown.text).toContain('a program on this device');
  const { code_verifier, code_challenge } = newVerifier();
  const path = askingPath({ client_id, code_challenge, redirect_uri: 'http://localhost:50001/callback' });
  const { code = '' } = broughtBack(await decideOn(reader, path));
  const given = await askTokens(t, { grant_type: 'authorization_code', client_id, code, code_verifier });
  expect(given.status).toBe(200);
});

test('a document is kept for as long as its headers say, and one that says no, not at all', async () => {
  const kept: [headers: Record<string, string>, seconds: number][] = [
    [{ 'Cache-Control': 'public, max-age=600' }, 600],
    [{ 'Cache-Control': 'max-age=600', Age: '500' }, 100],
    [{}, 300],
    [{ 'Cache-Control': 'max-age=99999999' }, 86_400],
  ];
  for (const [headers, seconds] of kept) {
    const client_id = publish({}, headers);
    asked.length = 0;
    await look(client_id);
    await t.advance(seconds * SECOND_MS - 1);
    await look(client_id);
    expect([headers, asked.length]).toEqual([headers, 1]);
    await t.advance(1);
    await look(client_id);
    expect([headers, asked.length]).toEqual([headers, 2]);
  }
  for (const said of ['no-store', 'private, no-cache', 'max-age=0']) {
    const client_id = publish({}, { 'Cache-Control': said });
    asked.length = 0;
    for (let n = 0; n < 2; n += 1) await look(client_id);
    expect([said, asked.length]).toEqual([said, 2]);
  }
});

test('what a document no longer says does not count any more, and no error is kept', async () => {
  const client_id = publish({}, { 'Cache-Control': 'max-age=60' });
  expect((await look(client_id)).status).toBe(200);
  const path = new URL(client_id).pathname;
  answers.set(path, () => new Response(null, { status: 500 }));
  await t.advance(60 * SECOND_MS);
  expect((await look(client_id)).status).toBe(400);
  answers.set(path, () => Response.json({ client_id, redirect_uris: ['http://localhost/other'] }));
  expect((await look(client_id)).status).toBe(400);
  answers.set(path, () => Response.json({ client_id, redirect_uris: [REDIRECT] }));
  await t.advance(300 * SECOND_MS);
  expect((await look(client_id)).status).toBe(200);
});

test('what is not the document of that very address is refused, and leads nowhere', async () => {
  const elsewhere = publish();
  const bad: Record<string, string> = {
    'another id': publish({ client_id: elsewhere }),
    'an id in another spelling': publish({ client_id: `${AT}/./client.json` }),
    'no id': publish({ client_id: undefined }),
    'a secret': publish({ client_secret: 'hidden' }),
    'a proof that nobody asks for': publish({ token_endpoint_auth_method: 'private_key_jwt' }),
    'no addresses': publish({ redirect_uris: undefined }),
    'an address that is a script': publish({ redirect_uris: [REDIRECT, 'javascript:alert(1)'] }),
    'another address': publish({ redirect_uris: ['https://elsewhere.example/'] }),
    'another grant': publish({ grant_types: ['client_credentials'] }),
    'a page': publish({}, { 'Content-Type': 'text/html' }),
    'a status that is no success': publish({}, {}, { status: 201 }),
    'more than 64 KiB': publish({ filling: 'x'.repeat(65_536) }),
    nothing: `${AT}/nothing.json`,
  };
  const moved = publish();
  answers.set('/moved.json', () => Response.redirect(moved));
  for (const [what, client_id] of [...Object.entries(bad), ['a redirect', `${AT}/moved.json`] as const]) {
    const shown = await look(client_id);
    expect([what, shown.status, shown.location]).toEqual([what, 400, null]);
  }
  expect(asked).not.toContain(new URL(moved).pathname);
  answers.set('/list.json', () => Response.json([1]));
  answers.set('/broken.json', () => new Response('{', { headers: { 'Content-Type': 'application/json' } }));
  for (const name of ['list', 'broken']) expect((await look(`${AT}/${name}.json`)).status).toBe(400);
});

test('nothing is looked up for whoever is not signed in', async () => {
  const shown = await look(publish(), newReader(t));
  expect([shown.status, asked]).toEqual([303, []]);
});

test('an account has so many addresses looked up in an hour, and no more', async () => {
  const limited = await openTestService({ rate_limits: true }, 'memory', {
    outside: { allow: [{ host: '127.0.0.1', port: server.port ?? 0 }] },
  });
  try {
    const who = await signedInReader(limited, 'busy@example.org');
    const seen: number[] = [];
    for (let n = 0; n < 31; n += 1) {
      if (n % 20 === 19) await limited.advance(61 * SECOND_MS);
      seen.push((await look(publish({}, { 'Cache-Control': 'no-store' }), who)).status);
    }
    expect(seen.filter((status) => status === 200).length).toBe(30);
    expect(seen.at(-1)).toBe(429);
  } finally {
    await limited.close();
  }
});

test('no hostile address is dialled', async () => {
  let arrived = 0;
  const listener = net.createServer((socket) => {
    arrived += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', () => listening()));
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const dns = await startDnsServer(
    Object.fromEntries(hostileNames().map(({ name, turns }) => [name, { flips: turns }])),
  );
  const inside = await openTestService({}, 'memory', { dns_servers: [dns.address] });
  try {
    const who = await signedInReader(inside, 'grace@example.org');
    const urls = hostileUrls(port);
    for (const { url } of urls) {
      for (const client_id of [url, `${url}client.json`]) {
        const shown = await look(client_id.slice(0, 3000), who);
        expect([client_id, shown.status, shown.location]).toEqual([client_id, 400, null]);
      }
    }
    expect(urls.length).toBeGreaterThan(450);
    expect(arrived).toBe(0);
  } finally {
    await inside.close();
    dns.close();
    listener.close();
  }
}, 600_000);
