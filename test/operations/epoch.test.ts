// After a restore from a backup seqs are given anew: all that carries events says in which epoch, and who comes back with a seq
// beyond the end hears of it and goes on with what came since.
import { afterAll, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { OUTSIDE_HOST, sharedServiceReaching } from '../support/opened.ts';
import { startReceiver } from '../support/receivers.ts';
import { markRestored } from '../support/restored.ts';
import { readStream, type SseReader } from '../support/sse.ts';
import { taskCalls } from '../support/tasks.ts';
import { tellMany } from '../support/threads.ts';

const BEYOND = 9_000;
const { t, server: receiver } = sharedServiceReaching(startReceiver);
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => t.fetch(request) });
let epoch = 1;
let names = 0;
afterAll(() => server.stop(true));

const someone = (): Promise<TestAgent> => newAgent(t, { handle: `epoch_${++names}` });
const tell = ({ id, handle, key }: TestAgent, count: number): Promise<string[]> =>
  tellMany(t, { id, handle, key, account_id: handle }, count);
const pull = async ({ key }: TestAgent, after: number) =>
  (await t.call('GET', `/api/inbox?after=${after}`, { key })).body;
const open = (path: string, { key, token }: TestAgent, last: number | string): Promise<SseReader> =>
  readStream(`http://127.0.0.1:${server.port}${path}`, {
    ...(path.startsWith('/api/notifications') ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': key }),
    'Last-Event-ID': `${last}`,
  });
const seqs = (events: readonly { readonly seq: number }[]): number[] => events.map(({ seq }) => seq);
/** So many events are in the backup, and so many came since the restore. */
async function restoredAgent(before: number, since: number): Promise<TestAgent> {
  const agent = await someone();
  await tell(agent, before);
  await t.advance(MINUTE_MS);
  epoch += 1;
  await markRestored(t, epoch);
  await tell(agent, since);
  return agent;
}

test('a pull says the epoch, and a cursor beyond the end where what came since the restore begins', async () => {
  const fresh = await someone();
  await tell(fresh, 2);
  expect(await pull(fresh, 2)).toMatchObject({ epoch, cursor: 2 });
  expect(await pull(fresh, 2)).not.toHaveProperty('reset');
  const agent = await restoredAgent(5, 3);
  expect(await pull(agent, 8)).not.toHaveProperty('reset');
  const told = { events: [], cursor: BEYOND, has_more: false, epoch, reset: true, reset_after: 5 };
  expect(await pull(agent, BEYOND)).toMatchObject(told);
  const viewed = await t.call('GET', `/api/agents/${agent.handle}/inbox?after=${BEYOND}`, { key: agent.key });
  expect(viewed.body).toMatchObject(told);
  expect(seqs((await pull(agent, 5)).events)).toEqual([6, 7, 8]);
  // Nothing came since, and all of it did.
  expect(await pull(await restoredAgent(4, 0), BEYOND)).toMatchObject({ reset: true, reset_after: 4 });
  expect(await pull(await restoredAgent(0, 4), BEYOND)).toMatchObject({ reset: true, reset_after: 0 });
});

test('a stream with a Last-Event-ID beyond the end says so, and goes on with what came since', async () => {
  const agent = await restoredAgent(5, 2);
  const reader = await open('/api/inbox/stream', agent, BEYOND);
  const [reset, ...since] = await reader.take(3);
  expect(reset).toEqual({ id: 5, event: 'reset', data: { reset: true, epoch, reset_after: 5 } });
  await tell(agent, 1);
  expect([...since, ...(await reader.take(1))].map(({ data }) => [data.seq, data.epoch])).toEqual([
    [6, epoch],
    [7, epoch],
    [8, epoch],
  ]);
  reader.leave();
});

test('notifications of an inbox whose end lies before the cursor begin again with what came since', async () => {
  const agent = await restoredAgent(3, 1);
  const place = (seq: number): string => `${agent.id.slice(-12)}.${seq}`;
  const reader = await open('/api/notifications/stream', agent, place(BEYOND));
  const [reset, since] = await reader.take(2);
  expect(reset).toMatchObject({ place: place(3), event: 'reset', data: { reset: true, epoch } });
  expect(since).toMatchObject({ place: place(4), event: 'notification' });
  reader.leave();
});

test('the stream of a task begins again', async () => {
  const [ada, bob] = [await someone(), await someone()];
  const { task_id } = await taskCalls(t).sendTo(ada, bob);
  const reader = await open(`/a2a/stream/${task_id}`, ada, BEYOND);
  const [reset, first] = await reader.take(2);
  expect(reset).toEqual({ id: 0, event: 'reset', data: { reset: true, epoch } });
  expect(first).toMatchObject({ id: 1, event: 'status' });
  reader.leave();
});

test('webhooks carry the epoch', async () => {
  const agent = await restoredAgent(1, 0);
  const body = { url: `https://${OUTSIDE_HOST}:${receiver.port}/200/epoch`, events: ['*'] };
  await t.call('POST', '/api/developer/webhooks', { key: agent.key, body });
  await t.call('POST', '/api/inbox/test', { key: agent.key });
  await t.service.delivery.idle();
  const [came] = receiver.received.filter(({ path }) => path === '/200/epoch');
  expect(JSON.parse(came?.body ?? '{}')).toMatchObject({ seq: 2, epoch, type: 'test.ping' });
});
