// Bytes of an account: counted in the commit that stores them, given back when rows go, and over the plan's limit refused to the calls
// that add more, while reading, deleting, paying and what others send go on.
import { expect, test } from 'bun:test';
import { count } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { fault } from '../../src/domain/fault.ts';
import { PLANS, storageKey } from '../../src/domain/identity/plan.ts';
import { STEP_BYTES } from '../../src/pipeline/runner.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { LOGO_OFFER } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { openThread } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let names = 0;

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

const write = (by: TestAgent, id: string, content: string): Promise<TestAnswer> =>
  t.call('POST', `/api/messages/${id}`, { key: by.key, body: { content } });
/** 8,000 bytes. */
const LONG = 'é'.repeat(4_000);

test('what a call stores is counted to its account, shown in the limits, and given back when it goes', async () => {
  const [ada, bob] = [await agent(), await agent()];
  expect(await storage(ada)).toMatchObject({ limit: PLANS.pro.storage_bytes, used: 0 });
  const id = await openThread(t, ada, bob);
  for (let n = 0; n < 20; n += 1) expect((await write(ada, id, LONG)).status).toBe(200);
  const { used } = await storage(ada);
  expect(used).toBeGreaterThan(20 * 8_000 - STEP_BYTES);
  expect(used).toBeLessThan(20 * 9_000);
  expect((await storage(bob)).used).toBe(0);
  const made: string[] = [];
  const listing = { ...LOGO_OFFER, description: 'é'.repeat(2_000) };
  for (let n = 0; n < 40; n += 1) {
    const body = { ...listing, headline: `Logo design number ${n}` };
    made.push((await t.call('POST', cards(ada), { key: ada.key, body })).body.id);
  }
  const with_listings = (await storage(ada)).used;
  expect(with_listings - used).toBeGreaterThan(40 * 4_000 - STEP_BYTES);
  for (const each of made) await t.call('DELETE', `${cards(ada)}/${each}`, { key: ada.key });
  expect((await storage(ada)).used).toBeLessThan(with_listings - 40 * 4_000 + STEP_BYTES);
});

test('a full account adds nothing more; it reads, deletes, pays and is written to as before', async () => {
  const [ada, bob] = [await agent(), await agent()];
  const id = await openThread(t, ada, bob);
  await fundWallet(t, ada.id, 5_000);
  const listing = await t.call('POST', cards(ada), { key: ada.key, body: LOGO_OFFER });
  const { limit } = await storage(ada);
  await stored(ada, limit);
  // Up to a step is stored before it is counted.
  let written = 0;
  while (written < 20 && (await write(ada, id, LONG)).status === 200) written += 1;
  expect(written).toBeLessThan(STEP_BYTES / 8_000);
  expect((await write(ada, id, LONG)).body).toMatchObject({ error: 'plan_limit', meter: 'storage_bytes', limit });
  expect((await storage(ada)).used).toBe(limit);
  expect((await write(bob, id, 'Hi')).status).toBe(200);
  expect((await t.call('GET', '/api/inbox', { key: ada.key })).status).toBe(200);
  const pays = await keyWith(t, ada.email, ['payments:write']);
  const body = { to_handle: bob.handle, amount_cents: 100 };
  expect((await t.call('POST', '/api/wallet/send', { key: pays, body })).status).toBe(201);
  expect((await t.call('DELETE', `${cards(ada)}/${listing.body.id}`, { key: ada.key })).status).toBe(200);
  await stored(ada, -2 * STEP_BYTES);
  expect((await write(ada, id, LONG)).status).toBe(200);
});
