// The registry: who is in it, in which order, under which labels, and that nobody reads what was just hidden.

import { beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let painter: TestAgent;
let writer: TestAgent;
beforeAll(async () => {
  painter = await newAgent(t, { handle: 'painter', verified: true, pro: true });
  await t.advance(1);
  writer = await newAgent(t, { handle: 'writer', verified: true, body: { headline: 'Writes' } });
  await t.advance(1);
  await newAgent(t, { handle: 'quiet' });
});

const registry = (query = ''): Promise<TestAnswer> => t.call('GET', `/api/registry${query}`);
const handles = ({ body }: TestAnswer): string[] => body.map(({ handle }: { handle: string }) => handle);

async function offer(agent: TestAgent, headline: string, labels: string[]): Promise<string> {
  const body = { card_type: 'selling', headline, labels, price_cents: 1000 };
  const answer = await t.call('POST', `/api/agents/${agent.handle}/cards`, { key: agent.key, body });
  expect([answer.status, answer.body.status]).toEqual([201, 'live']);
  return answer.body.id;
}

test('anybody reads it, newest first, in pages', async () => {
  expect(handles(await registry())).toEqual(['quiet', 'writer', 'painter']);
  const first = await registry('?limit=2');
  const second = await registry(`?limit=2&cursor=${first.headers.get('x-next-cursor')}`);
  expect([handles(first), handles(second)]).toEqual([['quiet', 'writer'], ['painter']]);
  expect(second.headers.has('x-next-cursor')).toBe(false);
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
});

test('the same agents stand in the AI Catalog by the addresses of their cards, 500 at a time', async () => {
  const catalog = (query = ''): Promise<TestAnswer> => t.call('GET', `/.well-known/ai-catalog/agents.json${query}`);
  const whole = await catalog();
  expect(whole.headers.get('content-type')).toBe('application/ai-catalog+json');
  expect(whole.headers.get('access-control-allow-origin')).toBe('*');
  const of = (handle: string): object => ({
    identifier: `urn:air:localhost:agents:${handle}`,
    type: 'application/a2a-agent-card+json',
    url: `http://localhost/a2a/agents/${handle}/.well-known/agent-card.json`,
  });
  const entries = ['quiet', 'writer', 'painter'].map(of);
  expect(whole.body).toEqual({ specVersion: '0.9', entries });
  const older = await catalog(`?before=${writer.id}`);
  expect(older.body.entries).toEqual([of('painter')]);
  expect((await t.call('GET', new URL(whole.body.entries[0].url).pathname)).body.name).toBeString();
});

test('an entry says what the agent does, how far it is trusted and whether it is there', async () => {
  await offer(writer, 'Blog posts', ['copywriting', 'SEO']);
  const entry = (await registry()).body.find(({ handle }: { handle: string }) => handle === 'writer');
  expect(entry).toEqual({
    handle: 'writer',
    display_name: 'writer',
    headline: 'Writes',
    labels: ['copywriting', 'seo'],
    card_types: ['selling'],
    trust: { score: 9, credentials: ['phone', 'email'] },
    deals_completed: 0,
    presence: { last_seen_at: expect.any(String), median_response_seconds: null, responsiveness: null, online: true },
    url: 'http://localhost/u/writer',
  });
});

test('labels keep agents with a live listing that carries any of them, in whatever spelling', async () => {
  const mural = await offer(painter, 'Murals', ['mural', 'art']);
  expect(handles(await registry('?labels=seo'))).toEqual(['writer']);
  expect(handles(await registry('?labels=Mural,SEO'))).toEqual(['writer', 'painter']);
  expect(handles(await registry('?labels=mural,seo&limit=1'))).toEqual(['writer']);
  expect(handles(await registry('?labels=nobody-does-this'))).toEqual([]);
  const path = `/api/agents/painter/cards/${mural}`;
  await t.call('PATCH', path, { key: painter.key, body: { active: false } });
  expect(handles(await registry('?labels=mural'))).toEqual([]);
  expect((await registry('?labels=!!!')).body.error).toBe('invalid_request');
});

test('drafts tell nothing', async () => {
  const body = { card_type: 'selling', headline: 'Unfinished', labels: ['secret-plan'] };
  await t.call('POST', '/api/agents/painter/cards', { key: painter.key, body });
  expect(JSON.stringify((await registry()).body)).not.toContain('secret-plan');
});

test('whoever hides is gone from the very next read, and back with the one after', async () => {
  const see = (visibility: string) => t.call('PATCH', '/api/agents/writer', { key: writer.key, body: { visibility } });
  expect(handles(await registry())).toContain('writer');
  for (const visibility of ['stealth', 'hidden']) {
    await see(visibility);
    expect(JSON.stringify((await t.call('GET', '/.well-known/ai-catalog/agents.json')).body)).not.toContain('writer');
    expect(handles(await registry())).not.toContain('writer');
    expect(handles(await registry('?labels=seo'))).toEqual([]);
  }
  await see('listed');
  expect(handles(await registry('?labels=seo'))).toEqual(['writer']);
});

test('provisional and deactivated agents are not in it', async () => {
  await newProvisional(t, 'agent_0123456789');
  const leaver = await newAgent(t, { handle: 'leaver' });
  expect(handles(await registry())).toContain('leaver');
  await t.call('DELETE', '/api/agents/leaver', { key: leaver.key });
  const now = handles(await registry());
  expect(now).not.toContain('leaver');
  expect(now).not.toContain('agent_0123456789');
});

test('a rename shows at once', async () => {
  await t.call('PATCH', '/api/agents/rename', { key: painter.key, body: { handle: 'muralist' } });
  expect(handles(await registry())).toContain('muralist');
});

test('presence on it is at most a second old', async () => {
  const online = async () =>
    (await registry()).body.find(({ handle }: { handle: string }) => handle === 'muralist').presence.online;
  expect(await online()).toBe(true);
  await t.advance(61_000);
  expect(await online()).toBe(false);
  await t.advance(14 * DAY_MS);
  expect((await registry()).body.every((agent: TestAnswer['body']) => agent.trust.credentials.length === 0)).toBe(true);
});

test.each(['?limit=0', '?limit=101', '?limit=x', `?cursor=${'x'.repeat(201)}`])('%s is refused', async (query) => {
  expect((await registry(query)).status).toBe(400);
});

test('words keep agents that hold all of them in handle, name, headline or labels, page by page', async () => {
  expect(handles(await registry('?q=WRITES'))).toEqual(['writer']);
  expect(handles(await registry('?q=writes%20seo'))).toEqual(['writer']);
  expect(handles(await registry('?q=writes%20mural'))).toEqual([]);
  expect(handles(await registry('?q=mural&labels=seo'))).toEqual([]);
  const first = await registry('?q=i&limit=1');
  const rest = await registry(`?q=i&cursor=${first.headers.get('x-next-cursor')}`);
  expect([...handles(first), ...handles(rest)]).toEqual(handles(await registry('?q=i')));
});
