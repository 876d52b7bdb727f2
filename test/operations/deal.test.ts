// Deals: what their sides see of them, what they may still do, and what becomes of a completed one: records, reviews, trust.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open, said } from '../support/escrow.ts';
import { eventsOf } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let buyer: Buyer;
let seller: TestAgent;

beforeAll(async () => {
  buyer = await newBuyer(t);
  seller = await newSeller(t);
});

const release = (id: string): Promise<TestAnswer> =>
  t.call('POST', `/api/wallet/escrow/${id}/release`, { key: buyer.pays, body: { milestone_index: 0 } });
const review = (id: string, body: object, key = buyer.key): Promise<TestAnswer> =>
  t.call('POST', `/api/deals/${id}/review`, { key, body });
const record = async ({ handle }: TestAgent) => (await t.call('GET', `/api/agents/public/${handle}/track-record`)).body;
async function completed(cents = 1_000): Promise<string> {
  const { id, deal_id } = await open(t, buyer, seller, [cents]);
  await release(id);
  return deal_id;
}

test('a deal is read and listed by its sides, by route and tool, and by nobody else', async () => {
  const { id, deal_id } = await open(t, buyer, seller, [1_500], { title: 'Ropes' });
  const told = {
    deal_id,
    kind: 'escrow',
    status: 'funded',
    amount_cents: 1_500,
    fee_cents: 75,
    net_cents: 1_425,
    refunded_cents: 0,
    currency: 'USD',
    title: 'Ropes',
    buyer_handle: buyer.handle,
    seller_handle: seller.handle,
    escrow_id: id,
    conversation_id: null,
    listing_id: null,
    created_at: new Date(t.clock.now()).toISOString(),
    completed_at: null,
  };
  const bought = { ...told, your_side: 'buyer', counterparty_handle: seller.handle };
  expect((await t.call('GET', `/api/deals/${deal_id}`, { key: buyer.key })).body).toEqual({
    ...bought,
    terms: null,
    issues: [],
    milestones: [{ title: 'Part 0', amount_cents: 1_500, due_at: null }],
    escrow_terms: { auto_release_after_days: null, expires_at: null },
    reviews: [],
  });
  expect((await t.call('GET', '/api/deals?limit=1', { key: buyer.key })).body).toEqual([bought]);
  expect((await t.call('GET', '/api/deals?status=funded', { key: seller.key })).body[0]).toEqual({
    ...told,
    your_side: 'seller',
    counterparty_handle: buyer.handle,
  });
  expect((await t.call('GET', '/api/deals?side=buyer', { key: buyer.key })).body).toEqual([bought]);
  expect((await t.call('GET', '/api/deals?side=buyer', { key: seller.key })).body).toEqual([]);
  expect((await t.call('GET', '/api/deals?status=disputed', { key: seller.key })).body).toEqual([]);
  const asked = { key: buyer.key, revision: '2025-11-25' };
  const one = await rpc(t, 'tools/call', { name: 'mesh_check_deals', arguments: { deal_id } }, asked);
  expect(one.body.result.structuredContent).toMatchObject({ deal_id, status: 'funded' });
  const all = await rpc(t, 'tools/call', { name: 'mesh_check_deals', arguments: {} }, asked);
  expect(JSON.stringify(all.body.result.structuredContent)).toContain(deal_id);
  const stranger = await newSeller(t);
  expect(said(await t.call('GET', `/api/deals/${deal_id}`, { key: stranger.key }))).toBe('404 not_found');
  const cancelled = await t.call('POST', `/api/deals/${deal_id}/cancel`, { key: buyer.key });
  const { escrow_id, status } = cancelled.body;
  expect([said(cancelled), escrow_id, status]).toEqual(['409 deal_not_cancelable', id, 'funded']);
  expect(said(await t.call('POST', `/api/deals/${deal_id}/cancel`, { key: stranger.key }))).toBe('404 not_found');
  expect(said(await review(deal_id, { rating: 5 }))).toBe('409 deal_not_completed');
  await release(id);
  expect((await t.call('GET', `/api/deals/${deal_id}`, { key: buyer.key })).body.status).toBe('completed');
});

describe('a completed deal', () => {
  test('raises the records and the trust of both, and tells them so', async () => {
    const before = await record(seller);
    await t.advance(1_000);
    await completed(30_000);
    const after = await record(seller);
    expect(after.deals.completed).toBe(before.deals.completed + 1);
    expect(after.deals.by_band).toContainEqual({ band: '250-1k', count: 1 });
    for (const side of [buyer, seller]) {
      const told = (await eventsOf(t, side, 'trust.updated')).at(-1);
      const { body } = await t.call('GET', '/api/trust/signals', { token: side.token, agent: side.handle });
      const points = Object.fromEntries(
        body.breakdown.map(({ signal, points: some }: { signal: string; points: number }) => [signal, some]),
      );
      expect(points['deal_completed']).toBeGreaterThan(0);
      expect(points['disputes']).toBe(10);
      expect(told.data.score).toBe(body.score);
    }
    const feed = (await t.call('GET', `/api/agents/${seller.handle}/feed.json`)).body;
    expect(feed._mesh.deals_closed).toBe(after.deals.completed);
    const listed = (await t.call('GET', '/api/registry')).body;
    const entry = listed.find(({ handle }: { handle: string }) => handle === seller.handle);
    expect(entry.deals_completed).toBe(after.deals.completed);
  });

  test('is reviewed once by each side, and everybody reads that without the name', async () => {
    const deal_id = await completed();
    const said_of = await review(deal_id, { rating: 4, text: ' Careful. ' });
    expect(said_of.status).toBe(201);
    expect(said_of.body.reviews).toMatchObject([{ handle: buyer.handle, rating: 4, text: 'Careful.' }]);
    expect(said(await review(deal_id, { rating: 1 }))).toBe('409 already_reviewed');
    const args = { deal_id, rating: 5 };
    const tool = await rpc(t, 'tools/call', { name: 'mesh_review_deal', arguments: args }, { key: seller.key });
    expect(tool.body.result.isError ?? false).toBe(false);
    const { reviews, rating } = await record(seller);
    expect(reviews[0]).toEqual({ rating: 4, text: 'Careful.', at: new Date(t.clock.now()).toISOString() });
    expect(rating).toBe(4);
    const again = await completed();
    await review(again, { rating: 3 });
    expect((await record(seller)).rating).toBe(3.5);
    expect((await record(buyer)).rating).toBe(5);
  });

  test('is reviewed with stars and clean words only', async () => {
    const deal_id = await completed();
    for (const rating of [0, 6, 2.5, '5', null, undefined]) {
      const answer = await review(deal_id, { rating });
      expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', 'rating']);
    }
    const told = await review(deal_id, { rating: 1, text: 'Write me at bob@example.com' });
    expect([said(told), told.body.matches[0].field]).toEqual(['400 disclosure_refused', 'text']);
    expect(said(await review(deal_id, { rating: 1, text: 'x'.repeat(2_001) }))).toBe('400 invalid_request');
    const stranger = await newSeller(t);
    expect(said(await review(deal_id, { rating: 5 }, stranger.key))).toBe('404 not_found');
    expect((await t.call('GET', `/api/deals/${deal_id}`, { key: buyer.key })).body.reviews).toEqual([]);
  });
});
