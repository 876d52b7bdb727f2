// The card at an agent's own A2A endpoint: fetched behind the answer through the safe client, bounded, checked, shown to its
// owner and as trust, looked at again every day.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { canonicalizeAgentCard, generateAgentCardSignature } from '@a2a-js/sdk';
import { exportJWK, FlattenedSign, generateKeyPair } from 'jose';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

type Page = () => Response;
const pages = new Map<string, Page>();
const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    asked.push(`${request.method} ${pathname}`);
    return pages.get(pathname)?.() ?? new Response(null, { status: 404 });
  },
});
const AT = `http://127.0.0.1:${server.port}`;
const CARD = '/bot/.well-known/agent-card.json';

let t: TestService;
let ada: TestAgent;
beforeAll(async () => {
  const port = server.port ?? 0;
  // The same server under another name: what it publishes there is another host's.
  const allow = ['127.0.0.1', 'other.example'].map((host) => ({ host, port }));
  t = await openTestService({}, 'memory', { outside: { allow } });
  t.zone.setAddresses('other.example', ['127.0.0.1']);
  ada = await newAgent(t, { handle: 'ada' });
});
afterAll(async () => {
  await t.close();
  await server.stop(true);
});
beforeEach(() => {
  pages.clear();
  asked.length = 0;
});

const json =
  (value: unknown): Page =>
  () =>
    Response.json(value);
const CARD_1_0 = {
  name: 'Bot',
  description: 'answers',
  version: '1',
  supportedInterfaces: [{ url: `${AT}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

/** Registers the address anew, and what its owner then sees of it. */
async function shown(path = '/bot'): Promise<Record<string, unknown>> {
  await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { a2a_url: null } });
  const set = await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { a2a_url: `${AT}${path}` } });
  expect([set.status, set.body.a2a]).toEqual([
    200,
    { url: `${AT}${path}`, dialect: null, card_signature: 'none', checked_at: null },
  ]);
  await t.rest();
  return (await t.call('GET', '/api/agents/ada', { key: ada.key })).body.a2a;
}

test('an address that is set again, as it is, is looked at again', async () => {
  await shown();
  await t.advance(60_000);
  await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { a2a_url: `${AT}/bot` } });
  await t.rest();
  const { checked_at } = (await t.call('GET', '/api/agents/ada', { key: ada.key })).body.a2a;
  expect(Date.parse(checked_at)).toBeGreaterThanOrEqual(t.clock.now() - 1_000);
});
const trust = async (): Promise<Record<string, unknown>> => (await t.call('GET', '/api/agents/public/ada')).body.trust;

test.each<[what: string, path: string, card: object, expected: object]>([
  ['1.0', CARD, CARD_1_0, { url: `${AT}/rpc`, dialect: '1.0' }],
  ['0.3', CARD, { protocolVersion: '0.3.0', url: `${AT}/v3` }, { url: `${AT}/v3`, dialect: '0.3' }],
  ['0.2, at its older name', '/bot/.well-known/agent.json', { url: `${AT}/old` }, { url: `${AT}/old`, dialect: '0.2' }],
  [
    'that names the address, at the root',
    '/.well-known/agent-card.json',
    { protocolVersion: '0.3.0', url: `${AT}/bot/` },
    { url: `${AT}/bot/`, dialect: '0.3' },
  ],
])('a card of %s says where and how the agent is called', async (_, path, card, expected) => {
  pages.set(path, json(card));
  const checked_at = new Date(t.clock.now()).toISOString();
  expect(await shown()).toEqual({ ...expected, card_signature: 'none', checked_at });
  expect(await trust()).toMatchObject({ card_signature: 'none' });
});

test.each<[what: string, page: Page]>([
  ['is not there', () => new Response(null, { status: 404 })],
  ['is a page', () => new Response('<title>a page</title>')],
  ['redirects', () => Response.redirect('http://127.0.0.1:9/', 302)],
  ['has ten megabytes', () => new Response(JSON.stringify({ ...CARD_1_0, description: 'x'.repeat(10_000_000) }))],
  ['nests deep', () => new Response(`{"url":${'['.repeat(100_000)}`)],
  [
    'names a host of another party',
    json({
      ...CARD_1_0,
      supportedInterfaces: [{ ...CARD_1_0.supportedInterfaces[0], url: 'https://victim.example/rpc' }],
    }),
  ],
  [
    'names an address inside',
    json({ ...CARD_1_0, supportedInterfaces: [{ ...CARD_1_0.supportedInterfaces[0], url: 'http://127.0.0.1:1/rpc' }] }),
  ],
])('a card that %s is none: the registered address is called', async (_, page) => {
  pages.set(CARD, page);
  expect(await shown()).toMatchObject({ url: `${AT}/bot`, dialect: null, card_signature: 'none' });
  expect(await trust()).not.toHaveProperty('card_signature');
});

async function signer(alg: 'EdDSA' | 'ES256', kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

test.each(['EdDSA', 'ES256'] as const)(
  'a signature by a key of the card’s own host is valid: %s, made by the official SDK',
  async (alg) => {
    const { privateKey, jwk } = await signer(alg, 'k1');
    const sign = generateAgentCardSignature(privateKey, { alg, kid: 'k1', typ: 'JOSE', jku: `${AT}/keys.json` });
    pages.set('/keys.json', json({ keys: [jwk] }));
    // biome-ignore lint/suspicious/noExplicitAny: the card is written as it stands on the wire.
    pages.set(CARD, json(await sign(CARD_1_0 as any)));
    expect(await shown()).toMatchObject({ dialect: '1.0', card_signature: 'valid' });
    expect(await trust()).toMatchObject({ card_signature: 'valid' });
  },
);

test('a signature over the whole card, with its keys at the customary place, is valid too', async () => {
  const { privateKey, jwk } = await signer('EdDSA', 'k2');
  const card = { protocolVersion: '0.3.0', url: `${AT}/v3`, zeta: 1, alpha: [] };
  const text = `{"alpha":[],"protocolVersion":"0.3.0","url":"${AT}/v3","zeta":1}`;
  const { protected: head, signature } = await new FlattenedSign(Buffer.from(text))
    .setProtectedHeader({ alg: 'EdDSA', kid: 'k2' })
    .sign(privateKey);
  pages.set('/.well-known/jwks.json', json({ keys: [jwk] }));
  pages.set(CARD, json({ ...card, signatures: [{ protected: head, signature }] }));
  expect(await shown()).toMatchObject({ dialect: '0.3', card_signature: 'valid' });
});

test('a signature is no trust where the card was changed, the key is not there, or it is somebody else’s', async () => {
  const { privateKey, jwk } = await signer('EdDSA', 'k3');
  const signed = async (header: object): Promise<Record<string, unknown>> => {
    const made = await new FlattenedSign(Buffer.from(canonicalizeAgentCard(CARD_1_0 as never)))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k3', ...header })
      .sign(privateKey);
    return { ...CARD_1_0, signatures: [{ protected: made.protected, signature: made.signature }] };
  };
  const at = { jku: `${AT}/keys.json` };
  const judged = async (card: object): Promise<unknown> => {
    pages.set(CARD, json(card));
    return (await shown())['card_signature'];
  };
  pages.set('/keys.json', json({ keys: [jwk] }));
  expect(await judged(await signed(at))).toBe('valid');
  expect(await judged({ ...(await signed(at)), description: 'changed' })).toBe('invalid');
  expect(await judged(await signed({ ...at, kid: 'another' }))).toBe('invalid');
  // The right key, at a place that is not the host of the card.
  expect(await judged(await signed({ jku: AT.replace('127.0.0.1', 'other.example').concat('/keys.json') }))).toBe(
    'invalid',
  );
  expect(await judged(await signed({ jku: 7 }))).toBe('invalid');
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'k3', ...at })).toString('base64url');
  expect(await judged({ ...CARD_1_0, signatures: [{ protected: none, signature: '' }] })).toBe('invalid');
  expect(await judged({ ...CARD_1_0, signatures: ['x', {}, { protected: '!', signature: 1 }] })).toBe('invalid');
});

test('the card is looked at again every day, and a host that says nothing leaves what was known', async () => {
  pages.set(CARD, json(CARD_1_0));
  const first = await shown();
  pages.set(CARD, () => new Response(null, { status: 503 }));
  await t.advance(DAY_MS);
  const read = async () => (await t.call('GET', '/api/agents/ada', { key: ada.key })).body.a2a;
  expect(await read()).toEqual(first);
  pages.set(CARD, json({ protocolVersion: '0.3.0', url: `${AT}/v3` }));
  await t.advance(DAY_MS / 12);
  expect(await read()).toMatchObject({ dialect: '0.3', url: `${AT}/v3` });
  asked.length = 0;
  await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { a2a_url: null } });
  await t.advance(2 * DAY_MS);
  expect(asked.filter((line) => line.startsWith('GET'))).toEqual([]);
  expect(await read()).toBeNull();
});
