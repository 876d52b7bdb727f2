// What stops a withdrawal, and that of several at once no more pass than may: nothing that is refused moves a cent.

import { expect, test } from 'bun:test';
import { count, patch } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { fault } from '../../src/domain/fault.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { restrictionKey } from '../../src/steps/money/spend.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { putFunds } from '../support/funds.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import { openTestService } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();

let agents = 0;

async function richAgent(cents: number, of = t): Promise<TestAgent> {
  agents += 1;
  const agent = await newAgent(of, { handle: `asks${agents}`, verified: true });
  await fundWallet(of, agent.id, cents);
  await connectPayee(of, agent);
  return agent;
}

const withdraw = (agent: TestAgent, body: object, of = t) =>
  of.call('POST', '/api/wallet/withdraw', { token: agent.token, agent: agent.handle, body });

/** Money by card that may be withdrawn only after some days. */
async function young(agent: TestAgent, cents: number): Promise<void> {
  await putFunds(t, agent.id, cents, 7 * DAY_MS);
}

test('money that a card paid in lately stays, and so do the figures of it', async () => {
  const agent = await richAgent(3_000);
  await young(agent, 4_000);
  const short = await withdraw(agent, { amount_cents: 3_001 });
  expect(short.status).toBe(402);
  expect(short.body).toMatchObject({ balance_cents: 7_000, withdrawable_cents: 3_000, shortfall_cents: 1 });
  expect((await withdraw(agent, { amount_cents: 3_000 })).status).toBe(201);
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(4_000);
});

test('two at once do not share what is left of it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const agent = await richAgent(2_000);
    await young(agent, 4_000);
    const answers = await Promise.all([1, 2, 3].map(() => withdraw(agent, { amount_cents: 2_000 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402, 402]);
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(4_000);
  }
});

test('of many at once as many pass as the wallet covers, and one under one key', async () => {
  const agent = await richAgent(5_500);
  const answers = await Promise.all(Array.from({ length: 12 }, () => withdraw(agent, { amount_cents: 1_000 })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(500);
  const other = await richAgent(5_500);
  const body = { amount_cents: 1_000, idempotency_key: 'one' };
  const same = await Promise.all(Array.from({ length: 8 }, () => withdraw(other, body)));
  expect(new Set(same.map(({ body: { payout_id } }) => payout_id)).size).toBe(1);
  expect(await balanceOf(t, `wallet:${other.id}`)).toBe(4_500);
});

test('of several at once no more pass without a stronger proof than 50,000 cents', async () => {
  const agent = await richAgent(200_000);
  await t.service.world.store.turn({
    attempt: async (read) => {
      const row = await read(agentById, { id: agent.id });
      if (!row) throw new Error('no such agent');
      return { reply: null, effects: [patch('agents', row, { credentials: ['email', 'github'] })] };
    },
  });
  const answers = await Promise.all(Array.from({ length: 6 }, () => withdraw(agent, { amount_cents: 20_000 })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  const refused = answers.filter(({ status }) => status === 403).map(({ body }) => body.error);
  expect(refused).toEqual(Array.from({ length: 4 }, () => 'stronger_verification_required'));
});

test.each<[string, object, string]>([
  ['another chain', { chain: 'ethereum', to_address: SAMPLE.wallet_key }, 'chain'],
  ['an address without its chain', { to_address: SAMPLE.wallet_key }, 'chain'],
  ['a chain without an address', { chain: 'solana' }, 'to_address'],
  ['an address that is none', { chain: 'solana', to_address: 'here' }, 'to_address'],
  ['no key', { chain: 'solana', to_address: SAMPLE.wallet_key, idempotency_key: undefined }, 'idempotency_key'],
])('%s is refused by its field', async (_what, body, path) => {
  const agent = await richAgent(5_000);
  const answer = await withdraw(agent, { amount_cents: 1_000, idempotency_key: 'a', ...body });
  expect(answer.status).toBe(400);
  expect(answer.body.fields[0].path).toBe(path);
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(5_000);
});

test.each([0, -1_000, 1_000.5, 2 ** 53, '1000', null, 999])('%p is no amount', async (amount_cents) => {
  const agent = await richAgent(5_000);
  expect((await withdraw(agent, { amount_cents })).status).toBe(400);
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(5_000);
});

test('an account that owes for a payment that was taken back withdraws nothing', async () => {
  const agent = await richAgent(5_000);
  const { store } = t.service.world;
  const row = await store.read(agentById, { id: agent.id });
  const owes = count(restrictionKey(row?.account_id ?? ''), 9, fault('account_restricted'), null, 1);
  await store.turn({ attempt: async () => ({ reply: null, effects: [owes] }) });
  expect((await withdraw(agent, { amount_cents: 1_000 })).body.error).toBe('account_restricted');
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(5_000);
});

test('somebody else’s payout is not there', async () => {
  const [agent, other] = [await richAgent(5_000), await richAgent(1)];
  const { payout_id } = (await withdraw(agent, { amount_cents: 1_000 })).body;
  const asked = await t.call('GET', `/api/wallet/payouts/${payout_id}`, { token: other.token });
  expect(asked.body.error).toBe('not_found');
});

test('a server without a processor or a chain says so, and debits nothing', async () => {
  const bare = await openTestService({}, 'memory', { processor: null, chain: null });
  try {
    const agent = await richAgent(5_000, bare);
    const bank = await withdraw(agent, { amount_cents: 1_000 }, bare);
    expect([bank.status, bank.body.error]).toEqual([500, 'processor_not_configured']);
    const body = { amount_cents: 1_000, chain: 'solana', to_address: SAMPLE.wallet_key, idempotency_key: 'a' };
    const chain = await withdraw(agent, body, bare);
    expect([chain.status, chain.body.error]).toEqual([503, 'chain_rail_unavailable']);
    expect(await balanceOf(bare, `wallet:${agent.id}`)).toBe(5_000);
  } finally {
    await bare.close();
  }
});
