// Accounts that belong together raise nobody's trust: names under one registered domain, one card, one payout account. And deals of cents
// are no deals to trust.
import { expect, test } from 'bun:test';
import { agentById } from '../../db/queries/agent.ts';
import { accountsWithMarksOf } from '../../db/queries/deal.ts';
import { EXPIRING_ADDRESS } from '../../src/outbound/chain/sandbox.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { signIn, type TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open } from '../support/escrow.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();

async function prove(agent: TestAgent, domain: string): Promise<TestAnswer> {
  const token = await signIn(t, agent.email);
  const ask = (): Promise<TestAnswer> =>
    t.call('POST', '/api/trust/domain/verify', { token, agent: agent.handle, body: { domain } });
  const { record } = (await ask()).body;
  t.zone.setTxt(record.name, [record.value]);
  return ask();
}

async function points({ email, handle }: TestAgent): Promise<Record<string, number>> {
  await t.rest();
  const { body } = await t.call('GET', '/api/trust/signals', { token: await signIn(t, email), agent: handle });
  const rows = body.breakdown.map(({ signal, points: n }: { signal: string; points: number }) => [signal, n]);
  return Object.fromEntries(rows);
}

async function deal(buyer: Buyer, seller: TestAgent, cents: number): Promise<TestAnswer> {
  const escrow = await open(t, buyer, seller, [cents]);
  const by = { key: buyer.pays, agent: buyer.handle };
  const released = await t.call('POST', `/api/wallet/escrow/${escrow.id}/release`, {
    ...by,
    body: { milestone_index: 0 },
  });
  expect(released.status).toBe(200);
  return t.call('POST', `/api/deals/${escrow.deal_id}/review`, { ...by, body: { rating: 5 } });
}

test('a registered domain backs one agent, by whatever name under it; a suffix that anybody registers under is no domain', async () => {
  const [first, second, third] = [await newSeller(t), await newSeller(t), await newSeller(t)];
  expect((await prove(first, 'shop.evil-shop.example')).body.verified).toBe(true);
  expect((await prove(first, 'evil-shop.example')).body.verified).toBe(true);
  expect((await prove(second, 'n0.evil-shop.example')).body.error).toBe('credential_in_use');
  expect((await prove(second, 'evil-shop.example')).body.error).toBe('credential_in_use');
  expect((await prove(second, 'one.github.io')).body.verified).toBe(true);
  expect((await prove(third, 'two.github.io')).body.verified).toBe(true);
});

test('names under one domain make accounts related: no review, no points', async () => {
  const [seller, buyer] = [await newSeller(t), await newBuyer(t)];
  await prove(seller, 'one.sybil-shop.example');
  await prove(buyer, 'two.sybil-shop.example');
  const said = await deal(buyer, seller, 5_000);
  expect([said.status, said.body.error]).toEqual([409, 'related_accounts']);
  expect(await points(seller)).toMatchObject({ deal_completed: 0, disputes: 0, reviews: 0 });
});

test('deals under a dollar weigh nothing, and others by their amount', async () => {
  const seller = await newSeller(t);
  for (let n = 0; n < 3; n += 1) expect((await deal(await newBuyer(t), seller, 99)).status).toBe(201);
  expect(await points(seller)).toMatchObject({ deal_completed: 0, disputes: 0, reviews: 0 });
  await deal(await newBuyer(t), seller, 100);
  const little = (await points(seller))['deal_completed'] ?? 0;
  await deal(await newBuyer(t), seller, 5_000);
  const more = (await points(seller))['deal_completed'] ?? 0;
  expect(more).toBeGreaterThan(little);
});

test('who withdraws to one address on a chain belongs together, and who only uses the same chain does not', async () => {
  const agents = [await newSeller(t), await newSeller(t), await newSeller(t)];
  for (const [n, agent] of agents.entries()) {
    await fundWallet(t, agent.id, 2_000);
    const to_address = n < 2 ? SAMPLE.wallet_key : EXPIRING_ADDRESS;
    const body = { amount_cents: 2_000, chain: 'solana', to_address, idempotency_key: 'one' };
    const by = { token: agent.token, agent: agent.handle };
    expect((await t.call('POST', '/api/wallet/withdraw', { ...by, body })).status).toBe(201);
  }
  const { store } = t.service.world;
  const accounts = await Promise.all(
    agents.map(async ({ id }) => (await store.read(agentById, { id }))?.account_id ?? ''),
  );
  const [first = '', second = '', third = ''] = accounts;
  const together = (await store.read(accountsWithMarksOf, { account_id: first })).map(({ account_id }) => account_id);
  expect([together.includes(second), together.includes(third)]).toEqual([true, false]);
});
