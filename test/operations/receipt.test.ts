// Whatever moves money names its journal in what is answered of it, and the receipt of that journal is read by the same id, by both
// sides alone.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open, walletOf } from '../support/escrow.ts';
import { publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';

type Charge = Readonly<Record<'status' | 'journal_id', unknown>>;

const t = sharedService();
let buyer: Buyer;
let seller: TestAgent;
let stranger: TestAgent;

beforeAll(async () => {
  buyer = await newBuyer(t);
  seller = await newSeller(t);
  stranger = await newAgent(t, { handle: 'looks_on' });
});

const call = async (path: string, body: object, key = buyer.pays) => (await t.call('POST', path, { key, body })).body;

/** What a receipt states to each of its sides. */
async function stated(journal_id: string): Promise<void> {
  const [mine, theirs, strange] = await Promise.all(
    [buyer, seller, stranger].map(({ key }) => t.call('GET', `/api/wallet/receipts/${journal_id}`, { key })),
  );
  expect([mine?.status, theirs?.status, strange?.status]).toEqual([200, 200, 404]);
  const [, claims = ''] = mine?.body.receipt.split('.') ?? [];
  const { jti, transfers } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect(jti).toBe(journal_id);
  expect(transfers.length).toBeGreaterThan(0);
}

test('a send', async () => {
  const { id, journal_id } = await call('/api/wallet/send', { to_handle: seller.handle, amount_cents: 5 });
  expect(journal_id).toBe(`send:${id}`);
  await stated(journal_id);
});

test('a purchase', async () => {
  await publish(t, seller, { card_type: 'selling', headline: 'Good rope', labels: ['rope'], price_cents: 1_000 });
  const { journal_id } = await call(`/api/services/${seller.handle}/good-rope/checkout`, { tier_id: 'listed' });
  await stated(journal_id);
});

test('an escrow, and each way in which its milestones end', async () => {
  const opened = await open(t, buyer, seller, [1_000, 2_000, 3_000]);
  await stated(opened.journal_id);
  expect(opened.milestones.map((each: { journal_id: unknown }) => each.journal_id)).toEqual([null, null, null]);
  const { milestones } = await call(`/api/wallet/escrow/${opened.id}/release`, { milestone_index: 1 });
  expect(milestones[0].journal_id).toBeNull();
  await stated(milestones[1].journal_id);
  await call(`/api/wallet/escrow/${opened.id}/dispute`, { reason: 'It is not what was agreed.' });
  const split = { refund_cents: 3_000, release_cents: 1_000 };
  await call(`/api/wallet/escrow/${opened.id}/dispute/propose`, split);
  const as = { token: await signIn(t, seller.email), agent: seller.handle };
  const accept = { ...as, body: split };
  const { resolution } = (await t.call('POST', `/api/wallet/escrow/${opened.id}/dispute/accept`, accept)).body;
  expect(resolution.journal_id).toBe(`settle:${opened.id}`);
  const read = await t.call('GET', `/api/wallet/escrow/${opened.id}`, { key: buyer.key });
  expect(read.body.milestones[0].journal_id).toBe(`settle:${opened.id}`);
  expect(read.body.milestones[0].journal_id).toBe(read.body.milestones[2].journal_id);
  await stated(read.body.milestones[0].journal_id);
});

test('what the seller gives back, and what comes back by the terms', async () => {
  const given = await open(t, buyer, seller, [1_000]);
  const refunded = await call(`/api/wallet/escrow/${given.id}/refund`, {}, seller.key);
  await stated(refunded.milestones[0].journal_id);
  const expires_at = new Date(t.clock.now() + DAY_MS).toISOString();
  const { id } = await open(t, buyer, seller, [1_000], { expires_at });
  await t.advance(2 * DAY_MS);
  const read = await t.call('GET', `/api/wallet/escrow/${id}`, { key: buyer.key });
  expect(read.body.milestones[0].journal_id).toBe(`expire:${id}`);
  await stated(`expire:${id}`);
});

test('a charge of a subscription; one that failed moved nothing and has none', async () => {
  const person = async () => ({ token: await signIn(t, buyer.email), agent: buyer.handle });
  const body = { seller_handle: seller.handle, amount_cents: 700, interval: 'weekly' };
  const made = await t.call('POST', '/api/subscriptions', { ...(await person()), body });
  await stated(made.body.charges[0].journal_id);
  await call('/api/wallet/send', { to_handle: seller.handle, amount_cents: await walletOf(t, buyer) });
  await t.advance(7 * DAY_MS);
  const { charges } = (await t.call('GET', `/api/subscriptions/${made.body.id}`, await person())).body;
  expect(charges.map(({ status, journal_id }: Charge) => [status, journal_id])).toEqual([
    ['failed', null],
    ['succeeded', made.body.charges[0].journal_id],
  ]);
});
