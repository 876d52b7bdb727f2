// Withdrawals the whole way with Stripe, by its own SDK against a double: the transfer, the payout, its word by webhook or not at
// all, and a bank that sends the money back after it was paid.

import { expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { payeeById } from '../../db/queries/processor.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedStripe } from '../support/shared-stripe.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const { t, double } = sharedStripe();

let agents = 0;

/** An agent with money whose person has finished at Stripe. */
async function connected(): Promise<TestAgent> {
  agents += 1;
  const agent = await newAgent(t, { handle: `paid_out${agents}`, verified: true });
  await fundWallet(t, agent.id, 5_000);
  const asked = await t.call('POST', '/api/payments/connect', { token: agent.token, agent: agent.handle, body: {} });
  if (asked.status !== 200) throw new Error(JSON.stringify(asked.body));
  const { store } = t.service.world;
  const row = await store.read(agentById, { id: agent.id });
  const payee = await store.read(payeeById, { id: row?.account_id ?? '' });
  double.world.finishAccount(payee?.external_id ?? '');
  await t.call('GET', '/api/payments/connect/status', { token: agent.token, agent: agent.handle });
  return agent;
}

async function asPerson(agent: TestAgent, method: string, path: string, body?: object) {
  const token = await signIn(t, agent.email);
  return t.call(method, path, { token, agent: agent.handle, ...(body && { body }) });
}

async function withdraw(agent: TestAgent): Promise<string> {
  const asked = await asPerson(agent, 'POST', '/api/wallet/withdraw', { amount_cents: 4_000 });
  expect(asked.body).toMatchObject({ status: 'pending' });
  await t.rest();
  return asked.body.payout_id;
}

const statusOf = async (agent: TestAgent, id: string): Promise<string> =>
  (await asPerson(agent, 'GET', `/api/wallet/payouts/${id}`)).body.status;

async function deliverAll(): Promise<void> {
  for (const { body, signature } of double.world.events.splice(0)) {
    const raw = { type: 'application/json', text: body };
    await t.call('POST', '/webhooks/stripe', { raw, headers: { 'Stripe-Signature': signature } });
  }
}

/** The payout that was made last at Stripe. */
const lastPayout = (): string => double.world.all('payout')[0]?.id ?? '';

test('waits for the platform’s balance, then arrives with the word of a webhook', async () => {
  double.world.available = 0;
  const agent = await connected();
  const id = await withdraw(agent);
  expect(await statusOf(agent, id)).toBe('pending');
  double.world.available = 10_000;
  await t.advance(HOUR_MS);
  expect(await statusOf(agent, id)).toBe('submitted');
  expect(double.world.available).toBe(6_000);
  double.world.settlePayout(lastPayout(), 'paid');
  await deliverAll();
  await t.rest();
  expect(await statusOf(agent, id)).toBe('finalized');
  expect(double.world.all('transfer')).toHaveLength(1);
});

test('sent back days after it was paid, it is taken back at Stripe and then given back, also without any webhook', async () => {
  double.world.available = 10_000;
  const agent = await connected();
  const id = await withdraw(agent);
  double.world.settlePayout(lastPayout(), 'paid');
  await t.advance(DAY_MS);
  expect(await statusOf(agent, id)).toBe('finalized');
  double.world.settlePayout(lastPayout(), 'failed');
  double.world.events.splice(0);
  await t.advance(2 * DAY_MS);
  expect(await statusOf(agent, id)).toBe('reversed');
  expect(double.world.available).toBe(10_000);
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(5_000);
});

test.each(['silent', 'silent_done', 'error', 'error_done', 'busy'] as const)(
  'under %s of each call that moves money it arrives once',
  async (fault) => {
    double.world.available = 10_000;
    const agent = await connected();
    const before = double.world.all('transfer').length;
    const paid = double.world.all('payout').length;
    double.fail(fault, /POST .*transfers$/);
    double.fail(fault, /POST .*payouts$/);
    const id = await withdraw(agent);
    await t.advance(2 * HOUR_MS);
    double.world.settlePayout(lastPayout(), 'paid');
    await t.advance(DAY_MS);
    expect(await statusOf(agent, id)).toBe('finalized');
    expect(double.world.all('transfer').length - before).toBe(1);
    expect(double.world.all('payout').length - paid).toBe(1);
    expect(double.world.available).toBe(6_000);
  },
);

test('a connection at another processor is none', async () => {
  const agent = await connected();
  const { store } = t.service.world;
  const row = await store.read(agentById, { id: agent.id });
  await store.turn({
    attempt: async (read) => {
      const payee = await read(payeeById, { id: row?.account_id ?? '' });
      return { reply: null, effects: payee ? [patch('payees', payee, { processor: 'sandbox' })] : [] };
    },
  });
  const asked = await asPerson(agent, 'POST', '/api/wallet/withdraw', { amount_cents: 4_000 });
  expect(asked.body.error).toBe('not_connected');
});
