// Credentials at the door for tools: they count to one rate with those at every other door, whatever is asked, and what ends, ends
// here too, at the very next message.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts';
import { newAgent, signIn } from '../../support/agents.ts';
import { registerSigner, tokenOf } from '../../support/assertion.ts';
import { post, type RpcAnswer, rpc } from '../../support/mcp.ts';
import { openTestService, type TestService } from '../../support/testbed.ts';

/** Of the free plan, and of an address without a credential. */
const PER_MINUTE = 60;

let t: TestService;
let limited: TestService;
beforeAll(async () => {
  t = await openTestService();
  limited = await openTestService({ rate_limits: true });
});
afterAll(() => Promise.all([t.close(), limited.close()]));

const whoami = (key: string, on = t): Promise<RpcAnswer> =>
  rpc(on, 'tools/call', { name: 'mesh_whoami', arguments: {} }, { key });
const byToken = (token: string): Promise<RpcAnswer> =>
  rpc(t, 'tools/call', { name: 'mesh_whoami', arguments: {} }, { headers: { Authorization: `Bearer ${token}` } });

test('each message counts once to the rate of its account, together with what comes by REST', async () => {
  const { key } = await newAgent(limited, { handle: 'counted' });
  await limited.advance(2 * MINUTE_MS);
  const asks: (() => Promise<{ status: number }>)[] = [
    () => whoami(key, limited),
    () => rpc(limited, 'ping', {}, { key }),
    () => rpc(limited, 'tools/list', {}, { key }),
    () => limited.call('GET', '/api/billing/limits', { key }),
    () => post(limited, '{"jsonrpc":"2.0","id":1,"method":"no/such"}', { key }),
    () => post(limited, 'no json', { key }),
  ];
  for (let n = 0; n < PER_MINUTE; n += 1) expect([n, (await asks[n % asks.length]?.())?.status]).not.toEqual([n, 429]);
  for (const ask of asks) expect((await ask()).status).toBe(429);
  const slow = await rpc(limited, 'ping', {}, { key });
  expect(slow.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(slow.body.error.data).toMatchObject({ error: 'rate_limited' });
  await limited.advance(MINUTE_MS);
  expect((await whoami(key, limited)).status).toBe(200);
});

test('whoever shows nothing, or nothing that counts, is counted by address', async () => {
  const headers = { 'x-test-ip': '203.0.113.7' };
  const ask = (more = {}): Promise<RpcAnswer> => rpc(limited, 'ping', {}, { headers: { ...headers, ...more } });
  for (let n = 0; n < PER_MINUTE; n += 1) {
    expect((await ask(n % 2 ? { Authorization: 'Bearer over.and.done' } : {})).status).toBe(401);
  }
  expect((await ask()).status).toBe(429);
  expect((await rpc(limited, 'ping', {}, { headers: { 'x-test-ip': '203.0.113.8' } })).status).toBe(401);
});

test('a key that is revoked, a token whose hour is over, and one whose key was replaced are refused at the next message', async () => {
  const agent = await newAgent(t, { handle: 'ending' });
  const signer = await registerSigner(t, agent);
  const token = await tokenOf(t, 'ending', signer, { resource: 'http://localhost/mcp' });
  const person = await signIn(t, agent.email);
  const made = await t.call('POST', '/api/developer/keys', { token: person, body: { name: 'one' } });
  expect([(await whoami(made.body.api_key)).status, (await byToken(token)).status]).toEqual([200, 200]);
  await t.call('DELETE', `/api/developer/keys/${made.body.id}`, { token: person });
  const refused = await whoami(made.body.api_key);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="meshwork", error="invalid_token", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
  ]);
  await t.advance(HOUR_MS - 1);
  expect((await byToken(token)).status).toBe(200);
  await t.advance(1);
  expect((await byToken(token)).status).toBe(401);
  const next = await tokenOf(t, 'ending', signer);
  expect((await byToken(next)).status).toBe(200);
  await registerSigner(t, agent);
  expect((await byToken(next)).status).toBe(401);
});

test('a token for another door is none here, and a call under it stores nothing', async () => {
  const agent = await newAgent(t, { handle: 'elsewhere' });
  const signer = await registerSigner(t, agent);
  const token = await tokenOf(t, 'elsewhere', signer, { resource: 'http://localhost/a2a/rpc' });
  expect((await byToken(token)).status).toBe(401);
  const ping = { name: 'mesh_test_inbox', arguments: {} };
  const headers = { Authorization: `Bearer ${token}` };
  expect((await rpc(t, 'tools/call', ping, { headers })).status).toBe(401);
  const { body } = await t.call('GET', '/api/inbox', { key: agent.key });
  expect(body.events.map(({ kind }: { kind: string }) => kind)).toEqual(['agent.updated']);
});
