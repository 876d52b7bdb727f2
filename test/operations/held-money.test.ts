// Money that a card paid in stays held wherever it moves, until its day: sends, escrows, routed calls' holds and subscriptions take free
// money first, and what they take of the held keeps its day with the receiver. Nobody withdraws what a chargeback may take back.

import { expect, test } from 'bun:test';
import { guardedBalance } from '../../db/queries/ledger.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { putFunds } from '../support/funds.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let agents = 0;

async function member(): Promise<TestAgent> {
  agents += 1;
  const agent = await newAgent(t, { handle: `keeps_${agents}`, verified: true });
  await connectPayee(t, agent);
  return agent;
}

const as = ({ token, handle }: TestAgent, method: string, path: string, body?: object): Promise<TestAnswer> =>
  t.call(method, path, { token, agent: handle, ...(body && { body }) });
const send = (from: TestAgent, to: TestAgent, amount_cents: number): Promise<TestAnswer> =>
  as(from, 'POST', '/api/wallet/send', { to_handle: to.handle, amount_cents });
const withdraw = (agent: TestAgent, amount_cents: number): Promise<TestAnswer> =>
  as(agent, 'POST', '/api/wallet/withdraw', { amount_cents });
const money = async (agent: TestAgent): Promise<[balance: number, withdrawable: number]> => {
  const { body } = await t.call('GET', '/api/v1/wallet', { key: agent.key });
  return [body.balance_cents, body.withdrawable_cents];
};
const check = async (): Promise<void> => {
  const headers = { 'X-Internal-Token': t.internal_token };
  expect((await t.call('GET', '/api/admin/ledger/check', { headers })).body).toMatchObject({ ok: true, problems: [] });
};

test('a send takes it along, and the receiver withdraws it on its day', async () => {
  const [payer, payee] = [await member(), await member()];
  await putFunds(t, payer.id, 100_000, 7 * DAY_MS);
  expect((await send(payer, payee, 40_000)).status).toBe(201);
  expect(await money(payee)).toEqual([40_000, 0]);
  const refused = await withdraw(payee, 40_000);
  expect(refused.status).toBe(402);
  expect(refused.body).toMatchObject({ balance_cents: 40_000, withdrawable_cents: 0, shortfall_cents: 40_000 });
  await check();
  await t.advance(7 * DAY_MS);
  expect(await money(payee)).toEqual([40_000, 40_000]);
  const token = await signIn(t, payee.email);
  expect((await withdraw({ ...payee, token }, 40_000)).status).toBe(201);
  await check();
});

test('what is free goes first, then what becomes free soonest', async () => {
  const [payer, payee] = [await member(), await member()];
  await putFunds(t, payer.id, 1_000, 3 * DAY_MS);
  await putFunds(t, payer.id, 2_000, DAY_MS);
  await putFunds(t, payer.id, 500);
  await send(payer, payee, 400);
  expect([await money(payer), await money(payee)]).toEqual([
    [3_100, 100],
    [400, 400],
  ]);
  await send(payer, payee, 1_100);
  expect([await money(payer), await money(payee)]).toEqual([
    [2_000, 0],
    [1_500, 500],
  ]);
  await t.advance(DAY_MS);
  expect([await money(payer), await money(payee)]).toEqual([
    [2_000, 1_000],
    [1_500, 1_500],
  ]);
  await check();
});

test('an escrow keeps it for the seller, and gives it back as it was', async () => {
  const [buyer, seller] = [await member(), await member()];
  await putFunds(t, buyer.id, 10_000, 7 * DAY_MS);
  const milestones = [
    { title: 'A rope', amount_cents: 4_000 },
    { title: 'A knot', amount_cents: 6_000 },
  ];
  const { body } = await as(buyer, 'POST', '/api/wallet/escrow', { seller_handle: seller.handle, milestones });
  const released = await as(buyer, 'POST', `/api/wallet/escrow/${body.id}/release`, { milestone_index: 0 });
  expect(released.status).toBe(200);
  expect(await money(seller)).toEqual([3_800, 0]);
  await as(seller, 'POST', `/api/wallet/escrow/${body.id}/refund`, {});
  expect(await money(buyer)).toEqual([6_000, 0]);
  await check();
  await t.advance(7 * DAY_MS);
  expect([await money(buyer), await money(seller)]).toEqual([
    [6_000, 6_000],
    [3_800, 3_800],
  ]);
});

test('an account keeps one entry a day, however often money comes', async () => {
  const [payer, payee] = [await member(), await member()];
  for (let day = 0; day < 7; day += 1) {
    for (const amount_cents of [100, 200]) await putFunds(t, payer.id, amount_cents, 7 * DAY_MS);
    await send(payer, payee, 300);
    await t.advance(DAY_MS);
  }
  const account = await t.service.world.store.read(guardedBalance, { id: `wallet:${payee.id}` });
  expect(account?.held?.length).toBeLessThanOrEqual(8);
  await check();
});

test('two withdrawals and a send at once share no free cent', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [payer, payee] = [await member(), await member()];
    await putFunds(t, payer.id, 3_000);
    await putFunds(t, payer.id, 9_000, 7 * DAY_MS);
    const withdrawn = await Promise.all([withdraw(payer, 2_000), withdraw(payer, 2_000), send(payer, payee, 1_500)]);
    const out = withdrawn.slice(0, 2).filter(({ status }) => status === 201).length * 2_000;
    const [[, left], [, got]] = [await money(payer), await money(payee)];
    expect(out + left + got).toBe(3_000);
    await check();
  }
});
