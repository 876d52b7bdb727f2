// Calls that wait for a person, as tasks: told to clients that take them and to nobody else, alive over a restart of either side, and ended
// with what the call itself would have been answered. Requests go through the transport of the official client, which sets the headers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../../support/agents.ts';
import { STATELESS, statelessMeta } from '../../support/mcp.ts';
import { listenFor, type McpServer } from '../../support/mcp-server.ts';
import { type McpStream, openMcpStream } from '../../support/mcp-stream.ts';
import { keyWith } from '../../support/scene.ts';
import { dropStore } from '../../support/store.ts';
import { openTestService, START_MS, type TestService } from '../../support/testbed.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { balanceOf, fundWallet } from '../../support/wallet.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const TAKES_TASKS = { extensions: { [TASKS]: {} } };

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-tasks-'));
const clock = virtualClock(START_MS);
let t: TestService;
let server: McpServer;
let ada: TestAgent;
let bob: TestAgent;
/** A program of ada that pays and does nothing else. */
let pays: string;

async function open(): Promise<void> {
  t = await openTestService({}, 'memory', { data_dir, clock });
  server = listenFor(t);
}
async function close(): Promise<void> {
  await server.stop();
  await t.close();
}

beforeAll(async () => {
  await open();
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true });
  bob = await newAgent(t, { handle: 'bob', verified: true, pro: true });
  await fundWallet(t, ada.id, 50_000);
  await bound({ max_pay_cents: 200 });
  pays = await keyWith(t, ada.email, ['payments:write']);
});
afterAll(async () => {
  await close();
  rmSync(data_dir, { recursive: true, force: true });
  await dropStore(data_dir);
});

interface By {
  readonly key?: string;
  readonly capabilities?: object;
  readonly meta?: object;
}

/** One request on a connection of its own: nothing of a client outlives it but what a test remembers. */
async function ask(method: string, params: object, { key = pays, capabilities = TAKES_TASKS, meta = {} }: By = {}) {
  const transport = new StreamableHTTPClientTransport(server.endpoint, {
    requestInit: { headers: { 'X-API-Key': key } },
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
  const { promise, resolve, reject } = Promise.withResolvers<any>();
  transport.onmessage = resolve;
  await transport.start();
  const _meta = { ...statelessMeta(), 'io.modelcontextprotocol/clientCapabilities': capabilities, ...meta };
  await transport.send({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }).catch(reject);
  const answer = await promise;
  await transport.close();
  return answer;
}

const send = (amount_cents: number, by?: By) =>
  ask('tools/call', { name: 'mesh_send_payment', arguments: { to_handle: 'bob', amount_cents } }, by);
const get = async (taskId: string, by?: By) => (await ask('tasks/get', { taskId }, by)).result;
/** What ada's person does, signed in anew: sessions end while time goes on. */
const person = async (method: 'PATCH' | 'POST', path: string, body: object) =>
  t.call(method, path, { token: await signIn(t, ada.email), agent: 'ada', body });
const decide = (id: string, decision: string) => person('POST', `/api/actions/${id}/decide`, { decision });
const bound = (body: object) => person('PATCH', '/api/agents/bounds', body);
const errorIn = ({ result }: { result: { content: readonly { text: string }[] } }) =>
  JSON.parse(result.content[0]?.text ?? '');

test('the server names the extension where a client can declare it', async () => {
  const { result } = await ask('server/discover', {});
  expect(result.capabilities.extensions).toEqual({ [TASKS]: {} });
});

test('a task outlives both sides, and ends with what the call would have been answered', async () => {
  const { result: task } = await send(900);
  const { taskId } = task;
  expect(task).toEqual({
    resultType: 'task',
    taskId: expect.any(String),
    status: 'working',
    statusMessage: expect.stringContaining(new Date(clock.now() + 72 * HOUR_MS).toISOString()),
    createdAt: new Date(clock.now()).toISOString(),
    lastUpdatedAt: new Date(clock.now()).toISOString(),
    ttlMs: 90 * DAY_MS,
    pollIntervalMs: 5_000,
  });
  expect(await get(taskId)).toEqual({ ...task, resultType: 'complete' });
  await close();
  await open();
  expect(await get(taskId)).toMatchObject({ status: 'working' });
  await t.advance(HOUR_MS);
  expect((await decide(taskId, 'approve')).status).toBe(200);
  expect(await balanceOf(t, `wallet:${bob.id}`)).toBe(900);
  const ended = await get(taskId);
  expect(ended).toMatchObject({ taskId, status: 'completed', lastUpdatedAt: new Date(clock.now()).toISOString() });
  const { result: direct } = await send(100);
  const shape = ({ structuredContent, ...rest }: { structuredContent: object }) => [
    Object.keys(rest),
    Object.keys(structuredContent),
  ];
  expect(shape(ended.result)).toEqual(shape(direct));
  expect(ended.result).toMatchObject({ resultType: 'complete', structuredContent: { amount_cents: 900 } });
});

test('the same call is the same task, by whatever tool and under an idempotency key', async () => {
  const { result: first } = await send(901);
  const through = {
    name: 'mesh_call_tool',
    arguments: { name: 'mesh_send_payment', arguments: { to_handle: 'bob', amount_cents: 901 } },
  };
  expect((await ask('tools/call', through)).result).toEqual(first);
  const keyed = { meta: { 'meshwork/idempotencyKey': 'once' } };
  const { result: second } = await send(902, keyed);
  await decide(second.taskId, 'approve');
  expect((await send(902, keyed)).result).toMatchObject({
    taskId: second.taskId,
    resultType: 'task',
    status: 'completed',
  });
});

test('a client that does not declare it is refused as ever, and has no methods of tasks', async () => {
  const { result } = await send(903, { capabilities: {} });
  expect(result).toMatchObject({ resultType: 'complete', isError: true });
  const { error, action_id: taskId } = errorIn({ result });
  expect(error).toBe('outside_bounds');
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect((await ask(method, { taskId, inputResponses: {} }, { capabilities: {} })).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: TAKES_TASKS },
    });
  }
});

test('what is not the caller’s is as what is not there', async () => {
  const { taskId } = (await send(904)).result;
  const narrow = await keyWith(t, ada.email, ['listings:write']);
  const absent = (await ask('tasks/get', { taskId: '01900000-0000-7000-8000-000000000000' })).error;
  expect(absent.code).toBe(-32602);
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const params = { taskId, inputResponses: {} };
    expect((await ask(method, params, { key: bob.key })).error).toEqual(absent);
    expect((await ask(method, params, { key: narrow })).error).toEqual(absent);
    expect((await ask(method, { ...params, taskId: 'none' })).error).toEqual(absent);
  }
  expect(await get(taskId)).toMatchObject({ status: 'working' });
  const reads = await keyWith(t, ada.email, ['agents:read']);
  expect(await get(taskId, { key: reads })).toMatchObject({ status: 'working' });
  expect((await ask('tasks/cancel', { taskId }, { key: reads })).error).toEqual(absent);
});

test('a no ends it with the refusal', async () => {
  const { taskId } = (await send(905)).result;
  await decide(taskId, 'reject');
  const ended = await get(taskId);
  expect([ended.status, ended.result.isError]).toEqual(['completed', true]);
  expect(errorIn(ended)).toMatchObject({ error: 'outside_bounds', action_id: taskId, action_status: 'rejected' });
  // Nobody is asked for it, so that there is nothing to wait for.
  expect((await send(905)).result).toMatchObject({ resultType: 'complete', isError: true });
});

test('time that is over ends it with the refusal, or with what a policy lets happen', async () => {
  const { taskId } = (await send(906)).result;
  const policies = [{ operation: 'wallet.send', outcome: 'ask', ask_minutes: 5, on_timeout: 'allow' }];
  await bound({ max_pay_cents: 200, policies });
  const { taskId: by_silence } = (await send(150)).result;
  await t.advance(73 * HOUR_MS);
  const ended = await get(taskId);
  expect([ended.status, errorIn(ended).error]).toEqual(['completed', 'expired']);
  expect(await get(by_silence)).toMatchObject({
    status: 'completed',
    result: { structuredContent: { amount_cents: 150 } },
  });
  await bound({ max_pay_cents: 200, policies: [] });
});

test('what is cancelled is asked of nobody, and can be asked for anew', async () => {
  const { taskId } = (await send(907)).result;
  expect((await ask('tasks/cancel', { taskId })).result).toEqual({ resultType: 'complete' });
  expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  expect((await decide(taskId, 'approve')).body).toMatchObject({ error: 'already_answered', status: 'withdrawn' });
  const inbox = (await t.call('GET', '/api/inbox/recent', { key: ada.key })).body;
  const event = inbox.find(({ data }: { data: { action_id?: string } }) => data.action_id === taskId);
  expect([event.answered, event.actions]).toEqual([null, []]);
  const { result } = await send(907);
  expect([result.status, result.taskId === taskId]).toEqual(['working', false]);
  await decide(result.taskId, 'approve');
  expect((await ask('tasks/cancel', { taskId: result.taskId })).result).toEqual({ resultType: 'complete' });
  expect(await get(result.taskId)).toMatchObject({ status: 'completed' });
});

test('a renewed key follows what was asked for by the one before, which happens by silence too', async () => {
  const before = await keyWith(t, ada.email, ['payments:write']);
  const { taskId } = (await send(909, { key: before })).result;
  await bound({
    max_pay_cents: 200,
    policies: [{ operation: 'wallet.send', outcome: 'ask', ask_minutes: 2_880, on_timeout: 'allow' }],
  });
  const { taskId: by_silence } = (await send(151, { key: before })).result;
  const key = (await t.call('POST', '/api/auth/key/renew', { key: before })).body.api_key;
  expect(await get(taskId, { key })).toMatchObject({ status: 'working' });
  const another = await keyWith(t, ada.email, ['payments:write']);
  expect((await ask('tasks/cancel', { taskId }, { key: another })).error.code).toBe(-32602);
  await ask('tasks/cancel', { taskId }, { key });
  expect(await get(taskId, { key })).toMatchObject({ status: 'cancelled' });
  await t.advance(49 * HOUR_MS);
  expect(await get(by_silence, { key })).toMatchObject({
    status: 'completed',
    result: { structuredContent: { amount_cents: 151 } },
  });
  await bound({ max_pay_cents: 200, policies: [] });
});

test('an answer to what was never asked is heard and ignored', async () => {
  const { taskId } = (await send(908)).result;
  const inputResponses = { approve: { action: 'accept' } };
  expect((await ask('tasks/update', { taskId, inputResponses })).result).toEqual({ resultType: 'complete' });
  expect(await get(taskId)).toMatchObject({ status: 'working' });
  expect((await ask('tasks/update', { taskId })).error).toMatchObject({ code: -32602 });
});

test('a stream tells of each task that was asked for when it changes or its time is over, and of no other', async () => {
  const [first, second, other, late] = [await send(910), await send(911), await send(912), await send(913)].map(
    ({ result }) => result.taskId,
  );
  const listen = (capabilities: object, taskIds: unknown[] = [first, second, 'none', 7]): Promise<McpStream> =>
    openMcpStream(server.endpoint.href, {
      method: 'POST',
      headers: {
        ...{ 'X-API-Key': pays, 'Content-Type': 'application/json', 'MCP-Protocol-Version': STATELESS },
        'Mcp-Method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 'l1', method: 'subscriptions/listen' },
        params: {
          notifications: { taskIds },
          _meta: { ...statelessMeta(), 'io.modelcontextprotocol/clientCapabilities': capabilities },
        },
      }),
    });
  expect((await listen({})).body.error).toMatchObject({ code: -32021 });
  const stream = await listen(TAKES_TASKS);
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 'l1' };
  expect(await stream.next()).toMatchObject({ params: { _meta, notifications: { taskIds: [first, second] } } });
  await decide(other, 'reject');
  await decide(first, 'approve');
  const { resultType: _ofGet, result, ...task } = await get(first);
  const { params } = await stream.next();
  expect(params).toMatchObject({ _meta, ...task, result: { structuredContent: result.structuredContent } });
  await ask('tasks/cancel', { taskId: second });
  expect(await stream.next()).toMatchObject({
    method: 'notifications/tasks',
    params: { taskId: second, status: 'cancelled' },
  });
  stream.leave();
  const again = await listen(TAKES_TASKS, [second, late]);
  expect(await again.next()).toMatchObject({ params: { notifications: { taskIds: [second, late] } } });
  expect(await again.next()).toMatchObject({ params: { taskId: second, status: 'cancelled' } });
  await t.advance(73 * HOUR_MS);
  const { params: over } = await again.next();
  expect([over.taskId, over.status, errorIn(over).error]).toEqual([late, 'completed', 'expired']);
  again.leave();
});

describe('a proposal', () => {
  let talks: string;
  let path: string;
  let conversation_id: string;
  beforeAll(async () => {
    talks = await keyWith(t, ada.email, ['conversations:write']);
    const opening = { handle: 'bob', content: 'Hello' };
    ({ conversation_id } = (
      await t.call('POST', '/tools/mesh_start_conversation', { key: ada.key, body: opening })
    ).body);
    path = `/api/conversations/${conversation_id}`;
  });
  const tool = (name: string, given: object, by: By = { key: talks }) =>
    ask('tools/call', { name, arguments: { conversation_id, ...given } }, by);
  const propose = () => tool('mesh_propose', { amount_cents: 500, side: 'buyer' });
  /** What bob's person proposes, who agrees to it by that. */
  const offered = async (amount_cents: number): Promise<string> => {
    const by = { token: await signIn(t, bob.email), agent: 'bob' };
    return (await t.call('POST', `${path}/propose`, { ...by, body: { amount_cents, side: 'seller' } })).body.id;
  };
  const answer = (proposal_id: string, decision: string) =>
    person('POST', `${path}/approve`, { proposal_id, decision });

  test('that its side withholds is a task until its person lets it go, or the program takes it back', async () => {
    const { result } = await propose();
    const { taskId } = result;
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    const id = taskId.split(':')[1];
    for (const other of [taskId, `proposal.approve:${id}`, `proposal.reject:${id}`, `${taskId}x`]) {
      expect((await ask('tasks/get', { taskId: other }, { key: bob.key })).error.code).toBe(-32602);
    }
    expect((await ask('tasks/get', { taskId: `${taskId}:x` }, { key: talks })).error.code).toBe(-32602);
    const released = (await answer(id, 'approve')).body.proposal;
    const ended = await get(taskId, { key: talks });
    expect(ended).toMatchObject({ status: 'completed', result: { structuredContent: { id, status: 'open' } } });
    expect(ended.result.structuredContent).toEqual(released);
    const { result: second } = await propose();
    expect((await ask('tasks/cancel', { taskId: second.taskId }, { key: talks })).result).toEqual({
      resultType: 'complete',
    });
    expect(await get(second.taskId, { key: talks })).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'rejected' } },
    });
  });

  test('to which a program may not say yes is a task until its person has', async () => {
    const id = await offered(450);
    const { result } = await tool('mesh_approve_proposal', { proposal_id: id });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', taskId: `proposal.approve:${id}` });
    // It is the other side's, and stands whatever becomes of the yes.
    expect((await ask('tasks/cancel', { taskId: result.taskId }, { key: talks })).result).toEqual({
      resultType: 'complete',
    });
    const { body } = await answer(id, 'approve');
    const ended = await get(result.taskId, { key: talks });
    expect(body.escrow_id).toBeString();
    const dear = await offered(90_000);
    const { taskId } = (await tool('mesh_approve_proposal', { proposal_id: dear })).result;
    const { body: unpaid } = await answer(dear, 'approve');
    expect(unpaid.unpaid).toBe('payment_required');
    expect((await get(taskId, { key: talks })).result.structuredContent).toEqual(unpaid);
    expect(ended).toMatchObject({ status: 'completed', result: { structuredContent: body } });
    expect(
      (await tool('mesh_approve_proposal', { proposal_id: id }, { key: talks, capabilities: {} })).result.isError,
    ).toBe(true);
  });

  test('that its person refused, or that nobody answered in time, ends the yes with the refusal', async () => {
    const no = await offered(460);
    const { taskId: refused } = (await tool('mesh_approve_proposal', { proposal_id: no })).result;
    await answer(no, 'reject');
    expect(errorIn(await get(refused, { key: talks })).error).toBe('proposal_decided');
    const late = await offered(470);
    const { taskId } = (await tool('mesh_approve_proposal', { proposal_id: late })).result;
    await t.advance(73 * HOUR_MS);
    expect(errorIn(await get(taskId, { key: talks })).error).toBe('proposal_expired');
  });
});
