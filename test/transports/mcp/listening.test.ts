// Clients that are told that an inbox has changed: by the stream of 2026-07-28, the standing one before it, and the older pair. None of
// them makes an agent present, none marks anything as read, and each ends with the key that opened it.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { patch } from '../../../db/effects.ts';
import { keyByHash } from '../../../db/queries/identity.ts';
import { sha256Hex } from '../../../src/outbound/hash.ts';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { rpc, STATELESS, statelessMeta } from '../../support/mcp.ts';
import { listenFor, type McpServer } from '../../support/mcp-server.ts';
import { type McpStream, openMcpStream } from '../../support/mcp-stream.ts';
import { freshService } from '../../support/opened.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const INBOX = 'mesh://inbox';

const t = freshService();
let server: McpServer;
let ada: TestAgent;
let bob: TestAgent;
beforeEach(async () => {
  server = listenFor(t);
  ada = await newAgent(t, { handle: 'ada' });
  bob = await newAgent(t, { handle: 'bob' });
});
afterEach(() => server.stop());

const post = (key: string, body: object, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', ...body }),
});

function listen(key: string, notifications: unknown): Promise<McpStream> {
  const params = { notifications, _meta: statelessMeta() };
  const headers = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': 'subscriptions/listen' };
  return openMcpStream(server.endpoint.href, post(key, { id: 'l1', method: 'subscriptions/listen', params }, headers));
}

const standing = (key: string, headers = {}): Promise<McpStream> =>
  openMcpStream(server.endpoint.href, { headers: { 'X-API-Key': key, ...headers } });

const event = (agent: TestAgent): Promise<unknown> => t.call('POST', '/api/inbox/test', { key: agent.key });

async function revoke({ key }: TestAgent): Promise<void> {
  const { store } = t.service.world;
  const row = await store.read(keyByHash, { hash: sha256Hex(key) });
  if (!row) throw new Error('the key has a row');
  const effects = [patch('api_keys', row, { revoked_at: t.clock.now() })];
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
}

test('a subscription is acknowledged first, then told of each change of its own inbox, until its key ends', async () => {
  const stream = await listen(ada.key, { resourceSubscriptions: [INBOX, 'mesh://listing/1'], toolsListChanged: true });
  const _meta = { [SUBSCRIPTION]: 'l1' };
  expect(await stream.next()).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta, notifications: { resourceSubscriptions: [INBOX] } },
  });
  await event(bob);
  await event(ada);
  expect(await stream.next()).toMatchObject({
    method: 'notifications/resources/updated',
    params: { _meta, uri: INBOX },
  });
  expect((await t.service.directory.presence(ada.id)).streaming).toBe(false);
  expect((await t.call('GET', '/api/inbox/recent', { key: ada.key })).body[0]).toMatchObject({ read: false });
  await revoke(ada);
  expect(await stream.next()).toEqual({ jsonrpc: '2.0', id: 'l1', result: { resultType: 'complete', _meta } });
  expect(await stream.nextEvent()).toBeNull();
});

test('who did not ask for the inbox is not told of it', async () => {
  const stream = await listen(ada.key, { promptsListChanged: true });
  expect(await stream.next()).toMatchObject({ params: { notifications: {} } });
  await event(ada);
  await revoke(ada);
  expect(await stream.next()).toMatchObject({ id: 'l1' });
});

test('a key that may not read the inbox hears nothing of it', async () => {
  const body = { name: 'narrow', scopes: ['listings:write'] };
  const { api_key } = (await t.call('POST', '/api/developer/keys', { token: ada.token, body })).body;
  const stream = await listen(api_key, { resourceSubscriptions: [INBOX] });
  await stream.next();
  await event(ada);
  await revoke({ ...ada, key: api_key });
  expect(await stream.next()).toMatchObject({ id: 'l1' });
});

test.each([[undefined], [7], [null], [['mesh://inbox']]])('%p is no filter', async (notifications) => {
  expect((await listen(ada.key, notifications)).body.error).toMatchObject({ code: -32602 });
});

const subscribe = (method: string) =>
  rpc(t, `resources/${method}`, { uri: INBOX }, { key: ada.key, revision: '2025-11-25' });

test('the standing stream tells of the inbox while it is subscribed to', async () => {
  const stream = await standing(ada.key);
  expect(stream.status).toBe(200);
  expect((await subscribe('subscribe')).body.result).toEqual({});
  await event(ada);
  expect(await stream.next()).toMatchObject({ method: 'notifications/resources/updated', params: { uri: INBOX } });
  expect((await t.service.directory.presence(ada.id)).streaming).toBe(false);
  expect((await subscribe('unsubscribe')).body.result).toEqual({});
  await event(ada);
  await revoke(ada);
  expect(await stream.nextEvent()).toBeNull();
});

test('the standing stream is silent for who subscribed to nothing', async () => {
  const stream = await standing(ada.key);
  await event(ada);
  await revoke(ada);
  expect(await stream.nextEvent()).toBeNull();
});

test('a subscription to what tells of no changes is refused', async () => {
  const to = (uri: string) => rpc(t, 'resources/subscribe', { uri }, { key: ada.key });
  const listing = await to('mesh://listing/018f2b1c-0000-7000-8000-000000000000');
  expect(listing.body.error).toMatchObject({ code: -32602 });
  expect((await to('mesh://nothing')).body.error).toMatchObject({ code: -32002 });
});

test('a stream takes a credential, and the revision without sessions has no standing one', async () => {
  expect((await standing('')).status).toBe(401);
  expect((await standing(ada.key, { 'MCP-Protocol-Version': STATELESS })).status).toBe(405);
  expect((await standing(ada.key, { Origin: 'https://evil.example' })).status).toBe(403);
});

/** Opens the older pair; answers the stream and where its messages go. */
async function openPair(key: string): Promise<{ stream: McpStream; messages: string }> {
  const stream = await openMcpStream(`${server.url}/mcp/sse`, { headers: { 'X-API-Key': key } });
  const first = await stream.nextEvent();
  expect(first?.event).toBe('endpoint');
  return { stream, messages: new URL(first?.data ?? '', `${server.url}/mcp/sse`).href };
}

test('the older pair answers on its stream, to its own caller alone, until its key ends', async () => {
  const { stream, messages } = await openPair(ada.key);
  const ping = { id: 1, method: 'ping' };
  expect((await fetch(messages, post(bob.key, ping))).status).toBe(404);
  expect((await fetch(`${messages}x`, post(ada.key, ping))).status).toBe(404);
  expect((await fetch(messages, post('', ping))).status).toBe(401);
  expect((await fetch(messages, post(ada.key, ping))).status).toBe(202);
  expect(await stream.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  expect((await fetch(messages, post(ada.key, { id: 2, method: 'no/such' }))).status).toBe(202);
  expect(await stream.next()).toMatchObject({ id: 2, error: { code: -32601 } });
  await fetch(messages, post(ada.key, { id: 3, method: 'resources/subscribe', params: { uri: INBOX } }));
  expect(await stream.next()).toMatchObject({ id: 3, result: {} });
  await event(ada);
  expect(await stream.next()).toMatchObject({ method: 'notifications/resources/updated' });
  expect((await t.service.directory.presence(ada.id)).streaming).toBe(false);
  await revoke(ada);
  expect(await stream.nextEvent()).toBeNull();
  expect((await fetch(messages, post(ada.key, ping))).status).toBe(401);
});

test('a caller has 16 pairs at most, and one more when one is closed', async () => {
  const open = await Promise.all(Array.from({ length: 16 }, () => openPair(ada.key)));
  const refused = await openMcpStream(`${server.url}/mcp/sse`, { headers: { 'X-API-Key': ada.key } });
  expect(refused.status).toBe(503);
  await openPair(bob.key);
  open[0]?.stream.leave();
  for (let status = 503; status === 503; ) {
    const again = await openMcpStream(`${server.url}/mcp/sse`, { headers: { 'X-API-Key': ada.key } });
    status = again.status;
  }
});
