// The agent card: what it says, who has none, and how it is kept and asked for again.
import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { openTestService, START_MS, type TestAnswer } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  const body = {
    headline: 'Ropes of every kind',
    description: 'I splice and sell ropes.',
    social_links: { website: 'https://ropes.example', github: 'https://github.example/ada' },
  };
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true, body });
});

const card = (handle: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  t.call('GET', `/.well-known/agent.json?handle=${handle}`, { headers });

async function publish(body: Record<string, unknown>): Promise<string> {
  const answer = await t.call('POST', '/api/agents/ada/cards', { key: ada.key, body });
  expect([answer.status, answer.body.status]).toEqual([201, 'live']);
  await t.advance(10);
  return answer.body.id;
}

test('says who the agent is, what it lists, how it is paid and reached', async () => {
  const offer = await publish({
    card_type: 'selling',
    headline: 'Dock lines',
    description: 'Spliced to measure.',
    labels: ['ropes', 'Marine'],
    geo: 'Remote',
    price_cents: 4_950,
    price_period: 'hour',
    conditions: { dealbreakers: ['no rush orders'] },
    fields: { capacity: 12, stage: 'open' },
  });
  const seek = await publish({ card_type: 'buying', headline: 'Hemp', labels: ['hemp'], budget_cents: 100_000 });
  const { status, headers, body } = await card('ada');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(body).toMatchObject({
    name: 'ada',
    description: 'I splice and sell ropes.',
    url: 'http://localhost/u/ada',
    version: '0.2.0',
    capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: true },
    authentication: {
      schemes: [
        { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        { type: 'bearer', in: 'header', name: 'Authorization' },
      ],
    },
    transports: ['pull', 'email'],
    preferred_transport: 'pull',
    presence: { online: true, median_response_seconds: null, responsiveness: null },
  });
  expect(body.skills.map(({ id }: { id: string }) => id)).toEqual([seek, offer]);
  expect(body.skills[1]).toEqual({
    id: offer,
    name: 'Dock lines',
    description: 'Spliced to measure.',
    tags: ['ropes', 'marine'],
    metadata: {
      type: 'selling',
      direction: 'offer',
      pricing: { model: 'hourly', amount: 49.5, amount_cents: 4_950, currency: 'USD' },
      capacity: 12,
      geo: 'Remote',
      stage: 'open',
      dealbreakers: ['no rush orders'],
    },
  });
  expect(body['x-mesh']).toEqual({
    handle: 'ada',
    trust: { score: expect.any(Number), credentials: ['phone', 'email'] },
    payment_rails: ['wallet'],
    protocol_version: '0.2.0',
    service_count: 1,
    labels: ['hemp', 'ropes', 'marine'],
    card_types: ['buying', 'selling'],
    taxonomy: 'hybrid-v3',
    social_links: { website: 'https://ropes.example', twitter: null, linkedin: null },
    active_modes: ['offer', 'seek'],
    public_key_fingerprint: null,
  });
});

test('a paused listing is off the card at once, and a draft never on it', async () => {
  const id = await publish({ card_type: 'selling', headline: 'Nets', labels: ['nets'], price_cents: 1 });
  expect(JSON.stringify((await card('ada')).body)).toContain('Nets');
  await t.call('PATCH', `/api/agents/ada/cards/${id}`, { key: ada.key, body: { active: false } });
  await t.call('POST', '/api/agents/ada/cards', {
    key: ada.key,
    body: { card_type: 'selling', headline: 'Half-done', labels: ['half-done'] },
  });
  expect(JSON.stringify((await card('ada')).body)).not.toMatch(/Nets|nets|Half-done/);
});

test('a listing that was changed is on the card at once as it is now', async () => {
  const id = await publish({ card_type: 'selling', headline: 'Fenders', labels: ['fenders'], price_cents: 1 });
  expect(JSON.stringify((await card('ada')).body)).toContain('Fenders');
  const edited = await t.call('PATCH', `/api/agents/ada/cards/${id}`, { key: ada.key, body: { headline: 'Buoys' } });
  expect(edited.status).toBe(200);
  const said = JSON.stringify((await card('ada')).body);
  expect([said.includes('Buoys'), said.includes('Fenders')]).toEqual([true, false]);
});

test('is kept for five minutes, and answers 304 to whoever holds it until something changes', async () => {
  const first = await card('ada');
  const tag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
  for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await card('ada', { 'If-None-Match': held });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, tag]);
    expect(again.headers.get('cache-control')).toBe('public, max-age=300');
  }
  expect((await card('ada', { 'If-None-Match': '"other"' })).status).toBe(200);
  await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { description: 'Only hemp now.' } });
  const other = await card('ada', { 'If-None-Match': tag });
  expect([other.status, other.body.description]).toEqual([200, 'Only hemp now.']);
});

test('a stream puts itself before all other transports while it is open', async () => {
  const url = 'http://localhost/api/inbox/stream';
  const gone = new AbortController();
  const { signal } = gone;
  const stream = await t.fetch(
    new Request(url, { headers: { 'X-API-Key': ada.key, 'X-Agent-Handle': 'ada' }, signal }),
  );
  const reader = stream.body?.getReader();
  await reader?.read();
  expect((await card('ada')).body).toMatchObject({
    transports: ['stream', 'pull', 'email'],
    preferred_transport: 'stream',
  });
  gone.abort();
  await reader?.cancel();
  expect((await card('ada')).body.preferred_transport).toBe('pull');
});

test('an old handle still leads to the card, which says where it is now', async () => {
  const bob = await newAgent(t, { handle: 'bob' });
  await t.call('PATCH', '/api/agents/rename', { key: bob.key, body: { handle: 'robert' } });
  const answer = await card('bob');
  expect([answer.status, answer.body['x-mesh'].handle, answer.body.url]).toEqual([
    200,
    'robert',
    'http://localhost/u/robert',
  ]);
  expect(answer.headers.get('content-location')).toBe('/.well-known/agent.json?handle=robert');
  expect((await card('@ROBERT')).headers.has('content-location')).toBe(false);
});

test('an old handle leads to the card no longer than it leads to the agent, though nothing is committed then', async () => {
  const clock = virtualClock(START_MS);
  const own = await openTestService({}, 'memory', { clock });
  const { key } = await newAgent(own, { handle: 'lapsing' });
  await own.call('PATCH', '/api/agents/rename', { key, body: { handle: 'lapsed' } });
  const status = async (): Promise<number> => (await own.call('GET', '/.well-known/agent.json?handle=lapsing')).status;
  expect(await status()).toBe(200);
  clock.jump(91 * DAY_MS);
  expect(await status()).toBe(404);
  await own.close();
});

test.each(['stealth', 'hidden'])('an agent that is %s has no card', async (visibility) => {
  await newAgent(t, { handle: `not_${visibility}`, body: { visibility } });
  const answer = await card(`not_${visibility}`);
  expect([answer.status, answer.body.error, answer.headers.get('cache-control')]).toEqual([
    404,
    'not_found',
    'no-store',
  ]);
});

test('provisional, deactivated and unknown agents have none either', async () => {
  await newProvisional(t, 'agent_9876543210');
  const leaver = await newAgent(t, { handle: 'leaver' });
  await t.call('DELETE', '/api/agents/leaver', { key: leaver.key });
  for (const handle of ['agent_9876543210', 'leaver', 'nobody_at_all', 'no-handle!', '%00']) {
    expect((await card(handle)).status).toBeOneOf([400, 404]);
  }
});

test('without a handle, or under its own, it is the card of the agent that speaks for the service', async () => {
  const bare = await t.call('GET', '/.well-known/agent.json');
  const named = await card('concierge');
  expect(bare.body).toEqual(named.body);
  expect(bare.body).toMatchObject({ version: '0.2.0', transports: ['a2a'], 'x-mesh': { handle: 'concierge' } });
  expect(bare.body.skills.length).toBeGreaterThan(0);
});

test('what is private is kept by nobody', async () => {
  for (const path of ['/api/agents/ada', '/api/inbox', '/api/billing/limits', '/api/no-such-path']) {
    expect((await t.call('GET', path, { key: ada.key })).headers.get('cache-control')).toBe('no-store');
  }
});
