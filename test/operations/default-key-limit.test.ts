// What a stolen sign-up key can spend: keys without `payments:write` are bound in routed calls until a person has said otherwise.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { AUTHORITY } from '../support/authority.ts';
import { PROVIDER_HOST, type Provider, startProvider } from '../support/provider.ts';
import { keyWith } from '../support/scene.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const LIMIT = { per_transaction_cents: 1_000, per_day_cents: 2_000 };

let p: Provider;
let t: TestService;
let provider: TestAgent;
let names = 0;

beforeAll(async () => {
  p = await startProvider();
  t = await openTestService({}, 'memory', {
    outside: { allow: [{ host: PROVIDER_HOST, port: p.port }], ca: AUTHORITY },
  });
  t.zone.setAddresses(PROVIDER_HOST, ['127.0.0.1']);
  provider = await newAgent(t, { handle: 'limit_provider', verified: true });
  const prices = [1_001, 1_000, 700];
  for (const price_cents of prices) {
    const endpoint_url = p.url('serve', provider.handle);
    const body = { capability: `demo.of_${price_cents}`, endpoint_url, price_cents };
    const made = await t.call('POST', '/api/router/providers', { key: provider.key, body });
    expect(made.status).toBe(201);
    p.secrets.add(made.body.signing_secret);
  }
});
afterAll(async () => {
  await t.close();
  await p.close();
});

const caller = async (more: { pro?: boolean } = {}): Promise<TestAgent> => {
  names += 1;
  const agent = await newAgent(t, { handle: `limit_caller_${names}`, verified: true, ...more });
  await fundWallet(t, agent.id, 100_000);
  return agent;
};
const route = (key: string, price: number): Promise<TestAnswer> =>
  t.call('POST', '/api/router/call', { key, body: { capability: `demo.of_${price}`, payload: { text: 'x' } } });
const wallet = async ({ key }: TestAgent): Promise<TestAnswer['body']> =>
  (await t.call('GET', '/api/v1/wallet', { key })).body;

test('the sign-up key pays so much a call and a day, and is told where that is lifted', async () => {
  const ada = await caller();
  expect((await wallet(ada)).default_key_limit).toEqual(LIMIT);
  const dear = await route(ada.key, 1_001);
  expect([dear.status, dear.body.error, dear.body.limit]).toEqual([
    403,
    'spending_limit',
    'default_key_limit.per_transaction_cents',
  ]);
  expect(dear.body.url).toContain('/payouts');
  const answers = await Promise.all([1, 2, 3, 4].map(() => route(ada.key, 700)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403, 403]);
  expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
    error: 'spending_limit',
    limit: 'default_key_limit.per_day_cents',
    limit_cents: 2_000,
  });
  expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(98_600);
  await t.advance(DAY_MS);
  expect((await route(ada.key, 700)).status).toBe(200);
});

test('a key with payments:write, and a person, are not bound by it', async () => {
  const ada = await caller({ pro: true });
  const pays = await keyWith(t, ada.email, ['payments:write', 'router:call']);
  expect((await route(pays, 1_001)).status).toBe(200);
});

test('it holds until a session has set a limit, be it none', async () => {
  const ada = await caller();
  const set = (body: object): Promise<TestAnswer> => t.call('PATCH', '/api/wallet/', { token: ada.token, body });
  expect((await set({ low_balance_cents: 0 })).body.default_key_limit).toEqual(LIMIT);
  expect((await route(ada.key, 1_001)).status).toBe(403);
  expect((await set({ spending_limit: null })).body.default_key_limit).toBeNull();
  expect((await route(ada.key, 1_001)).status).toBe(200);
  expect((await set({ spending_limit: { per_transaction_cents: 900 } })).body.default_key_limit).toBeNull();
  expect((await route(ada.key, 1_000)).body.limit).toBe('spending_limit.per_transaction_cents');
});

test('it is told where such a key is made', async () => {
  const ada = await caller({ pro: true });
  const make = async (scopes: string[]): Promise<unknown> => {
    const made = await t.call('POST', '/api/developer/keys', { token: ada.token, body: { name: 'x', scopes } });
    return made.body.default_key_limit;
  };
  expect(await make(['router:call'])).toEqual(LIMIT);
  expect(await make(['router:call', 'payments:write'])).toBeNull();
  expect(await make(['agents:read'])).toBeNull();
});
