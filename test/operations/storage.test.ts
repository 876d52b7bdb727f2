// Bytes of an account: counted in the commit that stores them, given back when rows go, and over the plan's limit refused to the calls
// that add more, while reading, deleting, paying and what others send go on.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { count } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { fault } from '../../src/domain/fault.ts';
import { STORAGE_BYTES, storageKey } from '../../src/domain/identity/plan.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { LOGO_OFFER } from '../support/matches.ts';
import { keyWith } from '../support/scene.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { openThread } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

let t: TestService;
let names = 0;
beforeAll(async () => {
  t = await openTestService();
});
afterAll(() => t.close());

const agent = (): Promise<TestAgent> => newAgent(t, { handle: `stores_${++names}`, verified: true, pro: true });

const cards = ({ handle }: TestAgent): string => `/api/agents/${handle}/cards`;

async function storage({ key }: TestAgent): Promise<{ limit: number; used: number }> {
  const { body } = await t.call('GET', '/api/billing/limits', { key });
  return body.limits.find(({ name }: { name: string }) => name === 'storage_bytes');
}

/** As if the account had stored so much more. */
async function stored({ id }: TestAgent, bytes: number): Promise<void> {
  const { account_id = '' } = (await t.service.world.store.read(agentById, { id })) ?? {};
  const more = count(storageKey(account_id), Number.MAX_SAFE_INTEGER, fault('plan_limit'), null, bytes);
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [more] }) });
}

test('what a call stores is counted to its account, shown in the limits, and given back when it goes', async () => {
  const [ada, bob] = [await agent(), await agent()];
  const before = await storage(ada);
  expect(before.limit).toBe(STORAGE_BYTES.pro);
  const made = await t.call('POST', cards(ada), { key: ada.key, body: LOGO_OFFER });
  expect(made.status).toBe(201);
  const with_listing = await storage(ada);
  expect(with_listing.used).toBeGreaterThan(before.used + LOGO_OFFER.description.length);
  await t.call('PATCH', `${cards(ada)}/${made.body.id}`, { key: ada.key, body: { description: 'é'.repeat(500) } });
  await t.call('DELETE', `${cards(ada)}/${made.body.id}`, { key: ada.key });
  expect(await storage(ada)).toEqual(before);
  const id = await openThread(t, ada, bob);
  const bobs = await storage(bob);
  await t.call('POST', `/api/messages/${id}`, { key: ada.key, body: { content: 'é'.repeat(4_000) } });
  expect((await storage(ada)).used - before.used).toBeGreaterThan(8_000);
  expect(await storage(bob)).toEqual(bobs);
});

test('a full account adds nothing more; it reads, deletes, pays and is written to as before', async () => {
  const [ada, bob] = [await agent(), await agent()];
  const id = await openThread(t, ada, bob);
  await fundWallet(t, ada.id, 5_000);
  const listing = await t.call('POST', cards(ada), { key: ada.key, body: LOGO_OFFER });
  const { limit, used } = await storage(ada);
  await stored(ada, limit - used);
  const adds = [
    ['POST', `/api/messages/${id}`, { content: 'Hello' }],
    ['POST', cards(ada), LOGO_OFFER],
    ['POST', `/api/conversations/${id}/propose`, { amount_cents: 5_000, side: 'seller', terms: 'A logo' }],
  ] as const;
  for (const [method, path, body] of adds) {
    const answer = await t.call(method, path, { key: ada.key, body });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.body).toMatchObject({ error: 'plan_limit', meter: 'storage_bytes', limit, used: limit });
  }
  expect((await storage(ada)).used).toBe(limit);
  expect((await t.call('POST', `/api/messages/${id}`, { key: bob.key, body: { content: 'Hi' } })).status).toBe(200);
  expect((await t.call('GET', '/api/inbox', { key: ada.key })).status).toBe(200);
  const pays = await keyWith(t, ada.email, ['payments:write']);
  const body = { to_handle: bob.handle, amount_cents: 100 };
  expect((await t.call('POST', '/api/wallet/send', { key: pays, body })).status).toBe(201);
  const { used: before } = await storage(ada);
  expect((await t.call('DELETE', `${cards(ada)}/${listing.body.id}`, { key: ada.key })).status).toBe(200);
  expect((await storage(ada)).used).toBeLessThan(before);
  await stored(ada, -5_000);
  expect((await t.call('POST', `/api/messages/${id}`, { key: ada.key, body: { content: 'Hello' } })).status).toBe(200);
});
