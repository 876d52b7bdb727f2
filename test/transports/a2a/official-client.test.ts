// The official client of A2A, unmodified, on real sockets: protocol 1.0 over JSON-RPC and over HTTP, and 0.3 by its legacy mode.
// Each discovers an agent by the address of its card and does the main job with it; what the other agent sees, it sees by REST.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Role, TaskState } from '@a2a-js/sdk';
import {
  AgentCardResolver,
  type Client,
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { callRpc, type ServedTest, serveTest } from '../../support/a2a.ts';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { until } from '../../support/until.ts';

let served: ServedTest;
let ada: TestAgent;
let grace: TestAgent;
let linus: TestAgent;
beforeAll(async () => {
  served = await serveTest();
  const { t } = served;
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true });
  grace = await newAgent(t, { handle: 'grace', verified: true, pro: true });
  linus = await newAgent(t, { handle: 'linus', verified: true, pro: true });
});
afterAll(() => served.close());

const MODES = [
  { mode: '1.0 JSON-RPC', binding: 'JSONRPC', legacy: false },
  { mode: '1.0 HTTP+JSON', binding: 'HTTP+JSON', legacy: false },
  { mode: '0.3 JSON-RPC', binding: 'JSONRPC', legacy: true },
  { mode: '0.3 HTTP+JSON', binding: 'HTTP+JSON', legacy: true },
] as const;

type Mode = (typeof MODES)[number];

/** The client's own way to bring a key along. */
function fetchWith(key: string): typeof fetch {
  return createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ 'X-API-Key': key }),
    shouldRetryWithHeaders: async () => undefined,
  });
}

async function clientOf({ binding, legacy }: Mode, key: string, handle = 'grace'): Promise<Client> {
  const fetchImpl = fetchWith(key);
  const legacyCompat = { enabled: legacy };
  const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
    ],
    preferredTransports: [binding],
    cardResolver: resolver,
  });
  const at = `${served.url}/a2a/agents/${handle}/`;
  if (!legacy) return factory.createFromUrl(at);
  // A client that knows 0.3 alone reads nothing of the members of 1.0.
  const { supportedInterfaces: _newer, ...card } = await (
    await fetch(new URL('.well-known/agent-card.json', at))
  ).json();
  return factory.createFromAgentCard(card);
}

let messages = 0;

function message(words: string, more: object = {}) {
  messages += 1;
  const part = { content: { $case: 'text' as const, value: words }, metadata: undefined, filename: '', mediaType: '' };
  return {
    messageId: `message-${messages}`,
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
}

const send = (words: string, configuration: object = {}, more: object = {}) => ({
  tenant: '',
  message: message(words, more),
  configuration: { acceptedOutputModes: [], returnImmediately: true, ...configuration } as never,
  metadata: undefined,
});

async function taskOf(answer: unknown) {
  const task = (await answer) as { id: string; contextId: string; status: { state: TaskState }; history: object[] };
  if (!('status' in task)) throw new Error('no task was answered');
  return task;
}

async function answerAs(agent: TestAgent, conversation_id: string, content: string): Promise<void> {
  const { status } = await served.t.call('POST', `/api/messages/${conversation_id}`, {
    key: agent.key,
    body: { content },
  });
  expect(status).toBe(200);
}

describe.each([...MODES])('the official client of $mode', (mode) => {
  test('sends a task that the other agent answers, and gets it', async () => {
    const client = await clientOf(mode, ada.key);
    const task = await taskOf(client.sendMessage(send('Draw a logo.')));
    expect(task.status.state).toBe(TaskState.TASK_STATE_WORKING);
    const { body } = await served.t.call('GET', `/api/conversations/${task.contextId}`, { key: grace.key });
    expect(body.messages[0].content).toBe('Draw a logo.');
    await answerAs(grace, task.contextId, 'Here it is.');
    const got = await client.getTask({ tenant: '', id: task.id, historyLength: 1 });
    expect(got.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(got.history).toHaveLength(1);
    const said = got.status?.message?.parts[0];
    expect(said?.content).toEqual({ $case: 'text', value: 'Here it is.' });
  });

  test('waits for an answer that comes, and no longer than 25 seconds for one that does not', async () => {
    const client = await clientOf(mode, ada.key);
    const { t } = served;
    const waiting = taskOf(client.sendMessage(send('Quick?', { returnImmediately: false })));
    const thread = await conversationWith(grace, 'Quick?');
    await answerAs(grace, thread, 'At once.');
    expect((await waiting).status.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const late = taskOf(client.sendMessage(send('Slow?', { returnImmediately: false })));
    await conversationWith(grace, 'Slow?');
    await t.advance(24_000);
    // An answer would have come before that of a request that is sent now.
    const { tasks } = (await callRpc(t, { method: 'ListTasks' }, { key: ada.key })).body.result;
    await (await clientOf(mode, ada.key)).getTask({ tenant: '', id: tasks[0].id });
    expect(Bun.peek.status(late)).toBe('pending');
    await t.advance(2_000);
    expect((await late).status.state).toBe(TaskState.TASK_STATE_WORKING);
  });

  test('streams a task from its begin to its end', async () => {
    const client = await clientOf(mode, ada.key);
    const seen: string[] = [];
    for await (const { payload } of client.sendMessageStream(send('Tell me how it goes.'))) {
      seen.push(payload?.$case ?? 'nothing');
      if (payload?.$case === 'task') await answerAs(grace, payload.value.contextId, 'It went well.');
      if (payload?.$case !== 'statusUpdate') continue;
      expect(payload.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    }
    expect(seen[0]).toBe('task');
    expect(seen.at(-1)).toBe('statusUpdate');
  });

  test('comes back to a task that goes on', async () => {
    const client = await clientOf(mode, ada.key);
    const task = await taskOf(client.sendMessage(send('Come back later.')));
    const states: unknown[] = [];
    for await (const { payload } of client.resubscribeTask({ tenant: '', id: task.id })) {
      if (payload?.$case === 'task') await answerAs(grace, task.contextId, 'Now.');
      if (payload?.$case === 'task' || payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
    }
    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED]);
  });

  test('goes on with a task, cancels it, and learns that it cannot do so twice', async () => {
    const client = await clientOf(mode, ada.key);
    const task = await taskOf(client.sendMessage(send('One.')));
    const again = await taskOf(client.sendMessage(send('Two.', {}, { taskId: task.id, contextId: task.contextId })));
    expect(again.id).toBe(task.id);
    const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ tenant: '', id: task.id, metadata: undefined })).rejects.toMatchObject({
      name: 'TaskNotCancelableError',
    });
    await expect(client.sendMessage(send('Three.', {}, { taskId: task.id }))).rejects.toMatchObject({
      name: 'UnsupportedOperationError',
    });
  });

  test('finds no task of others, and is told so by the error of the protocol', async () => {
    const task = await taskOf((await clientOf(mode, ada.key)).sendMessage(send('Between us.')));
    const other = await clientOf(mode, linus.key);
    for (const id of [task.id, 'nothing']) {
      await expect(other.getTask({ tenant: '', id })).rejects.toMatchObject({ name: 'TaskNotFoundError' });
      const events = other.resubscribeTask({ tenant: '', id });
      await expect(events.next()).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    }
  });

  test('has an answer of the service itself at once', async () => {
    const client = await clientOf(mode, ada.key, 'concierge');
    const task = await taskOf(client.sendMessage(send('Hello?', { returnImmediately: false })));
    expect(task.status.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test('asks to be told of a task, lists and reads what it asked for, and takes it back', async () => {
    const client = await clientOf(mode, ada.key);
    const { id: taskId } = await taskOf(client.sendMessage(send('Tell me when.')));
    const asked = {
      tenant: '',
      id: 'mine',
      taskId,
      url: 'https://told.example/a2a',
      token: 'opaque',
      authentication: undefined,
    };
    const made = await client.createTaskPushNotificationConfig(asked);
    expect(made).toMatchObject({ taskId, url: asked.url });
    const named = { tenant: '', taskId, id: made.id };
    expect(await client.getTaskPushNotificationConfig(named)).toMatchObject({ id: made.id, url: asked.url });
    const list = () => client.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 10, pageToken: '' });
    expect((await list()).configs.map(({ id }) => id)).toEqual([made.id]);
    await client.deleteTaskPushNotificationConfig(named);
    expect((await list()).configs).toEqual([]);
    const strangers = await clientOf(mode, linus.key);
    await expect(strangers.createTaskPushNotificationConfig(asked)).rejects.toMatchObject({
      name: 'TaskNotFoundError',
    });
  });

  test('reads the extended card', async () => {
    const client = await clientOf(mode, ada.key);
    expect((await client.getAgentCard()).name).toContain('grace');
  });

  test('is not let in without a key', async () => {
    const client = await clientOf(mode, 'mesh_live_nobody');
    await expect(client.sendMessage(send('Who am I?'))).rejects.toThrow(/API key is wrong/);
  });
});

/** The conversation whose newest message is this one, as soon as there is one. */
async function conversationWith(agent: TestAgent, content: string): Promise<string> {
  let found = '';
  await until(async () => {
    const { body } = await served.t.call('GET', '/api/conversations', { key: agent.key });
    for (const { conversation_id } of body) {
      const thread = await served.t.call('GET', `/api/conversations/${conversation_id}`, { key: agent.key });
      if (thread.body.messages[0]?.content === content) found = conversation_id;
    }
    return found !== '';
  });
  return found;
}

test('1.0 lists tasks, newest first', async () => {
  for (const mode of MODES.slice(0, 2)) {
    const client = await clientOf(mode, linus.key);
    const first = await taskOf(client.sendMessage(send(`First ${mode.mode}`)));
    await served.t.advance(1_000);
    const second = await taskOf(client.sendMessage(send(`Second ${mode.mode}`)));
    const asked = { tenant: '', contextId: first.contextId, status: 0, pageSize: 1, pageToken: '' } as never;
    const page = await client.listTasks(asked);
    expect([page.tasks.map(({ id }) => id), page.pageSize, page.nextPageToken === '']).toEqual([[second.id], 1, false]);
    const rest = await client.listTasks({ ...(asked as object), pageToken: page.nextPageToken } as never);
    expect(rest.tasks.map(({ id }) => id)).toEqual([first.id]);
  }
});

test('the root card is that of the agent of the service', async () => {
  const card = await AgentCardResolver.default.resolve(served.url);
  expect(card.supportedInterfaces[0]?.url).toBe(`${served.url}/a2a/agents/concierge/`);
});
