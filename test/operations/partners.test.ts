// What deals and reviews are worth to trust: an account counts once, however often one deals with it, and not at all where it belongs
// together with the agent's own.
import { expect, test } from 'bun:test';
import { insert, remove } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { marksOfAccount } from '../../db/queries/deal.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { record } from '../../src/steps/agent/record.ts';
import { freshPhone, newAgent, signIn, type TestAgent, verifyPhone } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open } from '../support/escrow.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import { codeFor, type TestAnswer } from '../support/testbed.ts';

const t = sharedService();

/** The points of one part of trust. */
async function pointsOf({ email, handle }: TestAgent, signal: string): Promise<number> {
  const { body } = await t.call('GET', '/api/trust/signals', { token: await signIn(t, email), agent: handle });
  return body.breakdown.find((each: { signal: string }) => each.signal === signal).points;
}

/** A deal that is paid and ends well, and what both say of it. */
async function deal(buyer: Buyer, seller: TestAgent, rating = 5): Promise<void> {
  const escrow = await open(t, buyer, seller, [5_000]);
  const asBuyer = { key: buyer.pays, agent: buyer.handle };
  const released = await t.call('POST', `/api/wallet/escrow/${escrow.id}/release`, {
    ...asBuyer,
    body: { milestone_index: 0 },
  });
  expect(released.status).toBe(200);
  const about = { key: buyer.pays, agent: buyer.handle, body: { rating } };
  const said = await t.call('POST', `/api/deals/${escrow.deal_id}/review`, about);
  expect([201, 409]).toContain(said.status);
  // Of accounts that belong together neither reviews the other.
  if (said.status === 409) expect(said.body.error).toBe('related_accounts');
}

const parts = async (agent: TestAgent): Promise<number[]> => [
  await pointsOf(agent, 'deal_completed'),
  await pointsOf(agent, 'disputes'),
  await pointsOf(agent, 'reviews'),
];

test('deals with one account count once, and so does what it says of them', async () => {
  const [seller, one, two] = [await newSeller(t), await newBuyer(t), await newBuyer(t)];
  expect(await parts(seller)).toEqual([0, 0, 0]);
  await deal(one, seller, 5);
  // 15 × 1/6.
  expect(await parts(seller)).toEqual([3, 10, 5]);
  await deal(one, seller, 5);
  await deal(one, seller, 5);
  expect(await parts(seller)).toEqual([3, 10, 5]);
  // The second account weighs as much as the first: (5 + 1) / 2.
  await deal(two, seller, 1);
  expect(await parts(seller)).toEqual([4, 10, 3]);
  // What everybody may read tells of deals, not of accounts.
  const { body } = await t.call('GET', `/api/agents/public/${seller.handle}/track-record`);
  expect([body.deals.completed, body.rating]).toEqual([4, 4]);
});

/** Proves a phone by its code; what the service answers. */
async function provePhone(agent: TestAgent, phone: string): Promise<TestAnswer> {
  const as = { token: await signIn(t, agent.email), agent: agent.handle };
  await t.call('POST', '/api/trust/phone/send', { ...as, body: { phone } });
  return t.call('POST', '/api/trust/phone/verify', { ...as, body: { phone, code: codeFor(t, phone) } });
}

test('accounts of which one can show what backs the other raise each other no more, from then on and before', async () => {
  const [seller, buyer, honest] = [await newSeller(t), await newBuyer(t), await newBuyer(t)];
  const phone = freshPhone();
  await verifyPhone(t, await signIn(t, seller.email), seller.handle, phone);
  await deal(buyer, seller);
  await deal(honest, seller, 3);
  expect([await pointsOf(seller, 'deal_completed'), await pointsOf(buyer, 'deal_completed')]).toEqual([4, 3]);
  const taken = await provePhone(buyer, phone);
  expect([taken.status, taken.body.error]).toEqual([409, 'credential_in_use']);
  await t.rest();
  // Both sides: the seller keeps the honest one.
  expect([await parts(seller), await pointsOf(buyer, 'deal_completed')]).toEqual([[3, 10, 3], 0]);
  await deal(buyer, seller);
  expect([await parts(seller), await pointsOf(buyer, 'deal_completed')]).toEqual([[3, 10, 3], 0]);
  const rows = await readStoredRows(t.service.world.settings.data_dir, 'select mark from account_marks');
  expect(JSON.stringify(rows)).not.toContain(phone.slice(1));
});

test('a proof that is older than what is known of such things is noted when trust is next taken, and ties from then on', async () => {
  const [seller, buyer] = [await newSeller(t), await newBuyer(t)];
  const phone = freshPhone();
  await verifyPhone(t, await signIn(t, seller.email), seller.handle, phone);
  const { store } = t.service.world;
  await store.turn({
    attempt: async (read) => {
      const agent = await read(agentById, { id: seller.id });
      const marks = await read(marksOfAccount, { account_id: agent?.account_id ?? '', limit: 100 });
      return { reply: null, effects: marks.map((mark) => remove('account_marks', mark)) };
    },
  });
  await deal(buyer, seller);
  expect(await pointsOf(seller, 'deal_completed')).toBe(3);
  expect((await provePhone(buyer, phone)).status).toBe(409);
  await t.rest();
  expect([await pointsOf(seller, 'deal_completed'), await pointsOf(buyer, 'deal_completed')]).toEqual([0, 0]);
});

test('a proof that moves from one account to another ties the two', async () => {
  const [seller, buyer] = [await newSeller(t), await newBuyer(t)];
  const phone = freshPhone();
  await verifyPhone(t, await signIn(t, seller.email), seller.handle, phone);
  // A new phone frees the old one.
  await verifyPhone(t, await signIn(t, seller.email), seller.handle);
  await deal(buyer, seller);
  expect(await pointsOf(seller, 'deal_completed')).toBe(3);
  expect((await provePhone(buyer, phone)).status).toBe(200);
  await t.rest();
  expect([await pointsOf(seller, 'deal_completed'), await pointsOf(buyer, 'deal_completed')]).toEqual([0, 0]);
});

test('accounts that are paid to one place raise each other no more', async () => {
  const [seller, buyer] = [await newSeller(t), await newBuyer(t)];
  for (const { email, handle } of [seller, buyer]) {
    const body = { amount_cents: 1_000, chain: 'solana', to_address: SAMPLE.wallet_key, idempotency_key: 'once' };
    if (handle === seller.handle) await deal(buyer, seller);
    const paid = await t.call('POST', '/api/wallet/withdraw', { token: await signIn(t, email), agent: handle, body });
    expect(paid.status).toBe(201);
  }
  await deal(buyer, seller);
  expect([await pointsOf(seller, 'deal_completed'), await pointsOf(buyer, 'deal_completed')]).toEqual([0, 0]);
});

test('what is counted twice at one moment is counted, and an agent that left is not looked at', async () => {
  const agent = await newAgent(t, { handle: 'counts_much' });
  const { store } = t.service.world;
  const now = { now_ms: t.clock.now() };
  const partner = (account_id: string) => ({
    id: `${agent.id}:${account_id}`,
    agent_id: agent.id,
    account_id,
    deals: 1,
    cents: 5_000,
  });
  const effects = [
    ...record(now, agent.id, () => ({})),
    insert('partners', partner('a')),
    insert('partners', partner('b')),
  ];
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
  await t.rest();
  expect(await pointsOf(agent, 'deal_completed')).toBe(4);
});
