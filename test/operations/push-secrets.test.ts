// Where the secrets of push configs and webhooks go: to the address that they were given for, once it is named, and into no log, no other
// party's reply and no second address.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { createLog } from '../../src/log.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { keyWith } from '../support/scene.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';

const TOKEN = 'hush-token';
const CREDENTIALS = 'hush-credentials';

/** What each receiver was told: its path, and all that came with it. */
const told: { readonly at: 'own' | 'other'; readonly path: string; readonly all: string }[] = [];
let status = 204;
const receiver = (at: 'own' | 'other', location?: () => string) =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const all = JSON.stringify([...request.headers]) + (await request.text());
      told.push({ at, path: new URL(request.url).pathname, all });
      const isMoved = request.url.endsWith('/moved');
      const headers: Record<string, string> = location && isMoved ? { Location: location() } : {};
      return new Response(status === 204 ? null : `no: ${all}`, { status: isMoved ? 307 : status, headers });
    },
  });
const other = receiver('other');
const OTHER = `http://127.0.0.1:${other.port}`;
const own = receiver('own', () => `${OTHER}/taken`);
const OWN = `http://127.0.0.1:${own.port}`;
const outside = { allow: [own, other].map(({ port }) => ({ host: '127.0.0.1', port: port ?? 0 })) };

let t: TestService;
let ada: TestAgent;
let bob: TestAgent;
const lines: string[] = [];
beforeAll(async () => {
  const log = createLog('trace', 'json', { write: (line) => void lines.push(line) });
  t = await openTestService({}, 'memory', { outside, log });
  ada = await newAgent(t, { handle: 'ada', pro: true });
  bob = await newAgent(t, { handle: 'bob', pro: true });
});
afterAll(async () => {
  await t.close();
  await Promise.all([own.stop(true), other.stop(true)]);
});
beforeEach(() => {
  told.length = 0;
  status = 204;
});

const run = (who: TestAgent, operation: string, body: object): Promise<TestAnswer> =>
  t.call('POST', `/operations/${operation}`, { key: who.key, body });
const look = (who: TestAgent, operation: string, query: Record<string, string>): Promise<TestAnswer> =>
  t.call('GET', `/operations/${operation}?${new URLSearchParams(query)}`, { key: who.key });
const secret = { token: TOKEN, authentication: { scheme: 'Bearer', credentials: CREDENTIALS } };

/** A task of ada's with a config at this address, and a way to let it move on. */
async function taskWith(url: string) {
  const parts = [{ kind: 'text', text: 'Draw a logo.' }];
  const sent = await run(ada, 'task.send', { target_handle: 'bob', parts, push_config: { id: 'p', url, ...secret } });
  const { task_id, conversation_id } = sent.body;
  const move = (content: string) =>
    t.call('POST', `/api/messages/${conversation_id}`, { key: bob.key, body: { content } });
  return { task_id: task_id as string, move };
}
const withSecret = () => told.filter(({ all }) => /hush/.test(all)).map(({ at, path }) => `${at}${path}`);

test('a receiver that leads elsewhere takes nothing along', async () => {
  const { move } = await taskWith(`${OWN}/moved`);
  await move('On it.');
  await t.rest();
  expect(new Set(withSecret())).toEqual(new Set(['own/moved']));
});

test('an address that is set anew under the same id gets the new secret or none, and the old one nothing more', async () => {
  const { task_id, move } = await taskWith(`${OWN}/first`);
  await t.rest();
  const set = await run(ada, 'push_config.create', { task_id, config: { id: 'p', url: `${OTHER}/second` } });
  expect(set.status).toBe(201);
  told.length = 0;
  await move('On it.');
  await t.rest();
  expect(told.length).toBeGreaterThan(0);
  expect(told.map(({ at }) => at)).not.toContain('own');
  expect(withSecret()).toEqual([]);
});

test('the other party neither reads it, takes its id over, nor ends it', async () => {
  const { task_id, move } = await taskWith(`${OWN}/kept`);
  const answers = [
    await look(bob, 'push_config.list', { task_id }),
    await look(bob, 'push_config.read', { task_id, config_id: 'p' }),
    await run(bob, 'push_config.create', { task_id, config: { id: 'p', url: `${OTHER}/mine` } }),
    await run(bob, 'push_config.delete', { task_id, config_id: 'p' }),
    await look(bob, 'task.get', { task_id }),
  ];
  expect(answers.map(({ status: code }) => code)).toEqual([200, 404, 409, 404, 200]);
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('hush');
  await move('On it.');
  await t.rest();
  expect(new Set(told.map(({ at, path }) => at + path))).toEqual(new Set(['own/kept']));
});

test('a narrow key without the right to read conversations does not read it', async () => {
  const { task_id } = await taskWith(`${OWN}/narrow`);
  const key = await keyWith(t, ada.email, ['agents:read', 'webhooks:write', 'messages:write']);
  const shown = await t.call('GET', `/operations/push_config.list?task_id=${task_id}`, { key });
  expect([shown.status, shown.body.error]).toEqual([403, 'insufficient_scope']);
});

test('a receiver that says back what it was sent does not bring it into a log, a letter or an event', async () => {
  status = 500;
  const { move } = await taskWith(`${OWN}/echo`);
  await move('On it.');
  await t.rest();
  expect(withSecret()).toContain('own/echo');
  const events = await t.call('GET', '/api/inbox?limit=100', { key: ada.key });
  for (const text of [lines.join('\n'), JSON.stringify(t.mails), JSON.stringify(events.body)])
    expect(text).not.toContain('hush');
});

test('what a webhook’s receiver answered is read by its owner alone, not by a sibling, a stranger or a narrow key', async () => {
  status = 200;
  const url = `${OWN}/hook`;
  const made = await t.call('POST', '/api/developer/webhooks', {
    key: await keyWith(t, ada.email, ['webhooks:write']),
    body: { url, events: ['*'] },
  });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const sibling = await newAgent(t, { handle: 'ada_too', email: ada.email });
  await t.call('POST', '/api/inbox/test', { key: ada.key, agent: 'ada' });
  await t.rest();
  const path = `/api/developer/webhooks/${made.body.id}/logs`;
  const owner = await keyWith(t, ada.email, ['webhooks:write']);
  const log = await t.call('GET', path, { key: owner, agent: 'ada' });
  expect([log.status, log.body[0]?.response_body]).toEqual([200, expect.stringContaining('no: ')]);
  const strange = [
    await t.call('GET', path, { key: owner, agent: sibling.handle }),
    await t.call('GET', path, { key: await keyWith(t, bob.email, ['webhooks:write']), agent: 'bob' }),
    await t.call('GET', path, { key: await keyWith(t, ada.email, ['agents:read']), agent: 'ada' }),
  ];
  expect(strange.map(({ status: code }) => code)).toEqual([404, 404, 403]);
  const export_ = await t.call('GET', '/api/account/export', { token: bob.token });
  expect(JSON.stringify(export_.body)).not.toContain('no: ');
});
