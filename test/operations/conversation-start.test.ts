// Starting a conversation by a handle: a new thread or the one that is there, how many strangers a day, and who cannot
// be written to.

import { describe, expect, test } from 'bun:test';
import { threadsBetween } from '../../db/queries/block.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { callRpc } from '../support/a2a.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { conversationOf, firstWord } from '../support/first-word.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let names = 0;

const fresh = (body?: Record<string, unknown>): Promise<TestAgent> =>
  newAgent(t, { handle: `start_${++names}`, pro: true, body });
const start = (key: string, handle: string, content: unknown = 'hello', headers = {}): Promise<TestAnswer> =>
  t.call('POST', '/tools/mesh_start_conversation', { key, headers, body: { handle, content } });
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();

describe('a first word', () => {
  test('opens a thread that holds it, and tells the other side of both', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const { status, body } = await start(ada.key, `@${bob.handle.toUpperCase()}`, 'Do you sell rope?\nI need some.');
    expect([status, body.started, body.counterparty_handle]).toEqual([200, true, bob.handle]);
    const { conversation_id } = body;
    const [started] = await eventsOf(t, bob, 'conversation.started');
    expect(started.data).toEqual({ conversation_id, counterparty_handle: ada.handle, phase: 'qualification' });
    const [updated] = await eventsOf(t, bob, 'conversation.updated');
    expect(updated.data).toMatchObject({ conversation_id, message_id: body.message.message_id, sender: ada.handle });
    expect(updated.seq).toBe(started.seq + 1);
    const read = (await t.call('GET', `/api/conversations/${conversation_id}`, { key: bob.key })).body;
    expect(read).toMatchObject({ subject: 'Do you sell rope?', match_id: null, unread: 1, status: 'open' });
    expect(read.messages).toHaveLength(1);
    expect(await eventsOf(t, ada, 'conversation.started')).toEqual([]);
  });

  test('goes into the thread that is there, from either side', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const { conversation_id } = (await start(ada.key, bob.handle)).body;
    expect((await start(ada.key, bob.handle)).body).toMatchObject({ conversation_id, started: false });
    expect((await start(bob.key, ada.handle)).body).toMatchObject({ conversation_id, started: false });
    await t.call('POST', `/api/conversations/${conversation_id}/close`, { key: ada.key });
    const again = (await start(bob.key, ada.handle)).body;
    expect([again.started, again.conversation_id === conversation_id]).toEqual([true, false]);
  });

  test('of both sides at once opens one thread', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ada, bob] = [await fresh(), await fresh()];
      const answers = await Promise.all(
        [ada, bob, ada, bob].map((who) => start(who.key, who === ada ? bob.handle : ada.handle)),
      );
      expect(answers.map(said)).toEqual(['200', '200', '200', '200']);
      expect(new Set(answers.map(({ body }) => body.conversation_id)).size).toBe(1);
      expect(await t.service.world.store.read(threadsBetween, { a: ada.id, b: bob.id })).toHaveLength(1);
    }
  });

  test('sent twice under one Idempotency-Key is said once', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const headers = { 'Idempotency-Key': 'once' };
    const first = await start(ada.key, bob.handle, 'once', headers);
    const again = await start(ada.key, bob.handle, 'once', headers);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect(await eventsOf(t, bob, 'conversation.updated')).toHaveLength(1);
  });
});

test('has no route of its own: over HTTP a task begins the conversation, for a person too', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const body = { handle: bob.handle, content: 'hello' };
  expect(said(await t.call('POST', '/api/conversations', { key: ada.key, body }))).toBe('405 method_not_allowed');
  const headers = { Authorization: `Bearer ${ada.token}`, 'X-Agent-Handle': ada.handle };
  const sent = await callRpc(t, JSON.stringify(firstWord(bob.handle, 'Do you sell rope?')), { headers });
  const read = await t.call('GET', `/api/conversations/${conversationOf(sent.body)}`, { key: bob.key });
  expect(read.body).toMatchObject({ counterparty_handle: ada.handle, unread: 1, subject: 'Do you sell rope?' });
});

describe('strangers', () => {
  test('are written to 20 times a day, and those once met do not count', async () => {
    const ada = await fresh();
    const others = await Promise.all(Array.from({ length: 21 }, () => fresh()));
    const [last, first] = [others.at(-1), others[0]];
    if (!last || !first) throw new Error('there are others');
    for (const other of others.slice(0, 20)) expect((await start(ada.key, other.handle)).status).toBe(200);
    const over = await start(ada.key, last.handle);
    expect([said(over), over.body.limit, over.body.used]).toEqual(['403 first_contact_limit', 20, 20]);
    expect(over.body.resets_at).toBe('2026-06-16T00:00:00.000Z');
    expect((await start(ada.key, first.handle)).status).toBe(200);
    expect(await eventsOf(t, last, 'conversation.started')).toEqual([]);
    await t.advance(12 * HOUR_MS);
    expect((await start(ada.key, last.handle)).status).toBe(200);
  }, 600_000);

  test('are written to 5 times a day by a provisional agent', async () => {
    const { key } = await newProvisional(t, 'start_provisional');
    const others = await Promise.all(Array.from({ length: 6 }, () => fresh()));
    const answers: string[] = [];
    for (const other of others) answers.push(said(await start(key, other.handle)));
    expect(answers).toEqual([...Array(5).fill('200'), '403 first_contact_limit']);
  });

  test('in hiding are as absent as those who never were; who met them goes on', async () => {
    const ada = await fresh();
    for (const visibility of ['hidden', 'stealth']) {
      const other = await fresh({ visibility });
      const [hidden, absent] = [await start(ada.key, other.handle), await start(ada.key, 'nobody_there')];
      expect([hidden.status, hidden.body.error, hidden.body.message]).toEqual([
        absent.status,
        'not_found',
        absent.body.message,
      ]);
      const { conversation_id } = (await start(other.key, ada.handle)).body;
      expect((await start(ada.key, other.handle)).body).toMatchObject({ conversation_id, started: false });
    }
  });
});

test.each([
  ['no text', ' ', 'content'],
  ['a NUL', 'a\u0000b', 'content'],
  ['too much', 'x'.repeat(16 * 1024 + 1), 'content'],
])('%s is refused by name', async (_, content, path) => {
  const [ada, bob] = [await fresh(), await fresh()];
  const { status, body } = await start(ada.key, bob.handle, content);
  expect([status, body.fields?.[0].path]).toEqual([400, path]);
});

test('one’s own agent is nobody to talk to', async () => {
  const ada = await fresh();
  expect(said(await start(ada.key, ada.handle))).toBe('400 invalid_request');
});
