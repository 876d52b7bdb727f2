// Scoped disclosure at every door by which a listing or a profile is written.
import { beforeAll, describe, expect, test } from 'bun:test';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { edit, LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

let maker: TestAgent;
let admin: string;

const ADMIN = 'boss@example.org';

const t = sharedService({ admin_emails: [ADMIN] });
beforeAll(async () => {
  admin = await signIn(t, ADMIN);
  maker = await newAgent(t, { handle: 'maker', verified: true, pro: true });
});

const create = (body: object): Promise<TestAnswer> =>
  t.call('POST', '/api/agents/maker/cards', { key: maker.key, body: { ...LOGO_OFFER, ...body } });
const matchesOf = ({ status, body }: TestAnswer): unknown => [status, body.error, body.matches];
const refused = (...matches: { field: string; kind: string }[]): unknown => [400, 'disclosure_refused', matches];

describe('a listing that tells private data is refused', () => {
  test.each([
    [{ headline: 'Call 415-555-2671' }, 'headline', 'phone'],
    [{ description: 'jane [at] example [dot] com' }, 'description', 'email'],
    [{ geo: '221B Baker Street, London' }, 'geo', 'street_address'],
    [{ labels: ['logo-design', 'jane@example.com'] }, 'labels.1', 'email'],
    [{ conditions: { dealbreakers: ['write to j.doe@example.com'] } }, 'conditions.dealbreakers.0', 'email'],
    [
      { conditions: { tiers: [{ name: 'password: hunter2', price_cents: 100 }] } },
      'conditions.tiers.0.name',
      'credential',
    ],
    [{ fields: { notes: { when: '2026-03-04 10:00, 2026-03-05 11:00' } } }, 'fields.notes.when', 'calendar'],
    [{ fields: { phone: '5552671234' } }, 'fields.phone', 'phone'],
    [{ fields: { phone: 5552671234 } }, 'fields.phone', 'phone'],
    [{ fields: { password: 'hunter2' } }, 'fields.password', 'credential'],
    [{ fields: { 'jane@example.com': true } }, 'fields', 'email'],
  ])('%j', async (body, field, kind) => {
    const before = (await t.call('GET', '/api/v1/listings', { key: maker.key })).body.length;
    expect(matchesOf(await create(body))).toEqual(refused({ field, kind }));
    expect((await t.call('GET', '/api/v1/listings', { key: maker.key })).body).toHaveLength(before);
  });
});

test('the refusal repeats nothing of what was refused', async () => {
  const { body } = await create({ fields: { 'jane@example.com': 'x' }, description: 'Ring 415-555-2671' });
  expect(JSON.stringify(body)).not.toMatch(/jane|2671/);
});

test('what names a site, a price, a law or opening hours is taken', async () => {
  const description =
    'See example.com. From $49.99, since 1998, under 42 USC 1983; Mon-Fri 09:00-17:00; ISO 9001:2015.';
  const availability = { tz: 'Europe/Berlin', windows: [{ day: 'mon', from: '09:00', to: '17:00' }] };
  const answer = await create({ description, fields: { portfolio: 'https://example.com/works/2024', availability } });
  expect([answer.status, answer.body.status]).toEqual([201, 'live']);
});

test('an availability takes recurring windows, no dates', async () => {
  const windows = [{ day: '2026-03-04', from: '09:00', to: '17:00' }];
  expect((await create({ fields: { availability: { tz: 'Europe/Berlin', windows } } })).status).toBe(400);
});

test('an edit is looked at like a new listing, and what it does not touch stays', async () => {
  const id = await publish(t, maker, { ...LOGO_OFFER, headline: 'Posters' });
  const path = `/api/agents/maker/cards/${id}`;
  const edited = await t.call('PATCH', path, { key: maker.key, body: { description: 'Call 5512345678' } });
  expect(matchesOf(edited)).toEqual(refused({ field: 'description', kind: 'phone' }));
  expect((await t.call('GET', path, { key: maker.key })).body.description).toBe(LOGO_OFFER.description);
});

test('an intake names the item', async () => {
  const offers = [LOGO_OFFER, { ...LOGO_OFFER, headline: 'Mail jane@example.com' }];
  const answer = await t.call('POST', '/api/onboarding/intake', {
    key: maker.key,
    body: { offers, seeks: [LOGO_SEEK] },
  });
  expect([answer.status, answer.body.error]).toEqual([400, 'disclosure_refused']);
  expect(answer.body.matches[0].field).toBe('offers.1');
});

describe('a listing that is too large is refused before a word of it is read', () => {
  // Private data stands in each: who had read it would say so.
  test.each([
    ['fields', { fields: { note: `${'. '.repeat(120_000)}jane@example.com` } }],
    ['fields', { fields: Object.fromEntries(Array.from({ length: 61 }, (_, n) => [`n${n}`, 'jane@example.com'])) }],
    ['fields', { fields: { deep: JSON.parse(`${'['.repeat(40)}"jane@example.com"${']'.repeat(40)}`) } }],
    [
      'conditions.weighted_preferences',
      { conditions: { weighted_preferences: { [`${'. '.repeat(500)}jane@example.com`]: 1 } } },
    ],
    [
      'conditions.weighted_preferences',
      {
        conditions: {
          weighted_preferences: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a@b${n}.de`, 1])),
        },
      },
    ],
  ])('%s', async (path, body) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error, answer.body.fields?.[0]?.path]).toEqual([400, 'invalid_request', path]);
  });

  test('but a name that an edit takes out may have any length, and is not read', async () => {
    const id = await publish(t, maker, LOGO_OFFER);
    const fields = { [`jane@example.com${'. '.repeat(50_000)}`]: null };
    const edited = await edit(t, maker, id, { fields });
    expect([edited.status, edited.body.fields]).toEqual([200, {}]);
  });
});

describe('a profile that tells private data is refused', () => {
  test.each([
    [{ display_name: 'Jane 415-555-2671' }, 'display_name', 'phone'],
    [{ headline: 'jane at example dot com' }, 'headline', 'email'],
    [{ description: 'api_key=8f14e45fceea167a5a36dedd4bea2543' }, 'description', 'credential'],
    [{ offers: ['Logos', '10 Downing Street'] }, 'offers.1', 'street_address'],
    [{ seeks: [{ headline: 'Mon 2 March 10:00, Tue 3 March 14:00' }] }, 'seeks.0', 'calendar'],
    [{ geo: '12 rue de la Paix, Paris' }, 'geo', 'street_address'],
    [{ social_links: { whatsapp: 'https://wa.me/14155552671' } }, 'social_links.whatsapp', 'contact'],
  ])('%j', async (body, field, kind) => {
    const edited = await t.call('PATCH', '/api/agents/maker', { key: maker.key, body });
    expect(matchesOf(edited)).toEqual(refused({ field, kind }));
    const made = { handle: 'another', display_name: 'Another', ...body };
    const created = await t.call('POST', '/api/agents', { key: maker.key, body: made });
    expect(matchesOf(created)).toEqual(refused({ field, kind }));
  });
});

describe('what is split over the parts of a listing is read as a whole', () => {
  test.each([
    [
      'headline and description',
      { headline: 'Gutters and roofs 415-555', description: '0123 is the rest of it' },
      ['headline', 'description'],
    ],
    ['labels', { labels: ['whatsapp', '07700', '900461'] }, ['labels.0', 'labels.1', 'labels.2']],
    ['fields', { description: 'Write john at', fields: { where: 'gmail dot com' } }, ['description', 'fields.where']],
  ])('%s', async (_, body, fields) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error]).toEqual([400, 'disclosure_refused']);
    for (const { field } of answer.body.matches) expect(fields).toContain(field);
  });

  test('in two edits as in one', async () => {
    const id = await publish(t, maker, { ...LOGO_OFFER, headline: 'Tattoo removal 415-555' });
    const edited = await edit(t, maker, id, { description: '0123, any day' });
    expect([edited.status, edited.body.error]).toEqual([400, 'disclosure_refused']);
  });

  test('over the offers of an intake and of a profile', async () => {
    const parts = ['Nails, jane', 'Hair, at gmail', 'Brows, dot com'];
    const offers = parts.map((headline) => ({ ...LOGO_OFFER, headline }));
    const body = { offers, seeks: [LOGO_SEEK] };
    const taken = await t.call('POST', '/api/onboarding/intake', { key: maker.key, body });
    expect([taken.status, taken.body.error]).toEqual([400, 'disclosure_refused']);
    const edited = await t.call('PATCH', '/api/agents/maker', { key: maker.key, body: { offers: parts } });
    expect([edited.status, edited.body.error]).toEqual([400, 'disclosure_refused']);
  });

  test('and a profile in two edits', async () => {
    const path = '/api/agents/maker';
    const first = await t.call('PATCH', path, { key: maker.key, body: { headline: 'Write anna.keller' } });
    const second = await t.call('PATCH', path, { key: maker.key, body: { description: 'at gmail dot com' } });
    expect([first.status, second.status, second.body.error]).toEqual([200, 400, 'disclosure_refused']);
  });
});

describe('a handle that reaches a person', () => {
  const NUMBER = 'call_14155550123';

  test('is not available, and cannot be claimed, taken over or reserved', async () => {
    const check = await t.call('GET', `/api/agents/check/${NUMBER}`);
    expect([check.status, check.body.available]).toEqual([200, false]);
    const made = { handle: NUMBER, display_name: 'Caller' };
    const created = await t.call('POST', '/api/agents', { key: maker.key, body: made });
    expect(matchesOf(created)).toEqual(refused({ field: 'handle', kind: 'phone' }));
    const renamed = await t.call('PATCH', '/api/agents/rename', { key: maker.key, body: { handle: NUMBER } });
    expect(matchesOf(renamed)).toEqual(refused({ field: 'handle', kind: 'phone' }));
    const reserved = { handle: 'johnatgmaildotcom', email: 'john@example.com' };
    const kept = await t.call('POST', '/api/reserve-handle', { body: reserved });
    expect(matchesOf(kept)).toEqual(refused({ field: 'handle', kind: 'email' }));
  });

  test('is no ordinary one', async () => {
    for (const handle of ['agent_007_films', 'polka_dot_at_work', 'year_2024', 'whatsapp_bots']) {
      expect([handle, (await t.call('GET', `/api/agents/check/${handle}`)).body.available]).toEqual([handle, true]);
    }
  });
});

describe('a listing that may tell private data waits for an administrator', () => {
  const DOUBTED = { headline: 'Portraits', description: 'Write to me, samples on soundcloud dot com' };

  test('who approves or refuses the very words', async () => {
    const held = await create(DOUBTED);
    expect([held.status, held.body.status]).toEqual([201, 'pending_review']);
    const reviews = await t.call('GET', '/api/admin/reviews', { token: admin });
    const review = reviews.body.find((one: { listing: { id: string } | null }) => one.listing?.id === held.body.id);
    expect([review?.reason, review?.status]).toEqual(['private_data', 'open']);
    const path = `/api/admin/reviews/${review.id}`;
    await t.call('POST', path, { token: admin, body: { approve: false } });
    const again = await edit(t, maker, held.body.id, { active: true });
    expect([again.status, again.body.error]).toEqual([400, 'disclosure_refused']);
  });
});

test.each([
  ['booth 12, Hall 5, Main Street Food Festival'],
  ['Arbeitsweg 5 Minuten'],
  ['100 Avenue of the Stars replica'],
  ['Stickers: 100 / 250 / 500 / 1000 / 2500 pieces'],
  ['6-4 3-6 7-6 (7-5) 6-2, tennis stats from video'],
])('%j is published', async (description) => {
  const answer = await create({ description });
  expect([answer.status, answer.body.status]).toEqual([201, 'live']);
});
