// Keys that a person mints: as narrow as asked, spending only on the Pro plan, gone the moment they are revoked.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { makePro, newAgent, signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { signUp, type TestAnswer } from '../support/testbed.ts';

const t = sharedService();

const create = (token: string, body: unknown): Promise<TestAnswer> =>
  t.call('POST', '/api/developer/keys', { token, body });
const list = (token: string, query = ''): Promise<TestAnswer> =>
  t.call('GET', `/api/developer/keys${query}`, { token });
const limits = (key: string): Promise<TestAnswer> => t.call('GET', '/api/billing/limits', { key });

test('a key is shown once, holds what a signup key holds, and lives 90 days', async () => {
  const token = await signIn(t, 'dev@example.org');
  const made = await create(token, { name: 'ci' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ name: 'ci', agent_handle: null, last_used_at: null });
  expect(made.body.scopes).toContain('agents:write');
  expect(made.body.scopes).not.toContain('payments:write');
  expect(Date.parse(made.body.expires_at) - t.clock.now()).toBe(90 * DAY_MS);
  expect((await limits(made.body.api_key)).status).toBe(200);
  const { body } = await list(token);
  expect(body).toHaveLength(1);
  expect(body[0].prefix).toBe(made.body.api_key.slice(0, body[0].prefix.length));
  expect(JSON.stringify(body)).not.toContain(made.body.api_key.slice(20));
});

test('a narrow key reaches what its scopes say and is told which scope it lacks', async () => {
  const token = await signIn(t, 'narrow@example.org');
  const { api_key } = (await create(token, { name: 'poster', scopes: ['messages:write', 'messages:write'] })).body;
  const refused = await limits(api_key);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ error: 'insufficient_scope', required_scope: 'agents:read' });
});

test('an unknown scope is a 400 that names its place', async () => {
  const token = await signIn(t, 'typo@example.org');
  const answer = await create(token, { name: 'x', scopes: ['agents:read', 'agents:reed'] });
  expect(answer.status).toBe(400);
  expect(answer.body.fields[0].path).toBe('scopes.1');
  for (const body of [
    {},
    { name: '' },
    { name: 'x', scopes: [] },
    { name: 'x', expires_in_days: 0 },
    { name: 'x', expires_in_days: 91 },
  ]) {
    expect((await create(token, body)).status).toBe(400);
  }
});

test('scopes that spend or export need the Pro plan', async () => {
  const email = 'spender@example.org';
  const token = await signIn(t, email);
  const wanted = { name: 'till', scopes: ['payments:write', 'agents:read'] };
  const refused = await create(token, wanted);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ error: 'plan_limit', scopes: ['payments:write'] });
  await makePro(t, email);
  const made = await create(token, wanted);
  expect(made.status).toBe(201);
  expect(made.body.scopes.toSorted()).toEqual(['agents:read', 'payments:write']);
});

test('a key bound to an agent acts as no other of the account', async () => {
  const { token, email } = await newAgent(t, { handle: 'first_bot' });
  await newAgent(t, { handle: 'second_bot', email });
  const made = await create(token, { name: 'bound', agent_handle: '@Second_Bot' });
  expect(made.body.agent_handle).toBe('second_bot');
  const key = made.body.api_key;
  const challenge = (agent?: string) => t.call('GET', '/api/auth/challenge', { key, agent });
  expect((await challenge()).status).toBe(200);
  expect((await challenge('second_bot')).status).toBe(200);
  expect((await challenge('first_bot')).status).toBe(404);
  expect((await create(token, { name: 'x', agent_handle: 'nobody_here' })).status).toBe(404);
});

test('a key bound to an agent changes nothing that the other agents of the account share', async () => {
  const { token, email, key: whole } = await newAgent(t, { handle: 'wide_bot', verified: true });
  const narrow = await newAgent(t, { handle: 'narrow_bot', email });
  await newAgent(t, { handle: 'gone_bot', email });
  await t.call('DELETE', '/api/agents/gone_bot', { token });
  const key = (await create(token, { name: 'narrow', agent_handle: narrow.handle })).body.api_key;
  const settings = async () => (await t.call('GET', '/api/notifications/preferences', { token })).body;
  const set = (body: object, credential: object) =>
    t.call('PATCH', '/api/notifications/preferences', { ...credential, body });

  const before = await settings();
  for (const body of [{ email: 'none' }, { digest: 'daily' }, { mute: ['match.created'] }, {}]) {
    const refused = await set(body, { key });
    expect([refused.status, refused.body.error]).toEqual([403, 'not_reachable_with_key']);
  }
  expect(await settings()).toEqual(before);
  expect((await set({ email: 'important' }, { key: whole })).body.email).toBe('important');

  // The inbox of each agent is its own: marks of one leave the others' as they are.
  for (const agent of ['wide_bot', 'narrow_bot']) await t.call('POST', '/api/inbox/test', { token, agent });
  const handles = async (credential: object): Promise<string[]> => {
    const { body } = await t.call('GET', '/api/notifications', credential);
    return [...new Set<string>(body.map(({ handle }: { handle: string }) => handle))].sort();
  };
  const unread = async () => (await t.call('GET', '/api/notifications/unread', { token })).body.unread;
  expect(await handles({ key })).toEqual(['narrow_bot']);
  const all = await unread();
  const { marked } = (await t.call('POST', '/api/notifications/read-all', { key })).body;
  expect(marked).toBe(1);
  expect(await unread()).toBe(all - 1);
  const others = (await t.call('GET', '/api/notifications', { token })).body;
  const { id } = others.find(({ handle }: { handle: string }) => handle === 'wide_bot');
  expect((await t.call('POST', `/api/notifications/${id}/read`, { key })).status).toBe(404);

  const made = await t.call('POST', '/api/agents', { key, body: { handle: 'third_bot', display_name: 'Third' } });
  expect([made.status, made.body.error]).toEqual([403, 'not_reachable_with_key']);
  expect((await t.call('POST', '/api/agents/gone_bot/restore', { key })).status).toBe(404);
  expect((await t.call('DELETE', '/api/agents/wide_bot', { key })).status).toBe(404);
  await t.call('DELETE', '/api/agents/narrow_bot', { token });
  const status = await t.call('GET', '/api/onboarding/status', { key });
  expect(JSON.stringify(status.body)).not.toContain('wide_bot');
});

test('a revoked key dies at once, for reads too; another account cannot revoke it', async () => {
  const token = await signIn(t, 'revoker@example.org');
  const { id, api_key } = (await create(token, { name: 'leaked' })).body;
  expect((await limits(api_key)).status).toBe(200);
  const stranger = await signIn(t, 'stranger@example.org');
  expect((await t.call('DELETE', `/api/developer/keys/${id}`, { token: stranger })).status).toBe(404);
  expect((await limits(api_key)).status).toBe(200);
  expect((await t.call('DELETE', `/api/developer/keys/${id}`, { token })).body).toEqual({ id, revoked: true });
  expect((await limits(api_key)).status).toBe(401);
  expect((await t.call('POST', '/api/auth/key/renew', { key: api_key })).status).toBe(401);
  expect((await list(token)).body).toEqual([]);
  expect((await t.call('DELETE', `/api/developer/keys/${id}`, { token })).status).toBe(404);
});

test('the list tells the last use, before it is written down and after', async () => {
  const email = 'seen@example.org';
  const key = await signUp(t, email);
  await limits(key);
  await t.advance(60_000);
  await limits(key);
  const at = new Date(t.clock.now()).toISOString();
  expect((await list(await signIn(t, email))).body[0].last_used_at).toBe(at);
  await t.service.flush();
  await t.advance(5_000);
  expect((await list(await signIn(t, email))).body[0].last_used_at).toBe(at);
});

test('the list pages, newest first, and leaves out what has expired', async () => {
  const token = await signIn(t, 'many@example.org');
  for (const name of ['a', 'b', 'c']) await create(token, { name, expires_in_days: name === 'b' ? 1 : 90 });
  const first = await list(token, '?limit=2');
  expect(first.body.map((key: { name: string }) => key.name)).toEqual(['c', 'b']);
  const rest = await list(token, `?limit=2&cursor=${first.headers.get('x-next-cursor')}`);
  expect(rest.body.map((key: { name: string }) => key.name)).toEqual(['a']);
  expect(rest.headers.get('x-next-cursor')).toBeNull();
  await t.advance(DAY_MS);
  const later = await list(await signIn(t, 'many@example.org'));
  expect(later.body.map((key: { name: string }) => key.name)).toEqual(['c', 'a']);
});

test('a week before a key that is in use ends, its person is told once; of one that is idle or was renewed, nobody is', async () => {
  const email = 'forgetful@example.org';
  const token = await signIn(t, email);
  const made = async (name: string): Promise<string> =>
    (await create(token, { name, expires_in_days: 40 })).body.api_key;
  const [used, idle, renewed] = [await made('nightly build'), await made('shelf'), await made('tidy')];
  await t.advance(20 * DAY_MS);
  for (const key of [used, renewed]) expect((await limits(key)).status).toBe(200);
  expect((await t.call('POST', '/api/auth/key/renew', { key: renewed })).status).toBe(200);
  const told = (): string[] =>
    t.mails
      .filter(({ to, subject }) => to === email && subject === 'An API key ends in a week')
      .map(({ text }) => text);
  await t.advance(13 * DAY_MS - 1);
  expect(told()).toEqual([]);
  await t.advance(1);
  const [letter = ''] = told();
  expect(letter).toContain('nightly build');
  expect(letter).toContain(used.slice(0, 12));
  expect(letter).not.toContain(used);
  await t.advance(8 * DAY_MS);
  expect(told()).toHaveLength(1);
  expect((await limits(idle)).status).toBe(401);
});

test('the last requests of a key are told to it and to its person, and to nobody else', async () => {
  const token = await signIn(t, 'asks@example.org');
  const { api_key: key, id } = (await create(token, { name: 'asks', scopes: ['agents:read'] })).body;
  const { api_key: sister } = (await create(token, { name: 'sister' })).body;
  await limits(key);
  await t.call('POST', '/api/agents', { key, body: { handle: 'x' } });
  const of = (who: { key?: string; token?: string }, query = '') =>
    t.call('GET', `/api/auth/key/requests${query}`, who);
  const told = await of({ key });
  expect(told.body).toMatchObject([
    { method: 'POST', path: '/api/agents', operation: 'agent.create', status: 403 },
    { method: 'GET', path: '/api/billing/limits', operation: 'billing.limits', status: 200 },
  ]);
  expect((await of({ key })).body).toEqual(told.body);
  expect((await of({ token }, `?key_id=${id}&limit=1`)).body).toEqual(told.body.slice(0, 1));
  const stranger = await signIn(t, 'looks@example.org');
  for (const refused of [await of({ key: sister }, `?key_id=${id}`), await of({ token: stranger }, `?key_id=${id}`)]) {
    expect([refused.status, refused.body.error]).toEqual([404, 'not_found']);
  }
  expect((await of({ token })).status).toBe(400);
  await t.advance(DAY_MS);
  expect((await of({ key })).body).toEqual([]);
});
