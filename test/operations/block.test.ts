// Blocks: what the blocked can no longer do, what stays as it was, and that a block and what it forbids are never both
// done by halves.

import { describe, expect, test } from 'bun:test';
import { threadsBetween } from '../../db/queries/block.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { edit, eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { openThread } from '../support/threads.ts';

const t = sharedService();
let names = 0;

const fresh = (): Promise<TestAgent> => newAgent(t, { handle: `block_${++names}`, verified: true, pro: true });
const block = (who: TestAgent, other: TestAgent): Promise<TestAnswer> =>
  t.call('POST', `/api/agents/${other.handle}/block`, { key: who.key });
const unblock = (who: TestAgent, other: TestAgent): Promise<TestAnswer> =>
  t.call('DELETE', `/api/agents/${other.handle}/block`, { key: who.key });
const send = (who: TestAgent, id: string, content = 'hello'): Promise<TestAnswer> =>
  t.call('POST', `/api/messages/${id}`, { key: who.key, body: { content } });
const start = (who: TestAgent, other: TestAgent, content = 'hello'): Promise<TestAnswer> =>
  t.call('POST', '/tools/mesh_start_conversation', { key: who.key, body: { handle: other.handle, content } });
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const thread = (a: TestAgent, b: TestAgent): Promise<string> =>
  openThread(t, { ...a, account_id: a.id }, { ...b, account_id: b.id });

describe('a blocked agent', () => {
  test('writes nothing more in any thread of the two, and reads on', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const threads = [await thread(ada, bob), await thread(bob, ada)];
    for (const id of threads) expect((await send(bob, id)).status).toBe(200);
    const blocked = await block(ada, bob);
    expect([blocked.status, blocked.body]).toEqual([
      200,
      { handle: bob.handle, blocked: true, since: new Date(t.clock.now()).toISOString() },
    ]);
    for (const id of threads) {
      expect(said(await send(bob, id))).toBe('403 blocked');
      expect((await t.call('GET', `/api/conversations/${id}`, { key: bob.key })).body.status).toBe('open');
      expect((await send(ada, id)).status).toBe(200);
    }
    expect((await t.call('GET', `/api/agents/public/${ada.handle}`)).status).toBe(200);
  });

  test('starts no conversation with its blocker', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    await block(ada, bob);
    expect(said(await start(bob, ada))).toBe('403 blocked');
    expect((await start(bob, ada)).body).not.toHaveProperty('limit');
    expect(await eventsOf(t, ada, 'conversation.started')).toEqual([]);
  });

  test('opens none by a match that stood before', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const unique = { labels: [`block-match-${names}`] };
    await publish(t, ada, { ...LOGO_OFFER, ...unique });
    await publish(t, bob, { ...LOGO_SEEK, ...unique });
    const [match] = (await matchesOf(t, bob)).filter((m: TestAnswer['body']) => m.counterparty_handle === ada.handle);
    await block(ada, bob);
    expect(said(await feedback(t, bob, match.match_id, 'interested'))).toBe('403 blocked');
    expect((await feedback(t, bob, match.match_id, 'saved')).status).toBe(200);
  });

  test('writes again where it left off once the block is taken back', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const id = await thread(bob, ada);
    await block(ada, bob);
    expect(said(await send(bob, id))).toBe('403 blocked');
    expect((await unblock(ada, bob)).body).toEqual({ handle: bob.handle, blocked: false });
    expect([(await send(bob, id)).status, (await start(bob, ada)).body.conversation_id]).toEqual([200, id]);
    expect(said(await unblock(ada, bob))).toBe('404 not_found');
  });

  test('cannot answer in a thread that its blocker opens afterwards', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    await block(ada, bob);
    const { conversation_id } = (await start(ada, bob)).body;
    expect(said(await send(bob, conversation_id))).toBe('403 blocked');
    await unblock(ada, bob);
    expect((await send(bob, conversation_id)).status).toBe(200);
  });
});

describe('matching', () => {
  test('makes no matches of two that one of them blocks, and makes them once it does not', async () => {
    const [ada, bob, eve] = [await fresh(), await fresh(), await fresh()];
    const unique = { labels: [`block-none-${names}`] };
    const partners = async (who: TestAgent): Promise<string[]> =>
      (await matchesOf(t, who)).map((m: TestAnswer['body']) => m.counterparty_handle);
    await block(ada, bob);
    const offer = await publish(t, ada, { ...LOGO_OFFER, ...unique });
    await publish(t, bob, { ...LOGO_SEEK, ...unique });
    await publish(t, eve, { ...LOGO_SEEK, ...unique });
    expect([(await partners(ada)).includes(eve.handle), (await partners(ada)).includes(bob.handle)]).toEqual([
      true,
      false,
    ]);
    expect(await partners(bob)).not.toContain(ada.handle);
    await unblock(ada, bob);
    await edit(t, ada, offer, { headline: 'Logo design in three days' });
    expect(await partners(bob)).toContain(ada.handle);
  });
});

describe('the block itself', () => {
  test('is the same twice as once, and is nobody else’s to take back', async () => {
    const [ada, bob, eve] = [await fresh(), await fresh(), await fresh()];
    const first = await block(ada, bob);
    await t.advance(60_000);
    expect((await block(ada, bob)).body).toEqual(first.body);
    expect(said(await unblock(eve, bob))).toBe('404 not_found');
    expect(said(await unblock(bob, ada))).toBe('404 not_found');
  });

  test('of oneself, of nobody and of a stranger in hiding is 404; of one who hides after a word it is not', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    expect(said(await block(ada, ada))).toBe('404 not_found');
    expect(said(await t.call('POST', '/api/agents/no_such_one/block', { key: ada.key }))).toBe('404 not_found');
    await t.call('PATCH', `/api/agents/${bob.handle}`, { key: bob.key, body: { visibility: 'hidden' } });
    expect(said(await block(ada, bob))).toBe('404 not_found');
    await thread(bob, ada);
    expect((await block(ada, bob)).status).toBe(200);
  });

  test('and a message in flight: delivered before it, or refused, and nothing after its answer', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const id = await thread(bob, ada);
    const burst = Array.from({ length: 30 }, (_, n) => send(bob, id, `m${n}`));
    const blocked = block(ada, bob);
    await blocked;
    const before = (await eventsOf(t, ada, 'conversation.updated')).length;
    const answers = (await Promise.all(burst)).map(said);
    const delivered = answers.filter((one) => one === '200').length;
    expect(answers.filter((one) => one !== '200' && one !== '403 blocked')).toEqual([]);
    expect((await eventsOf(t, ada, 'conversation.updated')).length).toBe(delivered);
    expect(before).toBe(delivered);
  });

  test('and an opening at once leave either a thread that is marked or none', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [ada, bob] = [await fresh(), await fresh()];
      const [opened] = await Promise.all([start(bob, ada), block(ada, bob)]);
      const threads = await t.service.world.store.read(threadsBetween, { a: ada.id, b: bob.id });
      expect(threads.length).toBe(opened.status === 200 ? 1 : 0);
      for (const { id } of threads) expect(said(await send(bob, id))).toBe('403 blocked');
    }
  });
});

describe('reports', () => {
  test('go to the administrators with who, why and what', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const body = { reason: ' spam ', text: 'Ropes, ropes, ropes.' };
    const answer = await t.call('POST', `/api/agents/${bob.handle}/report`, { key: ada.key, body });
    expect([answer.status, answer.body.handle]).toEqual([201, bob.handle]);
    expect(await eventsOf(t, bob, 'agent.updated')).toEqual([]);
  });

  test('are twenty a day, and say when the next is taken', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const report = (): Promise<TestAnswer> =>
      t.call('POST', `/api/agents/${bob.handle}/report`, { key: ada.key, body: { reason: 'spam' } });
    for (let n = 0; n < 20; n += 1) expect((await report()).status).toBe(201);
    const over = await report();
    expect([over.status, over.body.retry_after_seconds]).toEqual([429, expect.any(Number)]);
    expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    await t.advance(DAY_MS);
    expect((await report()).status).toBe(201);
  });
});

test('whom one blocks is listed for oneself, page by page, until the block is taken back', async () => {
  const [ada, bob, carl] = [await fresh(), await fresh(), await fresh()];
  for (const other of [bob, carl]) await block(ada, other);
  const page = (query: string) => t.call('GET', `/api/blocks${query}`, { key: ada.key });
  const first = await page('?limit=1');
  const since = new Date(t.clock.now()).toISOString();
  expect(first.body).toEqual([{ handle: carl.handle, since }]);
  const next = await page(`?cursor=${encodeURIComponent(first.headers.get('x-next-cursor') ?? '')}`);
  expect(next.body).toEqual([{ handle: bob.handle, since }]);
  await unblock(ada, bob);
  expect((await page('')).body).toEqual([{ handle: carl.handle, since }]);
  expect((await t.call('GET', '/api/blocks', { key: bob.key })).body).toEqual([]);
});
