// The commands of a developer as processes beside a real server: a key by the device grant, calls, events handed to a receiver on this
// machine, and made-up ones of every kind.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { verifyWebhook } from '../../src/client/package.ts';
import { EVENT_KINDS, specOf } from '../../src/domain/inbox/event.ts';
import { sampleData } from '../../src/domain/inbox/sample.ts';
import { runVerb, spawnVerb } from '../support/meshwork.ts';
import { type RestClient, restClient, verifiedAgent } from '../support/rest-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const TOKEN = 'token-of-the-developer-test';

let server: TestServer;
let client: RestClient;
let ada: { key: string; token: string };
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'meshwork-home-'));
  server = await startTestServer({ INTERNAL_TOKEN: TOKEN });
  client = restClient(server.url);
  ada = await verifiedAgent(client, TOKEN, 'ada', '+15550100177');
});

afterAll(async () => {
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

const start = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnVerb(home, args, { HOME: home, ...env });
const run = (args: readonly string[], env: Record<string, string> = {}) => runVerb(home, args, { HOME: home, ...env });

/** Reads a stream until it has said something. */
async function until(stream: ReadableStream<Uint8Array>, said: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (said.test(text)) return text;
  }
  throw new Error(`it ended, and said: ${text}`);
}

/** A receiver of webhooks on this machine; `next` is the one that comes next. */
function receiver() {
  const waiting: ((delivery: { headers: Headers; body: string }) => void)[] = [];
  const listening = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const body = await request.text();
      waiting.shift()?.({ headers: request.headers, body });
      return new Response('taken');
    },
  });
  return {
    url: `http://127.0.0.1:${listening.port}/hooks`,
    next: () => new Promise<{ headers: Headers; body: string }>((resolve) => waiting.push(resolve)),
    stop: () => listening.stop(true),
  };
}

test('login keeps a key that a person has let in, readable by its owner alone, and api calls with it', async () => {
  const child = start(['login', server.url]);
  const asked = await until(child.stderr, /type (\S+)\./);
  const user_code = asked.match(/type (\S+)\./)?.[1];
  await client.ask('POST', '/api/auth/device/approve', { token: ada.token }, { user_code, approve: true });
  expect(await child.exited).toBe(0);
  const file = join(home, '.config/meshwork/profiles.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const called = await run(['api', 'GET', '/api/inbox?limit=1']);
  expect(called).toMatchObject({ status: 0, err: '' });
  expect(JSON.parse(called.out)).toMatchObject({ has_more: expect.any(Boolean) });
  const refused = await run(['api', 'POST', '/api/agents', '--data', '{}']);
  expect(refused.status).toBe(1);
  expect(JSON.parse(refused.out)).toMatchObject({ error: 'invalid_request' });
  expect(refused.err).toBe('meshwork: POST /api/agents answered 400');
}, 30_000);

test('what is wrong is one line, and never the key', async () => {
  expect(await run(['api', 'GET', '/api/inbox', '--profile', 'other'])).toEqual({
    status: 2,
    out: '',
    err: 'meshwork: there is no profile other; meshwork login URL --profile other makes it',
  });
  const env = { MESHWORK_URL: 'http://127.0.0.1:1', MESHWORK_API_KEY: 'mesh_live_secret' };
  const { status, err } = await run(['api', 'GET', '/api/inbox'], env);
  expect(status).toBe(1);
  expect(err).toStartWith('meshwork: http://127.0.0.1:1 cannot be reached: ');
  expect(err).not.toContain('secret');
  expect(await run(['listen', '--events', 'match.exploded'], env)).toMatchObject({
    status: 2,
    err: 'meshwork: there is no event match.exploded; see meshwork trigger --list',
  });
});

test('listen hands what happens from now on to a receiver on this machine, signed with the secret that it prints', async () => {
  const to = receiver();
  // What happened before is not handed on again.
  await client.ask('POST', '/api/inbox/test', { key: ada.key }, {});
  const env = { MESHWORK_URL: server.url, MESHWORK_API_KEY: ada.key };
  const child = start(['listen', '--forward-to', to.url, '--events', 'test.ping'], env);
  const said = await until(child.stdout, /listening after event \d+/);
  const after = Number(said.match(/after event (\d+)/)?.[1]);
  const arriving = to.next();
  const sent = await client.ask('POST', '/api/inbox/test', { key: ada.key }, {});
  expect(sent.seq).toBeGreaterThan(after);
  const { headers, body } = await arriving;
  expect(headers.get('webhook-id')).toBe(sent.id);
  const secret = said.match(/whsec_\S+/)?.[0] ?? '';
  expect(await verifyWebhook(secret, headers, body)).toMatchObject({ event: 'test.ping', data: { handle: 'ada' } });
  child.kill('SIGINT');
  await child.exited;
  to.stop();
}, 30_000);

test('trigger sends one of a kind, made up, and signed', async () => {
  const to = receiver();
  const arriving = to.next();
  const sent = await run(['trigger', 'match.created', '--forward-to', to.url]);
  expect(sent.out).toMatch(/^signed with whsec_\S+\n200 after \d+ ms$/);
  const { headers, body } = await arriving;
  const secret = sent.out.match(/whsec_\S+/)?.[0] ?? '';
  expect(await verifyWebhook(secret, headers, body)).toMatchObject({ type: 'match.created' });
  to.stop();
  const gone = await run(['trigger', 'match.created', '--forward-to', to.url]);
  expect(gone.out).toContain('ECONNREFUSED');
}, 30_000);

test('logs tail prints what was asked with the key, and what comes', async () => {
  const child = start(['logs', 'tail'], { MESHWORK_URL: server.url, MESHWORK_API_KEY: ada.key });
  await until(child.stdout, / {2}20\d {2}POST {3}\/api\/inbox\/test {2}inbox\.test {2}\d+ ms {2}/);
  child.kill('SIGINT');
  await child.exited;
}, 30_000);

test.each([...EVENT_KINDS])('made-up data of %s are what its kind declares', (kind) => {
  expect(Value.Errors(specOf(kind).data, sampleData(kind, '2026-11-27T10:00:00.000Z'))).toEqual([]);
});
