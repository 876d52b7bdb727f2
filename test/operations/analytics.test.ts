// Analytics: what is counted of an agent, for whom, on which day and of which listing; and that views cost no write of their own.

import { beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Views } from '../../actors/views.ts';
import { viewsBetween } from '../../db/queries/analytics.ts';
import { dayOf, weekOf } from '../../src/domain/text/day.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer } from '../support/escrow.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { freshService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { SERVES_URL } from '../support/serving.ts';
import { dropStore } from '../support/store.ts';
import { openTestService, type TestAnswer } from '../support/testbed.ts';

type Body = TestAnswer['body'];

const t = freshService();
let ann: TestAgent;
let ann_reads: string;
beforeEach(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true, pro: true });
  ann_reads = await keyWith(t, ann.email, ['analytics:read']);
});

async function analytics(query = '', key = ann_reads): Promise<Body> {
  const answer = await t.call('GET', `/api/analytics${query}`, { key });
  expect(answer.status).toBe(200);
  return answer.body;
}

const weeks = (by_day: Body[]): number => new Set(by_day.map(({ day }) => weekOf(day))).size;
const today = (): string => dayOf(t.clock.now());
const of = (list: Body[], name: string, value: string): Body => list.find((each) => each[name] === value);

async function buyListing(buyer: Buyer, id: string): Promise<Body> {
  const asked = { key: buyer.pays, agent: buyer.handle, body: { tier_id: 'listed' } };
  const { status, body } = await t.call('POST', `/api/services/ann/${id}/checkout`, asked);
  expect(status).toBe(200);
  return body;
}

describe('views', () => {
  const look = (path: string, who?: TestAgent): Promise<TestAnswer> =>
    t.call('GET', path, who && { key: who.key, agent: who.handle });

  test('are those of others, of the profile and of each listing, by the day', async () => {
    const id = await publish(t, ann, LOGO_OFFER);
    const bob = await newAgent(t, { handle: 'bob', verified: true });
    for (const who of [undefined, undefined, bob, ann]) {
      await look('/api/agents/public/ann', who);
      await look(`/api/agents/ann/cards/${id}`, who);
    }
    await look(`/api/services/ann/${id}/quote`, bob);
    await t.service.flush();
    expect(await analytics()).toMatchObject({ views: 6, by_listing: [{ listing_id: id, views: 3 }] });
    await t.advance(DAY_MS);
    await look('/api/agents/public/ann');
    await look(`/api/services/ann/${id}/quote`, bob);
    await t.service.flush();
    const { views, by_day, by_listing } = await analytics();
    expect([views, by_listing[0].views, by_day.at(-2).views, by_day.at(-1).views]).toEqual([8, 4, 6, 2]);
  });

  test('of nobody else are counted: a listing that is not shown, a name that leads on', async () => {
    const id = await publish(t, ann, LOGO_OFFER);
    expect((await t.call('PATCH', '/api/agents/rename', { key: ann.key, body: { handle: 'anna' } })).status).toBe(200);
    const { headers } = await look('/api/agents/public/ann');
    expect(headers.get('content-location') ?? headers.get('location')).toContain('/anna');
    await t.call('PATCH', '/api/agents/anna', { key: ann.key, body: { visibility: 'hidden' } });
    expect((await look('/api/agents/public/anna')).status).toBe(404);
    expect((await look(`/api/agents/anna/cards/${id}`)).status).toBe(404);
    await t.service.flush();
    expect(await analytics()).toMatchObject({ views: 0, by_listing: [{ listing_id: id, views: 0 }] });
  });

  test('wait in memory for the next flush, are added to what is there, and one who looks twice at once counts once', async () => {
    const { store } = t.service.world;
    const counted = async (): Promise<unknown> => {
      const rows = await store.read(viewsBetween, { agent_id: 'x', from: '2026', until: '2027' });
      return rows.map(({ listing_id, n }) => [listing_id, n]);
    };
    const views = new Views(store);
    const note = (account_id: string, listing_id: string | null = null): void =>
      views.note({ agent_id: 'x', account_id: 'own', listing_id }, { account_id, now_ms: t.clock.now() });
    for (const who of ['', '', 'b', 'b', 'c', 'own']) note(who);
    expect(await counted()).toEqual([]);
    await views.flush();
    expect(await counted()).toEqual([[null, 4]]);
    note('b');
    await views.flush();
    await views.flush();
    expect(await counted()).toEqual([[null, 5]]);
  });

  test('that could not be written are written the next time, and no more pages are kept than there is room for', async () => {
    const { store } = t.service.world;
    let away = true;
    let effects = 0;
    const failing = {
      turn: async (step: Parameters<typeof store.turn>[0]) => {
        if (away) throw new Error('the store is away');
        const decided = await step.attempt(store.read);
        effects += 'effects' in decided ? (decided.effects?.length ?? 0) : 0;
      },
    };
    const views = new Views(failing as unknown as typeof store);
    for (let n = 0; n < 20_050; n += 1) {
      views.note({ agent_id: 'x', account_id: 'own', listing_id: `l${n}` }, { account_id: '', now_ms: 0 });
    }
    await expect(views.flush()).rejects.toThrow('away');
    away = false;
    await views.flush();
    expect(effects).toBe(2 * 20_000);
  });

  test('are written when the service stops', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-views-'));
    try {
      const before = await openTestService({}, 'memory', { data_dir });
      const { id } = await newAgent(before, { handle: 'seen', verified: true });
      await before.call('GET', '/api/agents/public/seen');
      await before.close();
      const after = await openTestService({}, 'memory', { data_dir });
      const span = { agent_id: id, from: today(), until: '2027' };
      expect(await after.service.world.store.read(viewsBetween, span)).toEqual([
        { day: today(), listing_id: null, n: 1 },
      ]);
      await after.close();
    } finally {
      rmSync(data_dir, { recursive: true, force: true });
      await dropStore(data_dir);
    }
  });

  test('go with the account of the agent', async () => {
    await look('/api/agents/public/ann');
    await t.service.flush();
    const rows = () => t.service.world.store.read(viewsBetween, { agent_id: ann.id, from: '2026', until: '2027' });
    expect(await rows()).toHaveLength(1);
    expect((await t.call('DELETE', '/api/account', { token: await signIn(t, ann.email) })).status).toBeLessThan(300);
    await t.rest();
    expect(await rows()).toEqual([]);
  });
});

describe('what is counted', () => {
  test('matches, conversations and answers, to each side its own', async () => {
    const bob = await newAgent(t, { handle: 'bob', verified: true, pro: true });
    const offer = await publish(t, ann, LOGO_OFFER);
    await publish(t, bob, LOGO_SEEK);
    const [{ match_id }] = await matchesOf(t, ann);
    const { conversation_id } = (await feedback(t, ann, match_id, 'interested')).body;
    const write = async (who: TestAgent, after_ms: number): Promise<void> => {
      await t.advance(after_ms);
      const asked = { key: who.key, body: { content: 'a word' } };
      expect((await t.call('POST', `/api/conversations/${conversation_id}/messages`, asked)).status).toBe(200);
    };
    await write(bob, 0);
    await write(ann, MINUTE_MS);
    await write(ann, MINUTE_MS);
    await write(bob, 5 * MINUTE_MS);
    await write(ann, 3 * MINUTE_MS);
    const own = await analytics();
    expect(own).toMatchObject({ matches: 1, conversations: 1, replies: 2, median_response_seconds: 120, deals: 0 });
    expect(own.by_listing).toMatchObject([
      { listing_id: offer, headline: LOGO_OFFER.headline, matches: 1, conversations: 1 },
    ]);
    expect(of(own.by_day, 'day', today())).toMatchObject({ matches: 1, conversations: 1, replies: 2 });
    expect(of(own.by_phase, 'phase', 'qualification').conversations).toBe(1);
    const answered = { week: weekOf(today()), replies: 2, median_response_seconds: 120 };
    expect(own.by_week.at(-1)).toEqual(answered);
    expect(own.by_week[0]).toMatchObject({ replies: 0, median_response_seconds: null });
    expect(own.by_week).toHaveLength(weeks(own.by_day));
    const theirs = await analytics('', await keyWith(t, bob.email, ['analytics:read']));
    expect(theirs).toMatchObject({ matches: 1, conversations: 1, replies: 1, median_response_seconds: 300 });
    expect(theirs.by_listing).toMatchObject([{ headline: LOGO_SEEK.headline, matches: 1, conversations: 1 }]);
    await t.advance(DAY_MS);
    const tomorrow = await analytics(`?from=${today()}`);
    expect(tomorrow).toMatchObject({ matches: 0, conversations: 0, replies: 0, median_response_seconds: null });
    const eve = await newAgent(t, { handle: 'eve', verified: true, pro: true });
    const none = await analytics('', await keyWith(t, eve.email, ['analytics:read']));
    expect(none).toMatchObject({ matches: 0, conversations: 0, replies: 0, by_listing: [], partial: false });
  });

  test('sales and subscriptions without the fee, of their listing, as the earnings say; and calls served', async () => {
    const id = await publish(t, ann, { ...LOGO_OFFER, price_cents: 4_000 });
    const weekly = await publish(t, ann, {
      ...LOGO_OFFER,
      headline: 'Care',
      labels: ['care'],
      price_cents: null,
      conditions: { tiers: [{ id: 'care', name: 'Care', price_cents: 1_000, billing: 'weekly' }] },
    });
    const buyer = await newBuyer(t);
    const { escrow_id } = await buyListing(buyer, id);
    expect(await analytics()).toMatchObject({ deals: 1, revenue_cents: 0 });
    await t.advance(DAY_MS);
    const release = { key: buyer.pays, agent: buyer.handle, body: { milestone_index: 0 } };
    expect((await t.call('POST', `/api/wallet/escrow/${escrow_id}/release`, release)).status).toBe(200);
    const subscribed = await t.call('POST', '/api/subscriptions', {
      token: await signIn(t, buyer.email),
      agent: buyer.handle,
      body: { seller_handle: 'ann', listing_id: weekly, tier_id: 'care', interval: 'weekly' },
    });
    expect([subscribed.status, subscribed.body.error]).toEqual([201, undefined]);
    const { total_cents } = (await t.call('GET', '/api/marketplace/earnings', { key: ann.key })).body;
    const sold = await analytics();
    expect(sold.revenue_cents).toBe(total_cents);
    expect(of(sold.by_listing, 'listing_id', id)).toMatchObject({ deals: 1, conversations: 1 });
    const [first, second] = [of(sold.by_listing, 'listing_id', id), of(sold.by_listing, 'listing_id', weekly)];
    expect(first.revenue_cents).toBeGreaterThan(second.revenue_cents);
    expect(first.revenue_cents + second.revenue_cents).toBe(total_cents);
    expect([sold.by_day.at(-2).revenue_cents, sold.by_day.at(-1).revenue_cents]).toEqual([0, total_cents]);
    expect([sold.by_day.at(-2).deals, sold.by_day.at(-1).deals]).toEqual([1, 0]);
    const offered = { capability: 'text.translate', endpoint_url: SERVES_URL, price_cents: 100 };
    await t.call('POST', '/api/router/providers', { key: ann.key, body: offered });
    const call = { capability: 'text.translate', payload: { text: 'Where?', to: 'fr' } };
    expect((await t.call('POST', '/api/router/call', { key: buyer.key, agent: buyer.handle, body: call })).status).toBe(
      200,
    );
    const served = (await analytics()).revenue_cents - total_cents;
    expect(served).toBeGreaterThan(0);
    expect(served).toBeLessThanOrEqual(100);
    const figures = { calls: 1, served: 1, median_latency_ms: expect.any(Number) };
    const { by_capability } = await analytics('?from=2025-12-01');
    expect(by_capability).toEqual([{ capability: 'text.translate', ...figures, by_week: expect.any(Array) }]);
    expect(by_capability[0].by_week.at(-1)).toEqual({ week: weekOf(today()), ...figures });
    // What nobody paid for is gone after 90 days, so that older weeks would tell of what was served alone.
    expect(by_capability[0].by_week).toHaveLength(
      weeks((await analytics(`?from=${dayOf(t.clock.now() - 90 * DAY_MS)}`)).by_day),
    );
    const bought = await analytics('', await keyWith(t, buyer.email, ['analytics:read']));
    expect(bought).toMatchObject({ deals: 1, revenue_cents: 0, conversations: 1 });
  });
});

describe('the door', () => {
  test('takes days, at most a year of them, and names the field that is wrong', async () => {
    const day = today();
    expect((await analytics(`?from=${day}&to=${day}`)).by_day).toHaveLength(1);
    expect((await analytics()).by_day).toHaveLength(30);
    const said = await t.call('GET', '/api/analytics?to=yesterday', { key: ann_reads });
    expect(said.body.message).toBe('to: must be a day, such as 2026-05-31');
    for (const [query, path] of [
      ['?from=2026-02-30', 'from'],
      ['?to=yesterday', 'to'],
      ['?from=2026-06-02&to=2026-06-01', 'from'],
      ['?from=2026-06-16', 'from'],
      ['?to=1969-12-31', 'to'],
      ['?from=', 'from'],
      ['?to=20260601', 'to'],
      ['?from=2024-01-01&to=2026-01-01', 'from'],
    ] as const) {
      const answer = await t.call('GET', `/api/analytics${query}`, { key: ann_reads });
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', fields: [{ path }] } });
    }
  });

  test('asks a key for analytics:read, and lets the owner’s session in on every plan', async () => {
    expect((await t.call('GET', '/api/analytics', { key: ann.key })).body.error).toBe('insufficient_scope');
    const bob = await newAgent(t, { handle: 'bob' });
    const session = await t.call('GET', '/api/analytics', { token: bob.token, agent: 'bob' });
    expect([session.status, session.body.views]).toEqual([200, 0]);
    const asked = { key: ann_reads, revision: '2025-11-25', headers: { 'X-Agent-Handle': 'ann' } };
    const { result } = (await rpc(t, 'tools/call', { name: 'mesh_get_analytics', arguments: {} }, asked)).body;
    expect(result.structuredContent).toMatchObject({ to: today(), partial: false });
  });
});
