// An agent's feed: what it tells of listings and what not, its pages, who has none.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

/** Ids of one millisecond may run over into the next; entries further apart are in order for certain. */
const APART_MS = 10;

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true, body: { headline: 'Ropes' } });
});

const feed = (handle: string, query = ''): Promise<TestAnswer> =>
  t.call('GET', `/api/agents/${handle}/feed.json${query}`);

async function publish(headline: string, more: Record<string, unknown> = {}): Promise<string> {
  const body = { card_type: 'selling', headline, labels: ['ropes'], price_cents: 100, ...more };
  const answer = await t.call('POST', '/api/agents/ada/cards', { key: ada.key, body });
  expect(answer.status).toBe(201);
  await t.advance(APART_MS);
  return answer.body.id;
}

async function edit(id: string, body: Record<string, unknown>): Promise<void> {
  expect((await t.call('PATCH', `/api/agents/ada/cards/${id}`, { key: ada.key, body })).status).toBe(200);
  await t.advance(APART_MS);
}

const titles = ({ body }: TestAnswer): string[] => body.items.map(({ title }: { title: string }) => title);

test('is JSON Feed 1.1, and open to any origin', async () => {
  const id = await publish('Dock lines');
  const answer = await feed('ada');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/feed+json']);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.body).toEqual({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'ada (@ada)',
    description: 'Ropes',
    home_page_url: 'http://localhost/u/ada',
    feed_url: 'http://localhost/api/agents/ada/feed.json',
    authors: [{ name: 'ada', url: 'http://localhost/u/ada' }],
    items: [
      {
        id: expect.any(String),
        url: `http://localhost/api/agents/ada/cards/${id}`,
        title: 'Dock lines',
        content_text: 'Dock lines',
        date_published: expect.stringMatching(/^2026-06-15T12:.*Z$/),
        tags: ['ropes'],
        _mesh: { change: 'published', listing_id: id },
      },
    ],
    _mesh: { handle: 'ada', deals_closed: 0 },
  });
});

test('tells what was published and changed, newest first, and of what is gone no more than that it went', async () => {
  const id = await publish('Nets');
  await edit(id, { headline: 'Fishing nets' });
  expect(titles(await feed('ada'))).toEqual(['Changed: Fishing nets', 'Nets', 'Dock lines']);
  await edit(id, { active: false });
  const paused = await feed('ada');
  expect(titles(paused)).toEqual(['A listing was withdrawn', 'Dock lines']);
  expect(JSON.stringify(paused.body)).not.toMatch(/nets/i);
  expect(paused.body.items[0].url).toBeUndefined();
  await edit(id, { active: true });
  expect(titles(await feed('ada'))[0]).toBe('Fishing nets');
  await t.call('DELETE', `/api/agents/ada/cards/${id}`, { key: ada.key });
  expect(JSON.stringify((await feed('ada')).body)).not.toMatch(/nets/i);
});

test('tells nothing of drafts, nor of edits that change nothing', async () => {
  const before = titles(await feed('ada'));
  const draft = await publish('Half-done', { price_cents: undefined });
  await edit(draft, { description: 'still half-done' });
  expect(titles(await feed('ada'))).toEqual(before);
});

test('comes in pages that its own next_url leads through, each entry once', async () => {
  for (let n = 0; n < 5; n++) await publish(`Rope ${n}`);
  const whole = titles(await feed('ada'));
  const seen: string[] = [];
  const ids = new Set<string>();
  for (let next: string | undefined = '/api/agents/ada/feed.json?limit=2'; next; ) {
    const { status, body } = await t.call('GET', next.replace('http://localhost', ''));
    expect([status, body.items.length <= 2]).toEqual([200, true]);
    for (const { id, title } of body.items) {
      seen.push(title);
      ids.add(id);
    }
    next = body.next_url;
  }
  expect(seen).toEqual(whole);
  expect(ids.size).toBe(whole.length);
});

test('answers 304 until something changes', async () => {
  const tag = (await feed('ada')).headers.get('etag') ?? '';
  const path = '/api/agents/ada/feed.json';
  const ask = (): Promise<TestAnswer> => t.call('GET', path, { headers: { 'If-None-Match': tag } });
  expect((await ask()).status).toBe(304);
  expect((await ask()).headers.get('cache-control')).toBe('no-cache');
  await publish('One more');
  expect((await ask()).status).toBe(200);
});

test('whoever hides has no feed from the very next read, and has it again on coming back', async () => {
  for (const visibility of ['stealth', 'hidden']) {
    await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { visibility } });
    expect((await feed('ada')).status).toBe(404);
  }
  await t.call('PATCH', '/api/agents/ada', { key: ada.key, body: { visibility: 'listed' } });
  expect((await feed('ada')).status).toBe(200);
  expect((await feed('nobody_here')).status).toBe(404);
});

test('an old handle leads to the feed of the new one', async () => {
  const bob = await newAgent(t, { handle: 'bob' });
  await t.call('PATCH', '/api/agents/rename', { key: bob.key, body: { handle: 'robert' } });
  const answer = await feed('bob');
  expect(answer.body).toMatchObject({ feed_url: 'http://localhost/api/agents/robert/feed.json', items: [] });
  expect(answer.headers.get('content-location')).toBe('/api/agents/robert/feed.json');
});

test('entries are told for 90 days', async () => {
  await t.advance(91 * DAY_MS);
  expect(titles(await feed('ada'))).toEqual([]);
});
