// What an agent's access token is worth: as much as a key bound to the agent with the same scopes, at the address that it is for,
// until its hour is over, its agent goes or another key takes the place of the one that asked for it.

import { describe, expect, test } from 'bun:test';
import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { apply, remove } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { accountById } from '../../db/queries/identity.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { parseSessionKeys } from '../../src/outbound/session/issuer.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { newSigner, registerSigner, type Signer, tokenOf } from '../support/assertion.ts';
import { sharedService } from '../support/opened.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { readStream } from '../support/sse.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import type { TestAnswer } from '../support/testbed.ts';

const BASE_URL = 'http://localhost';

const t = sharedService();
let names = 0;

/** An agent with a registered key. */
async function someone(on = t): Promise<TestAgent & { signer: Signer }> {
  const agent = await newAgent(on, { handle: `holder_${++names}` });
  return { ...agent, signer: await registerSigner(on, agent) };
}

const self = (token: string, on = t): Promise<TestAnswer> => on.call('GET', '/api/auth/key', { token });
const works = async (token: string, on = t): Promise<boolean> => (await self(token, on)).status === 200;
const kindsFor = async (how: { key?: string; token?: string }): Promise<string[]> =>
  (await t.call('GET', '/api/inbox', how)).body.events.map(({ kind }: { kind: string }) => kind);
const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('an access token', () => {
  test('is a key of its agent: it acts, says what it may, and is refused beyond its scopes', async () => {
    const { handle, signer } = await someone();
    const token = await tokenOf(t, handle, signer, { scope: 'agents:read agents:write' });
    expect((await self(token)).body).toEqual({
      handle,
      scopes: ['agents:read', 'agents:write'],
      expires_at: new Date(t.clock.now() + HOUR_MS).toISOString(),
      kind: 'access_token',
    });
    expect((await t.call('POST', '/api/inbox/test', { token })).status).toBe(201);
    expect(await kindsFor({ token })).toContain('test.ping');
    const beyond = await t.call('POST', '/api/matching/run', { token, body: {} });
    expect([beyond.status, beyond.body.error, beyond.body.required_scope]).toEqual([
      403,
      'insufficient_scope',
      'matching:run',
    ]);
  });

  test('is no session: what only a person may do is refused, and it cannot be renewed or signed out', async () => {
    const { handle, signer, key } = await someone();
    const token = await tokenOf(t, handle, signer);
    const keys = await t.call('GET', '/api/developer/keys', { token });
    expect([keys.status, keys.body.error]).toEqual([403, 'session_required']);
    const renewed = await t.call('POST', '/api/auth/key/renew', { token });
    expect([renewed.status, renewed.body.error]).toEqual([400, 'session_not_renewable']);
    expect((await t.call('POST', '/api/auth/session/end', { token })).body).toEqual({ ended: false });
    expect((await t.call('GET', '/api/inbox', { token, key })).status).toBe(200);
  });

  test('acts as its agent and as no other of the account', async () => {
    const { handle, signer, email, key } = await someone();
    const second = await t.call('POST', '/api/agents', { key, body: { handle: `${handle}_b`, display_name: 'B' } });
    expect(second.status).toBe(201);
    const token = await tokenOf(t, handle, signer);
    expect((await self(token)).body.handle).toBe(handle);
    expect((await t.call('POST', '/api/inbox/test', { token, agent: `${handle}_b` })).status).toBe(404);
    expect((await t.call('POST', '/api/inbox/test', { token, agent: handle })).status).toBe(201);
    expect(email).toContain(handle);
  });

  test('ends with its hour', async () => {
    const { handle, signer } = await someone();
    const token = await tokenOf(t, handle, signer);
    await t.advance(HOUR_MS - 1);
    expect(await works(token)).toBe(true);
    await t.advance(1);
    expect(await works(token)).toBe(false);
  });

  test('of a provisional agent reaches what its key reaches', async () => {
    const { key, agent } = await newProvisional(t, 'agent_holder');
    const token = await tokenOf(t, agent.handle, await registerSigner(t, { key }));
    expect((await t.call('GET', '/api/inbox', { token })).status).toBe(200);
    const barred = await t.call('POST', '/api/agents', { token, body: { handle: 'more', display_name: 'More' } });
    expect([barred.status, barred.body.error]).toEqual([403, 'provisional_account']);
  });

  test('for an address works there and below, and for the service everywhere', async () => {
    const { handle, signer } = await someone();
    const everywhere = await tokenOf(t, handle, signer, { resource: BASE_URL });
    expect(payloadOf(everywhere)['aud']).toBe(BASE_URL);
    expect(await works(everywhere)).toBe(true);
    for (const path of ['/mcp', '/a2a/rpc', `/a2a/agents/${handle}/`]) {
      const token = await tokenOf(t, handle, signer, { resource: `${BASE_URL}${path}` });
      expect(payloadOf(token)['aud']).toBe(`${BASE_URL}${path}`);
      const elsewhere = await self(token);
      expect([elsewhere.status, elsewhere.body.error]).toEqual([401, 'unauthorized']);
      const entering = (at: string | undefined) =>
        t.service.pipeline.enter({
          what: 'a test',
          request_id: '1',
          credential: { key: null, bearer: token, platform: null, refresh: null },
          origin: { ip: '192.0.2.1', browser: false, path: at },
        });
      const bare = path.replace(/\/$/, '');
      for (const at of [bare, `${bare}/`, `${bare}/below`]) expect(await entering(at)).toHaveProperty('principal');
      for (const at of ['/', `${bare}x`, '/api/agents', '/a2a', undefined]) {
        expect(await entering(at)).toMatchObject({ refusal: { fault: 'unauthorized' } });
      }
    }
  });
});

describe('it dies everywhere', () => {
  test('when another key takes the place of the one that asked for it', async () => {
    const { handle, signer, key } = await someone();
    const token = await tokenOf(t, handle, signer);
    expect(await works(token)).toBe(true);
    const next = await registerSigner(t, { key });
    expect(await works(token)).toBe(false);
    await expect(tokenOf(t, handle, signer)).rejects.toThrow('invalid_client');
    expect(await works(await tokenOf(t, handle, next))).toBe(true);
  });

  test('when its agent is put away, and lives on while only the profile changes', async () => {
    const { handle, signer, token: person } = await someone();
    const token = await tokenOf(t, handle, signer);
    for (const headline of ['one', 'two', 'three']) {
      const changed = await t.call('PATCH', `/api/agents/${handle}`, { token, body: { headline } });
      expect([changed.status, changed.body.headline]).toEqual([200, headline]);
    }
    expect((await t.call('DELETE', `/api/agents/${handle}`, { token: person })).status).toBe(200);
    expect(await works(token)).toBe(false);
  });

  test('when its account is gone', async () => {
    const { handle, signer, id } = await someone();
    const token = await tokenOf(t, handle, signer);
    expect(await works(token)).toBe(true);
    const { store } = t.service.world;
    await store.turn({
      attempt: async (read) => {
        const agent = await read(agentById, { id });
        const account = await read(accountById, { id: agent?.account_id ?? '' });
        return { reply: null, effects: account ? [remove('accounts', account)] : [] };
      },
    });
    expect(await works(token)).toBe(false);
  });

  test('also for a call that was let in a moment before, in its commit', async () => {
    const { handle, signer, id, key } = await someone();
    const token = await tokenOf(t, handle, signer);
    const { store } = t.service.world;
    const { public_key } = await newSigner();
    const { turn } = store;
    // The key is replaced when the caller is known and its turn not yet begun.
    let replaced = false;
    const spied = async (...given: Parameters<typeof turn>): ReturnType<typeof turn> => {
      if (!replaced && given[0].guards?.length) {
        replaced = true;
        const effect = apply('agents', id, () => ({ public_key, fingerprint: 'another' }));
        await turn.call(store, { attempt: async () => ({ reply: null, effects: [effect] }) });
      }
      return turn.call(store, ...given);
    };
    Object.assign(store, { turn: spied });
    const answer = await t.call('POST', '/api/inbox/test', { token });
    Object.assign(store, { turn });
    expect([replaced, answer.status, answer.body.error]).toEqual([true, 401, 'unauthorized']);
    expect(await kindsFor({ key })).not.toContain('test.ping');
  });

  test('and takes its streams along: with its hour, with its key, with its agent', async () => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: (request) => t.fetch(request) });
    const opened = async (token: string, path: string) =>
      readStream(`http://127.0.0.1:${server.port}${path}`, { Authorization: `Bearer ${token}` });
    const ends: ((agent: TestAgent) => Promise<unknown>)[] = [
      ({ key }) => registerSigner(t, { key }),
      ({ handle, token }) => t.call('DELETE', `/api/agents/${handle}`, { token }),
      () => t.advance(HOUR_MS),
    ];
    for (const end of ends) {
      const agent = await someone();
      const token = await tokenOf(t, agent.handle, agent.signer);
      const streams = [await opened(token, '/api/inbox/stream'), await opened(token, '/api/notifications/stream')];
      await t.call('PATCH', `/api/agents/${agent.handle}`, { token, body: { headline: 'still here' } });
      await t.call('POST', '/api/inbox/test', { token });
      for (const stream of streams) expect(await stream.take(1)).toHaveLength(1);
      await end(agent);
      await Promise.all(streams.map((stream) => stream.ended()));
    }
    await server.stop(true);
  });
});

const server = await sharedPostgres();

test.skipIf(server === null)(
  'a token that one node gave the other takes, until the key is replaced on either',
  async () => {
    if (!server) return;
    const [one, other] = await openTestNodes(server);
    const agent = await someone(one);
    const token = await tokenOf(one, agent.handle, agent.signer);
    expect([await works(token, one), await works(token, other)]).toEqual([true, true]);
    await registerSigner(other, agent);
    // What a node was told may be some seconds old; a change is refused in its commit at once.
    expect((await one.call('POST', '/api/inbox/test', { token })).status).toBe(401);
    one.clock.moveTo(one.clock.now() + 6_000);
    expect([await works(token, one), await works(token, other)]).toEqual([false, false]);
    await Promise.all([one.close(), other.close()]);
  },
);

describe('no other token passes for one', () => {
  test('neither one of a session that says it were an agent’s, nor the other way round', async () => {
    const { handle, signer, token: person } = await someone();
    const { data_dir } = t.service.world.settings;
    const [signing] = await parseSessionKeys(await Bun.file(`${data_dir}/session-key.json`).text());
    if (!signing) throw new Error('the service has no key');
    const session = payloadOf(person);
    const agent = payloadOf(await tokenOf(t, handle, signer));
    const forged = (claims: Record<string, unknown>, typ = 'at+jwt', kid = signing.kid): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ, kid }).sign(signing.privateKey);
    expect(await works(await forged(agent))).toBe(true);
    expect(await works(await forged(session))).toBe(true);
    const mixed: Record<string, Record<string, unknown>> = {
      'a session with a client': { ...session, client_id: handle },
      'a session with all of an agent': { ...session, ...agent },
      'an agent with a session': { ...agent, sid: session['sid'] },
      'an agent for others': { ...agent, aud: 'https://other.example.org' },
      'an agent for two': { ...agent, aud: [BASE_URL, `${BASE_URL}/mcp`] },
      'an agent of another issuer': { ...agent, iss: 'https://other.example.org' },
      'an agent without scope': { ...agent, scope: undefined },
      'an agent without key': { ...agent, fingerprint: undefined },
      'an agent without id': { ...agent, jti: undefined },
      'an agent without end': { ...agent, exp: undefined },
      nobody: { ...agent, sub: 'nobody' },
    };
    for (const [what, claims] of Object.entries(mixed)) {
      const fresh = 'jti' in claims && claims['jti'] === undefined ? {} : { jti: crypto.randomUUID() };
      expect([what, (await self(await forged({ ...claims, ...fresh }))).status]).toEqual([what, 401]);
    }
    expect(await works(await forged(agent, 'JWT'))).toBe(false);
    const own = createPrivateKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: signer.public_key, d: Buffer.from(signer.secret).toString('base64url') },
      format: 'jwk',
    });
    const bySelf = new SignJWT(agent).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signing.kid }).sign(own);
    expect(await works(await bySelf)).toBe(false);
  });
});

test('Pro counts for it as for its key: a scope of Pro is never in it, also where a key holds it', async () => {
  const { handle, signer } = await someone();
  await expect(tokenOf(t, handle, signer, { scope: 'export:read' })).rejects.toThrow('invalid_scope');
  const token = await tokenOf(t, handle, signer);
  expect((await self(token)).body.scopes).not.toContain('export:read');
});
