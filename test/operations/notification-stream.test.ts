// The notification stream over real sockets: what comes from now on, what came while one was away, and for whom.

import { afterAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { readStream, type SseReader } from '../support/sse.ts';
import { codeFor } from '../support/testbed.ts';
import { tellMany } from '../support/threads.ts';

const t = sharedService();
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => t.fetch(request) });
let names = 0;
afterAll(() => server.stop(true));

const someone = (email?: string): Promise<TestAgent> => newAgent(t, { handle: `bell_${++names}`, email });
const tell = ({ id, handle, key }: TestAgent, count: number): Promise<string[]> =>
  tellMany(t, { id, handle, key, account_id: handle }, count);
const open = (headers: Record<string, string>): Promise<SseReader> =>
  readStream(`http://127.0.0.1:${server.port}/api/notifications/stream`, headers);
const by = (who: TestAgent, last?: string): Promise<SseReader> =>
  open({ Authorization: `Bearer ${who.token}`, ...(last !== undefined && { 'Last-Event-ID': last }) });
const ids = async (reader: SseReader, count: number): Promise<string[]> =>
  (await reader.take(count)).map(({ data }) => data.id);

test('tells what comes from now on, in the form of the list', async () => {
  const ada = await someone();
  await tell(ada, 2);
  const reader = await by(ada);
  expect([reader.status, reader.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await t.call('POST', '/api/inbox/test', { key: ada.key });
  const [event] = await reader.take(1);
  const { body } = await t.call('GET', '/api/notifications?limit=1', { token: ada.token });
  expect(event).toEqual({ id: Number.NaN, place: `${ada.id.slice(-12)}.3`, event: 'notification', data: body[0] });
  reader.leave();
});

test('tells of all agents of the account, and of nobody else’s', async () => {
  const [ada, eve] = [await someone(), await someone()];
  const second = await someone(ada.email);
  const reader = await by(ada);
  await tell(eve, 3);
  const told = [...(await tell(ada, 2)), ...(await tell(second, 2)), ...(await tell(ada, 1))];
  expect((await ids(reader, 5)).sort()).toEqual(told.sort());
  reader.leave();
});

test('who comes back with the last id misses nothing and gets nothing twice, an agent made meanwhile included', async () => {
  const ada = await someone();
  const second = await someone(ada.email);
  const first = await by(ada);
  const told = [...(await tell(ada, 3)), ...(await tell(second, 3))];
  const events = await first.take(6);
  first.leave();
  const third = await someone(ada.email);
  for (const who of [ada, second, third]) told.push(...(await tell(who, 2)));
  const again = await by(ada, events.at(-1)?.place);
  told.push(...(await tell(third, 1)));
  const had = [...events.map(({ data }) => data.id), ...(await ids(again, 7))];
  expect(had.sort()).toEqual(told.sort());
  again.leave();
  // Anything else is as good as no id: what comes from now on.
  const astray = await by(ada, 'not a place');
  const [next = ''] = await tell(ada, 1);
  expect(await ids(astray, 1)).toEqual([next]);
  astray.leave();
});

test('an agent that joins the account while the stream is open is heard too', async () => {
  const ada = await someone();
  const reader = await by(ada);
  const second = await someone(ada.email);
  const told = await tell(second, 2);
  expect(await ids(reader, 2)).toEqual(told);
  reader.leave();
});

test('who opens it with the id of a refreshed session misses nothing that came since, and is told nothing older', async () => {
  const email = 'reader@example.org';
  await t.call('POST', '/api/auth/session/start', { body: { email } });
  const signed = await t.call('POST', '/api/auth/session/verify', { body: { email, code: codeFor(t, email) } });
  const token = signed.body.access_token;
  const made = await t.call('POST', '/api/agents', { token, body: { handle: 'reads_late', display_name: 'Reads' } });
  expect(made.status).toBe(201);
  const ping = () => t.call('POST', '/api/inbox/test', { token, agent: 'reads_late' });
  await ping();
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const refreshed = (await t.call('POST', '/api/auth/session/refresh', { headers: { cookie } })).body;
  await ping();
  const list = await t.call('GET', '/api/notifications?limit=1', { token });
  const reader = await open({
    Authorization: `Bearer ${refreshed.access_token}`,
    'Last-Event-ID': refreshed.last_event_id,
  });
  expect(await ids(reader, 1)).toEqual([list.body[0].id]);
  reader.leave();
});

test('who was cut before the first event resumes from where the stream began', async () => {
  const ada = await someone();
  await tell(ada, 2);
  const response = await fetch(`http://127.0.0.1:${server.port}/api/notifications/stream`, {
    headers: { Authorization: `Bearer ${ada.token}` },
  });
  const body = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let read = await body?.read(); read && !read.done; read = await body?.read()) {
    text += decoder.decode(read.value, { stream: true });
    if (/^id: .*\n\n/m.test(text)) break;
  }
  await body?.cancel();
  const place = text.match(/^id: (.*)$/m)?.[1];
  const told = await tell(ada, 2);
  const again = await by(ada, place);
  expect(await ids(again, 2)).toEqual(told);
  again.leave();
});

test('nothing is lost between the replay and what is committed while it runs', async () => {
  const ada = await someone();
  const told = await tell(ada, 150);
  const reader = await by(ada, `${ada.id.slice(-12)}.0`);
  for (let n = 0; n < 50; n++) told.push(...(await tell(ada, 1)));
  expect(await ids(reader, 200)).toEqual(told);
  reader.leave();
});

test('a person who watches does not make the agent present', async () => {
  const ada = await someone();
  const reader = await by(ada);
  await tell(ada, 1);
  await reader.take(1);
  expect((await t.service.directory.presence(ada.id)).streaming).toBe(false);
  reader.leave();
});

test('a stream ends with its session', async () => {
  const ada = await someone();
  const reader = await by(ada);
  await t.advance(91 * DAY_MS);
  await tell(ada, 1);
  await expect(reader.take(1)).rejects.toThrow('ended after 0 of 1');
});
