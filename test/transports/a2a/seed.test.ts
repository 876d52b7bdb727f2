// The dialect of the interface, to the letter (interface.md, Agent-to-agent JSON-RPC): two agents do the main job over /a2a/rpc.
import { beforeAll, describe, expect, test } from 'bun:test';
import { callRpc, type RpcWays } from '../../support/a2a.ts';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { sharedService } from '../../support/opened.ts';

const t = sharedService();
let ada: TestAgent;
let grace: TestAgent;
let linus: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true });
  grace = await newAgent(t, { handle: 'grace', verified: true, pro: true });
  linus = await newAgent(t, { handle: 'linus', verified: true, pro: true });
});

const rpc = (method: string, params: object, ways: RpcWays = { key: ada.key }) => callRpc(t, { method, params }, ways);
const text = (words: string) => ({ role: 'user', parts: [{ type: 'text', text: words }] });
const toGrace = { metadata: { target_handle: 'grace' } };

test('a task is sent, answered in the conversation, read and listed', async () => {
  const sent = await rpc('tasks/send', { id: 'my-task-1', message: text('Draw a logo.'), ...toGrace });
  expect(sent.status).toBe(200);
  const { conversation_id } = sent.body.result;
  expect(sent.body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { id: 'my-task-1', status: { state: 'working' } } });
  const thread = await t.call('GET', `/api/conversations/${conversation_id}`, { key: grace.key });
  expect(thread.body.messages[0]).toMatchObject({ content: 'Draw a logo.', sender: 'ada' });

  await t.call('POST', `/api/messages/${conversation_id}`, { key: grace.key, body: { content: 'Here it is.' } });
  const got = await rpc('tasks/get', { id: 'my-task-1' });
  expect(got.body.result).not.toHaveProperty('history');
  const mark = { 'meshwork/origin': 'counterparty', 'meshwork/handle': 'grace' };
  expect(got.body.result).toMatchObject({
    id: 'my-task-1',
    conversation_id,
    status: {
      state: 'completed',
      message: { role: 'agent', parts: [{ type: 'text', text: 'Here it is.', metadata: mark }], metadata: mark },
    },
  });
  const { tasks } = (await rpc('tasks/list', { state: 'completed' })).body.result;
  expect(tasks).toEqual([expect.objectContaining({ id: 'my-task-1', conversation_id })]);
});

test('what the reader wrote itself is not marked, and the same words are for the other side', async () => {
  const sent = await rpc('tasks/send', { id: 'marks', message: text('Mine'), ...toGrace });
  const { body } = await rpc('tasks/get', { id: 'marks', historyLength: 9 });
  expect(body.result.history[0].parts).toEqual([{ type: 'text', text: 'Mine' }]);
  const listed = await rpc('tasks/list', { conversation_id: sent.body.result.conversation_id }, { key: grace.key });
  const { id } = listed.body.result.tasks.find(
    (task: { status: { state: string } }) => task.status.state === 'working',
  );
  const theirs = await rpc('tasks/get', { id, historyLength: 9 }, { key: grace.key });
  expect(theirs.body.result.history[0].parts[0].metadata).toEqual({
    'meshwork/origin': 'counterparty',
    'meshwork/handle': 'ada',
  });
});

test('the aliases of the interface are the task methods', async () => {
  const sent = await rpc('message/send', { id: 'alias', message: text('Hello'), ...toGrace });
  expect(sent.body.result).toMatchObject({
    id: 'alias',
    status: { state: 'working' },
    conversation_id: expect.any(String),
  });
  expect((await rpc('message/get', { id: 'alias' })).body.result).toMatchObject({ status: { state: 'working' } });
  expect((await rpc('message/cancel', { id: 'alias' })).body.result).toMatchObject({ status: { state: 'canceled' } });
  expect((await rpc('tasks/cancel', { id: 'alias' })).body.error).toMatchObject({ code: -32002 });
});

test('a second message under the same id goes on with the task', async () => {
  await rpc('tasks/send', { id: 'more', message: text('One'), ...toGrace });
  const { body } = await rpc('tasks/send', { id: 'more', message: text('Two'), historyLength: 5, ...toGrace });
  expect(body.result.history.map((each: { parts: { text: string }[] }) => each.parts[0]?.text)).toEqual(['One', 'Two']);
});

test("the platform's agent answers at once", async () => {
  const { body } = await rpc('tasks/send', { message: text('Who are you?'), metadata: { target_handle: 'concierge' } });
  expect(body.result.status).toMatchObject({
    state: 'completed',
    message: { parts: [{ text: expect.stringContaining('llms.txt') }] },
  });
  // Its words are the service's.
  expect(body.result.status.message).not.toHaveProperty('metadata');
});

describe('a refusal has status 200, a code of its own and the body of a REST error', () => {
  test.each([
    ['no credential', 'tasks/send', { message: text('x'), ...toGrace }, {}, -31401, 'unauthorized'],
    ['a wrong credential', 'tasks/get', { id: 'x' }, { key: 'mesh_live_no' }, -31401, 'unauthorized'],
    [
      'nobody of that name',
      'tasks/send',
      { message: text('x'), metadata: { target_handle: 'nobody' } },
      null,
      -31404,
      'not_found',
    ],
    ['nobody named', 'tasks/send', { message: text('x') }, null, -32602, 'invalid_request'],
    ['no message', 'tasks/send', { ...toGrace }, null, -32602, 'invalid_request'],
    ['no such task', 'tasks/get', { id: 'nothing' }, null, -32001, 'task_not_found'],
    ['no task to cancel', 'tasks/cancel', { id: 'nothing' }, null, -32001, 'task_not_found'],
  ] as const)('%s', async (_what, method, params, ways, code, error) => {
    const answer = await rpc(method, params, ways ?? undefined);
    expect(answer.status).toBe(200);
    expect(answer.body.error).toMatchObject({ code, data: { error, message: answer.body.error.message } });
  });

  test('of a field names it as the caller wrote it', async () => {
    const few = await rpc('agent/discover', { limit: 500 }, {});
    expect(few.body.error.data.fields[0].path).toBe('limit');
    const nobody = await rpc('tasks/send', { id: 'to-nobody', message: text('Hello') });
    expect(nobody.body.error.data.fields[0].path).toBe('metadata.target_handle');
    const long = await rpc('tasks/send', { id: 'x'.repeat(300), message: text('Hello'), ...toGrace });
    expect(long.body.error.data.fields[0].path).toBe('id');
  });

  test("another's task is as absent as none", async () => {
    const { body } = await rpc('tasks/send', { message: text('Between us'), ...toGrace });
    const foreign = await rpc('tasks/get', { id: body.result.id }, { key: linus.key });
    const none = await rpc('tasks/get', { id: '0199d3a2-7c41-7d3e-8a03-5f0c1d2e3a03' }, { key: linus.key });
    const shown = ({ error }: typeof foreign.body) => ({ ...error, data: { ...error.data, request_id: '' } });
    expect(shown(foreign.body)).toEqual(shown(none.body));
  });

  test('a key that lacks the scope', async () => {
    const { body } = await t.call('POST', '/api/developer/keys', {
      token: ada.token,
      body: { name: 'r', scopes: ['agents:read'] },
    });
    const answer = await rpc('tasks/send', { message: text('x'), ...toGrace }, { key: body.api_key });
    expect(answer.body.error).toMatchObject({ code: -31403, data: { required_scope: 'messages:write' } });
  });
});

test('a message with an id is sent once, and under the header of REST too', async () => {
  const message = { ...text('Once'), messageId: 'once-1' };
  const first = await rpc('tasks/send', { message, ...toGrace });
  const again = await rpc('tasks/send', { message, ...toGrace });
  expect(again.body.result.id).toBe(first.body.result.id);
  const other = await rpc('tasks/send', { message: { ...message, ...text('Twice') }, ...toGrace });
  expect(other.body.error).toMatchObject({ code: -31409, data: { error: 'idempotency_conflict' } });
  const keyed = { key: ada.key, headers: { 'Idempotency-Key': 'k1' } };
  const [a, b] = [
    await rpc('tasks/send', { message: text('K'), ...toGrace }, keyed),
    await rpc('tasks/send', { message: text('K'), ...toGrace }, keyed),
  ];
  expect(a?.body.result.id).toBe(b?.body.result.id);
});

test('anybody finds agents and asks whether one is there', async () => {
  const found = await rpc('agent/discover', { handle: 'grace' }, {});
  expect(found.body.result.agents).toMatchObject([{ name: expect.stringContaining('grace') }]);
  const ping = await rpc('agent/ping', { agent_handle: 'grace' }, {});
  expect(ping.body.result).toMatchObject({ agent_handle: 'grace', preferred_transport: 'pull' });
  const none = await rpc('agent/ping', { agent_handle: 'nobody' }, {});
  expect([none.status, none.body.error.code]).toEqual([200, -31404]);
  expect((await rpc('agent/ping', {}, {})).body.error).toMatchObject({ code: -32602 });
});
