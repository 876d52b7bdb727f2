// Terms of an escrow that a checkout opens: a quote tells of them, the purchase fixes them, and time keeps them.

import { beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import type { TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, said, walletOf } from '../support/escrow.ts';
import { publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const PRICE = 4_000;

const t = sharedService();
let buyer: Buyer;
let seller: TestAgent;
let listing_id: string;
beforeAll(async () => {
  buyer = await newBuyer(t);
  seller = await newSeller(t);
  listing_id = await publish(t, seller, {
    card_type: 'selling',
    headline: 'Rope',
    labels: ['rope'],
    price_cents: PRICE,
  });
});

const inDays = (days: number): string => new Date(t.clock.now() + days * DAY_MS).toISOString();
const checkout = (terms: object): Promise<TestAnswer> =>
  t.call('POST', `/api/services/${seller.handle}/${listing_id}/checkout`, {
    key: buyer.pays,
    body: { tier_id: 'listed', ...terms },
  });
const quote = (terms: Readonly<Record<string, string>>): Promise<TestAnswer> =>
  t.call('GET', `/api/services/${seller.handle}/${listing_id}/quote?${new URLSearchParams(terms)}`, {
    key: buyer.pays,
  });
const byTool = async (name: string, terms: object): Promise<TestAnswer['body']> => {
  const args = { handle: seller.handle, slug: listing_id, tier_id: 'listed', ...terms };
  const { result } = (
    await rpc(t, 'tools/call', { name, arguments: args }, { key: buyer.pays, revision: '2025-11-25' })
  ).body;
  return result.structuredContent;
};
const escrowOf = async (id: string): Promise<TestAnswer['body']> =>
  (await t.call('GET', `/api/wallet/escrow/${id}`, { key: buyer.pays })).body;

describe('by every door', () => {
  test('a quote tells the terms that were asked for', async () => {
    const expires_at = inDays(9);
    const terms = { auto_release_after_days: 3, expires_at };
    expect((await quote({ auto_release_after_days: '3', expires_at })).body.terms).toEqual(terms);
    expect((await byTool('mesh_get_quote', terms)).terms).toEqual(terms);
    expect((await quote({})).body.terms).toEqual({ auto_release_after_days: null, expires_at: null });
  });

  test('a purchase fixes them', async () => {
    const terms = { auto_release_after_days: 3, expires_at: inDays(9) };
    expect(await escrowOf((await checkout(terms)).body.escrow_id)).toMatchObject(terms);
    expect(await escrowOf((await byTool('mesh_buy_listing', terms)).escrow_id)).toMatchObject(terms);
    const body = { tier_id: 'listed', ...terms };
    const called = await t.call('POST', `/api/marketplace/services/${listing_id}/call`, {
      token: buyer.token,
      agent: buyer.handle,
      body,
    });
    expect(await escrowOf(called.body.escrow_id)).toMatchObject(terms);
  });

  test('an end that has passed, or is too far away, is refused with nothing moved', async () => {
    const before = await walletOf(t, buyer);
    for (const expires_at of [inDays(0), inDays(367)]) {
      const refused = [await checkout({ expires_at }), await quote({ expires_at })];
      expect(refused.map(said)).toEqual(['400 invalid_request', '400 invalid_request']);
      expect(refused.map(({ body }) => body.fields[0].path)).toEqual(['expires_at', 'expires_at']);
    }
    expect(said(await checkout({ auto_release_after_days: 91 }))).toBe('400 invalid_request');
    expect(await walletOf(t, buyer)).toBe(before);
  });
});

test('what was bought so pays itself after its days, or comes back at its end', async () => {
  const [held, before] = [await walletOf(t, seller), await walletOf(t, buyer)];
  const { escrow_id } = (await checkout({ auto_release_after_days: 2 })).body;
  const body = { url: 'https://ropes.example/done' };
  expect(said(await t.call('POST', `/api/wallet/escrow/${escrow_id}/deliverable`, { key: seller.key, body }))).toBe(
    '200',
  );
  const late = (await checkout({ expires_at: inDays(1) })).body.escrow_id;
  await t.advance(2 * DAY_MS);
  expect((await escrowOf(escrow_id)).status).toBe('completed');
  expect((await escrowOf(late)).status).toBe('refunded');
  expect(await walletOf(t, seller)).toBe(held + PRICE - PRICE / 20);
  expect(await walletOf(t, buyer)).toBe(before - PRICE);
});
