// Payouts through a processor that fails in every way it can: the money is with the payee or in the wallet, never in both, and no
// transfer is made twice.

import { beforeEach, expect, test } from 'bun:test';
import { platformBalance } from '../../db/queries/ledger.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { type BankTemper, faultyProcessor, type OutCall, type Trouble } from '../support/faulty-processor.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import { readStoredRows } from '../support/store.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const CENTS = 4_000;

/** What happens to each call in turn; what is beyond is well. */
let script: Partial<Record<OutCall, Trouble[]>> = {};
let always: Partial<Record<OutCall, Trouble>> = {};
let temper: BankTemper = 'takes';

const faulty = faultyProcessor({
  trouble: (call) => script[call]?.shift() ?? always[call] ?? 'none',
  bank: () => temper,
});

const t = sharedService({}, 'memory', { processor: faulty.processor });
beforeEach(() => {
  script = {};
  always = {};
  temper = 'takes';
});

let agents = 0;

async function withdraw(): Promise<{ agent: TestAgent; id: string }> {
  agents += 1;
  const agent = await newAgent(t, { handle: `unlucky${agents}`, verified: true });
  await fundWallet(t, agent.id, 5_000);
  await connectPayee(t, agent);
  const asked = await ask(agent);
  if (asked.status !== 201) throw new Error(JSON.stringify(asked.body));
  return { agent, id: asked.body.payout_id };
}

async function ask(agent: TestAgent, amount_cents = CENTS) {
  const token = await signIn(t, agent.email);
  return t.call('POST', '/api/wallet/withdraw', { token, agent: agent.handle, body: { amount_cents } });
}

async function payoutOf(agent: TestAgent, id: string) {
  return (await t.call('GET', `/api/wallet/payouts/${id}`, { token: await signIn(t, agent.email) })).body;
}

/** Where the money is, and that it is there once. */
async function whereIs(agent: TestAgent, id: string): Promise<'outside' | 'wallet' | 'between'> {
  const balance = await balanceOf(t, `wallet:${agent.id}`);
  const outside = faulty.outside(id);
  if (balance === 5_000) {
    expect(outside).toBe(0);
    return 'wallet';
  }
  expect(balance).toBe(1_000);
  return outside === CENTS ? 'outside' : 'between';
}

test.each<[string, Partial<Record<OutCall, Trouble[]>>]>([
  ['the transfer is lost on its way', { transfer: ['lost', 'lost'] }],
  ['the answer to the transfer is lost', { transfer: ['unanswered'] }],
  ['nobody says whether there is a transfer', { findTransfer: ['lost', 'lost', 'lost'] }],
  ['our balance is too small for a while', { transfer: ['insufficient', 'insufficient'] }],
  ['the answer to the payout is lost', { payOut: ['unanswered'] }],
  ['the payout is lost on its way', { payOut: ['lost', 'lost'], findPayout: ['none', 'lost'] }],
  ['the look at the payout is lost', { findPayout: ['none', 'lost', 'lost', 'lost'] }],
])('%s: it arrives, once', async (_what, troubles) => {
  script = troubles;
  const begun = { ...faulty.counts };
  const { agent, id } = await withdraw();
  await t.advance(3 * DAY_MS);
  expect(await payoutOf(agent, id)).toMatchObject({ status: 'finalized', needs_action: false });
  expect(await whereIs(agent, id)).toBe('outside');
  expect(faulty.counts.transfers - begun.transfers).toBe(1);
  expect(faulty.counts.payouts - begun.payouts).toBe(1);
  expect(await eventsOf(t, agent, 'payment.succeeded')).toHaveLength(1);
  expect(await eventsOf(t, agent, 'payment.failed')).toHaveLength(0);
});

test.each<[string, BankTemper, Partial<Record<OutCall, Trouble[]>>]>([
  ['the transfer is refused', 'takes', { transfer: ['refused'] }],
  ['the payout is refused', 'takes', { payOut: ['refused'] }],
  ['the bank refuses it', 'refuses', {}],
  ['the bank sends it back after it was paid', 'returns', {}],
  ['the reversal is lost', 'refuses', { reverseTransfer: ['lost', 'lost'] }],
  ['the answer to the reversal is lost', 'refuses', { reverseTransfer: ['unanswered'] }],
  ['the reversal is refused at first', 'returns', { reverseTransfer: ['refused', 'refused'] }],
])('%s: it is back in the wallet, once', async (_what, bank, troubles) => {
  temper = bank;
  script = troubles;
  const { agent, id } = await withdraw();
  for (let hours = 0; hours < 8 * 24; hours += 6) {
    await t.advance(6 * HOUR_MS);
    await whereIs(agent, id);
  }
  expect(await payoutOf(agent, id)).toMatchObject({ status: 'reversed', needs_action: false });
  expect(await whereIs(agent, id)).toBe('wallet');
  expect(await eventsOf(t, agent, 'payment.failed')).toHaveLength(1);
});

test('what nobody tells stays submitted, asks for a person, and blocks further ones until it is known', async () => {
  always = { findTransfer: 'lost', transfer: 'lost' };
  const { agent, id } = await withdraw();
  await t.advance(2 * HOUR_MS);
  expect(await payoutOf(agent, id)).toMatchObject({ status: 'submitted', needs_action: true });
  expect((await ask(agent, 1_000)).body.error).toBe('payout_in_doubt');
  always = {};
  await t.advance(3 * DAY_MS);
  expect(await payoutOf(agent, id)).toMatchObject({ status: 'finalized', needs_action: false });
  expect((await ask(agent, 1_000)).status).toBe(201);
});

test('a doubt ends with the word that it arrived', async () => {
  const { agent, id } = await withdraw();
  await t.advance(2 * MINUTE_MS);
  always = { findPayout: 'lost' };
  await t.advance(DAY_MS);
  expect(await payoutOf(agent, id)).toMatchObject({ status: 'submitted', needs_action: true });
  always = {};
  await t.advance(2 * DAY_MS);
  expect(await payoutOf(agent, id)).toMatchObject({ status: 'finalized', needs_action: false });
  expect((await ask(agent, 1_000)).status).toBe(201);
});

test('a reversal that is refused leaves the wallet as it is', async () => {
  temper = 'refuses';
  always = { reverseTransfer: 'refused' };
  const { agent, id } = await withdraw();
  await t.advance(2 * DAY_MS);
  expect(await payoutOf(agent, id)).toMatchObject({ status: 'failed', needs_action: true });
  expect(await whereIs(agent, id)).toBe('outside');
  expect((await ask(agent, 1_000)).body.error).toBe('payout_in_doubt');
});

test('an agent with a payout on its way stays; its person withdraws on after it is deactivated', async () => {
  const { agent, id } = await withdraw();
  const leave = () => t.call('DELETE', `/api/agents/${agent.handle}`, { key: agent.key });
  expect((await leave()).body.error).toBe('open_obligations');
  await t.advance(3 * DAY_MS);
  expect((await leave()).status).toBe(200);
  const asked = await ask(agent, 1_000);
  expect(asked.body).toMatchObject({ status: 'pending', amount_cents: 1_000 });
  await t.advance(3 * DAY_MS);
  expect((await payoutOf(agent, asked.body.payout_id)).status).toBe('finalized');
  expect((await payoutOf(agent, id)).status).toBe('finalized');
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(0);
});

test('what the ledger has on its way is what is on its way', async () => {
  const rows = await readStoredRows(
    t.service.world.settings.data_dir,
    "select coalesce(sum(amount_cents), 0) as open from payouts where status in ('pending', 'submitted') or (status = 'failed' and ended_at is null)",
  );
  const held = await t.service.world.store.read(platformBalance, { id: 'payouts' });
  expect(held?.balance_cents).toBe(Number(rows[0]?.['open']));
});
