// What programs write in the place of what they leave out is read as what they mean, at every door that takes their calls.
import { beforeAll, expect, test } from 'bun:test';
import { Type } from 'typebox';
import { tolerantInput } from '../../src/transports/tolerance.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';

const Shape = Type.Object({
  name: Type.String(),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  count: Type.Optional(Type.Integer()),
  labels: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  terms: Type.Optional(Type.Object({ firm: Type.Optional(Type.Boolean()), days: Type.Optional(Type.Integer()) })),
  kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
  free: Type.Optional(Type.Unknown()),
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['null where null is no value', { name: 'x', count: null, labels: null, terms: null, kind: null }, { name: 'x' }],
  ['null where it is one', { note: null, free: null }, { note: null, free: null }],
  ['null within', { terms: { firm: null, days: 3 } }, { terms: { days: 3 } }],
  ['JSON in a text', { labels: '["a"]', terms: '{"days":"4","firm":null}' }, { labels: ['a'], terms: { days: 4 } }],
  ['a number in a text', { count: '5000' }, { count: 5000 }],
  ['an empty text for a number', { count: '', terms: ' ' }, {}],
  ['texts, whatever they hold', { name: '[1]', note: '', kind: '1' }, { name: '[1]', note: '', kind: '1' }],
  ['texts that hold something else', { labels: 'a', count: '[1]' }, { labels: 'a', count: '[1]' }],
  ['a list that is too long', { labels: [null, '', 'x', 'y'] }, { labels: [null, '', 'x', 'y'] }],
  ['what is not known', { other: null }, { other: null }],
])('%s', (_what, given, meant) => {
  expect(tolerantInput(given, Shape)).toEqual(meant);
});

const t = sharedService();
let ada: TestAgent;
let bob: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true });
  bob = await newAgent(t, { handle: 'bob', verified: true });
});

const LISTING = { headline: 'Logo design', direction: 'offer', card_type: 'selling', labels: ['logo'], active: false };

test.each<[string, Record<string, unknown>]>([
  ['mesh_create_listing', { ...LISTING, description: null, conditions: null }],
  ['mesh_create_listing', { ...LISTING, labels: '["logo","art"]', price_cents: '5000' }],
  ['mesh_get_inbox', { limit: null, after: '' }],
  ['mesh_find_tools', { query: 'pay', limit: null }],
  ['mesh_call_tool', { name: 'mesh_get_inbox', arguments: '{"limit":"3"}' }],
  ['mesh_browse_demand', { request_id: null }],
])('%s takes %j', async (name, given) => {
  const { body } = await rpc(t, 'tools/call', { name, arguments: given }, { key: ada.key, revision: '2025-11-25' });
  expect(body).toMatchObject({ result: { structuredContent: {} } });
});

test.each([null, { cursor: null }, { cursor: '' }])('tools/list takes %j', async (params) => {
  for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
    const { body } = await t.call('POST', '/mcp', {
      key: ada.key,
      headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
    expect(body).toHaveProperty('result');
  }
});

const id = (): string => crypto.randomUUID();
const OPEN = { contextId: null, taskId: null, metadata: null };

test.each<[string, string, object, string]>([
  [
    'bob',
    'message/send',
    {
      message: {
        kind: 'message',
        messageId: id(),
        role: 'user',
        ...OPEN,
        parts: [{ kind: 'text', text: 'a', metadata: null }],
      },
      configuration: { blocking: false, historyLength: null, acceptedOutputModes: null, pushNotificationConfig: null },
    },
    '',
  ],
  [
    'bob',
    'SendMessage',
    {
      tenant: null,
      message: {
        messageId: id(),
        role: 'ROLE_USER',
        ...OPEN,
        parts: [{ text: 'b', raw: null, url: null, data: null }],
      },
      configuration: { returnImmediately: true, historyLength: '' },
    },
    '1.0',
  ],
  [
    '',
    'tasks/send',
    {
      id: id(),
      message: { role: 'user', metadata: null, parts: [{ type: 'text', text: 'c' }] },
      metadata: { target_handle: 'bob' },
    },
    '',
  ],
])('A2A: %s %s takes what is written out as null', async (target, method, params, version) => {
  const path = target ? `/a2a/agents/${bob.handle}/` : '/a2a/rpc';
  const { body } = await t.call('POST', path, {
    key: ada.key,
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: version ? { 'A2A-Version': version } : {},
  });
  expect(body).toHaveProperty('result');
});

test.each(['/mcp', '/mcp/sse', '/api/inbox/stream'])('HEAD %s answers at once and holds nothing', async (path) => {
  const held = async (): Promise<string | undefined> =>
    /^meshwork_open_streams.* (\d+)$/m.exec(await (await t.fetch(new Request('http://localhost/metrics'))).text())?.[1];
  const before = await held();
  for (let n = 0; n < 5; n++) {
    const headers = { 'X-API-Key': ada.key };
    const answer = await t.fetch(new Request(`http://localhost${path}`, { method: 'HEAD', headers }));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await answer.text()).toBe('');
  }
  expect(await held()).toBe(before);
});
