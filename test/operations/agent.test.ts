// Agents: how they are made, read, changed, renamed, put away and brought back, and what others see of them meanwhile.

import { describe, expect, test } from 'bun:test';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { listingById } from '../../db/queries/listing.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { freshPhone, newAgent, newProvisional, signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { signUp, type TestAnswer } from '../support/testbed.ts';

const t = sharedService();

const create = (key: string, body: Record<string, unknown>): Promise<TestAnswer> =>
  t.call('POST', '/api/agents', { key, body });
const read = (key: string, handle: string): Promise<TestAnswer> => t.call('GET', `/api/agents/${handle}`, { key });
const patch = (key: string, handle: string, body: unknown): Promise<TestAnswer> =>
  t.call('PATCH', `/api/agents/${handle}`, { key, body });
const outcome = ({ status, body }: TestAnswer): unknown[] => [status, body.error];

async function told(agent_id: string): Promise<{ kind: string; data: unknown }[]> {
  const events = await t.service.world.store.read(eventsAfter, { agent_id, after: 0, limit: 100 });
  return events.map(({ kind, data }) => ({ kind, data }));
}

describe('creating', () => {
  test('an agent has everything that was said of it, in the shape of reads', async () => {
    const key = await signUp(t, 'full@example.org');
    const answer = await create(key, {
      handle: '@Full_Agent',
      display_name: '  Full Agent ',
      headline: 'Makes things',
      description: 'At length.',
      offers: ['logos', { headline: 'websites', labels: ['web-design'], price_cents: 100 }],
      seeks: 'a copywriter',
      geo: 'Berlin, Germany',
      industry: ['design', 'design'],
      kind: 'company',
      social_links: { mastodon: 'https://example.social/full' },
      availability: { tz: 'Europe/Berlin', windows: [{ day: 'mon', from: '09:00', to: '17:00', secret: 'no' }] },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      handle: 'full_agent',
      display_name: 'Full Agent',
      offers: ['logos', 'websites'],
      seeks: ['a copywriter'],
      geo: 'Berlin, Germany',
      geo_norm: { countries: ['DE'] },
      industry: ['design'],
      visibility: 'listed',
      kind: 'company',
      bounds: { max_pay_cents: null, min_charge_cents: null, auto_approve_below_cents: null },
      availability: { tz: 'Europe/Berlin', windows: [{ day: 'mon', from: '09:00', to: '17:00' }] },
      trust: { score: 12, credentials: ['email'] },
      provisional: false,
      verified: false,
      mailbox: 'full_agent@agents.localhost',
      transports: ['pull', 'email'],
      preferred_transport: 'pull',
    });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    expect((await read(key, 'full_agent')).body).toMatchObject({ id: answer.body.id, handle: 'full_agent' });
  });

  test.each([
    [{ handle: 'ab', display_name: 'x' }, 'handle'],
    [{ handle: 'a'.repeat(31), display_name: 'x' }, 'handle'],
    [{ handle: 'with-dash', display_name: 'x' }, 'handle'],
    [{ handle: 'ünïcode', display_name: 'x' }, 'handle'],
    [{ handle: '\u212Aelvin', display_name: 'x' }, 'handle'],
    [{ handle: 7, display_name: 'x' }, 'handle'],
    [{ handle: 'no_name' }, 'display_name'],
    [{ handle: 'no_name', display_name: '   ' }, 'display_name'],
    [{ handle: 'long_name', display_name: 'x'.repeat(81) }, 'display_name'],
    [{ handle: 'bad_geo', display_name: 'x', geo: { countries: ['Atlantis'] } }, 'geo.countries.0'],
    [{ handle: 'bad_kind', display_name: 'x', kind: 'platform' }, 'kind'],
    [{ handle: 'bad_seen', display_name: 'x', visibility: 'public' }, 'visibility'],
    [{ handle: 'bad_link', display_name: 'x', social_links: { x: 'javascript:alert(1)' } }, 'social_links'],
    [
      { handle: 'bad_network', display_name: 'x', social_links: { '__proto__ x': 'https://a.example' } },
      'social_links',
    ],
    [{ handle: 'bad_headline', display_name: 'x', headline: 'x'.repeat(141) }, 'headline'],
    [{ handle: 'bad_tz', display_name: 'x', availability: { tz: 'Mars/One', windows: [] } }, 'availability.tz'],
    [
      {
        handle: 'dated',
        display_name: 'x',
        availability: { tz: 'UTC', windows: [{ day: '2026-06-15', from: '09:00', to: '10:00' }] },
      },
      'availability',
    ],
  ])('%j is refused for its %s, and nothing is stored', async (body, path) => {
    const key = await signUp(t, 'refused@example.org');
    const answer = await create(key, body);
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.fields[0].path).toStartWith(path);
    expect((await t.call('GET', '/api/agents', { key })).body).toEqual([]);
  });

  test("a reserved word is nobody's", async () => {
    const key = await signUp(t, 'reserved@example.org');
    for (const handle of ['bounds', 'rename', 'public', 'concierge', 'Admin']) {
      expect(outcome(await create(key, { handle, display_name: 'x' }))).toEqual([409, 'handle_taken']);
    }
  });

  test('of two accounts that claim one handle at once exactly one gets it', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map((n) => signUp(t, `racer${n}@example.org`)));
    const answers = await Promise.all(keys.map((key) => create(key, { handle: 'raced', display_name: 'x' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const lists = await Promise.all(keys.map((key) => t.call('GET', '/api/agents', { key })));
    expect(lists.flatMap(({ body }) => body)).toHaveLength(1);
  });

  test("a reservation waits for its address for a day, and is anybody's after", async () => {
    const email = 'patient@example.org';
    const reserve = (handle: string) => t.call('POST', '/api/reserve-handle', { body: { handle, email } });
    expect((await reserve('kept_one')).status).toBe(200);
    expect((await reserve('kept_two')).status).toBe(200);
    const stranger = await signUp(t, 'stranger@example.org');
    expect(outcome(await create(stranger, { handle: 'kept_one', display_name: 'x' }))).toEqual([409, 'handle_taken']);
    expect((await create(await signUp(t, email), { handle: 'kept_one', display_name: 'x' })).status).toBe(201);
    await t.advance(DAY_MS);
    expect((await create(stranger, { handle: 'kept_two', display_name: 'x' })).status).toBe(201);
  });

  test('the same Idempotency-Key makes one agent', async () => {
    const key = await signUp(t, 'again@example.org');
    const request = { key, body: { handle: 'again', display_name: 'x' }, headers: { 'Idempotency-Key': 'k1' } };
    const first = await t.call('POST', '/api/agents', request);
    const second = await t.call('POST', '/api/agents', request);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('a provisional key makes none', async () => {
    const { key } = await newProvisional(t, 'prov_creates');
    expect(outcome(await create(key, { handle: 'second_one', display_name: 'x' }))).toEqual([
      403,
      'provisional_account',
    ]);
  });
});

describe('reading', () => {
  test('others see the public part, never bounds or visibility', async () => {
    const { key } = await newAgent(t, { handle: 'seen_by_all' });
    const stranger = await signUp(t, 'looks@example.org');
    await t.call('PATCH', '/api/agents/bounds', { key, body: { max_pay_cents: 500 } });
    const { body } = await read(stranger, 'Seen_By_All');
    expect(body.handle).toBe('seen_by_all');
    for (const field of ['bounds', 'visibility', 'status', 'account_id', 'wake'])
      expect(body).not.toHaveProperty(field);
    expect((await read(key, 'seen_by_all')).body.bounds.max_pay_cents).toBe(500);
  });

  test.each(['stealth', 'hidden'])('a %s agent is absent to others and whole to its owner', async (visibility) => {
    const handle = `is_${visibility}`;
    const { key } = await newAgent(t, { handle, body: { visibility } });
    const stranger = await signUp(t, 'looks@example.org');
    const absent = await read(stranger, 'never_was');
    const unseen = await read(stranger, handle);
    expect({ ...unseen.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    expect((await t.call('GET', `/api/agents/public/${handle}`)).status).toBe(404);
    expect((await read(key, handle)).body.visibility).toBe(visibility);
    await patch(key, handle, { visibility: 'listed' });
    expect((await read(stranger, handle)).status).toBe(200);
    expect((await t.call('GET', `/api/agents/public/${handle}`)).status).toBe(200);
  });

  test('the public profile names what was proven, never the number itself', async () => {
    const agent = await newAgent(t, { handle: 'profiled', verified: true });
    const answer = await t.call('GET', '/api/agents/public/profiled', {
      headers: { Origin: 'https://elsewhere.example' },
    });
    expect(answer.body.claims).toMatchObject([{ kind: 'phone', status: 'active' }]);
    expect(answer.body.trust).toEqual({ score: 8, credentials: ['phone', 'email'] });
    expect(JSON.stringify(answer.body)).not.toContain(agent.email);
    expect(JSON.stringify(answer.body)).not.toContain('+1555');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('after 14 days of silence the badges fail, and hold again with the next request', async () => {
    const { key } = await newAgent(t, { handle: 'goes_silent', verified: true });
    await read(key, 'goes_silent');
    await t.advance(14 * DAY_MS);
    const silent = (await t.call('GET', '/api/agents/public/goes_silent')).body;
    expect(silent.presence).toMatchObject({ responsiveness: 'silent', online: false });
    expect([silent.trust.credentials, silent.claims[0].status]).toEqual([[], 'failing']);
    await read(key, 'goes_silent');
    const back = (await t.call('GET', '/api/agents/public/goes_silent')).body;
    expect([back.trust.credentials, back.presence.online]).toEqual([['phone', 'email'], true]);
    expect(back.trust.score).toBe(silent.trust.score);
  });

  test('your agents come newest first, in pages', async () => {
    const email = 'lister@example.org';
    const { key } = await newAgent(t, { handle: 'list_a', email });
    for (const handle of ['list_b', 'list_c']) {
      await t.advance(1);
      await create(key, { handle, display_name: 'x' });
    }
    const first = await t.call('GET', '/api/agents?limit=2', { key });
    const cursor = first.headers.get('x-next-cursor');
    const second = await t.call('GET', `/api/agents?limit=2&cursor=${cursor}`, { key });
    const handles = [first, second].map(({ body }) => body.map((agent: { handle: string }) => agent.handle));
    expect(handles).toEqual([['list_c', 'list_b'], ['list_a']]);
    expect(second.headers.has('x-next-cursor')).toBe(false);
    const strange = await t.call('GET', '/api/agents?cursor=page-2', { key });
    expect([strange.status, strange.body.fields[0].path]).toEqual([400, 'cursor']);
  });
});

describe('changing', () => {
  test('only what is sent changes, and the agent is told which fields', async () => {
    const { key, id } = await newAgent(t, { handle: 'changes', body: { headline: 'old', industry: ['a'] } });
    const answer = await patch(key, 'changes', { headline: 'new', description: 'more', industry: ['a'], unknown: 1 });
    expect(answer.body).toMatchObject({
      headline: 'new',
      description: 'more',
      industry: ['a'],
      display_name: 'changes',
    });
    expect(await told(id)).toEqual([
      { kind: 'agent.updated', data: { fields: ['headline', 'description'] } },
      { kind: 'trust.updated', data: { score: answer.body.trust.score, credentials: ['email'] } },
    ]);
  });

  test('a change to what already is changes nothing and tells nothing', async () => {
    const { key, id } = await newAgent(t, { handle: 'same', body: { headline: 'as is' } });
    const before = (await read(key, 'same')).body;
    await t.advance(1000);
    expect((await patch(key, 'same', { headline: 'as is' })).body.updated_at).toBe(before.updated_at);
    expect((await patch(key, 'same', {})).status).toBe(200);
    expect(await told(id)).toEqual([]);
  });

  test('null and empty values clear', async () => {
    const { key } = await newAgent(t, { handle: 'clears', body: { headline: 'x', geo: 'Paris', offers: ['y'] } });
    const { body } = await patch(key, 'clears', { headline: '', geo: null, offers: [] });
    expect([body.headline, body.geo, body.offers]).toEqual(['', null, []]);
  });

  test("nobody changes somebody else's agent", async () => {
    const { key } = await newAgent(t, { handle: 'not_yours' });
    const stranger = await newAgent(t, { handle: 'meddler' });
    expect(outcome(await patch(stranger.key, 'not_yours', { headline: 'mine now' }))).toEqual([404, 'not_found']);
    expect((await t.call('DELETE', '/api/agents/not_yours', { key: stranger.key })).status).toBe(404);
    expect((await t.call('POST', '/api/agents/not_yours/restore', { key: stranger.key })).status).toBe(404);
    expect((await read(key, 'not_yours')).body.headline).toBe('');
  });

  test('a provisional agent writes its profile and stays hidden', async () => {
    const { key } = await newProvisional(t, 'agent_abcdefghij');
    expect((await patch(key, 'agent_abcdefghij', { headline: 'here' })).body).toMatchObject({
      headline: 'here',
      visibility: 'hidden',
      provisional: true,
      transports: ['pull'],
    });
    const listed = await patch(key, 'agent_abcdefghij', { visibility: 'listed' });
    expect(outcome(listed)).toEqual([403, 'provisional_account']);
    const stranger = await signUp(t, 'looks@example.org');
    expect((await read(stranger, 'agent_abcdefghij')).status).toBe(404);
    for (const [method, path] of [
      ['PATCH', '/api/agents/bounds'],
      ['PATCH', '/api/agents/rename'],
      ['DELETE', '/api/agents/agent_abcdefghij'],
    ]) {
      const answer = await t.call(method ?? '', path ?? '', {
        key,
        body: method === 'PATCH' ? { handle: 'other_name' } : undefined,
      });
      expect(outcome(answer)).toEqual([403, 'provisional_account']);
    }
  });

  test('bounds are set, kept and lifted one by one', async () => {
    const { key } = await newAgent(t, { handle: 'bounded' });
    const set = (body: unknown) => t.call('PATCH', '/api/agents/bounds', { key, body });
    expect((await set({ max_pay_cents: 1000, min_charge_cents: 5 })).body.bounds).toMatchObject({
      max_pay_cents: 1000,
      max_pay_per_day_cents: null,
      min_charge_cents: 5,
      auto_approve_below_cents: null,
      policies: [],
    });
    expect((await set({ max_pay_cents: null })).body.bounds).toMatchObject({
      max_pay_cents: null,
      min_charge_cents: 5,
    });
    for (const wrong of [-1, 1.5, '10', 1e14]) {
      const answer = await set({ max_pay_cents: wrong });
      expect([...outcome(answer), answer.body.fields[0].path]).toEqual([400, 'invalid_request', 'max_pay_cents']);
    }
  });
});

test('an agent that comes out of hiding is matched at once', async () => {
  const hidden = await newAgent(t, { handle: 'comes_out', verified: true, body: { visibility: 'hidden' } });
  const buyer = await newAgent(t, { handle: 'waits_for_it', verified: true });
  const labels = ['falconry-lessons'];
  const offer = { card_type: 'selling', headline: 'Falconry lessons', labels, price_cents: 5000 };
  const seek = { card_type: 'buying', headline: 'Learn falconry', labels, budget_cents: 9000 };
  await t.call('POST', '/api/agents/comes_out/cards', { key: hidden.key, body: offer });
  await t.call('POST', '/api/agents/waits_for_it/cards', { key: buyer.key, body: seek });
  const matches = async () => (await t.call('GET', '/api/agents/waits_for_it/matches', { key: buyer.key })).body;
  expect(await matches()).toEqual([]);
  await patch(hidden.key, 'comes_out', { visibility: 'stealth' });
  expect(await matches()).toMatchObject([{ counterparty_handle: 'comes_out' }]);
});

describe('renaming', () => {
  const rename = (key: string, handle: string): Promise<TestAnswer> =>
    t.call('PATCH', '/api/agents/rename', { key, body: { handle } });

  test("the old handle leads to the agent for 90 days and is nobody else's", async () => {
    const { key, id } = await newAgent(t, { handle: 'was_this' });
    const stranger = await signUp(t, 'covets@example.org');
    expect((await rename(key, '@Is_That')).body).toMatchObject({ id, handle: 'is_that' });
    for (const handle of ['was_this', 'is_that']) expect((await read(stranger, handle)).body.handle).toBe('is_that');
    expect((await t.call('GET', '/api/agents/public/was_this')).body.handle).toBe('is_that');
    expect((await patch(key, 'was_this', { headline: 'still me' })).body.handle).toBe('is_that');
    expect(outcome(await create(stranger, { handle: 'was_this', display_name: 'x' }))).toEqual([409, 'handle_taken']);
    await t.advance(90 * DAY_MS);
    const late = await signUp(t, 'covets@example.org');
    expect((await read(late, 'was_this')).status).toBe(404);
    expect((await create(late, { handle: 'was_this', display_name: 'x' })).status).toBe(201);
    expect(await told(id)).toContainEqual({ kind: 'agent.updated', data: { fields: ['handle'] } });
  });

  test('its own old handle can be taken back', async () => {
    const { key } = await newAgent(t, { handle: 'there' });
    expect((await rename(key, 'and_back')).status).toBe(200);
    expect((await rename(key, 'there')).body.handle).toBe('there');
    expect((await read(key, 'and_back')).body.handle).toBe('there');
    expect((await rename(key, 'there')).status).toBe(200);
  });

  test('of two agents that take one name at once exactly one gets it, and the other keeps its own', async () => {
    const agents = [await newAgent(t, { handle: 'left_one' }), await newAgent(t, { handle: 'right_one' })];
    const answers = await Promise.all(agents.map(({ key }) => rename(key, 'both_want')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const reads = await Promise.all(agents.map(({ key, handle }) => read(key, handle)));
    expect(reads.map(({ body }) => body.handle).filter((handle) => handle === 'both_want')).toHaveLength(1);
  });

  test('one agent that is renamed twice at once ends with one name', async () => {
    const { key, id } = await newAgent(t, { handle: 'twice' });
    await Promise.all([rename(key, 'twice_one'), rename(key, 'twice_two')]);
    const names = await Promise.all(['twice', 'twice_one', 'twice_two'].map((handle) => read(key, handle)));
    expect(new Set(names.map(({ body }) => body.id))).toEqual(new Set([id]));
    expect(new Set(names.map(({ body }) => body.handle)).size).toBe(1);
  });

  test.each([
    ['admin', 409],
    ['x', 400],
    ['no spaces', 400],
  ] as const)('to %p is %i', async (handle, status) => {
    const { key } = await newAgent(t, { handle: `ren_${status}_${handle.length}` });
    expect((await rename(key, handle)).status).toBe(status);
  });
});

describe('deactivating', () => {
  test('hides the agent at once, pauses its listings, and is undone within 30 days', async () => {
    const { key, email, id } = await newAgent(t, { handle: 'rests', verified: true });
    const listing = await t.call('POST', '/api/agents/rests/cards', {
      key,
      body: { card_type: 'selling', headline: 'Logo design', labels: ['logo-design'], price_cents: 5000 },
    });
    expect(listing.body.status).toBe('live');
    const gone = await t.call('DELETE', '/api/agents/rests', { key });
    expect([gone.status, gone.body.status]).toEqual([200, 'deactivated']);
    expect((await t.call('GET', '/api/agents/public/rests')).status).toBe(404);
    expect((await t.call('GET', '/api/agents', { key })).body).toEqual([]);
    expect((await read(key, 'rests')).body.status).toBe('deactivated');
    expect((await patch(key, 'rests', { headline: 'x' })).status).toBe(404);
    const stranger = await signUp(t, 'looks@example.org');
    expect((await read(stranger, 'rests')).status).toBe(404);
    expect(outcome(await create(stranger, { handle: 'rests', display_name: 'x' }))).toEqual([409, 'handle_taken']);
    await t.advance(30 * DAY_MS);
    const back = await t.call('POST', '/api/agents/rests/restore', { key });
    expect([back.status, back.body.status, back.body.verified]).toEqual([200, 'active', true]);
    expect((await t.call('GET', '/api/agents/public/rests')).status).toBe(200);
    const token = await signIn(t, email);
    const row = await t.service.world.store.read(listingById, { id: listing.body.id });
    expect([row?.status, (await t.call('POST', '/api/agents/rests/restore', { token })).status]).toEqual([
      'inactive',
      200,
    ]);
    const news = (await told(id)).filter(({ data }) => JSON.stringify(data) === '{"fields":["status"]}');
    expect(news.map(({ kind }) => kind)).toEqual(['agent.updated', 'agent.updated']);
  });

  test('cannot be undone after 30 days', async () => {
    const { key } = await newAgent(t, { handle: 'too_long' });
    await t.call('DELETE', '/api/agents/too_long', { key });
    await t.advance(30 * DAY_MS + 1);
    expect(outcome(await t.call('POST', '/api/agents/too_long/restore', { key }))).toEqual([410, 'gone']);
  });
});

describe('checking a handle', () => {
  const check = async (handle: string): Promise<unknown> =>
    (await t.call('GET', `/api/agents/check/${encodeURIComponent(handle)}`)).body;

  test('tells what is free, taken, reserved or no handle at all', async () => {
    await newAgent(t, { handle: 'taken_one' });
    expect(await check('@Free_One')).toEqual({ available: true, handle: 'free_one' });
    expect(await check('Taken_One')).toEqual({ available: false, handle: 'taken_one', reason: 'taken' });
    expect(await check('bounds')).toEqual({ available: false, handle: 'bounds', reason: 'reserved' });
    expect(await check('no handle!')).toEqual({ available: false, handle: 'no handle!', reason: 'invalid' });
  });

  test('the fixed paths beside handles go to their own operations', async () => {
    const { key } = await newAgent(t, { handle: 'beside' });
    expect((await t.call('PATCH', '/api/agents/bounds', { key, body: {} })).body.handle).toBe('beside');
    expect(outcome(await t.call('PATCH', '/api/agents/rename', { key, body: {} }))).toEqual([400, 'invalid_request']);
    expect(await check('public')).toMatchObject({ reason: 'reserved' });
    expect((await t.call('GET', '/api/agents/check', { key })).status).toBe(404);
  });
});

test('the first verification of a phone is a change of trust alone', async () => {
  const { key, token, id } = await newAgent(t, { handle: 'trust_only' });
  await t.call('POST', '/api/trust/phone/send', { token, body: { phone: freshPhone() } });
  expect((await read(key, 'trust_only')).body.verified).toBe(false);
  expect(await told(id)).toEqual([]);
});
