// What a program may spend holds for what it begins: each charge of a subscription counts against the budget of the key that began it.

import { expect, test } from 'bun:test';
import { WEEK_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let names = 0;

interface Begun {
  readonly buyer: TestAgent;
  readonly key: { readonly id: string; readonly api_key: string };
  readonly id: string;
}

/** The person of an agent, as a caller; access tokens live a quarter of an hour of service time. */
const person = async ({ email, handle }: TestAgent) => ({ token: await signIn(t, email), agent: handle });

async function call(name: string, { buyer, key }: Pick<Begun, 'buyer' | 'key'>, given: object) {
  const asked = { key: key.api_key, revision: '2025-11-25', headers: { 'X-Agent-Handle': buyer.handle } };
  const { result } = (await rpc(t, 'tools/call', { name, arguments: given }, asked)).body;
  return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
}

/** A subscription over $10.00 a week that a key with a budget began. */
async function begun(budget: object): Promise<Begun> {
  names += 1;
  const buyer = await newAgent(t, { handle: `budget_buyer_${names}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `budget_seller_${names}`, verified: true });
  await fundWallet(t, buyer.id, 100_000);
  const body = { name: 'a shop', scopes: ['payments:write', 'agents:read'], budget };
  const { body: key } = await t.call('POST', '/api/developer/keys', { ...(await person(buyer)), body });
  const given = { seller_handle: seller.handle, amount_cents: 1_000, interval: 'weekly' };
  return { buyer, key, id: (await call('mesh_subscribe', { buyer, key }, given)).id };
}

const read = async ({ buyer, id }: Begun) =>
  (await t.call('GET', `/api/subscriptions/${id}`, await person(buyer))).body;

/** What is said to be spent of the budget. */
async function spent({ buyer, key }: Begun): Promise<number> {
  const { body } = await t.call('GET', '/api/developer/keys', await person(buyer));
  return body.find(({ id }: { id: string }) => id === key.id).budget.spent_total_cents;
}

test('each charge counts, and one that the whole budget cannot bear fails, moves nothing and says why', async () => {
  const made = await begun({ total_cents: 2_500 });
  expect(await spent(made)).toBe(1_000);
  await t.advance(WEEK_MS);
  expect([(await read(made)).charges_made, await spent(made)]).toEqual([2, 2_000]);
  await t.advance(WEEK_MS);
  const short = await read(made);
  expect([short.status, short.charges_made, await spent(made)]).toEqual(['past_due', 2, 2_000]);
  expect(short.charges[0]).toMatchObject({ status: 'failed', reason: 'budget' });
});

test('a key that was revoked has nothing left to spend, until a person takes the subscription over', async () => {
  const made = await begun({ total_cents: 100_000 });
  await t.call('DELETE', `/api/developer/keys/${made.key.id}`, await person(made.buyer));
  await t.advance(4.5 * WEEK_MS);
  const paused = await read(made);
  expect([paused.status, paused.charges_made]).toEqual(['paused', 1]);
  const resumed = await t.call('POST', `/api/subscriptions/${made.id}/resume`, await person(made.buyer));
  expect([resumed.status, resumed.body.status]).toEqual([200, 'active']);
  await t.advance(WEEK_MS);
  expect((await read(made)).charges_made).toBe(2);
});

test('a key does not resume what its budget can no longer bear', async () => {
  const made = await begun({ total_cents: 1_500 });
  await t.call('POST', `/api/subscriptions/${made.id}/pause`, await person(made.buyer));
  const refused = await call('mesh_resume_subscription', made, { subscription_id: made.id });
  expect(refused).toMatchObject({ error: 'spending_limit', limit: 'budget.total_cents' });
  expect((await read(made)).status).toBe('paused');
});
