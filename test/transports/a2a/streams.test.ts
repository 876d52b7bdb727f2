// Streams of the door on real sockets: what stands in each event, where a reader goes on that was cut, and when a stream ends.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Deadlines } from '../../../actors/deadlines.ts';
import { untilAnswered, type Wait } from '../../../src/transports/a2a/updates.ts';
import { callRpc, type ServedTest, serveTest } from '../../support/a2a.ts';
import { newAgent, signIn, type TestAgent } from '../../support/agents.ts';
import { readStream, type SseReader } from '../../support/sse.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

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

const AT_GRACE = '/a2a/agents/grace/';
let messages = 0;

const message = (text: string) => {
  messages += 1;
  return { messageId: `m-${messages}`, role: 'ROLE_USER', parts: [{ text }] };
};

function openRpc(
  method: string,
  params: object,
  key = ada.key,
  headers: Record<string, string> = {},
): Promise<SseReader> {
  const sent = { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers };
  return readStream(`${served.url}${AT_GRACE}`, sent, { jsonrpc: '2.0', id: 'my-id', method, params });
}

async function sendTask(text: string) {
  const params = { message: message(text), configuration: { returnImmediately: true } };
  const { body } = await callRpc(served.t, { method: 'SendMessage', params }, { path: AT_GRACE, key: ada.key });
  return body.result.task;
}

async function answer(conversation_id: string, content = 'Done.'): Promise<void> {
  const { status } = await served.t.call('POST', `/api/messages/${conversation_id}`, {
    key: grace.key,
    body: { content },
  });
  expect(status).toBe(200);
}

test('each event is an answer of JSON-RPC under the id of the call, with the number of its update', async () => {
  const stream = await openRpc('SendStreamingMessage', { message: message('Go on.') });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const [first] = await stream.take(1);
  const { id, contextId } = first?.data.result.task ?? {};
  expect(first).toMatchObject({ id: 2, data: { jsonrpc: '2.0', id: 'my-id', result: { task: { id, contextId } } } });
  await answer(contextId);
  const [made, last] = await stream.take(2);
  expect(made).toMatchObject({ id: 3, data: { id: 'my-id', result: { artifactUpdate: { taskId: id } } } });
  expect(last).toMatchObject({
    id: 4,
    data: {
      jsonrpc: '2.0',
      id: 'my-id',
      result: {
        statusUpdate: {
          taskId: id,
          contextId,
          status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Done.' }] } },
        },
      },
    },
  });
  await stream.ended();
});

test('a reader that was cut goes on behind the last event that it had', async () => {
  const { id, contextId } = await sendTask('Cut me.');
  const first = await openRpc('SubscribeToTask', { id });
  expect(await first.take(1)).toMatchObject([{ id: 2 }]);
  first.leave();
  await answer(contextId);
  const again = await openRpc('SubscribeToTask', { id }, ada.key, { 'Last-Event-ID': '2' });
  const [task, , update] = await again.take(3);
  expect(task?.data.result.task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(update).toMatchObject({
    id: 4,
    data: { result: { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } } },
  });
  await again.ended();
});

test('of a task that has ended nothing follows, which 1.0 refuses and 0.3 shows', async () => {
  const { id, contextId } = await sendTask('Soon over.');
  await answer(contextId);
  const ways: Record<string, string>[] = [{}, { 'Last-Event-ID': '4' }];
  for (const headers of ways) {
    const { body } = await callRpc(
      served.t,
      { method: 'SubscribeToTask', params: { id } },
      { path: AT_GRACE, key: ada.key, headers },
    );
    expect(body.error).toMatchObject({ code: -32004, data: [{ reason: 'UNSUPPORTED_OPERATION' }] });
  }
  const stream = await openRpc('tasks/resubscribe', { id });
  expect(await stream.take(1)).toMatchObject([{ data: { result: { kind: 'task', status: { state: 'completed' } } } }]);
  await stream.ended();
});

test("another's task has no stream, at any address of the two bindings", async () => {
  const { id } = await sendTask('Between us.');
  const rpc = await callRpc(
    served.t,
    { method: 'SubscribeToTask', params: { id } },
    { path: AT_GRACE, key: linus.key },
  );
  expect(rpc.body.error.code).toBe(-32001);
  for (const path of [`tasks/${id}:subscribe`, `v1/tasks/${id}:subscribe`]) {
    expect((await served.t.call('GET', `${AT_GRACE}${path}`, { key: linus.key })).status).toBe(404);
  }
});

test('a stream ends with the key that opened it, and nothing more is written to it', async () => {
  const token = await signIn(served.t, ada.email);
  const minted = await served.t.call('POST', '/api/developer/keys', { token, body: { name: 'short' } });
  const { id, contextId } = await sendTask('Watch me.');
  const stream = await openRpc('SubscribeToTask', { id }, minted.body.api_key);
  await stream.take(1);
  await served.t.call('DELETE', `/api/developer/keys/${minted.body.id}`, { token });
  await stream.ended();
  await answer(contextId);
  await expect(stream.take(1)).rejects.toThrow('ended after 0');
  const { body } = await callRpc(
    served.t,
    { method: 'SubscribeToTask', params: { id } },
    { path: AT_GRACE, key: minted.body.api_key },
  );
  expect(body.error.code).toBe(-31401);
});

test('a send that waits leaves nothing behind: when it is answered, when its time is over, when its caller goes', async () => {
  const clock = virtualClock(0);
  const waits = new Deadlines<Wait>(clock, (end) => end());
  const update = (final: boolean) => `id: 3\nevent: status\ndata: {"n":3,"state":"working","final":${final}}\n\n`;
  let left = 0;
  let write: (chunk: string) => boolean = () => false;
  const begin = (signal = new AbortController().signal) =>
    untilAnswered(
      (sink) => {
        write = (chunk) => sink.write(chunk);
        sink.onClose(() => {
          left += 1;
        });
      },
      { waits, until: clock.now() + 25_000, signal },
    );

  const answered = begin();
  expect([write(update(false)), write(update(true).slice(0, 9)), waits.size]).toEqual([true, true, 1]);
  write(update(true).slice(9));
  await answered;
  expect([left, waits.size]).toEqual([1, 0]);

  const late = begin();
  clock.moveTo(clock.now() + 25_000);
  await late;
  expect([left, waits.size]).toEqual([2, 0]);

  const gone = new AbortController();
  const alone = begin(gone.signal);
  gone.abort();
  await alone;
  await begin(gone.signal);
  expect([left, waits.size]).toEqual([4, 0]);
});
