// Bounds that a key sets where its person has set none: the person reads at once how far their program may go, the bounds say who set
// them, and what keys pay in a day is bounded by the day.
import { beforeAll, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { openThread } from '../support/threads.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let payee: TestAgent;
let names = 0;

beforeAll(async () => {
  payee = await newAgent(t, { handle: 'bounds_payee', verified: true });
});

const owner = async (): Promise<TestAgent & { pays: string }> => {
  const agent = await newAgent(t, { handle: `bounded_${++names}`, verified: true, pro: true });
  await fundWallet(t, agent.id, 100_000);
  return { ...agent, pays: await keyWith(t, agent.email, ['payments:write', 'agents:write']) };
};
const set = (by: { key?: string; token?: string }, body: object): Promise<TestAnswer> =>
  t.call('PATCH', '/api/agents/bounds', { ...by, body });
const send = (by: { key?: string; token?: string }, amount_cents: number): Promise<TestAnswer> =>
  t.call('POST', '/api/wallet/send', { ...by, body: { to_handle: payee.handle, amount_cents } });

test('its person gets a letter at once, with the figures; bounds that a person set are not told to them', async () => {
  const ada = await owner();
  await t.rest();
  const letters = async (): Promise<string[]> => {
    await t.rest();
    return t.mails.filter(({ to, subject }) => to === ada.email && subject.includes('alone')).map(({ text }) => text);
  };
  const by_key = await set({ key: ada.key }, { auto_approve_below_cents: 200_000, max_pay_cents: 200_000 });
  expect(by_key.body.bounds.set_by).toEqual({
    max_pay_cents: 'key',
    max_pay_per_day_cents: null,
    min_charge_cents: null,
    auto_approve_below_cents: 'key',
  });
  const [letter = ''] = await letters();
  expect(letter).toContain('$2,000.00');
  expect(letter).toContain(`/agents/${ada.handle}#bounds`);
  // Narrower is no news.
  await set({ key: ada.key }, { max_pay_cents: 100_000 });
  expect(await letters()).toHaveLength(1);
  const kept = await set({ token: ada.token }, { auto_approve_below_cents: 200_000, max_pay_cents: 100_000 });
  expect(kept.body.bounds.set_by).toMatchObject({ max_pay_cents: 'person', auto_approve_below_cents: 'person' });
  expect(await letters()).toHaveLength(1);
});

test('what keys pay in a day is bounded together, however it is split, and asked of the person beyond', async () => {
  const ada = await owner();
  await set({ token: ada.token }, { max_pay_cents: 1_000, max_pay_per_day_cents: 2_500 });
  const other = await keyWith(t, ada.email, ['payments:write']);
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => send({ key: n % 2 ? other : ada.pays }, 900)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403, 403]);
  const refused = answers.find(({ status }) => status === 403)?.body;
  expect(refused).toMatchObject({ error: 'outside_bounds', bound: 'max_pay_per_day_cents', bound_cents: 2_500 });
  expect(refused.action_id).toBeString();
  expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(98_200);
  // A person is not bounded, and their yes to what was asked pays it.
  expect((await send({ token: ada.token }, 3_000)).status).toBe(201);
  const yes = { token: ada.token, body: { decision: 'approve' } };
  const done = await t.call('POST', `/api/actions/${refused.action_id}/decide`, yes);
  expect([done.status, await balanceOf(t, `wallet:${ada.id}`)]).toEqual([200, 94_300]);
});

test('a key narrows the bound of a day that a person set, and does not widen it', async () => {
  const ada = await owner();
  await set({ token: ada.token }, { max_pay_per_day_cents: 2_500 });
  expect((await set({ key: ada.key }, { max_pay_per_day_cents: 3_000 })).body.error).toBe('session_required');
  expect((await set({ key: ada.key }, { max_pay_per_day_cents: null })).body.error).toBe('session_required');
  expect((await set({ key: ada.key }, { max_pay_per_day_cents: 100 })).status).toBe(200);
});

test('escrows that the yes of a key opens count to that bound; beyond it the deal is agreed, and waits for its person to pay', async () => {
  const ada = await owner();
  await set({ token: ada.token }, { auto_approve_below_cents: 5_000, max_pay_per_day_cents: 2_500 });
  const key = await keyWith(t, ada.email, ['payments:write', 'conversations:write']);
  const agree = async (amount_cents: number): Promise<TestAnswer['body']> => {
    const id = await openThread(t, ada, payee);
    const offer = { amount_cents, side: 'seller', terms: 'A logo' };
    const put = await t.call('POST', `/api/conversations/${id}/propose`, { token: payee.token, body: offer });
    const body = { proposal_id: put.body.id, version: put.body.version };
    return (await t.call('POST', `/api/conversations/${id}/approve`, { key, body })).body;
  };
  const paid = await agree(2_000);
  expect([typeof paid.escrow_id, paid.unpaid]).toEqual(['string', null]);
  expect((await send({ key }, 501)).body).toMatchObject({ bound: 'max_pay_per_day_cents', bound_cents: 2_500 });
  const waits = await agree(2_000);
  expect([typeof waits.deal_id, waits.escrow_id, waits.unpaid]).toEqual(['string', null, 'approval_required']);
  expect((await send({ key }, 500)).status).toBe(201);
  expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(97_500);
});
