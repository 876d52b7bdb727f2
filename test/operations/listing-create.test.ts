// Creating listings: where each one belongs, what is refused, and the plan's cap.
import { beforeAll, describe, expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { listingById } from '../../db/queries/listing.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let pro: TestAgent;
beforeAll(async () => {
  pro = await newAgent(t, { handle: 'pro_maker', verified: true, pro: true });
});

const WHOLE = { card_type: 'selling', headline: 'Logos in two days', labels: ['Logo Design'], price_cents: 50_000 };

function create(agent: TestAgent, part: object = {}, headers?: Record<string, string>): Promise<TestAnswer> {
  return t.call('POST', `/api/agents/${agent.handle}/cards`, { key: agent.key, body: { ...WHOLE, ...part }, headers });
}

describe('a new listing', () => {
  test('is live when it is complete, with its direction inferred and its labels folded', async () => {
    const { status, body } = await create(pro, { labels: ['Logo Design', 'C++', 'C#', 'ロゴ', '🎨 art'] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      handle: 'pro_maker',
      slug: 'logos-in-two-days',
      direction: 'offer',
      status: 'live',
      active: true,
      price_cents: 50_000,
      price_period: 'once',
      currency: 'USD',
      completeness: { complete: true, missing: [] },
      gate_status: 'passed',
    });
    expect(body.labels).toContain('c-plus-plus');
    expect(body.labels).toContain('c-sharp');
    for (const label of body.labels) expect(label).toMatch(/^[a-z0-9-]{1,40}$/);
    expect(body.labels).toHaveLength(5);
  });

  test.each([
    ['no price', { price_cents: undefined }, ['price_cents']],
    ['no labels', { labels: [] }, ['labels']],
    ['no headline', { headline: undefined }, ['headline']],
    ['no budget', { card_type: 'buying', price_cents: undefined }, ['budget_cents']],
  ])('with %s is a draft that names the gap', async (_what, part, missing) => {
    const { status, body } = await create(pro, part);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'draft', active: false, completeness: { complete: false, missing } });
  });

  test('with active false stays inactive', async () => {
    expect((await create(pro, { active: false })).body).toMatchObject({ status: 'inactive', active: false });
  });

  test('of links is held until its site is proven, and says how', async () => {
    const part = {
      card_type: 'link_building',
      subcategory: 'links.guest_post',
      fields: { site_domain: 'blog.example' },
    };
    const { body } = await create(pro, part);
    expect(body).toMatchObject({ status: 'pending_verification', active: false, gate_status: 'pending' });
    const gate = body.gate_report.find((entry: { check: string }) => entry.check === 'domain_verified');
    expect(gate.how).toMatch(/_meshwork\.blog\.example TXT "meshwork-verify=[0-9a-f]{32}"/);
  });

  test("gets a slug of its own among its agent's", async () => {
    const slugs = [await create(pro, { headline: 'Twice' }), await create(pro, { headline: 'Twice' })];
    expect(slugs.map(({ body }) => body.slug)).toEqual(['twice', 'twice-2']);
  });

  test('keeps tiers with ids and both forms of preferences, and nothing else', async () => {
    const { body } = await create(pro, {
      price_cents: undefined,
      conditions: {
        tiers: [
          { name: 'Big', price_cents: 90_000, currency: 'USD', billing: 'one_time', secret: 1 },
          { id: 'small', name: 'Small', price_cents: 20_000 },
          { name: 'Care', price_cents: 5_000, billing: 'monthly' },
        ],
        dealbreakers: ['no casinos'],
        preferences: [{ label: 'Remote', weight: 0.5 }],
        weighted_preferences: { 'Long Term': 0.25 },
        stray: true,
      },
    });
    expect(body).toMatchObject({ status: 'live', price_cents: 20_000, per_month: 5_000, per_month_cents: 5_000 });
    const { tiers, ...rest } = body.conditions;
    expect(tiers).toEqual([
      { id: expect.any(String), name: 'Big', price_cents: 90_000, currency: 'USD', billing: 'one_time' },
      { id: 'small', name: 'Small', price_cents: 20_000, currency: 'USD', billing: 'one_time' },
      { id: expect.any(String), name: 'Care', price_cents: 5_000, currency: 'USD', billing: 'monthly' },
    ]);
    expect(rest).toEqual({
      dealbreakers: ['no casinos'],
      preferences: [
        { label: 'long-term', weight: 0.25 },
        { label: 'remote', weight: 0.5 },
      ],
      price_firm: false,
      decide_within_hours: 0,
      deals_wanted: 0,
    });
  });

  test('may have a field named fault', async () => {
    const { status, body } = await create(pro, { fields: { fault: 'mine', pricing_model: 'fixed' } });
    expect(status).toBe(201);
    expect(body.fields).toEqual({ fault: 'mine', pricing_model: 'fixed' });
  });
});

describe('refused, with nothing stored', () => {
  const path = (body: { fields?: { path: string }[] }): string | undefined => body.fields?.[0]?.path;
  test.each<[string, object, string, string | undefined]>([
    ['no card type', { card_type: undefined }, 'invalid_request', 'card_type'],
    ['an unknown card type', { card_type: 'gifting' }, 'invalid_request', 'card_type'],
    ['a seek of something sold', { direction: 'seek' }, 'direction_mismatch', 'direction'],
    ['a label of nothing', { labels: ['ok', '!!!'] }, 'invalid_request', 'labels.1'],
    ['21 labels', { labels: Array.from({ length: 21 }, (_, i) => `l${i}`) }, 'invalid_request', 'labels'],
    ['a headline of 141', { headline: 'x'.repeat(141) }, 'invalid_request', 'headline'],
    ['euros', { currency: 'EUR' }, 'unsupported_currency', 'currency'],
    ['a negative price', { price_cents: -1 }, 'invalid_request', 'price_cents'],
    ['a fractional price', { price_cents: 1.5 }, 'invalid_request', 'price_cents'],
    ['an unknown period', { price_period: 'fortnight' }, 'invalid_request', 'price_period'],
    ['an unknown subcategory', { subcategory: 'selling.souls' }, 'invalid_request', 'subcategory'],
    ["another type's subcategory", { subcategory: 'links.guest_post' }, 'invalid_request', 'subcategory'],
    ['a field of the wrong type', { fields: { pricing_model: 'gift' } }, 'invalid_request', 'fields.pricing_model'],
    [
      'a deliverable without a fixed price',
      { fields: { offering: 'deliverable' } },
      'invalid_request',
      'fields.pricing_model',
    ],
    ['a link offer without a site', { card_type: 'link_building' }, 'invalid_request', 'fields.domain'],
    [
      'a tier in pounds',
      { conditions: { tiers: [{ name: 'A', price_cents: 1, currency: 'GBP' }] } },
      'unsupported_currency',
      'conditions.tiers.0.currency',
    ],
    [
      'a tier without a price',
      { conditions: { tiers: [{ name: 'A' }] } },
      'invalid_request',
      'conditions.tiers.0.price_cents',
    ],
    [
      'a weight of 2',
      { conditions: { weighted_preferences: { a: 2 } } },
      'invalid_request',
      'conditions.weighted_preferences.a',
    ],
    [
      'fields without ground',
      { fields: { deep: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) } },
      'invalid_request',
      'fields',
    ],
    ['fields without end', { fields: { note: 'x'.repeat(20_000) } }, 'invalid_request', 'fields'],
  ])('%s', async (_what, part, error, at) => {
    const { status, body } = await create(pro, part);
    expect({ status, error: body.error, at: path(body) }).toEqual({ status: 400, error, at });
  });

  test('one that would go live while its agent is unverified', async () => {
    const agent = await newAgent(t, { handle: 'unproven' });
    const refused = await create(agent);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ error: 'verification_required', how: expect.any(String) });
    const kept = await t.call('GET', '/api/billing/limits', { key: agent.key });
    if (kept.status === 200) expect(JSON.stringify(kept.body)).toContain('"used":0');
    expect((await create(agent, { price_cents: undefined })).body.status).toBe('draft');
    expect((await create(agent, { active: false })).body.status).toBe('inactive');
  });

  test("one for somebody else's agent, or without the right", async () => {
    const agent = await newAgent(t, { handle: 'bystander', verified: true });
    expect((await t.call('POST', '/api/agents/pro_maker/cards', { key: agent.key, body: WHOLE })).status).toBe(404);
    expect((await t.call('POST', '/api/agents/pro_maker/cards', { body: WHOLE })).status).toBe(401);
  });
});

describe('the plan', () => {
  test('allows two listings, drafts and paused ones counted, and tells the figures', async () => {
    const agent = await newAgent(t, { handle: 'two_only', verified: true });
    await create(agent, { active: false });
    const draft = await create(agent, { price_cents: undefined });
    const { status, body } = await create(agent);
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: 'plan_limit', limit: 2, used: 2, resets_at: null });
    // What is deleted makes room, for one.
    await t.call('DELETE', `/api/agents/${agent.handle}/cards/${draft.body.id}`, { key: agent.key });
    expect([(await create(agent)).status, (await create(agent)).status]).toEqual([201, 403]);
  });

  test('lets exactly one of two through that come at once at the cap', async () => {
    const agent = await newAgent(t, { handle: 'racing', verified: true });
    await create(agent);
    const both = await Promise.all([create(agent), create(agent)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
  });

  test('counts a repeated request with the same Idempotency-Key once', async () => {
    const agent = await newAgent(t, { handle: 'repeating', verified: true });
    const headers = { 'Idempotency-Key': 'once' };
    const [first, again] = [await create(agent, {}, headers), await create(agent, {}, headers)];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await create(agent)).status).toBe(201);
    expect((await create(agent)).status).toBe(403);
  });
});

test('of a handle that holds 500 slugs of one beginning no more are looked at: the next one gets a tail in place of a number', async () => {
  const agent = await newAgent(t, { handle: 'repeater', verified: true, pro: true });
  const { store } = t.service.world;
  const nets = { headline: 'Nets', active: false };
  const row = await store.read(listingById, { id: (await create(agent, nets)).body.id });
  if (!row) throw new Error('the listing is not stored');
  const copies = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, at) =>
      insert('listings', { ...row, id: Bun.randomUUIDv7(), slug: `nets-${from + at}` }),
    );
  await store.turn({ attempt: async () => ({ reply: null, effects: copies(2, 500) }) });
  expect((await create(agent, nets)).body.slug).toBe('nets-500');
  expect((await create(agent, nets)).body.slug).toMatch(/^nets-[0-9a-f]{12}$/);
  expect((await create(agent, nets)).body.slug).toMatch(/^nets-[0-9a-f]{12}$/);
  // Another headline has its slug as ever, and so has one that only begins like those.
  expect((await create(agent, { ...nets, headline: 'Net' })).body.slug).toBe('net');
  expect((await create(agent, { ...nets, headline: 'Nets of silk' })).body.slug).toBe('nets-of-silk');
});
