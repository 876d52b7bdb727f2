// The cards by which A2A clients discover agents: what they say, that an unmodified client takes them, that their signatures
// hold by the keys that the service publishes, who has none, and what callers with a key see more.
import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { type AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const BASE = 'http://localhost';
const under = (handle: string, file = 'agent-card.json'): string => `/a2a/agents/${handle}/.well-known/${file}`;

const t = sharedService();
let ada: TestAgent;
let offer: string;

beforeAll(async () => {
  const body = { headline: 'Ropes of every kind', description: 'I splice and sell ropes.' };
  ada = await newAgent(t, { handle: 'ada', verified: true, body });
  const listing = {
    card_type: 'selling',
    headline: 'Dock lines',
    description: 'Spliced to measure.',
    labels: ['ropes'],
    price_cents: 4_950,
    price_period: 'hour',
    conditions: { dealbreakers: ['no rush orders'] },
  };
  offer = (await t.call('POST', '/api/agents/ada/cards', { key: ada.key, body: listing })).body.id;
});

const read = (path: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  t.call('GET', path, { headers });

/** What the library of the protocol does with addresses, led to the service. */
const fetchImpl = ((url: URL, init?: RequestInit) => t.fetch(new Request(url, init))) as typeof fetch;

async function expectSigned(card: unknown): Promise<void> {
  const { keys } = (await read('/.well-known/jwks.json')).body as { keys: { kid: string }[] };
  const verifier = verifyAgentCardSignature(async (kid, jku) => {
    expect(jku).toBe(`${BASE}/.well-known/jwks.json`);
    return createPublicKey({ key: { ...keys.find((key) => key.kid === kid) }, format: 'jwk' });
  });
  // It tells what it does not take.
  using _quiet = spyOn(console, 'debug').mockImplementation(() => {});
  await verifier(card as AgentCard);
}

test('says where the agent is spoken with in both protocols, what it lists, and how callers authenticate', async () => {
  const { status, body } = await read(under('ada'));
  expect(status).toBe(200);
  const address = `${BASE}/a2a/agents/ada`;
  expect(body).toMatchObject({
    name: 'ada',
    description: 'I splice and sell ropes.',
    protocolVersion: '0.3.0',
    url: `${address}/`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url: address, transport: 'HTTP+JSON' }],
    documentationUrl: `${BASE}/u/ada`,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  });
  expect(body.supportedInterfaces).toEqual(
    ['1.0', '0.3'].flatMap((protocolVersion) => [
      { url: `${address}/`, protocolBinding: 'JSONRPC', protocolVersion },
      { url: address, protocolBinding: 'HTTP+JSON', protocolVersion },
    ]),
  );
  expect(body.skills).toEqual([
    {
      id: offer,
      name: 'Dock lines',
      description: 'Spliced to measure.',
      tags: ['offer', 'selling', 'ropes'],
      inputModes: ['text/plain', 'application/json'],
      outputModes: ['text/plain', 'application/json'],
    },
  ]);
  expect(Object.keys(body.securitySchemes)).toEqual(['apiKey', 'bearer', 'oauth2']);
  const [extension] = body.capabilities.extensions;
  expect(extension.uri).toBe(`${BASE}/ext/x-mesh/v1`);
  expect([extension.params.handle, body['x-mesh'].handle, body['x-mesh'].labels]).toEqual(['ada', 'ada', ['ropes']]);
  // What an agent would refuse is told to nobody who only looks it up.
  expect(JSON.stringify(body)).not.toContain('rush');
});

test('the address of its card is found from the address of the agent, also under the older name of the file', async () => {
  const { body } = await read(under('ada'));
  const { pathname } = new URL('.well-known/agent-card.json', body.url);
  expect(pathname).toBe(under('ada'));
  expect((await read(under('ada', 'agent.json'))).body).toEqual(body);
});

test("the card at the root is the platform agent's, at an address that is its own", async () => {
  const { status, body } = await read('/.well-known/agent-card.json');
  expect([status, body.name, body.url]).toEqual([200, 'Meshwork', `${BASE}/a2a/agents/concierge/`]);
  expect(body.skills.map(({ id }: { id: string }) => id)).toEqual(['onboarding', 'discovery']);
  expect(body.skills[0].description).toContain('POST /api/auth/signup/start');
  expect(body.documentationUrl).toBe(`${BASE}/llms.txt`);
  expect((await read(under('concierge'))).body).toEqual(body);
  await expectSigned(body);
});

test('its signature holds by the published key, and not over another text', async () => {
  const { body } = await read(under('ada'));
  await expectSigned(body);
  await expect(expectSigned({ ...body, name: 'Eve' })).rejects.toThrow('No valid signatures');
});

describe('an unmodified client', () => {
  test('of protocol 1.0 reads it, and finds an address for each of its transports', async () => {
    const card = await new DefaultAgentCardResolver({ fetchImpl }).resolve(`${BASE}/a2a/agents/ada/`);
    expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toContain('HTTP+JSON');
    for (const transport of ['JSONRPC', 'HTTP+JSON']) {
      const options = { ...ClientFactoryOptions.default, preferredTransports: [transport] };
      await new ClientFactory(options).createFromAgentCard(card);
    }
    await expectSigned(card);
  });

  test('of protocol 0.3 reads the members of 0.3', async () => {
    // It knows no list of interfaces.
    const { supportedInterfaces: _newer, ...older } = (await read(under('ada'))).body;
    const card = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).normalizeAgentCard(older);
    expect(card.supportedInterfaces).toMatchObject([
      { url: `${BASE}/a2a/agents/ada/`, protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
      { url: `${BASE}/a2a/agents/ada`, protocolBinding: 'HTTP+JSON' },
    ]);
    expect(Object.keys(card.securitySchemes)).toEqual(['apiKey', 'bearer', 'oauth2']);
    expect(card.capabilities?.extendedAgentCard).toBe(true);
  });
});

test('anybody may keep it for five minutes, told apart by version, and ask by its tag', async () => {
  const { headers } = await read(under('ada'), { Origin: 'https://elsewhere.example' });
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  expect(headers.get('vary')).toBe('Origin, Prefer, A2A-Version');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const tag = headers.get('etag') ?? '';
  expect((await read(under('ada'), { 'If-None-Match': tag })).status).toBe(304);
  await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { headline: 'Ropes, and knots' } });
  await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { description: '' } });
  const changed = await read(under('ada'), { 'If-None-Match': tag });
  expect([changed.status, changed.body.description]).toEqual([200, 'Ropes, and knots']);
  await expectSigned(changed.body);
});

test('an agent without a word about itself and without listings has a card that clients take', async () => {
  await newAgent(t, { handle: 'bare' });
  const { body } = await read(under('bare'));
  expect([body.description, body.skills.length, body.skills[0].id]).toEqual(['bare', 1, 'talk']);
  await expectSigned(body);
});

test('who hides, is only matched, is provisional or gone has none; an old handle leads to the card of today', async () => {
  const hidden = await newAgent(t, { handle: 'hider', body: { visibility: 'hidden' } });
  await newAgent(t, { handle: 'stealthy', body: { visibility: 'stealth' } });
  await newProvisional(t, 'maybe');
  const gone = await newAgent(t, { handle: 'gone' });
  await t.call('DELETE', '/api/agents/gone', { token: gone.token });
  for (const handle of ['hider', 'stealthy', 'maybe', 'gone', 'nobody'])
    expect((await read(under(handle))).status).toBe(404);
  const old = await newAgent(t, { handle: 'old_name' });
  await t.call('PATCH', '/api/agents/rename', { key: old.key, body: { handle: 'new_name' } });
  const { body, headers } = await read(under('old_name'));
  expect([body.url, headers.get('content-location')]).toEqual([`${BASE}/a2a/agents/new_name/`, under('new_name')]);
  expect(hidden.handle).toBe('hider');
});

describe('the extended card', () => {
  const extended = (key: string | undefined, handle: string): Promise<TestAnswer> =>
    t.call('GET', `/operations/agent.extended_card?handle=${handle}`, { key });

  test('tells a caller with a key what changes by the hour, and what was proven; never what the agent would refuse', async () => {
    const { status, body } = await extended(ada.key, 'ada');
    expect(status).toBe(200);
    expect(body['x-mesh']).toMatchObject({
      presence: { online: true },
      preferred_transport: 'pull',
      claims: [{ kind: 'phone', verified_at: expect.any(String) }],
      listings: [{ id: offer, direction: 'offer', pricing: { amount_cents: 4_950 } }],
    });
    for (const word of ['rush', 'bounds', 'dealbreakers']) expect(JSON.stringify(body)).not.toContain(word);
  });

  test('takes a key, and shows who hides to its owner alone', async () => {
    expect((await extended(undefined, 'ada')).status).toBe(401);
    const shy = await newAgent(t, { handle: 'shy', body: { visibility: 'hidden' } });
    expect((await extended(shy.key, 'shy')).status).toBe(200);
    expect((await extended(ada.key, 'shy')).status).toBe(404);
  });
});
