// A key pair never outgrows what registered it: its tokens have at most the scopes of that key, program or session, draw on its budget,
// and end with it; a renewal passes the pair on, and its person is told of it and finds it beside their keys.

import { describe, expect, test } from 'bun:test';
import { SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import {
  askToken,
  assertionOf,
  formWith,
  newSigner,
  registerSigner,
  type Signer,
  tokenOf,
} from '../support/assertion.ts';
import { sharedServiceReaching } from '../support/opened.ts';
import { connectProgram, signedInReader } from '../support/programs.ts';
import { startProvider } from '../support/provider.ts';
import { codeFor, type TestAnswer } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

const { t, server: p } = sharedServiceReaching(startProvider);
let names = 0;

function someone(): Promise<TestAgent> {
  names += 1;
  return newAgent(t, { handle: `paired_${names}`, verified: true });
}

async function keyOf({ email, handle }: TestAgent, body: object): Promise<{ id: string; key: string }> {
  const token = await signIn(t, email);
  const made = await t.call('POST', '/api/developer/keys', {
    token,
    body: { name: 'narrow', agent_handle: handle, ...body },
  });
  return { id: made.body.id, key: made.body.api_key };
}

const ask = async (handle: string, signer: Signer, more: Record<string, string> = {}): Promise<TestAnswer> =>
  askToken(t, formWith(await assertionOf(t, handle, signer), more));
const self = (token: string): Promise<TestAnswer> => t.call('GET', '/api/auth/key', { token });
const listed = async ({ email }: TestAgent): Promise<Record<string, unknown>[]> =>
  (await t.call('GET', '/api/developer/keys', { token: await signIn(t, email) })).body;

describe('a pair that a narrow key registered', () => {
  test('gives tokens with the scopes of that key and no more', async () => {
    const ada = await someone();
    const narrow = await keyOf(ada, { scopes: ['agents:write'], expires_in_days: 1 });
    const signer = await registerSigner(t, { key: narrow.key });
    const { body } = await ask(ada.handle, signer);
    expect(body.scope).toBe('agents:write');
    expect((await t.call('GET', '/api/conversations', { token: body.access_token })).body.error).toBe(
      'insufficient_scope',
    );
    expect((await ask(ada.handle, signer, { scope: 'conversations:read' })).body.error).toBe('invalid_scope');
  });

  test('cannot widen itself by its own token, and the same pair from a full key widens it', async () => {
    const ada = await someone();
    const narrow = await keyOf(ada, { scopes: ['agents:write'] });
    const signer = await registerSigner(t, { key: narrow.key });
    const token = await tokenOf(t, ada.handle, signer);
    const again = await t.call('POST', '/api/auth/keypair', { token, body: { public_key: signer.public_key } });
    expect(again.status).toBe(200);
    const next = await newSigner();
    const replaced = await t.call('POST', '/api/auth/keypair', { token, body: { public_key: next.public_key } });
    expect(replaced.status).toBe(200);
    expect((await ask(ada.handle, next)).body.scope).toBe('agents:write');
    await t.call('POST', '/api/auth/keypair', { key: ada.key, body: { public_key: next.public_key } });
    expect((await ask(ada.handle, next)).body.scope).toBe(SIGNUP_SCOPES.join(' '));
  });

  test('ends with it: when it is revoked or runs out, live tokens among it', async () => {
    const ada = await someone();
    const revoked = await keyOf(ada, { scopes: ['agents:write'] });
    const first = await registerSigner(t, { key: revoked.key });
    const token = await tokenOf(t, ada.handle, first);
    expect((await self(token)).status).toBe(200);
    await t.call('DELETE', `/api/developer/keys/${revoked.id}`, { token: await signIn(t, ada.email) });
    expect((await self(token)).status).toBe(401);
    expect((await ask(ada.handle, first)).body.error).toBe('invalid_client');
    const short = await keyOf(ada, { expires_in_days: 1 });
    const second = await registerSigner(t, { key: short.key });
    await t.advance(DAY_MS - 10 * MINUTE_MS);
    const { body } = await ask(ada.handle, second);
    expect(body.expires_in).toBe(600);
    await t.advance(10 * MINUTE_MS);
    expect((await self(body.access_token)).status).toBe(401);
    expect((await ask(ada.handle, second)).body.error).toBe('invalid_client');
  });

  test('draws on its budget', async () => {
    const [ada, seller] = [await someone(), await someone()];
    await fundWallet(t, ada.id, 100_000);
    const capability = 'paired.dear';
    const offered = await t.call('POST', '/api/router/providers', {
      key: seller.key,
      body: { capability, endpoint_url: p.url('serve', seller.handle), price_cents: 40 },
    });
    p.secrets.add(offered.body.signing_secret);
    const budget = { per_call_cents: 50, total_cents: 60 };
    const narrow = await keyOf(ada, { scopes: ['agents:write', 'router:call'], budget });
    const token = await tokenOf(t, ada.handle, await registerSigner(t, { key: narrow.key }));
    const call = () => t.call('POST', '/api/router/call', { token, body: { capability, payload: {} } });
    expect((await call()).body.status).toBe('charged');
    expect((await call()).body.error).toBe('spending_limit');
    const of = (await listed(ada)).filter(({ id, kind }) => id === narrow.id || kind === 'key_pair');
    expect(of.map(({ budget }) => budget)).toEqual(Array(2).fill(expect.objectContaining({ spent_total_cents: 40 })));
  });

  test('goes on under the key that renews it, and not under the one that was replaced', async () => {
    const ada = await someone();
    const narrow = await keyOf(ada, { scopes: ['agents:write'] });
    const signer = await registerSigner(t, { key: narrow.key });
    const lost = await t.call('POST', '/api/auth/key/renew', { key: narrow.key });
    const kept = await t.call('POST', '/api/auth/key/renew', { key: narrow.key });
    expect([lost.status, kept.status]).toEqual([200, 200]);
    await t.advance(2 * DAY_MS);
    expect((await ask(ada.handle, signer)).body.scope).toBe('agents:write');
    expect((await listed(ada)).filter(({ kind }) => kind === 'key_pair')).toHaveLength(1);
  });
});

describe('a pair that a program registered', () => {
  async function paired() {
    const ada = await someone();
    const reader = await signedInReader(t, ada.email);
    const chosen = { agent: ada.handle, days: '1' };
    const program = await connectProgram(t, reader, { asked: { scope: 'agents:write agents:read' }, chosen });
    const signer = await registerSigner(t, ada);
    const body = { public_key: signer.public_key };
    expect((await t.call('POST', '/api/auth/keypair', { token: program.access_token, body })).status).toBe(200);
    return { ada, program, signer };
  }

  test('has its scopes, and ends when it is thrown out', async () => {
    const { ada, program, signer } = await paired();
    const { body } = await ask(ada.handle, signer);
    expect(body.scope).toBe('agents:read agents:write');
    await t.call('DELETE', `/api/account/programs/${program.id}`, { token: await signIn(t, ada.email) });
    expect((await self(body.access_token)).status).toBe(401);
    expect((await ask(ada.handle, signer)).body.error).toBe('invalid_client');
  });

  test('ends with the days of the program, live tokens among it', async () => {
    const { ada, signer } = await paired();
    await t.advance(DAY_MS - 5 * MINUTE_MS);
    const { body } = await ask(ada.handle, signer);
    expect(body.expires_in).toBeLessThanOrEqual(300);
    await t.advance(5 * MINUTE_MS);
    expect((await self(body.access_token)).status).toBe(401);
    expect((await ask(ada.handle, signer)).body.error).toBe('invalid_client');
  });
});

test('a pair that a session registered has the scopes of a signup key and lasts until it is replaced', async () => {
  const ada = await someone();
  const token = await signIn(t, ada.email);
  const signer = await registerSigner(t, ada);
  const body = { public_key: signer.public_key };
  expect((await t.call('POST', '/api/auth/keypair', { token, agent: ada.handle, body })).status).toBe(200);
  await t.call('POST', '/api/auth/session/end', { token });
  await t.advance(200 * DAY_MS);
  expect((await ask(ada.handle, signer)).body.scope).toBe(SIGNUP_SCOPES.join(' '));
  expect((await listed(ada)).find(({ kind }) => kind === 'key_pair')).toMatchObject({ expires_at: null });
});

describe('scopes chosen for a pair', () => {
  const register = (asked: object, public_key: string, scopes?: string[]): Promise<TestAnswer> =>
    t.call('POST', '/api/auth/keypair', { ...asked, body: { public_key, scopes } });

  test('bound its tokens, live ones too, whether a session or a key registered it', async () => {
    const ada = await someone();
    const { public_key, ...signer } = await newSigner();
    const session = { token: await signIn(t, ada.email), agent: ada.handle };
    expect((await register(session, public_key, ['agents:read', 'agents:write'])).status).toBe(200);
    const wide = await ask(ada.handle, { public_key, ...signer });
    expect(wide.body.scope).toBe('agents:read agents:write');
    expect((await register(session, public_key, ['agents:read'])).status).toBe(200);
    expect((await ask(ada.handle, { public_key, ...signer })).body.scope).toBe('agents:read');
    expect((await self(wide.body.access_token)).body.scopes).toEqual(['agents:read']);
    const pair = (await listed(ada)).find(({ kind }) => kind === 'key_pair');
    expect(pair?.['scopes']).toEqual(['agents:read']);
    expect((await register({ key: ada.key }, public_key, ['messages:write'])).status).toBe(200);
    expect((await ask(ada.handle, { public_key, ...signer })).body.scope).toBe('messages:write');
  });

  test('are all of the credential again where the same credential registers the pair without any', async () => {
    const ada = await someone();
    const signer = await newSigner();
    await register({ key: ada.key }, signer.public_key, ['agents:read']);
    expect((await ask(ada.handle, signer)).body.scope).toBe('agents:read');
    expect((await register({ key: ada.key }, signer.public_key)).status).toBe(200);
    const { scope } = (await ask(ada.handle, signer)).body;
    expect(scope.split(' ')).toContain('messages:write');
  });

  test('cannot be more than the credential holds, and a pair does not outgrow them by its own token', async () => {
    const ada = await someone();
    const narrow = await keyOf(ada, { scopes: ['agents:read', 'agents:write'] });
    const signer = await newSigner();
    for (const scope of ['messages:write', 'payments:write', 'nothing']) {
      const { status, body } = await register({ key: narrow.key }, signer.public_key, ['agents:read', scope]);
      expect([status, body.error, body.fields?.[0]?.path]).toEqual([400, 'invalid_request', 'scopes.1']);
    }
    await register({ key: ada.key }, signer.public_key, ['agents:read', 'agents:write']);
    const { access_token: token } = (await ask(ada.handle, signer)).body;
    const next = await newSigner();
    expect((await register({ token }, next.public_key, ['messages:write'])).status).toBe(400);
    expect((await register({ token }, next.public_key)).status).toBe(200);
    expect((await ask(ada.handle, next)).body.scope).toBe('agents:read agents:write');
  });

  test('of a token with fewer scopes than its pair are all that the next pair gets', async () => {
    const ada = await someone();
    const signer = await registerSigner(t, ada);
    const { access_token: token } = (await ask(ada.handle, signer, { scope: 'agents:write' })).body;
    const next = await newSigner();
    expect((await register({ token }, next.public_key)).status).toBe(200);
    expect((await ask(ada.handle, next)).body.scope).toBe('agents:write');
  });

  test('stay when the key that registered the pair is renewed', async () => {
    const ada = await someone();
    const signer = await newSigner();
    await register({ key: ada.key }, signer.public_key, ['agents:read']);
    expect((await t.call('POST', '/api/auth/key/renew', { key: ada.key })).status).toBe(200);
    expect((await ask(ada.handle, signer)).body.scope).toBe('agents:read');
  });
});

test('its person gets a letter at once, finds the pair among the keys, and ends it there', async () => {
  const ada = await someone();
  const sent = t.mails.length;
  const signer = await registerSigner(t, ada);
  await registerSigner(t, ada);
  const [letter, next] = t.mails.slice(sent);
  expect([letter?.to, next?.to, letter?.subject]).toEqual([ada.email, ada.email, expect.stringContaining('key pair')]);
  expect(letter?.text).toContain(`@${ada.handle}`);
  await t.call('POST', '/api/auth/keypair', { key: ada.key, body: { public_key: signer.public_key } });
  const token = await tokenOf(t, ada.handle, signer);
  const { body: agent } = await t.call('GET', `/api/agents/${ada.handle}`, { key: ada.key });
  const pair = (await listed(ada)).find(({ kind }) => kind === 'key_pair');
  expect(pair).toMatchObject({ agent_handle: ada.handle, prefix: agent.public_key_fingerprint.slice(0, 12) });
  const page = await t.call('GET', '/api/developer/keys?limit=1', { token: await signIn(t, ada.email) });
  expect(page.body[0].id).toBe(pair?.['id']);
  const cursor = page.headers.get('x-next-cursor');
  const rest = await t.call('GET', `/api/developer/keys?cursor=${cursor}`, { token: await signIn(t, ada.email) });
  expect(rest.body.map(({ kind }: { kind: string }) => kind)).toEqual(['signup']);
  const ended = await t.call('DELETE', `/api/developer/keys/${pair?.['id']}`, { token: await signIn(t, ada.email) });
  expect(ended.body).toEqual({ id: pair?.['id'], revoked: true });
  expect((await self(token)).status).toBe(401);
  expect((await t.call('GET', `/api/agents/${ada.handle}`, { key: ada.key })).body.public_key_fingerprint).toBeNull();
});

test('revoke-all ends the pair and its live tokens, whatever registered it', async () => {
  for (const by of ['key', 'session']) {
    const ada = await someone();
    const session = await signIn(t, ada.email);
    const signer = await registerSigner(t, ada);
    const body = { public_key: signer.public_key };
    if (by === 'session') await t.call('POST', '/api/auth/keypair', { token: session, agent: ada.handle, body });
    const token = await tokenOf(t, ada.handle, signer);
    await t.call('POST', '/api/account/revoke-all', { token: session });
    expect([by, (await self(token)).status]).toEqual([by, 401]);
    expect((await ask(ada.handle, signer)).body.error).toBe('invalid_client');
  }
});

test('a person who claims a provisional agent ends the pair of whoever installed it', async () => {
  const install_id = 'installed'.padEnd(32, 'A');
  const { body: made } = await t.call('POST', '/api/auth/provision', { body: { install_id, client_name: 'Helper' } });
  const signer = await registerSigner(t, { key: made.api_key });
  const token = await tokenOf(t, made.handle, signer);
  const email = 'claims@example.org';
  await t.call('POST', '/api/auth/provision/claim', { key: made.api_key, body: { email } });
  const body = { email, code: codeFor(t, email) };
  await t.call('POST', '/api/auth/provision/claim/verify', { key: made.api_key, body });
  expect((await self(token)).status).toBe(401);
  expect((await ask(made.handle, signer)).body.error).toBe('invalid_client');
});
