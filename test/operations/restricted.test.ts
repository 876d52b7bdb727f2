// An account that owes for a payment that was taken back: no way out of its wallet is open, whatever it holds.
import { beforeAll, expect, test } from 'bun:test';
import { count, insert } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { fault } from '../../src/domain/fault.ts';
import { restrictionKey } from '../../src/steps/money/spend.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, open, said } from '../support/escrow.ts';
import { publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import { balanceOf } from '../support/wallet.ts';

const t = sharedService();
let buyer: Buyer;
/** Opened before the account came to owe. */
let funded: { id: string; milestones: unknown[] };
let service_id: string;

beforeAll(async () => {
  buyer = await newBuyer(t, 10_000);
  const seller = await newAgent(t, { handle: 'seller', verified: true });
  const offer = { card_type: 'selling', headline: 'Rope', labels: ['rope'], price_cents: 1_000 };
  service_id = await publish(t, seller, offer);
  funded = await open(t, buyer, seller, [600, 400]);
  await connectPayee(t, buyer as TestAgent);
  const { store } = t.service.world;
  const row = await store.read(agentById, { id: buyer.id });
  const owes = count(restrictionKey(row?.account_id ?? ''), 9, fault('conflict'), null, 1);
  await store.turn({ attempt: async () => ({ reply: null, effects: [owes] }) });
});

const milestones = [{ title: 'Part', amount_cents: 1_000 }];
const regular = { seller_handle: 'seller', amount_cents: 1_000, interval: 'weekly' };

test.each([
  ['/api/wallet/send', { to_handle: 'seller', amount_cents: 1_000 }],
  ['/api/wallet/escrow', { seller_handle: 'seller', milestones }],
  ['/api/subscriptions', regular],
  ['/api/wallet/withdraw', { amount_cents: 1_000 }],
  ['/api/services/seller/rope/checkout', { tier_id: 'listed' }],
  ['/api/marketplace/services/ID/call', { tier_id: 'listed' }],
])('%s answers 403, and nothing leaves', async (path, body) => {
  const who = /withdraw|subscriptions|call/.test(path)
    ? { token: buyer.token, agent: buyer.handle }
    : { key: buyer.pays };
  expect(said(await t.call('POST', path.replace('ID', service_id), { ...who, body }))).toBe('403 account_restricted');
  expect(await balanceOf(t, `wallet:${buyer.id}`)).toBe(9_000);
});

test('an escrow that was funded before stands: its seller is paid', async () => {
  const at = `/api/wallet/escrow/${funded.id}`;
  const released = await t.call('POST', `${at}/release`, { key: buyer.pays, body: { milestone_index: 0 } });
  expect([released.status, released.body.released_cents, released.body.status]).toEqual([200, 600, 'active']);
});

// It says what the wallet holds and nothing of debts: its reader learns no more than of anybody else.
test('an attestation answers as for any wallet', async () => {
  const attest = (min_amount_cents: number) =>
    t.call('POST', '/api/wallet/attest', { key: buyer.pays, body: { min_amount_cents, audience_handle: 'seller' } });
  expect((await attest(9_000)).status).toBe(200);
  const refused = await attest(9_001);
  expect(refused.body.error).toBe('insufficient_funds');
  expect(JSON.stringify(refused.body)).not.toContain('9000');
});

test('administrators see who owes, and how much is still open; nobody else does', async () => {
  const { store, id } = t.service.world;
  const row = await store.read(agentById, { id: buyer.id });
  const debt = { account_id: row?.account_id ?? '', agent_id: buyer.id, funding_id: id(), created_at: t.clock.now() };
  const debts = [
    insert('receivables', { id: id(), ...debt, amount_cents: 700, repaid_cents: 700, status: 'repaid' }),
    insert('receivables', { id: id(), ...debt, amount_cents: 900, repaid_cents: 250, status: 'open' }),
  ];
  await store.turn({ attempt: async () => ({ reply: null, effects: debts }) });
  const headers = { 'X-Internal-Token': t.internal_token };
  const first = await t.call('GET', '/api/admin/receivables?limit=1', { headers });
  expect(first.body).toEqual([expect.objectContaining({ handle: buyer.handle, owed_cents: 650, status: 'open' })]);
  const cursor = first.headers.get('x-next-cursor') ?? '';
  const rest = await t.call('GET', `/api/admin/receivables?cursor=${cursor}`, { headers });
  expect(rest.body).toEqual([expect.objectContaining({ owed_cents: 0, status: 'repaid' })]);
  expect((await t.call('GET', '/api/admin/receivables', { token: buyer.token })).status).toBe(403);
});
