// Signing up: the code by mail, the key once, and what a guesser gets.
import { expect, test } from 'bun:test';
import { sharedService } from '../support/opened.ts';
import { codeFor, signUp } from '../support/testbed.ts';

const t = sharedService();

test('a mailed code buys an account and a key that is shown once', async () => {
  const key = await signUp(t, 'Ada@Example.org');
  expect(key).toMatch(/^mesh_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{7}$/);
});

test('a code works once', async () => {
  await t.call('POST', '/api/auth/signup/start', { body: { email: 'once@example.org' } });
  const body = { email: 'once@example.org', code: codeFor(t, 'once@example.org') };
  expect((await t.call('POST', '/api/auth/signup/verify', { body })).status).toBe(200);
  expect((await t.call('POST', '/api/auth/signup/verify', { body })).body.error).toBe('invalid_code');
});

test('five wrong tries burn a code, and the right one is refused after them', async () => {
  const email = 'guessed@example.org';
  await t.call('POST', '/api/auth/signup/start', { body: { email } });
  const code = codeFor(t, email);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let i = 0; i < 5; i++) {
    expect((await t.call('POST', '/api/auth/signup/verify', { body: { email, code: wrong } })).status).toBe(400);
  }
  const burnt = await t.call('POST', '/api/auth/signup/verify', { body: { email, code } });
  expect(burnt.status).toBe(429);
  expect(burnt.body.error).toBe('too_many_tries');
});

test('a code dies after ten minutes', async () => {
  const email = 'late@example.org';
  await t.call('POST', '/api/auth/signup/start', { body: { email } });
  const code = codeFor(t, email);
  await t.advance(600_000);
  expect((await t.call('POST', '/api/auth/signup/verify', { body: { email, code } })).body.error).toBe('invalid_code');
});
