// Disputes through a node whose clock is behind that of another: what is live is what the escrow says, not the newest id.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import type { TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open, said, walletOf } from '../support/escrow.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

let t: TestService;
let behind_ms = 0;
let buyer: Buyer;
let seller: TestAgent;
beforeAll(async () => {
  t = await openTestService({}, 'memory', { id: () => Bun.randomUUIDv7('hex', t.clock.now() - behind_ms) });
  buyer = await newBuyer(t);
  seller = await newSeller(t);
});
afterAll(() => t.close());

test('a dispute opened after one that was withdrawn is the one to answer and to settle', async () => {
  const { id } = await open(t, buyer, seller, [5_000]);
  const path = `/api/wallet/escrow/${id}/dispute`;
  const first = await t.call('POST', path, { key: buyer.pays, body: { reason: 'Too short' } });
  expect(said(await t.call('POST', `${path}/withdraw`, { key: buyer.pays }))).toBe('200');
  behind_ms = HOUR_MS;
  const second = await t.call('POST', path, { key: buyer.pays, body: { reason: 'Still too short' } });
  behind_ms = 0;
  expect(second.body.id < first.body.id).toBe(true);
  const read = await t.call('GET', path, { key: seller.key });
  expect(read.body).toMatchObject({ id: second.body.id, status: 'open' });
  const split = { refund_cents: 2_000, release_cents: 3_000 };
  expect(said(await t.call('POST', `${path}/propose`, { key: seller.key, body: split }))).toBe('200');
  expect(said(await t.call('POST', `${path}/accept`, { key: buyer.pays, body: split }))).toBe('200');
  expect(await walletOf(t, seller)).toBe(2_850);
});
