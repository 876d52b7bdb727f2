// Changing, pausing, deleting, listing and verifying listings: every move of interface.md "States", and who sees what.
import { beforeAll, describe, expect, test } from 'bun:test';
import { insert, patch } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { vectorOfListing } from '../../db/queries/match.ts';
import { newAgent, type TestAgent, verifyPhone } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let pro: TestAgent;
let other: TestAgent;
beforeAll(async () => {
  pro = await newAgent(t, { handle: 'pro_editor', verified: true, pro: true });
  other = await newAgent(t, { handle: 'onlooker', verified: true });
});

const WHOLE = { card_type: 'selling', headline: 'Weekly bookkeeping', labels: ['bookkeeping'], price_cents: 9_900 };

function send(agent: TestAgent, method: string, path: string, body?: unknown): Promise<TestAnswer> {
  return t.call(method, `/api/agents/${agent.handle}/cards${path}`, { key: agent.key, body });
}

async function made(part: object = {}, agent = pro): Promise<{ id: string; status: string }> {
  const { status, body } = await send(agent, 'POST', '', { ...WHOLE, ...part });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const edit = (id: string, body: object, agent = pro): Promise<TestAnswer> => send(agent, 'PATCH', `/${id}`, body);
const uses = async (label: string): Promise<number> => {
  const { body } = await t.call('GET', `/api/labels?q=${label}`);
  return body.find((entry: { name: string }) => entry.name === label)?.uses ?? 0;
};
const vectorOf = (id: string): Promise<unknown> => t.service.world.store.read(vectorOfListing, { id });

describe('a draft', () => {
  test('refuses to go live with its gaps named, and goes live once they are filled', async () => {
    const { id } = await made({ price_cents: undefined });
    const refused = await edit(id, { active: true });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: 'listing_incomplete',
      completeness: { complete: false, missing: ['price_cents'] },
    });
    expect((await edit(id, { price_cents: 100 })).body).toMatchObject({
      status: 'draft',
      completeness: { complete: true },
    });
    expect((await edit(id, { active: true })).body).toMatchObject({ status: 'live', active: true });
  });

  test('may be filled and published by one call', async () => {
    const { id } = await made({ price_cents: undefined });
    expect((await edit(id, { active: true, price_cents: 5 })).body.status).toBe('live');
  });
});

describe('a live listing', () => {
  test('changes only what is given; labels are replaced as a whole', async () => {
    const { id } = await made({ description: 'By hand.', geo: 'Remote', labels: ['bookkeeping', 'taxes'] });
    const { status, body } = await edit(id, { headline: 'Monthly bookkeeping', labels: ['Payroll'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      headline: 'Monthly bookkeeping',
      slug: expect.stringMatching(/^weekly-bookkeeping/),
      description: 'By hand.',
      geo: 'Remote',
      labels: ['payroll'],
      price_cents: 9_900,
      status: 'live',
    });
  });

  test('keeps the parts of conditions and the fields that are not given; null removes one', async () => {
    const { id } = await made({
      conditions: { tiers: [{ name: 'One', price_cents: 5 }], dealbreakers: ['casino'] },
      fields: { pricing_model: 'fixed', note: 'a' },
    });
    const before = (await send(pro, 'GET', `/${id}`)).body;
    const { body } = await edit(id, {
      conditions: { tiers: [{ name: 'One', price_cents: 7 }] },
      fields: { note: null, extra: 1 },
    });
    expect(body.conditions).toMatchObject({ dealbreakers: ['casino'], tiers: [{ name: 'One', price_cents: 7 }] });
    expect(body.conditions.tiers[0].id).toBe(before.conditions.tiers[0].id);
    expect(body.fields).toEqual({ pricing_model: 'fixed', extra: 1 });
  });

  test('that loses its price becomes a draft and leaves the index', async () => {
    const { id } = await made();
    expect(await vectorOf(id)).not.toBeNull();
    expect((await edit(id, { price_cents: null })).body).toMatchObject({ status: 'draft', active: false });
    expect(await vectorOf(id)).toBeNull();
  });

  test('pauses and comes back, and its labels count only while it is live', async () => {
    const { id } = await made({ labels: ['rare-pause-label'] });
    expect(await uses('rare-pause-label')).toBe(1);
    expect((await edit(id, { active: false })).body).toMatchObject({ status: 'inactive', active: false });
    expect(await uses('rare-pause-label')).toBe(0);
    expect(await vectorOf(id)).toBeNull();
    expect((await edit(id, { active: true })).body.status).toBe('live');
    expect(await uses('rare-pause-label')).toBe(1);
    expect(await vectorOf(id)).not.toBeNull();
  });

  test('that is told what it says already does not change', async () => {
    const { id } = await made();
    const before = (await send(pro, 'GET', `/${id}`)).body;
    await t.advance(1000);
    expect((await edit(id, { headline: WHOLE.headline, active: true })).body).toEqual(before);
  });

  test('cannot turn into the other side of a trade', async () => {
    const { id } = await made();
    const { status, body } = await edit(id, { card_type: 'buying' });
    expect({ status, path: body.fields[0].path }).toEqual({ status: 400, path: 'card_type' });
    expect((await edit(id, { card_type: 'selling', direction: 'offer' })).status).toBe(200);
  });

  test.each<[string, object, string]>([
    ['labels.0', { labels: ['???'] }, 'invalid_request'],
    ['currency', { currency: 'EUR' }, 'unsupported_currency'],
    ['description', { description: 'x'.repeat(5_001) }, 'invalid_request'],
    ['subcategory', { subcategory: 'links.guest_post' }, 'invalid_request'],
  ])('refuses a wrong %s and keeps what it was', async (path, part, error) => {
    const { id } = await made();
    const { status, body } = await edit(id, part);
    expect({ status, error: body.error, path: body.fields[0].path }).toEqual({ status: 400, error, path });
    expect((await send(pro, 'GET', `/${id}`)).body).toMatchObject({ headline: WHOLE.headline, status: 'live' });
  });
});

describe('the verification gate', () => {
  test('keeps an unverified agent from activating, and opens with the first proof', async () => {
    const agent = await newAgent(t, { handle: 'gatekept' });
    const { id } = await made({ active: false }, agent);
    const refused = await edit(id, { active: true }, agent);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ error: 'verification_required', how: expect.any(String) });
    await verifyPhone(t, agent.token, agent.handle);
    expect((await edit(id, { active: true }, agent)).body.status).toBe('live');
  });
});

describe('a link offer', () => {
  const LINK = { card_type: 'link_building', subcategory: 'links.guest_post', fields: { site_domain: 'news.example' } };

  test('cannot be forced live, and goes live by verify once its site is proven', async () => {
    const { id } = await made(LINK);
    const pending = await edit(id, { active: true });
    expect(pending.status).toBe(409);
    expect(pending.body.error).toBe('pending');
    const first = await send(pro, 'POST', `/${id}/verify`);
    expect(first.body).toMatchObject({
      status: 'pending_verification',
      gate_status: 'pending',
      verified_attributes: {},
    });
    const { world } = t.service;
    const claim = { id: world.id(), agent_id: pro.id, provider: 'domain', external_id: 'news.example' };
    const times = { verified_at: t.clock.now(), checked_at: t.clock.now(), failing_since: null };
    await world.store.turn({
      attempt: async () => ({ reply: null, effects: [insert('claims', { ...claim, ...times })] }),
    });
    const { status, body } = await send(pro, 'POST', `/${id}/verify`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'live', gate_status: 'passed' });
    for (const entry of body.gate_report) expect(entry).toEqual({ check: entry.check, status: 'passed' });
  });

  test('of a site that another edit names is held again', async () => {
    const { id } = await made({ ...LINK, fields: { site_domain: 'news.example' } });
    expect((await edit(id, { fields: { site_domain: 'other.example' } })).body.status).toBe('pending_verification');
  });

  test('is not verified by a stranger', async () => {
    const { id } = await made(LINK);
    expect((await send(other, 'POST', `/${id}/verify`)).status).toBe(404);
  });
});

describe('deleting', () => {
  test('frees the place in the plan, the labels and the index', async () => {
    const agent = await newAgent(t, { handle: 'frees', verified: true });
    const { id } = await made({ labels: ['rare-delete-label'] }, agent);
    await made({ active: false }, agent);
    expect((await send(agent, 'POST', '', WHOLE)).status).toBe(403);
    const { status, body } = await send(agent, 'DELETE', `/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ removed: true, id });
    expect(await uses('rare-delete-label')).toBe(0);
    expect(await vectorOf(id)).toBeNull();
    expect((await send(agent, 'GET', `/${id}`)).status).toBe(404);
    expect((await send(agent, 'DELETE', `/${id}`)).status).toBe(404);
    expect((await send(agent, 'POST', '', WHOLE)).status).toBe(201);
  });

  test("of somebody else's listing, or of none, is 404", async () => {
    const { id } = await made();
    for (const target of [id, 'no-such-id', '00000000-0000-7000-8000-000000000000']) {
      expect((await send(other, 'DELETE', `/${target}`)).status).toBe(404);
      expect((await edit(target, { headline: 'Mine now' }, other)).status).toBe(404);
    }
  });
});

describe('reading', () => {
  test('shows the owner every state and others only what is live, without the gates', async () => {
    const agent = await newAgent(t, { handle: 'shown', verified: true });
    const live = await made({}, agent);
    const draft = await made({ price_cents: undefined }, agent);
    const path = '/api/agents/shown/cards';
    const own = await t.call('GET', path, { key: agent.key });
    expect(own.body.map(({ id }: { id: string }) => id)).toEqual([draft.id, live.id]);
    expect(own.body[0].gate_report).toBeArray();
    for (const reader of [{}, { key: other.key }]) {
      const seen = await t.call('GET', path, reader);
      expect(seen.body.map(({ id }: { id: string }) => id)).toEqual([live.id]);
      expect(seen.body[0].gate_report).toBeUndefined();
      expect((await t.call('GET', `${path}/${draft.id}`, reader)).status).toBe(404);
      expect((await t.call('GET', `${path}/${live.id}`, reader)).status).toBe(200);
      expect((await t.call('GET', `/api/agents/onlooker/cards/${live.id}`, reader)).status).toBe(404);
    }
    const v1 = await t.call('GET', '/api/v1/listings', { key: agent.key });
    expect(v1.body).toEqual(own.body);
    expect((await t.call('GET', '/api/v1/listings')).status).toBe(401);
  });

  test('hides the listings of a hidden or stealth agent from everybody else', async () => {
    const agent = await newAgent(t, { handle: 'unseen', verified: true });
    const { id } = await made({}, agent);
    for (const visibility of ['hidden', 'stealth'] as const) {
      await t.service.world.store.turn({
        attempt: async (read) => {
          const row = await read(agentById, { id: agent.id });
          return { reply: null, effects: row ? [patch('agents', row, { visibility })] : [] };
        },
      });
      expect((await t.call('GET', '/api/agents/unseen/cards')).status).toBe(404);
      expect((await t.call('GET', `/api/agents/unseen/cards/${id}`)).status).toBe(404);
      expect((await send(agent, 'GET', '')).body).toHaveLength(1);
    }
    expect((await t.call('GET', '/api/agents/nobody_here/cards')).status).toBe(404);
  });

  test('pages through all of them, each once', async () => {
    const agent = await newAgent(t, { handle: 'paged', verified: true, pro: true });
    for (let i = 0; i < 7; i++) await made({ headline: `Number ${i}` }, agent);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page++) {
      const at = `/api/agents/paged/cards?limit=3${cursor && `&cursor=${cursor}`}`;
      const { headers, body } = await t.call('GET', at);
      seen.push(...body.map(({ headline }: { headline: string }) => headline));
      cursor = headers.get('x-next-cursor') ?? '';
      if (cursor === '') break;
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((i) => `Number ${i}`));
    expect((await t.call('GET', '/api/agents/paged/cards?limit=0')).status).toBe(400);
  });

  test("a listing's page is readable from any origin", async () => {
    const request = new Request('http://localhost/api/agents/pro_editor/cards', {
      headers: { Origin: 'https://a.example' },
    });
    expect((await t.fetch(request)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

test('the taxonomy names every card type with typed fields, pricing and gates', async () => {
  const { status, body } = await t.call('GET', '/api/listings/taxonomy');
  expect(status).toBe(200);
  expect(new Set(body.map(({ card_type }: { card_type: string }) => card_type)).size).toBe(9);
  for (const entry of body) {
    expect(entry).toMatchObject({ fields: { type: 'object' }, gates: expect.arrayContaining(['agent_verified']) });
    expect(entry.pricing.length).toBeGreaterThan(0);
  }
});
