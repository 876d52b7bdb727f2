// Revoking all ends what lets words out of the house too, whoever made it; its person reads what there is before and what there was after.
import { beforeAll, expect, test } from 'bun:test';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { registerSigner } from '../support/assertion.ts';
import { sharedService } from '../support/opened.ts';
import { newReader } from '../support/reader.ts';

const HOOK = 'https://receiver.example/hook';
const ENDPOINT = 'https://receiver.example/.well-known/agent-card.json';

const t = sharedService({ base_url: 'http://localhost' });
beforeAll(async () => {
  t.zone.setAddresses('receiver.example', ['93.184.216.34']);
});

const access = async (token: string) => (await t.call('GET', '/api/account/access', { token })).body;
const keyOf = async ({ email, handle }: TestAgent, scopes: readonly string[]): Promise<string> => {
  const body = { name: 'a program', scopes, agent_handle: handle };
  return (await t.call('POST', '/api/developer/keys', { token: await signIn(t, email), body })).body.api_key;
};

test('ends webhooks, key pairs, endpoints and links that a stolen key made, and lists them before and after', async () => {
  const ada = await newAgent(t, { handle: 'robbed' });
  await registerSigner(t, ada);
  const hook = await t.call('POST', '/api/developer/webhooks', { key: ada.key, body: { url: HOOK, events: ['*'] } });
  expect(hook.status).toBe(201);
  await t.call('PATCH', '/api/agents/robbed', { key: ada.key, body: { a2a_url: ENDPOINT } });
  const link = (await t.call('POST', '/api/handoff/link', { key: ada.key, body: { purpose: 'onboarding' } })).body.url;
  const token = await signIn(t, ada.email);
  const before = await access(token);
  expect(before).toMatchObject({
    keys: 1,
    webhooks: [{ id: hook.body.id, agent_handle: 'robbed', url: HOOK }],
    endpoints: [{ agent_handle: 'robbed', url: ENDPOINT }],
    key_pairs: [{ agent_handle: 'robbed', fingerprint: expect.any(String) }],
    and_more: false,
  });
  const revoked = await t.call('POST', '/api/account/revoke-all', { token });
  expect(revoked.body).toEqual({ revoked: true, ended: before });
  const again = await signIn(t, ada.email);
  expect(await access(again)).toMatchObject({ keys: 0, sessions: 1, webhooks: [], endpoints: [], key_pairs: [] });
  const person = { token: again, agent: 'robbed' };
  const agent = (await t.call('GET', '/api/agents/robbed', person)).body;
  expect([agent.a2a_url ?? null, agent.public_key_fingerprint]).toEqual([null, null]);
  const [off] = (await t.call('GET', '/api/developer/webhooks', person)).body;
  expect([off.id, off.active]).toEqual([hook.body.id, false]);
  const on = await t.call('POST', `/api/developer/webhooks/${off.id}/enable`, person);
  expect(on.body.active).toBe(true);
  const path = new URL(link).pathname;
  expect((await newReader(t).get(path)).status).toBe(410);
});

test('switches off every webhook, however many agents have one', async () => {
  const ada = await newAgent(t, { handle: 'hooked' });
  for (let at = 0; at < 8; at++) {
    await t.call('POST', '/api/developer/webhooks', {
      key: ada.key,
      agent: 'hooked',
      body: { url: HOOK, events: ['*'] },
    });
  }
  const token = await signIn(t, ada.email);
  const { body } = await t.call('POST', '/api/account/revoke-all', { token });
  expect(body.ended.webhooks.length).toBeGreaterThan(0);
  const all = (await t.call('GET', '/api/developer/webhooks', { token: await signIn(t, ada.email), agent: 'hooked' }))
    .body;
  expect(all.filter(({ active }: { active: boolean }) => active)).toEqual([]);
});

test('an endpoint by a key needs what the endpoint gets, and is told by letter', async () => {
  const bob = await newAgent(t, { handle: 'endpoint_of' });
  const set = (key: string, a2a_url: string | null) =>
    t.call('PATCH', '/api/agents/endpoint_of', { key, body: { a2a_url } });
  const narrow = await keyOf(bob, ['agents:write']);
  expect((await set(narrow, ENDPOINT)).body).toMatchObject({
    error: 'insufficient_scope',
    required_scope: 'conversations:read',
  });
  const half = await keyOf(bob, ['agents:write', 'conversations:read']);
  expect((await set(half, ENDPOINT)).body).toMatchObject({
    error: 'insufficient_scope',
    required_scope: 'messages:write',
  });
  const whole = await keyOf(bob, ['agents:write', 'conversations:read', 'messages:write']);
  const sent = t.mails.length;
  expect((await set(whole, ENDPOINT)).status).toBe(200);
  const [letter, ...others] = t.mails.slice(sent);
  expect([letter?.to, others]).toEqual([bob.email, []]);
  expect(letter?.text).toContain(ENDPOINT);
  expect((await set(narrow, null)).status).toBe(200);
});
