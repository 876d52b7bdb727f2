// The inbox stream over real sockets: replay and live without hole or repeat, resuming, and what ends a stream.

import { afterAll, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { keyByHash } from '../../db/queries/identity.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { sha256Hex } from '../../src/outbound/hash.ts';
import { sharedService } from '../support/opened.ts';
import { readStream, type SseReader } from '../support/sse.ts';
import { agentNamed, openThread, type TestAgent, tellMany } from '../support/threads.ts';

const t = sharedService();
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => t.fetch(request) });
let names = 0;
afterAll(() => server.stop(true));

const someone = (): Promise<TestAgent> => agentNamed(t, `stream_${++names}`);
const open = (who: TestAgent, query = '', headers: Record<string, string> = {}): Promise<SseReader> =>
  readStream(`http://127.0.0.1:${server.port}/api/inbox/stream${query}`, { 'X-API-Key': who.key, ...headers });
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const ids = async (reader: SseReader, count: number): Promise<number[]> => (await reader.take(count)).map((e) => e.id);

test('an event on the stream is the event of the pull form: id = seq, event = kind', async () => {
  const ada = await someone();
  const reader = await open(ada);
  expect([reader.status, reader.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await t.call('POST', '/api/inbox/test', { key: ada.key });
  const [event] = await reader.take(1);
  const { body } = await t.call('GET', '/api/inbox', { key: ada.key });
  expect(event).toEqual({ id: 1, event: 'test.ping', data: { ...body.events[0], epoch: body.epoch } });
  reader.leave();
});

test('what is stored is replayed from after, and Last-Event-ID wins over it', async () => {
  const ada = await someone();
  await tellMany(t, ada, 95);
  for (const [query, headers, from] of [
    ['', {}, 1],
    ['?after=90', {}, 91],
    ['?after=90', { 'Last-Event-ID': '93' }, 94],
    ['', { 'Last-Event-ID': '40' }, 41],
    ['?after=90', { 'Last-Event-ID': 'not-a-seq' }, 91],
    ['?after=90', { 'Last-Event-ID': '-3' }, 91],
  ] as const) {
    const reader = await open(ada, query, headers);
    expect(await ids(reader, 96 - from)).toEqual(range(from, 95));
    reader.leave();
  }
});

test('events that are committed while the replay runs come once and in order', async () => {
  const [ada, bob] = [await someone(), await someone()];
  const thread = await openThread(t, ada, bob);
  await tellMany(t, bob, 199);
  const posts = range(1, 200).map((i) =>
    t.call('POST', `/api/messages/${thread}`, { key: ada.key, body: { content: `m${i}` } }),
  );
  const readers = await Promise.all(range(1, 8).map((i) => open(bob, `?after=${i * 20}`)));
  await Promise.all(posts);
  await tellMany(t, bob, 1);
  for (const [i, reader] of readers.entries()) {
    const from = (i + 1) * 20 + 1;
    expect(await ids(reader, 401 - from + 1)).toEqual(range(from, 401));
    reader.leave();
  }
});

test('a reader that comes back with the last seq it had misses nothing and gets nothing twice', async () => {
  const ada = await someone();
  await tellMany(t, ada, 3);
  const first = await open(ada);
  const had = await ids(first, 3);
  first.leave();
  await tellMany(t, ada, 2);
  const again = await open(ada, '', { 'Last-Event-ID': String(had.at(-1)) });
  await tellMany(t, ada, 1);
  expect([...had, ...(await ids(again, 3))]).toEqual(range(1, 6));
  again.leave();
});

test('streaming marks nothing as read, and replays tell what was read', async () => {
  const ada = await someone();
  await tellMany(t, ada, 3);
  await t.call('GET', '/api/inbox?limit=2', { key: ada.key });
  for (let round = 0; round < 2; round++) {
    const reader = await open(ada);
    expect((await reader.take(3)).map((e) => e.data.read)).toEqual([true, true, false]);
    reader.leave();
  }
});

test('an agent is online by its open stream, and was last seen when it closed', async () => {
  const ada = await someone();
  const { directory } = t.service;
  const reader = await open(ada);
  expect((await directory.presence(ada.id)).streaming).toBe(true);
  await t.advance(15 * DAY_MS);
  // Two weeks of listening are no silence.
  expect((await directory.presence(ada.id)).last_seen_at).toBe(t.clock.now());
  reader.leave();
  while ((await directory.presence(ada.id)).streaming) await new Promise((resolve) => setImmediate(resolve));
  expect((await directory.presence(ada.id)).last_seen_at).toBe(t.clock.now());
});

test('a stream ends with the key that opened it, revoked or expired, before another event', async () => {
  const [ada, bob] = [await someone(), await someone()];
  const [revoked, expired] = [await open(ada), await open(bob)];
  const { store } = t.service.world;
  const key = await store.read(keyByHash, { hash: sha256Hex(ada.key) });
  if (!key) throw new Error('the key has no row');
  const revoke = patch('api_keys', key, { revoked_at: t.clock.now() });
  await store.turn({ attempt: async () => ({ reply: null, effects: [revoke] }) });
  await revoked.ended();
  await t.advance(91 * DAY_MS);
  await tellMany(t, bob, 1);
  await expect(expired.take(1)).rejects.toThrow('ended after 0 of 1');
});

test('a stream without a credential, or of a strange agent, is refused as any call is', async () => {
  const ada = await someone();
  expect((await open({ ...ada, key: 'wrong' })).status).toBe(401);
  expect((await open(ada, '', { 'X-Agent-Handle': 'stream_1' })).status).toBe(404);
  expect((await open(ada, '?after=x')).status).toBe(400);
});

test('a message says on the stream whether it waits for a reply: live, and as it is when it is replayed', async () => {
  const [ada, bob] = [await someone(), await someone()];
  const thread = await openThread(t, ada, bob);
  const live = await open(bob);
  const say = (who: TestAgent, content: string) =>
    t.call('POST', `/api/messages/${thread}`, { key: who.key, body: { content } });
  await say(ada, 'one');
  await say(ada, 'two');
  const actions = async (reader: SseReader) => {
    const told = (await reader.take(3)).filter(({ event }) => event === 'conversation.updated');
    reader.leave();
    return told.map(({ data }) => (data as { actions: { action: string }[] }).actions.map(({ action }) => action));
  };
  expect(await actions(live)).toEqual([
    ['reply', 'no_reply'],
    ['reply', 'no_reply'],
  ]);
  expect(await actions(await open(bob, '?after=0'))).toEqual([[], ['reply', 'no_reply']]);
  await say(bob, 'three');
  expect(await actions(await open(bob, '?after=0'))).toEqual([[], []]);
});
