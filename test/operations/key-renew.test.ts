// Renewal of keys: identity and rights carry over, nobody is cut off, and a stolen old key is worth nothing once its
// successor is in use.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor, signUp, type TestAnswer } from '../support/testbed.ts';

const t = sharedService();

const renew = (key: string): Promise<TestAnswer> => t.call('POST', '/api/auth/key/renew', { key });
const works = async (key: string): Promise<boolean> =>
  (await t.call('GET', '/api/billing/limits', { key })).status === 200;

test('a renewed key carries its scopes on, and the old one works for 24 hours more', async () => {
  const old = await signUp(t, 'renew@example.org');
  const answer = await renew(old);
  expect(answer.status).toBe(200);
  expect(answer.body.scopes).toContain('deals:write');
  expect(Date.parse(answer.body.expires_at) - t.clock.now()).toBe(90 * 24 * HOUR_MS);
  expect(Date.parse(answer.body.previous_key_valid_until) - t.clock.now()).toBe(24 * HOUR_MS);
  expect(await works(answer.body.api_key)).toBe(true);
  await t.advance(24 * HOUR_MS - 1);
  expect(await works(old)).toBe(true);
  await t.advance(1);
  expect(await works(old)).toBe(false);
  expect((await renew(old)).status).toBe(401);
  expect(await works(answer.body.api_key)).toBe(true);
});

test('a lost answer is mended by renewing again: the unused successor dies and another is issued', async () => {
  const old = await signUp(t, 'lost@example.org');
  const first = (await renew(old)).body;
  await t.advance(HOUR_MS);
  const second = (await renew(old)).body;
  expect(second.previous_key_valid_until).toBe(first.previous_key_valid_until);
  expect(Date.parse(second.expires_at) - t.clock.now()).toBe(90 * 24 * HOUR_MS);
  expect(await works(first.api_key)).toBe(false);
  expect(await works(second.api_key)).toBe(true);
});

test('once the successor was used, its predecessor cannot renew', async () => {
  const old = await signUp(t, 'used@example.org');
  const next = (await renew(old)).body.api_key;
  expect(await works(next)).toBe(true);
  const refused = await renew(old);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('WWW-Authenticate')).toContain('Bearer');
  expect(await works(old)).toBe(true);
  expect((await renew(next)).status).toBe(200);
});

test('an old key lives no longer by being renewed near its end', async () => {
  const old = await signUp(t, 'short@example.org');
  await t.advance(90 * 24 * HOUR_MS - HOUR_MS);
  const answer = await renew(old);
  expect(Date.parse(answer.body.previous_key_valid_until) - t.clock.now()).toBe(HOUR_MS);
});

test('a session cannot be renewed as a key, and an unknown key is 401', async () => {
  const token = await signIn(t, 'person@example.org');
  const answer = await t.call('POST', '/api/auth/key/renew', { token });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toBe('session_not_renewable');
  expect((await renew('mesh_live_nonsense')).status).toBe(401);
  expect((await t.call('POST', '/api/auth/key/renew')).status).toBe(401);
});

test('a narrow key renews itself within the life that its owner gave it', async () => {
  const token = await signIn(t, 'narrow@example.org');
  const body = { name: 'reader', scopes: ['agents:read'], expires_in_days: 7 };
  const made = (await t.call('POST', '/api/developer/keys', { token, body })).body;
  const once = (await renew(made.api_key)).body;
  const twice = (await renew(made.api_key)).body;
  for (const renewed of [once, twice]) {
    expect(renewed.scopes).toEqual(['agents:read']);
    expect(Date.parse(renewed.expires_at) - t.clock.now()).toBe(7 * 24 * HOUR_MS);
  }
});

test('requests that meet a fresh key side by side all succeed, and so does one that races its renewal', async () => {
  const key = await signUp(t, 'race@example.org');
  const reads = Array.from({ length: 20 }, () => works(key));
  expect(await Promise.all(reads)).not.toContain(false);
  const writes = Array.from({ length: 10 }, (_, n) =>
    t.call('POST', '/api/auth/login/start', { key, body: { email: `race${n}@example.org` } }),
  );
  const [renewed, ...sent] = await Promise.all([renew(key), ...writes]);
  expect(renewed?.status).toBe(200);
  expect(sent.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(codeFor(t, 'race9@example.org')).toMatch(/^\d{6}$/);
});

test('twelve renewals of one key at once are all answered, and the last issued key works', async () => {
  const old = await signUp(t, 'hasty@example.org');
  expect(await works(old)).toBe(true);
  const answers = await Promise.all(Array.from({ length: 12 }, () => renew(old)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  const working = await Promise.all(answers.map(({ body }) => works(body.api_key)));
  expect(working.filter(Boolean)).toHaveLength(1);
});
