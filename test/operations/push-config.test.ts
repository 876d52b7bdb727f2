// Push configs: a party of a task is told each update at its own address, in order and at least once, in the dialect in which it
// asked; a receiver that is dead holds nobody else up.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { pushConfigsOfTask } from '../../db/queries/push-config.ts';
import { fault } from '../../src/domain/fault.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { openTestService, type TestAnswer } from '../support/testbed.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came.
type Json = any;
interface Told {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Json;
}

const told: Told[] = [];
const failing = new Map<string, number>();
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname: path } = new URL(request.url);
    told.push({ path, headers: request.headers, body: await request.json() });
    return new Response(null, { status: failing.get(path) ?? 204 });
  },
});
const AT = `http://127.0.0.1:${server.port}`;
const outside = { allow: [{ host: '127.0.0.1', port: server.port ?? 0 }] };

const t = sharedService({}, 'memory', { outside });
let ada: TestAgent;
let bob: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
  bob = await newAgent(t, { handle: 'bob' });
});
afterAll(() => server.stop(true));
beforeEach(() => {
  told.length = 0;
  failing.clear();
});

const run = (who: TestAgent, operation: string, body: Json, on = t): Promise<TestAnswer> => {
  const reads = /read|list|get/.test(operation);
  const query = new URLSearchParams(body).toString();
  return reads
    ? on.call('GET', `/operations/${operation}?${query}`, { key: who.key })
    : on.call('POST', `/operations/${operation}`, { key: who.key, body });
};
async function send(more: Json = {}, on = t): Promise<Json> {
  const parts = [{ kind: 'text', text: 'Draw a logo.' }];
  const { status, body } = await run(ada, 'task.send', { target_handle: 'bob', parts, ...more }, on);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}
const create = (who: TestAgent, task_id: string, config: Json, more: Json = {}): Promise<TestAnswer> =>
  run(who, 'push_config.create', { task_id, config, ...more });
const answer = async ({ conversation_id }: Json, content = 'Done.', on = t): Promise<void> => {
  await on.call('POST', `/api/messages/${conversation_id}`, { key: bob.key, body: { content } });
};
const at = (path: string): Told[] => told.filter((each) => each.path === path);

describe('a party is told', () => {
  test('of 1.0 by each update in its order, with its credentials, from the first one where the task came with the config', async () => {
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const config = { id: 'mine', url: `${AT}/one`, token: 'tok', authentication };
    const task = await send({ dialect: '1.0', push_config: config });
    await t.rest();
    await answer(task);
    await t.rest();
    expect(at('/one').map(({ headers }) => headers.get('content-type'))).toEqual(
      Array.from({ length: 4 }, () => 'application/a2a+json'),
    );
    expect(at('/one').map(({ body }) => body.statusUpdate?.status.state ?? Object.keys(body)[0])).toEqual([
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_WORKING',
      'artifactUpdate',
      'TASK_STATE_COMPLETED',
    ]);
    expect(at('/one').map(({ headers }) => headers.get('x-meshwork-delivery'))).toEqual(
      [1, 2, 3, 4].map((n) => `mine:${n}`),
    );
    const [{ headers, body } = { headers: new Headers(), body: null }] = at('/one');
    expect([headers.get('authorization'), headers.get('x-a2a-notification-token')]).toEqual(['Bearer secret', 'tok']);
    expect(body.statusUpdate.taskId).toBe(task.task_id);
  });

  test.each([
    ['0.3', 'kind', 'task'],
    ['0.2', 'conversation_id', undefined],
  ])('of %s by the whole task as the update left it', async (dialect, field, value) => {
    const task = await send();
    await create(ada, task.task_id, { url: `${AT}/v${dialect}`, token: 'tok' }, { dialect });
    await answer(task);
    await t.rest();
    const [first, last, ...more] = at(`/v${dialect}`);
    expect(more).toEqual([]);
    expect(first?.headers.get('content-type')).toBe('application/json');
    expect(first?.headers.get('x-a2a-notification-token')).toBe('tok');
    expect([first?.body.id, first?.body.status.state, first?.body[field]]).toEqual([
      task.task_id,
      'working',
      value ?? task.conversation_id,
    ]);
    expect([last?.body.status.state, last?.body.artifacts.length]).toEqual(['completed', 1]);
    expect(JSON.stringify(last?.body)).toContain('"meshwork/handle":"bob"');
  });

  test('also the one who was asked, who sees its own configs alone', async () => {
    const task = await send({ push_config: { id: 'hers', url: `${AT}/hers` } });
    await create(bob, task.task_id, { id: 'his', url: `${AT}/his` });
    expect((await run(bob, 'push_config.list', { task_id: task.task_id })).body.map(({ id }: Json) => id)).toEqual([
      'his',
    ]);
    expect((await run(bob, 'push_config.read', { task_id: task.task_id, config_id: 'hers' })).status).toBe(404);
    expect((await create(bob, task.task_id, { id: 'hers', url: `${AT}/his` })).body.error).toBe('conflict');
    const eve = await newAgent(t, { handle: `eve_${told.length}` });
    for (const operation of ['push_config.list', 'push_config.read']) {
      expect((await run(eve, operation, { task_id: task.task_id })).status).toBe(404);
    }
    expect((await create(eve, task.task_id, { url: `${AT}/eve` })).status).toBe(404);
    const removed = await run(eve, 'push_config.delete', { task_id: task.task_id, config_id: 'his' });
    expect(removed.status).toBe(404);
    await answer(task);
    await t.rest();
    expect(at('/his').map(({ body }) => body.status.state)).toEqual(['working', 'completed']);
    expect(JSON.stringify(at('/his').at(-1)?.body.artifacts)).not.toContain('meshwork/handle');
  });
});

test('secrets rest sealed, and come back to their party alone', async () => {
  const authentication = { scheme: 'Bearer', credentials: 'top-secret' };
  const task = await send({ push_config: { id: 'a', url: `${AT}/a`, token: 'tok-secret', authentication } });
  const rows = await t.service.world.store.read(pushConfigsOfTask, { task_id: task.task_id });
  expect(JSON.stringify(rows)).not.toContain('-secret');
  expect(rows[0]?.secret).toStartWith('g1.');
  const { body } = await run(ada, 'push_config.read', { task_id: task.task_id });
  expect(body).toEqual({ id: 'a', task_id: task.task_id, url: `${AT}/a`, token: 'tok-secret', authentication });
});

test('an address inside is refused, at the config and at the send, and nothing is stored', async () => {
  const task = await send();
  for (const url of ['https://10.0.0.1/', 'http://example.com/', 'https://a:b@example.com/', 'nowhere']) {
    const made = await create(ada, task.task_id, { url });
    expect([made.status, made.body.fields[0].path]).toEqual([400, 'config.url']);
    const parts = [{ kind: 'text', text: 'hello' }];
    const sent = await run(ada, 'task.send', { target_handle: 'bob', parts, push_config: { url } });
    expect([sent.status, sent.body.fields[0].path]).toEqual([400, 'push_config.url']);
  }
  expect((await run(ada, 'push_config.list', { task_id: task.task_id })).body).toEqual([]);
  const split = await create(ada, task.task_id, { url: `${AT}/x`, token: 'a\r\nX-Other: 1' });
  expect(split.status).toBe(400);
});

test('a task has four at most, of one host if its party likes; one that is set anew or deleted makes room', async () => {
  const task = await send();
  for (let n = 0; n < 4; n++) {
    expect((await create(n % 2 ? ada : bob, task.task_id, { id: `c${n}`, url: `${AT}/many` })).status).toBe(201);
  }
  const full = await create(ada, task.task_id, { id: 'one-more', url: `${AT}/many` });
  expect([full.status, full.body.error, full.body.limit]).toEqual([403, 'plan_limit', 4]);
  expect((await create(ada, task.task_id, { id: 'c1', url: `${AT}/again` })).status).toBe(201);
  expect((await run(ada, 'push_config.delete', { task_id: task.task_id, config_id: 'c1' })).status).toBe(200);
  expect((await create(ada, task.task_id, { id: 'one-more', url: `${AT}/many` })).status).toBe(201);
  await answer(task);
  await t.rest();
  expect(at('/many').length).toBe(8);
  expect(at('/again')).toEqual([]);
});

test('an account has 120 deliveries to one host in a minute; the next waits for the next one, and none is lost', async () => {
  const minute = Math.floor(t.clock.now() / 60_000);
  const { store } = t.service.world;
  const account_id = (await store.read(agentById, { id: bob.id }))?.account_id;
  const key = `pushes:${account_id}:${new URL(AT).host}:${minute}`;
  const counted = await store.turn({
    attempt: async () => ({ reply: null, effects: [count(key, 200, fault('conflict'), null, 119)] }),
  });
  expect(counted).toEqual({ reply: null });
  const task = await send();
  await create(bob, task.task_id, { id: 'busy', url: `${AT}/busy` });
  await answer(task);
  await t.rest();
  const first = at('/busy').length;
  expect(first).toBeLessThanOrEqual(1);
  await t.advance(61_000);
  await t.rest();
  expect(at('/busy').length).toBe(2);
});

test('what a receiver does not take is tried again in its order, and holds nobody else up', async () => {
  failing.set('/dead', 503);
  const task = await send({ push_config: { id: 'dead', url: `${AT}/dead` } });
  await create(ada, task.task_id, { id: 'alive', url: `${AT}/alive` });
  await answer(task);
  await t.rest();
  expect(at('/dead').map(({ headers }) => headers.get('x-meshwork-delivery'))).toEqual(['dead:1']);
  expect(at('/alive').length).toBe(2);
  failing.delete('/dead');
  await t.advance(10_000);
  const ids = at('/dead').map(({ headers }) => headers.get('x-meshwork-delivery'));
  expect(ids).toEqual(['dead:1', 'dead:1', 'dead:2', 'dead:3', 'dead:4']);
});

test('a receiver that is gone for good is not called for ever, and 410 ends it at once', async () => {
  failing.set('/dead', 500);
  failing.set('/gone', 410);
  const task = await send({ push_config: { id: 'dead', url: `${AT}/dead` } });
  await create(ada, task.task_id, { id: 'gone', url: `${AT}/gone` });
  await answer(task);
  await t.advance(10 * DAY_MS);
  expect([at('/dead').length, at('/gone').length]).toEqual([8, 1]);
  expect((await run(ada, 'push_config.list', { task_id: task.task_id })).body).toEqual([]);
});

test('deliveries go on after a restart, and one that was written down is not made again', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-push-'));
  failing.set('/later', 500);
  const first = await openTestService({}, 'memory', { outside, data_dir });
  const [one, two] = [await newAgent(first, { handle: 'ada' }), await newAgent(first, { handle: 'bob' })];
  const parts = [{ kind: 'text', text: 'hello' }];
  const config = { id: 'c', url: `${AT}/later` };
  const sent = await run(one, 'task.send', { target_handle: 'bob', parts, push_config: config }, first);
  expect(sent.status).toBe(200);
  await first.rest();
  failing.delete('/later');
  await first.call('POST', `/api/messages/${sent.body.conversation_id}`, { key: two.key, body: { content: 'Done.' } });
  const { clock } = first;
  await first.close();
  const before = at('/later').length;
  const second = await openTestService({}, 'memory', { outside, data_dir, clock });
  await second.advance(120_000);
  await second.rest();
  const ids = at('/later')
    .slice(before)
    .map(({ headers }) => headers.get('x-meshwork-delivery'));
  expect(ids).toEqual(['c:1', 'c:2', 'c:3', 'c:4']);
  await second.close();
});
