// An agent's own A2A endpoint: what may be one, who sees it, and when it is named among the transports.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { createSafeHttp } from '../../src/outbound/safe-http/safe-http.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';
import { createZone } from '../support/zone.ts';

const URL = 'https://a2a.example.com/rpc';

let t: TestService;
let ada: TestAgent;
beforeAll(async () => {
  // What is pushed there meanwhile is taken, so that only the tests say when the endpoint fails.
  const zone = createZone();
  const real = createSafeHttp({ dns: zone, allow: [] });
  const body = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}');
  const taken = { ok: true as const, status: 200, headers: {}, body, took_ms: 1 };
  t = await openTestService({}, 'memory', { http: { ...real, request: async () => taken } });
  zone.setAddresses('a2a.example.com', ['93.184.216.34']);
  zone.setAddresses('inner.example.com', ['10.0.0.7']);
  zone.setAddresses('mixed.example.com', ['93.184.216.34', '127.0.0.1']);
  ada = await newAgent(t, { handle: 'ada' });
});
afterAll(() => t.close());

const set = (a2a_url: unknown, more: Record<string, unknown> = {}): Promise<TestAnswer> =>
  t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { a2a_url, ...more } });
const seen = async (): Promise<TestAnswer['body']> => (await t.call('GET', '/api/agents/public/ada')).body;

/** As the ladder leaves it after an attempt. */
async function failing(since: number | null): Promise<void> {
  await t.service.world.store.turn({
    attempt: async (read) => {
      const agent = await read(agentById, { id: ada.id });
      if (!agent) throw new Error('ada is gone');
      return { reply: null, effects: [patch('agents', agent, { a2a_failing_since: since })] };
    },
  });
}

test('is told to its owner alone, and puts a2a among the transports for everybody', async () => {
  const answer = await set(URL);
  expect([answer.status, answer.body.a2a_url]).toEqual([200, URL]);
  expect(answer.body.transports).toEqual(['a2a', 'pull', 'email']);
  const profile = await seen();
  expect(profile).toMatchObject({ transports: ['a2a', 'pull', 'email'], preferred_transport: 'a2a' });
  expect(profile).not.toHaveProperty('a2a_url');
  expect((await t.call('GET', '/.well-known/agent.json?handle=ada')).body.preferred_transport).toBe('a2a');
  expect((await t.call('GET', '/api/agents/ada', { key: ada.key })).body.a2a_url).toBe(URL);
});

test('the change is told to the agent by its name, and once', async () => {
  const events = async (): Promise<unknown[]> =>
    (await t.call('GET', '/api/inbox?peek=true&limit=100', { token: ada.token })).body.events
      .filter(({ kind }: { kind: string }) => kind === 'agent.updated')
      .map(({ data }: { data: unknown }) => data);
  const before = await events();
  expect(before).toEqual([{ fields: ['a2a_url'] }]);
  expect((await set(URL)).status).toBe(200);
  expect(await events()).toEqual(before);
});

test('one that fails is not named until it works again or another is set', async () => {
  await failing(t.clock.now());
  expect((await seen()).transports).toEqual(['pull', 'email']);
  await failing(null);
  expect((await seen()).preferred_transport).toBe('a2a');
  await failing(t.clock.now());
  await set(`${URL}/2`);
  expect((await seen()).preferred_transport).toBe('a2a');
});

test.each([
  'http://a2a.example.com/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://localhost/',
  'https://169.254.169.254/latest/meta-data',
  'https://user:secret@a2a.example.com/',
  'https://inner.example.com/',
  'https://mixed.example.com/',
  'ftp://a2a.example.com/',
  'not an address',
  42,
  {},
])('%o is refused, and nothing of the same request is stored', async (a2a_url) => {
  const before = await seen();
  const answer = await set(a2a_url, { headline: 'never stored' });
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  expect(answer.body.fields[0].path).toBe('a2a_url');
  expect((await seen()).headline).toBe(before.headline);
});

test.each([null, ''])('%o takes it away', async (none) => {
  await set(URL);
  const answer = await set(none);
  expect([answer.body.a2a_url, answer.body.transports]).toEqual([null, ['pull', 'email']]);
});

test('a provisional agent has none', async () => {
  const { key } = await newProvisional(t, 'agent_0123456789');
  const answer = await t.call('PATCH', '/api/agents/agent_0123456789', { key, body: { a2a_url: URL } });
  expect([answer.status, answer.body.error]).toEqual([403, 'provisional_account']);
});

test('the same Idempotency-Key gets the same answer, and changes nothing again', async () => {
  const headers = { 'Idempotency-Key': 'endpoint-1' };
  const body = { a2a_url: `${URL}/3` };
  const [first, again] = [
    await t.call('PATCH', '/api/agents/ada', { key: ada.key, headers, body }),
    await t.call('PATCH', '/api/agents/ada', { key: ada.key, headers, body }),
  ];
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
});
