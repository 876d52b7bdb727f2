// Logging in: a new key for an account that exists, and nothing that tells a stranger who has one.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor, signUp } from '../support/testbed.ts';

const t = sharedService();

const start = (email: string) => t.call('POST', '/api/auth/login/start', { body: { email } });
const verify = (email: string, code: string, more = {}) =>
  t.call('POST', '/api/auth/login/verify', { body: { email, code, ...more } });

test('a mailed code buys an existing account another key, and the first one goes on working', async () => {
  const first = await signUp(t, 'ada@example.org');
  expect((await start('Ada@example.org')).body).toEqual({ sent: true });
  const answer = await verify('ada@example.org', codeFor(t, 'ada@example.org'));
  expect(answer.status).toBe(200);
  expect(answer.body.scopes).toContain('messages:write');
  expect(answer.body.scopes).not.toContain('payments:write');
  expect(Date.parse(answer.body.expires_at) - t.clock.now()).toBe(90 * DAY_MS);
  for (const key of [first, answer.body.api_key]) {
    expect((await t.call('GET', '/api/billing/limits', { key })).status).toBe(200);
  }
});

test('a start answers and mails alike for an address without an account; only the right code learns of it', async () => {
  const email = 'stranger@example.org';
  expect((await start(email)).body).toEqual({ sent: true });
  const code = codeFor(t, email);
  const wrong = code === '000000' ? '000001' : '000000';
  expect((await verify(email, wrong)).body.error).toBe('invalid_code');
  const answer = await verify(email, code);
  expect(answer.status).toBe(404);
  expect(answer.body.error).toBe('not_found');
  expect((await verify(email, code)).body.error).toBe('invalid_code');
});

test('a code of one purpose is worth nothing for another', async () => {
  await signUp(t, 'cross@example.org');
  await t.call('POST', '/api/auth/session/start', { body: { email: 'cross@example.org' } });
  expect((await verify('cross@example.org', codeFor(t, 'cross@example.org'))).body.error).toBe('invalid_code');
});

test('an expired key does not stand in the way of the routes that replace it', async () => {
  const email = 'back@example.org';
  const key = await signUp(t, email);
  await t.advance(91 * DAY_MS);
  expect((await t.call('GET', '/api/billing/limits', { key })).status).toBe(401);
  expect((await t.call('POST', '/api/auth/login/start', { key, body: { email } })).status).toBe(200);
  const again = await t.call('POST', '/api/auth/login/verify', { key, body: { email, code: codeFor(t, email) } });
  expect((await t.call('GET', '/api/billing/limits', { key: again.body.api_key })).status).toBe(200);
});

test('the client name names the key', async () => {
  const email = 'named@example.org';
  await signUp(t, email);
  await start(email);
  await verify(email, codeFor(t, email), { client_name: 'my laptop' });
  await t.call('POST', '/api/auth/session/start', { body: { email } });
  const body = { email, code: codeFor(t, email) };
  const { access_token } = (await t.call('POST', '/api/auth/session/verify', { body })).body;
  const keys = (await t.call('GET', '/api/developer/keys', { token: access_token })).body;
  expect(keys.map((key: { name: string }) => key.name)).toEqual(['my laptop', 'signup']);
});
