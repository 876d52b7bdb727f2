// Who may come in at the door of A2A, and how HTTP is told so (Q97): the dialect of the interface answers 200 with the refusal in
// the body; 1.0 and the agents' own addresses answer 401 and 403, with what a client needs to get a credential.
import { beforeAll, expect, test } from 'bun:test';
import { callRpc } from '../../support/a2a.ts';
import { newAgent, signIn, type TestAgent } from '../../support/agents.ts';
import { sharedService } from '../../support/opened.ts';
import { openTestService } from '../../support/testbed.ts';

const t = sharedService();
let ada: TestAgent;
let narrow: string;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true });
  await newAgent(t, { handle: 'grace', verified: true });
  const token = await signIn(t, ada.email);
  const body = { name: 'narrow', scopes: ['agents:read'] };
  narrow = (await t.call('POST', '/api/developer/keys', { token, body })).body.api_key;
});

const AT_GRACE = '/a2a/agents/grace/';
const METADATA = 'http://localhost/.well-known/oauth-protected-resource';
const send10 = {
  method: 'SendMessage',
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
};
const get03 = { method: 'tasks/get', params: { id: 'x' } };

test.each([
  ['0.3 at the address of all', get03, '/a2a/rpc', 200, null],
  ['1.0 at the address of all', send10, '/a2a/rpc', 401, `${METADATA}/a2a/rpc`],
  ['0.3 at an agent', get03, AT_GRACE, 401, `${METADATA}${AT_GRACE}`],
  ['1.0 at an agent', send10, AT_GRACE, 401, `${METADATA}${AT_GRACE}`],
] as const)('without a credential %s', async (_what, call, path, status, metadata) => {
  const answer = await callRpc(t, call, { path });
  expect(answer.status).toBe(status);
  expect(answer.body.error.code).toBe(-31401);
  const header = answer.headers.get('www-authenticate');
  if (metadata === null) expect(header).toBeNull();
  else expect(header).toBe(`Bearer realm="meshwork", resource_metadata="${metadata}"`);
});

test('what is wrong with a call is told to nobody who would not be let in', async () => {
  const wrong = { method: 'SendMessage', params: {} };
  expect((await callRpc(t, wrong, { path: AT_GRACE })).body.error.code).toBe(-31401);
  expect((await callRpc(t, wrong, { path: AT_GRACE, key: ada.key })).body.error.code).toBe(-32602);
});

test('a key that lacks the scope is told which, by the status and the header that HTTP has for it', async () => {
  const old = await callRpc(t, get03, { key: narrow });
  expect([old.status, old.body.error.code]).toEqual([200, -31403]);
  const answer = await callRpc(t, send10, { path: AT_GRACE, key: narrow });
  expect([answer.status, answer.body.error.code]).toEqual([403, -31403]);
  expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="messages:write"');
});

test('over HTTP the refusal has its status and the body of the binding', async () => {
  const now = await t.call('GET', `${AT_GRACE}tasks`);
  expect(now.status).toBe(401);
  expect(now.body.error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED', details: [{ reason: 'UNAUTHORIZED' }] });
  expect(now.headers.get('www-authenticate')).toContain(`${METADATA}${AT_GRACE}`);
  const before = await t.call('GET', `${AT_GRACE}v1/tasks/x`);
  expect(before.body).toMatchObject({ code: -31401, data: { error: 'unauthorized' } });
  const none = await t.call('GET', `${AT_GRACE}tasks/x`, { key: ada.key });
  expect([none.status, none.body.error.status]).toEqual([404, 'NOT_FOUND']);
});

test('a name that is no handle puts nothing into a header', async () => {
  const answer = await callRpc(t, send10, { path: '/a2a/agents/x%22%0d%0aSet-Cookie%3a%20a/' });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="meshwork", resource_metadata="${METADATA}"`);
});

test('a request counts once to the rate, whatever it asks for', async () => {
  const limited = await openTestService({ rate_limits: true });
  try {
    const free = await newAgent(limited, { handle: 'free', verified: true });
    await limited.advance(60_000);
    const sent = { key: free.key, path: '/a2a/agents/concierge' };
    const { body } = await callRpc(limited, { ...send10 }, sent);
    const { id } = body.result.task;
    for (let n = 2; n <= 60; n += 1) {
      // Each reads the task, and would follow it.
      const answer = await callRpc(
        limited,
        { method: 'tasks/resubscribe', params: { id, n } },
        { ...sent, headers: { 'Last-Event-ID': '0' } },
      ).catch(() => null);
      expect(answer?.body?.error?.code).not.toBe(-31429);
    }
    const refused = await callRpc(limited, { method: 'initialize' }, sent);
    expect([refused.status, refused.body.error.code]).toEqual([200, -31429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
});

test('an agent that has left answers strangers as one that never was, whatever is asked at its address', async () => {
  const gone = await newAgent(t, { handle: 'gone', verified: true });
  expect((await t.call('DELETE', '/api/agents/gone', { key: gone.key })).status).toBe(200);
  const asked = async (handle: string) => {
    const ways = { path: `/a2a/agents/${handle}`, key: ada.key };
    const calls = [
      { method: 'ListTasks', params: {} },
      { method: 'tasks/list', params: {} },
      { method: 'GetTask', params: { id: 'x' } },
      { method: 'GetExtendedAgentCard', params: {} },
      { method: 'agent/ping', params: { agent_handle: handle } },
      { method: 'agent/discover', params: { handle } },
      { ...send10, params: { message: { ...send10.params.message, messageId: handle } } },
    ];
    const bodies: string[] = [];
    for (const call of calls) bodies.push(JSON.stringify((await callRpc(t, call, ways)).body));
    const http = await t.call('GET', `/a2a/agents/${handle}/tasks`, { key: ada.key });
    const ids = /"request_?[iI]d":"[^"]*"/g;
    return [...bodies, `${http.status} ${JSON.stringify(http.body)}`].map((body) => body.replaceAll(ids, '""'));
  };
  expect(await asked('gone')).toEqual(await asked('never'));
});

test('a list of 0.3 over HTTP is cut to the page that is asked for', async () => {
  const caller = await newAgent(t, { handle: 'lister', verified: true, pro: true });
  const send = (messageId: string) => ({
    ...send10,
    params: { message: { ...send10.params.message, messageId }, configuration: { returnImmediately: true } },
  });
  for (const id of ['one', 'two', 'three']) {
    expect((await callRpc(t, send(id), { path: AT_GRACE, key: caller.key })).body.error).toBeUndefined();
  }
  const list = async (query: string) => (await t.call('GET', `${AT_GRACE}v1/tasks${query}`, { key: caller.key })).body;
  expect((await list('')).tasks).toHaveLength(3);
  expect((await list('?pageSize=1')).tasks).toHaveLength(1);
});
