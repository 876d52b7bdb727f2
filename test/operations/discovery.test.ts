// What anybody may look up: people, track records, figures of the network, labels and capabilities.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada_ropes', verified: true, body: { headline: 'Ropes' } });
  const body = { card_type: 'selling', headline: 'Dock lines', labels: ['ropes'], price_cents: 100 };
  await t.call('POST', '/api/agents/ada_ropes/cards', { key: ada.key, body });
  await t.advance(10);
  await newAgent(t, { handle: 'rope_works', body: { kind: 'company' } });
  await t.advance(10);
  await newAgent(t, { handle: 'unseen', body: { visibility: 'stealth' } });
  await newProvisional(t, 'agent_0123456789');
});

const people = (query = ''): Promise<TestAnswer> => t.call('GET', `/api/people/browse${query}`);

test('people are the listed agents, newest first, in pages', async () => {
  const { status, body, headers } = await people();
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect(body).toEqual([
    { handle: 'rope_works', display_name: 'rope_works', kind: 'company', headline: '', labels: [], trust_score: 2 },
    {
      handle: 'ada_ropes',
      display_name: 'ada_ropes',
      kind: 'person',
      headline: 'Ropes',
      labels: ['ropes'],
      trust_score: expect.any(Number),
    },
  ]);
  const first = await people('?limit=1');
  const second = await people(`?limit=1&cursor=${first.headers.get('x-next-cursor')}`);
  expect([first.body[0].handle, second.body[0].handle]).toEqual(['rope_works', 'ada_ropes']);
  expect(second.headers.has('x-next-cursor')).toBe(false);
});

test('whoever hides is not among them from the very next read', async () => {
  const leaver = await newAgent(t, { handle: 'leaver' });
  expect(JSON.stringify((await people()).body)).toContain('leaver');
  await t.call('PATCH', '/api/agents/leaver', { key: leaver.key, body: { visibility: 'hidden' } });
  expect(JSON.stringify((await people()).body)).not.toContain('leaver');
});

test('a track record without deals is empty, and says so in every band', async () => {
  const { status, body } = await t.call('GET', '/api/agents/public/ada_ropes/track-record');
  expect(status).toBe(200);
  expect(body).toEqual({
    handle: 'ada_ropes',
    deals: {
      completed: 0,
      by_band: ['<10', '10-50', '50-250', '250-1k', '1k-5k', '5k+'].map((band) => ({ band, count: 0 })),
    },
    paid_calls: { count: 0, success_rate: null },
    disputes: { opened_against: 0, settled: 0, rate: null },
    reviews: [],
    rating: null,
  });
});

test.each(['unseen', 'agent_0123456789', 'nobody_at_all'])('%s has no track record', async (handle) => {
  expect((await t.call('GET', `/api/agents/public/${handle}/track-record`)).status).toBe(404);
});

test('short handles are counted down as they are taken, kept, reserved and given up', async () => {
  const left = async (): Promise<number> => {
    await t.advance(MINUTE_MS);
    return (await t.call('GET', '/api/network-stats')).body.short_handles_remaining;
  };
  const before = await left();
  expect(before).toBeGreaterThan(50_000);
  const short = await newAgent(t, { handle: '_z9' });
  expect(await left()).toBe(before - 1);
  await t.call('POST', '/api/reserve-handle', { body: { handle: 'zzz', email: 'z@example.org' } });
  expect(await left()).toBe(before - 2);
  await t.call('PATCH', '/api/agents/rename', { key: short.key, body: { handle: 'a_longer_one' } });
  // The old handle is an alias, which nobody else can have.
  expect(await left()).toBe(before - 2);
  await t.advance(2 * DAY_MS);
  expect(await left()).toBe(before - 1);
  await t.advance(90 * DAY_MS);
  expect(await left()).toBe(before);
});

test('the figures are counted once a minute, and say nothing of what goes on', async () => {
  await t.advance(MINUTE_MS);
  const first = await t.call('GET', '/api/network-stats');
  expect(Object.keys(first.body).sort()).toEqual(['capabilities', 'short_handles_remaining']);
  expect(first.headers.get('cache-control')).toBe('public, max-age=60');
  await newAgent(t, { handle: 'x_1' });
  expect((await t.call('GET', '/api/network-stats')).body).toEqual(first.body);
});

test('labels and capabilities are completed alike', async () => {
  const { body } = await t.call('GET', '/api/labels?q=translat');
  expect(body).toContainEqual({ name: 'text.translate', kind: 'capability', uses: 0 });
  for (const typed of ['text.translate', 'Text translate', 'text_translate']) {
    const { body: found } = await t.call('GET', `/api/labels?q=${encodeURIComponent(typed)}&limit=1`);
    expect(found[0]).toEqual({ name: 'text.translate', kind: 'capability', uses: 0 });
  }
  const ropes = await t.call('GET', '/api/labels?q=rope');
  expect(ropes.body[0]).toEqual({ name: 'ropes', kind: 'label', uses: 1 });
});
