// Messages and tasks that reach an agent at its own A2A endpoint: in the dialect of its card, in the sender's own words, once; and
// what the endpoint answers stands in the conversation as the agent's message and completes the task.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { type A2aServer, type Json, startPlainServer, startSdkServer } from '../support/a2a-servers.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { often } from '../support/nightly.ts';
import { sharedService } from '../support/opened.ts';
import { onPostgres } from '../support/postgres.ts';

const DOUBLES: Readonly<Record<string, () => A2aServer>> = {
  '1.0 over JSON-RPC, by the official SDK': () => startSdkServer('1.0'),
  '0.3 over JSON-RPC, by the official SDK': () => startSdkServer('0.3'),
  '1.0 over HTTP+JSON': () => startPlainServer('1.0'),
  '0.2': () => startPlainServer('0.2'),
};
const KINDS = Object.keys(DOUBLES);

const allow: { host: string; port: number }[] = [];
const servers: A2aServer[] = [];
const t = sharedService({}, 'memory', { outside: { allow } });
let ada: TestAgent;
let names = 0;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.finish();
    await server.close();
  }
});

/** An agent whose endpoint is a server of that kind. */
async function endpoint(kind: string): Promise<{ bot: TestAgent; server: A2aServer }> {
  const server = DOUBLES[kind]?.();
  if (!server) throw new Error(`no double speaks ${kind}`);
  servers.push(server);
  allow.push({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  const bot = await newAgent(t, { handle: `bot_${++names}` });
  await t.call('PATCH', `/api/agents/${bot.handle}`, { key: bot.key, body: { a2a_url: server.url } });
  await t.rest();
  return { bot, server };
}

const text = (said: string) => [{ kind: 'text', text: said }];

async function send(from: TestAgent, body: Record<string, unknown>): Promise<Json> {
  const answer = await t.call('POST', '/operations/task.send', { key: from.key, body });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  await t.rest();
  return answer.body;
}
const task = async (who: TestAgent, { task_id }: Json): Promise<Json> =>
  (await t.call('GET', `/operations/task.get?task_id=${task_id}&history_length=20`, { key: who.key })).body;
const thread = async (who: TestAgent, { conversation_id }: Json): Promise<string[]> => {
  const { messages } = (await t.call('GET', `/api/conversations/${conversation_id}`, { key: who.key })).body;
  return messages.map(({ sender, content }: Json) => `${sender}: ${content}`).reverse();
};
/** The messages that came to an endpoint, without the service's own news. */
const words = ({ calls }: A2aServer): Json[] =>
  calls
    .flatMap(({ body }) => body?.params?.message ?? body?.message ?? [])
    .filter((message: Json) => message.metadata?.['meshwork/origin'] === 'counterparty');
const textsOf = (message: Json): string[] => (message.parts ?? message.content).map((part: Json) => part.text);

describe.each(KINDS)('an endpoint of %s', (kind) => {
  test('gets the sender’s own parts, marked as another party’s words, and its answer completes the task', async () => {
    const { bot, server } = await endpoint(kind);
    const parts = [...text('task: draw a logo'), { kind: 'data', data: { size: 3 } }];
    const sent = await send(ada, { target_handle: bot.handle, parts, message_id: 'm-1' });
    const [message, ...more] = words(server);
    expect(more).toEqual([]);
    expect(message.metadata).toMatchObject({ 'meshwork/origin': 'counterparty', 'meshwork/handle': 'ada' });
    expect(textsOf(message)[0]).toBe('task: draw a logo');
    expect(JSON.stringify(message.parts ?? message.content)).toContain('{"size":3}');
    const done = await task(ada, sent);
    expect(done.state).toBe('completed');
    expect(done.artifacts).toMatchObject([{ parts: text('did task: draw a logo') }]);
    expect(await thread(ada, sent)).toEqual(['ada: task: draw a logo', `${bot.handle}: did task: draw a logo`]);
  });

  test('that is not done at once is looked at again until it is', async () => {
    const { bot, server } = await endpoint(kind);
    const sent = await send(ada, { target_handle: bot.handle, parts: text('slow: build it') });
    expect((await task(ada, sent)).state).toBe('working');
    await t.advance(MINUTE_MS);
    expect((await task(ada, sent)).state).toBe('working');
    server.finish();
    await Bun.sleep(0);
    await t.advance(2 * MINUTE_MS);
    expect((await task(ada, sent)).state).toBe('completed');
    expect(await thread(ada, sent)).toEqual(['ada: slow: build it', `${bot.handle}: did slow: build it`]);
    const asked = server.calls.length;
    await t.advance(DAY_MS);
    expect(server.calls.length).toBe(asked);
  });

  test('is told that a task was canceled while it was at it', async () => {
    const { bot, server } = await endpoint(kind);
    const sent = await send(ada, { target_handle: bot.handle, parts: text('slow: build it') });
    await t.call('POST', '/operations/task.cancel', { key: ada.key, body: { task_id: sent.task_id } });
    await t.rest();
    const told = server.calls.filter(({ path, body }) => /cancel/i.test(`${path} ${body?.method ?? ''}`));
    expect(told).toHaveLength(1);
    server.finish();
    await t.advance(DAY_MS);
    expect((await task(ada, sent)).state).toBe('canceled');
    expect(await thread(ada, sent)).toEqual(['ada: slow: build it']);
  });
});

describe.each(KINDS.slice(0, 2))('an endpoint of %s', (kind) => {
  test('may answer by a message, also to a message that belongs to no task', async () => {
    const { bot } = await endpoint(kind);
    const sent = await send(ada, { target_handle: bot.handle, parts: text('hello') });
    expect((await task(ada, sent)).state).toBe('completed');
    await t.call('POST', `/api/messages/${sent.conversation_id}`, { key: ada.key, body: { content: 'and again' } });
    await t.rest();
    expect(await thread(ada, sent)).toEqual([
      'ada: hello',
      `${bot.handle}: echo: hello`,
      'ada: and again',
      `${bot.handle}: echo: and again`,
    ]);
  });

  test('that asks for more gets the next message of the task in its own task', async () => {
    const { bot, server } = await endpoint(kind);
    const sent = await send(ada, { target_handle: bot.handle, parts: text('ask me') });
    const asked = await task(ada, sent);
    expect(asked).toMatchObject({ state: 'input_required', status_message: { parts: text('Which colour?') } });
    await send(ada, { task_id: sent.task_id, parts: text('blue') });
    const [first, second] = words(server);
    expect(first.taskId).toBeUndefined();
    expect([typeof second.taskId, typeof second.contextId]).toEqual(['string', 'string']);
    expect(await task(ada, sent)).toMatchObject({
      state: 'completed',
      artifacts: [{ parts: text('went on with blue') }],
    });
  });

  test('that fails says so in its own words', async () => {
    const { bot } = await endpoint(kind);
    const sent = await send(ada, { target_handle: bot.handle, parts: text('fail please') });
    expect(await task(ada, sent)).toMatchObject({ state: 'failed', status_message: { parts: text('I cannot.') } });
  });
});

test('an answer completes the task that it answers and no other, whichever is done first', async () => {
  const { bot, server } = await endpoint(KINDS[0] ?? '');
  const slow = await send(ada, { target_handle: bot.handle, parts: text('slow: one') });
  const quick = await send(ada, { target_handle: bot.handle, parts: text('task: two') });
  expect([(await task(ada, slow)).state, (await task(ada, quick)).state]).toEqual(['working', 'completed']);
  server.finish();
  await Bun.sleep(0);
  await t.advance(10 * MINUTE_MS);
  expect((await task(ada, slow)).artifacts).toMatchObject([{ parts: text('did slow: one') }]);
});

test('two endpoints do not talk to each other for ever: an answer to an answer is not posted', async () => {
  const [one, two] = [await endpoint(KINDS[0] ?? ''), await endpoint(KINDS[1] ?? '')];
  const sent = await send(one.bot, { target_handle: two.bot.handle, parts: text('hello') });
  await t.advance(DAY_MS);
  expect(await thread(one.bot, sent)).toEqual([`${one.bot.handle}: hello`, `${two.bot.handle}: echo: hello`]);
  expect(words(one.server)).toHaveLength(1);
});

test('an endpoint that takes nothing leaves the task to the agent, and is no transport', async () => {
  const { bot, server } = await endpoint(KINDS[0] ?? '');
  server.fail(500);
  const sent = await send(ada, { target_handle: bot.handle, parts: text('hello') });
  expect((await task(ada, sent)).state).toBe('working');
  expect((await t.call('GET', `/api/agents/public/${bot.handle}`)).body.transports).toEqual(['pull', 'email']);
  await t.call('POST', `/api/messages/${sent.conversation_id}`, { key: bot.key, body: { content: 'by hand' } });
  expect((await task(ada, sent)).state).toBe('completed');
});

test('an answer that may not be posted fails the task and says why', async () => {
  const { bot, server } = await endpoint(KINDS[0] ?? '');
  const sent = await send(ada, { target_handle: bot.handle, parts: text('slow: one') });
  await t.call('POST', `/api/agents/${ada.handle}/block`, { key: bot.key });
  await t.call('POST', `/api/agents/${bot.handle}/block`, { key: ada.key });
  server.finish();
  await Bun.sleep(0);
  await t.advance(10 * MINUTE_MS);
  const { state, status_message } = await task(ada, sent);
  expect([state, status_message.parts[0].text]).toEqual(['failed', expect.stringContaining('cannot be posted')]);
  const long = await endpoint(KINDS[0] ?? '');
  const other = await send(ada, { target_handle: long.bot.handle, parts: text('big') });
  expect((await task(ada, other)).state).toBe('failed');
});

// Hundreds of reminders, to which the contract of the store holds both.
if (!onPostgres || often(0, 1) === 1) {
  test('a task that its endpoint never finishes is given up after three days', async () => {
    const { bot, server } = await endpoint(KINDS[0] ?? '');
    const sent = await send(ada, { target_handle: bot.handle, parts: text('slow: one') });
    await t.advance(2 * DAY_MS);
    expect((await task(ada, sent)).state).toBe('working');
    await t.advance(2 * DAY_MS);
    expect((await task(ada, sent)).state).toBe('failed');
    const looks = server.calls.length;
    expect(looks).toBeLessThan(500);
    await t.advance(2 * DAY_MS);
    expect(server.calls.length).toBe(looks);
  }, 600_000);
}
