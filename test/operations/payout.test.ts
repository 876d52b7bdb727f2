// Withdrawals by either rail: who may, what is counted, and that the money ends at the payee or in the wallet and nowhere else.

import { describe, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import type { Read } from '../../db/store.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { EXPIRING_ADDRESS, FAILING_ADDRESS } from '../../src/outbound/chain/sandbox.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();

let agents = 0;

/** A verified agent whose account is connected for payouts, with money. */
async function richAgent(cents: number, connected = true): Promise<TestAgent> {
  agents += 1;
  const agent = await newAgent(t, { handle: `payee${agents}`, verified: true });
  if (cents > 0) await fundWallet(t, agent.id, cents);
  if (connected) await connectPayee(t, agent);
  return agent;
}

/** As the agent's person, who signs in again where time went on. */
async function asPerson(agent: TestAgent, method: string, path: string, body?: object): Promise<TestAnswer> {
  const token = await signIn(t, agent.email);
  return t.call(method, path, { token, agent: agent.handle, ...(body && { body }) });
}

const withdraw = (agent: TestAgent, body: object) => asPerson(agent, 'POST', '/api/wallet/withdraw', body);
const payoutOf = async (agent: TestAgent, id: string) =>
  (await asPerson(agent, 'GET', `/api/wallet/payouts/${id}`)).body;

/** Leaves an agent with a proof that is not a strong one. */
async function weaken(agent: TestAgent): Promise<void> {
  const attempt = async (read: Read) => {
    const row = await read(agentById, { id: agent.id });
    if (!row) throw new Error('no such agent');
    return { reply: null, effects: [patch('agents', row, { credentials: ['email', 'github'] })] };
  };
  await t.service.world.store.turn({ attempt });
}

describe('to a bank', () => {
  test('debits at once and arrives within three days, told once', async () => {
    const agent = await richAgent(5_000);
    const asked = await withdraw(agent, { amount: 2_000 });
    expect(asked.status).toBe(201);
    expect(asked.body).toMatchObject({ rail: 'bank', amount_cents: 2_000, status: 'pending', currency: 'USD' });
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(3_000);
    await t.advance(MINUTE_MS);
    expect(await payoutOf(agent, asked.body.payout_id)).toMatchObject({ status: 'submitted', needs_action: false });
    await t.advance(2 * DAY_MS);
    expect(await payoutOf(agent, asked.body.payout_id)).toMatchObject({ status: 'finalized' });
    await t.advance(12 * DAY_MS);
    const told = await eventsOf(t, agent, 'payment.succeeded');
    expect(told.map(({ data }) => data)).toEqual([
      { kind: 'payout', amount_cents: 2_000, reference_id: asked.body.payout_id },
    ]);
    const list = await asPerson(agent, 'GET', '/api/wallet/payouts');
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([asked.body.payout_id]);
  });

  test('is refused without a connected account, below the minimum, and above the balance with figures', async () => {
    const agent = await richAgent(5_000, false);
    expect((await withdraw(agent, { amount: 2_000 })).body.error).toBe('not_connected');
    await connectPayee(t, agent);
    expect((await withdraw(agent, { amount: 999 })).status).toBe(400);
    expect((await withdraw(agent, {})).body.fields[0].path).toBe('amount_cents');
    const short = await withdraw(agent, { amount_cents: 5_001 });
    expect(short.status).toBe(402);
    expect(short.body).toMatchObject({ balance_cents: 5_000, shortfall_cents: 1, withdrawable_cents: 5_000 });
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(5_000);
  });

  test('the same key is the first withdrawal for ever', async () => {
    const agent = await richAgent(5_000);
    const body = { amount_cents: 1_500, idempotency_key: 'once' };
    const first = await withdraw(agent, body);
    await t.advance(30 * DAY_MS);
    const again = await withdraw(agent, { ...body, amount_cents: 2_000 });
    expect(again.body).toMatchObject({ payout_id: first.body.payout_id, amount_cents: 1_500, status: 'finalized' });
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(3_500);
  });

  test('more than 50,000 cents within seven days take a stronger proof', async () => {
    const agent = await richAgent(500_000);
    await weaken(agent);
    expect((await withdraw(agent, { amount_cents: 50_001 })).body.error).toBe('stronger_verification_required');
    expect((await withdraw(agent, { amount_cents: 30_000 })).status).toBe(201);
    const second = await withdraw(agent, { amount_cents: 20_001 });
    expect(second.body).toMatchObject({ error: 'stronger_verification_required', limit_cents: 50_000 });
    expect((await withdraw(agent, { amount_cents: 20_000 })).status).toBe(201);
    await t.advance(8 * DAY_MS);
    expect((await withdraw(agent, { amount_cents: 50_000 })).status).toBe(201);
  });
});

describe('to a chain', () => {
  test('is final after a minute', async () => {
    const agent = await richAgent(5_000, false);
    const body = { amount_cents: 1_000, chain: 'solana', to_address: SAMPLE.wallet_key, idempotency_key: 'a' };
    const asked = await withdraw(agent, body);
    expect(asked.body).toMatchObject({
      rail: 'chain',
      chain: 'solana',
      to_address: SAMPLE.wallet_key,
      status: 'pending',
    });
    await t.advance(MINUTE_MS - 1);
    expect((await payoutOf(agent, asked.body.id)).status).toBe('submitted');
    await t.advance(1);
    expect((await payoutOf(agent, asked.body.id)).status).toBe('finalized');
  });

  test.each([FAILING_ADDRESS, EXPIRING_ADDRESS])(
    'what fails or expires is back in the wallet (%s)',
    async (to_address) => {
      const agent = await richAgent(5_000, false);
      const body = { amount_cents: 1_000, chain: 'solana', to_address, idempotency_key: 'a' };
      const { id } = (await withdraw(agent, body)).body;
      expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(4_000);
      await t.advance(2 * MINUTE_MS);
      expect(await payoutOf(agent, id)).toMatchObject({ status: 'reversed' });
      expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(5_000);
      expect(await eventsOf(t, agent, 'payment.failed')).toHaveLength(1);
    },
  );
});
