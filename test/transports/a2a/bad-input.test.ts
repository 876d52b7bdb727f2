// What the door of A2A says to calls that are none: the documented error, and nothing is stored.
import { beforeAll, describe, expect, test } from 'bun:test';
import { METHOD_NAMES } from '../../../src/transports/a2a/methods.ts';
import { callRpc } from '../../support/a2a.ts';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { sharedService } from '../../support/opened.ts';
import { readStoredRows } from '../../support/store.ts';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true });
  await newAgent(t, { handle: 'grace', verified: true });
});

const AT_AGENT = '/a2a/agents/grace';
const call = (body: unknown) => JSON.stringify(body);
const one = { jsonrpc: '2.0', id: 7, method: 'tasks/get', params: { id: 'x' } };
const deep = `{"jsonrpc":"2.0","id":1,"method":"tasks/send","params":${'['.repeat(100)}${']'.repeat(100)}}`;
const long = call({ ...one, params: { id: 'x'.repeat(10_000_000) } });

/** Each with the code, the id that is given back, and what the refusal is called. */
const NO_CALLS: readonly (readonly [string, string, number, unknown, string])[] = [
  ['half an object', '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"}', -32700, null, 'invalid_json'],
  ['nothing', '', -32700, null, 'invalid_json'],
  ['bytes that are no text', '\u0000\uffff', -32700, null, 'invalid_json'],
  ['a batch', call([one, one]), -32600, null, 'invalid_request'],
  ['a text', '"tasks/get"', -32600, null, 'invalid_request'],
  ['another version of JSON-RPC', call({ ...one, jsonrpc: '1.0' }), -32600, 7, 'invalid_request'],
  ['no method', call({ ...one, method: undefined }), -32600, 7, 'invalid_request'],
  ['a method that is no text', call({ ...one, method: 5 }), -32600, 7, 'invalid_request'],
  ['an id that is no id', call({ ...one, id: { bad: 'type' } }), -32600, null, 'invalid_request'],
  ['no id', call({ ...one, id: undefined }), -32600, null, 'invalid_request'],
  ['an answer', call({ jsonrpc: '2.0', id: 7, result: {} }), -32600, null, 'invalid_request'],
  ['parameters in a list', call({ ...one, params: ['x'] }), -32602, 7, 'invalid_request'],
  ['parameters that nest too deep', deep, -32600, null, 'invalid_request'],
  ['ten megabytes', long, -32600, null, 'payload_too_large'],
  ['a name of every object', call({ ...one, method: 'constructor' }), -32601, 7, 'not_found'],
  ['an unknown method', call({ ...one, method: 'tasks/sned' }), -32601, 7, 'not_found'],
];

const TABLES = ['messages', 'conversations', 'events', 'idempotency'];

async function countRows(): Promise<unknown> {
  const each = TABLES.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  return readStoredRows(t.service.world.settings.data_dir, `SELECT ${each.join(', ')}`);
}

describe.each(['/a2a/rpc', AT_AGENT, `${AT_AGENT}/`])('at %s', (path) => {
  test.each([...NO_CALLS])('%s is refused, and nothing is stored', async (_what, body, code, id, error) => {
    const before = await countRows();
    const answer = await callRpc(t, body, { path, key: ada.key });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id, error: { code, data: { error } } });
    expect(answer.headers.get('x-request-id')).toBe(answer.body.error.data.request_id);
    expect(await countRows()).toEqual(before);
  });

  test('a body that is not announced as JSON is refused', async () => {
    const answer = await callRpc(t, call(one), { path, key: ada.key, headers: { 'Content-Type': 'text/plain' } });
    expect(answer.body).toMatchObject({ id: null, error: { code: -32600, data: { error: 'invalid_content_type' } } });
  });
});

test('an unknown method is told which there are, in 1.0 by typed details', async () => {
  const old = await callRpc(t, { method: 'tasks/sned' });
  expect(old.body.error.data.supported).toEqual(METHOD_NAMES);
  for (const answer of [
    await callRpc(t, { method: 'SendMesage' }),
    await callRpc(t, { method: 'x' }, { version: '1.0' }),
  ]) {
    const [info] = answer.body.error.data;
    expect(info).toMatchObject({ '@type': expect.stringContaining('ErrorInfo'), reason: 'METHOD_NOT_FOUND' });
    expect(info.metadata.supported).toBe(METHOD_NAMES.join(','));
  }
});

test.each([
  ['', null],
  ['0.3', null],
  ['1.0', null],
  ['1.0.4', null],
  ['0.4', -32009],
  ['2.0', -32009],
  ['1', -32009],
  ['constructor', -32009],
])('A2A-Version %p is spoken or refused by its number', async (version, code) => {
  const { body } = await callRpc(t, { method: 'agent/ping', params: {} }, { version });
  expect(body.error.code).toBe(code ?? -32602);
});

test('a version may stand in the query too', async () => {
  const { body } = await callRpc(t, { method: 'initialize' }, { path: '/a2a/rpc?A2A-Version=0.9' });
  expect(body.error.code).toBe(-32009);
});

test.each([
  ['GET', '/a2a/rpc', 405],
  ['GET', AT_AGENT, 405],
  ['POST', `${AT_AGENT}/nothing`, 404],
  ['POST', `${AT_AGENT}/tasks/%FF`, 404],
  ['DELETE', `${AT_AGENT}/message:send`, 405],
])('%s %s is answered %d by HTTP', async (method, path, status) => {
  const answer = await t.call(method, path, { key: ada.key });
  expect(answer.status).toBe(status);
  expect(answer.headers.has('x-request-id')).toBe(true);
});

test.each([
  ['POST', 'message:send', { refusal: {}, error: null }, 400],
  ['POST', 'v1/message:send', { refusal: { fault: 'unauthorized', message: 'x', data: {} }, error: null }, 400],
  ['GET', 'tasks/x?refusal=x&error=y', undefined, 404],
  ['GET', 'tasks?refusal=x&error=y', undefined, 200],
  ['DELETE', 'tasks/x/pushNotificationConfigs/y?refusal=x&error=y', undefined, 404],
])(
  '%s %s with fields that are named like those of a refusal is read like any other',
  async (method, path, body, status) => {
    const before = await countRows();
    const answer = await t.call(method, `${AT_AGENT}/${path}`, { key: ada.key, body });
    expect(answer.status).toBe(status);
    expect(await countRows()).toEqual(before);
  },
);

test('initialize needs no credential, and a wrong one does not stand in its way', async () => {
  for (const key of [undefined, 'mesh_live_wrong']) {
    const { status, body } = await callRpc(t, { method: 'initialize' }, { key });
    expect([status, body.result.protocol_version, body.result.methods]).toEqual([200, '0.2.0', METHOD_NAMES]);
  }
});
