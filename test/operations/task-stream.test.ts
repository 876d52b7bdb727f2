// The stream of a task over real sockets: replay and live without hole or repeat, on any node, resuming, and what ends it.
import { afterAll, describe, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { keyWith } from '../support/scene.ts';
import { readStream, type SseEvent, type SseReader } from '../support/sse.ts';
import { taskCalls, text } from '../support/tasks.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import type { TestService } from '../support/testbed.ts';

const t = sharedService();
const c = taskCalls(t);
let names = 0;
const serve = (service: TestService): ReturnType<typeof Bun.serve> =>
  Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: (request) => service.fetch(request) });
const server = serve(t);
afterAll(() => server.stop(true));

const fresh = (at = t): Promise<TestAgent> => newAgent(at, { handle: `stream_task_${++names}` });
const follow = (key: string, task_id: string, more: Record<string, string> = {}, on = server): Promise<SseReader> =>
  readStream(`http://127.0.0.1:${on.port}/a2a/stream/${encodeURIComponent(task_id)}`, { 'X-API-Key': key, ...more });
const told = (events: readonly SseEvent[]): string[] =>
  events.map(({ id, event, data }) => `${id} ${event} ${data.state}`);

test('tells each update once and in order, to both sides, and ends with the last', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const { task_id, conversation_id } = await c.sendTo(ada, bob);
  const readers = [await follow(ada.key, task_id), await follow(bob.key, task_id)];
  for (const reader of readers) expect(told(await reader.take(2))).toEqual(['1 status submitted', '2 status working']);
  await c.tell(bob, task_id, { state: 'input_required', parts: text('Which?') });
  await c.send(ada, { task_id, parts: text('Blue.') });
  await c.say(bob, conversation_id, 'Done.');
  for (const reader of readers) {
    const events = await reader.take(4);
    expect(told(events)).toEqual([
      '3 status input_required',
      '4 status working',
      '5 artifact working',
      '6 status completed',
    ]);
    const [asks, , made, last] = events.map(({ data }) => data);
    expect(asks).toMatchObject({ n: 3, task_id, conversation_id, message: { parts: text('Which?') }, final: false });
    expect(made).toMatchObject({ kind: 'artifact', artifact: { parts: text('Done.') }, message: null });
    expect(last).toMatchObject({ kind: 'status', message: { parts: text('Done.') }, artifact: null, final: true });
    await reader.ended();
  }
});

test('wakes on steps that come into nobody’s inbox, and shows nobody as online', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const { task_id } = await c.sendTo(ada, bob, { task_id: 'mine', dialect: '0.2' });
  const reader = await follow(ada.key, 'mine');
  expect((await reader.take(2)).map(({ data }) => data.task_id)).toEqual(['mine', 'mine']);
  const [row] = (await c.list(bob)).body.tasks;
  await c.move(bob, row.task_id, 'working');
  expect(told(await reader.take(1))).toEqual(['3 status working']);
  expect((await t.service.directory.presence(ada.id)).streaming).toBe(false);
  await c.cancel(ada, task_id);
  expect(told(await reader.take(1))).toEqual(['4 status canceled']);
  await reader.ended();
});

test('says `error` for an end that is no success', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  for (const state of ['failed', 'rejected'] as const) {
    const { task_id } = await c.sendTo(ada, bob);
    await c.tell(bob, task_id, { state, parts: text('No.') });
    const reader = await follow(ada.key, task_id);
    expect(told(await reader.take(3)).at(-1)).toBe(`3 error ${state}`);
    await reader.ended();
  }
});

test('goes on after the number that its reader has, and ends at once where nothing is left', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const { task_id, conversation_id } = await c.sendTo(ada, bob);
  await c.say(bob, conversation_id, 'Done.');
  for (const [query, headers, from] of [
    ['', {}, 1],
    ['?after=2', {}, 3],
    ['?after=1', { 'Last-Event-ID': '3' }, 4],
    ['?after=3', { 'Last-Event-ID': 'x' }, 4],
    ['?after=4', {}, 5],
    ['?after=9', {}, 5],
  ] as const) {
    const url = `http://127.0.0.1:${server.port}/a2a/stream/${task_id}${query}`;
    const reader = await readStream(url, { 'X-API-Key': ada.key, ...headers });
    const ids = (await reader.take(5 - from)).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 5 - from }, (_, i) => from + i));
    await reader.ended();
  }
});

test('is refused as a task that is read, and ends with its key', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const stranger = await fresh();
  const { task_id } = await c.sendTo(ada, bob);
  expect((await follow('wrong', task_id)).status).toBe(401);
  expect((await follow(stranger.key, task_id)).status).toBe(404);
  expect((await follow(ada.key, Bun.randomUUIDv7())).status).toBe(404);
  const reads = await keyWith(t, ada.email, ['messages:write']);
  expect((await follow(reads, task_id)).status).toBe(403);
  const key = await keyWith(t, ada.email, ['conversations:read'], t.clock.now() + 60_000);
  const reader = await follow(key, task_id);
  await reader.take(2);
  await t.advance(60_000);
  await reader.ended();
});

const postgres = await sharedPostgres();

describe.skipIf(postgres === null)('on another node', () => {
  test('a stream tells what this one commits, and is resumed there by number', async () => {
    if (!postgres) return;
    const [here, there] = await openTestNodes(postgres);
    const far = serve(there);
    const near = serve(here);
    const c = taskCalls(here);
    const [ada, bob] = [await fresh(here), await fresh(here)];
    const { task_id, conversation_id } = await c.sendTo(ada, bob);
    const reader = await follow(ada.key, task_id, {}, far);
    expect(told(await reader.take(2))).toEqual(['1 status submitted', '2 status working']);
    // Comes into nobody's inbox.
    await c.move(bob, task_id, 'working');
    expect(told(await reader.take(1))).toEqual(['3 status working']);
    reader.leave();
    await c.say(bob, conversation_id, 'Done.');
    const again = await follow(ada.key, task_id, { 'Last-Event-ID': '3' }, near);
    expect(told(await again.take(2))).toEqual(['4 artifact working', '5 status completed']);
    await again.ended();
    for (const each of [far, near]) await each.stop(true);
    for (const each of [here, there]) await each.close();
  });
});
