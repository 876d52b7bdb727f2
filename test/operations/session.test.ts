// Sessions: signing in makes the account, refreshing rotates the cookie, a stolen cookie ends the session for both.

import { expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import { codeFor, openTestService, signUp, type TestAnswer } from '../support/testbed.ts';

const t = sharedService();

async function open(email: string, service = t): Promise<TestAnswer> {
  await service.call('POST', '/api/auth/session/start', { body: { email } });
  return service.call('POST', '/api/auth/session/verify', { body: { email, code: codeFor(service, email) } });
}

const setCookie = (answer: TestAnswer): string => answer.headers.get('set-cookie') ?? '';
const cookieOf = (answer: TestAnswer): string => setCookie(answer).split(';')[0] ?? '';
const refresh = (cookie: string): Promise<TestAnswer> =>
  t.call('POST', '/api/auth/session/refresh', { headers: { cookie } });
const works = async (token: string): Promise<boolean> =>
  (await t.call('GET', '/api/developer/keys', { token })).status === 200;

test('signing in makes the account once and answers a bearer token of 15 minutes', async () => {
  const answer = await open('Grace@example.org');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
  expect(answer.body.account).toMatchObject({ email: 'grace@example.org', plan: 'free' });
  expect((await open('grace@example.org')).body.account.id).toBe(answer.body.account.id);
  expect(await works(answer.body.access_token)).toBe(true);
  await t.advance(15 * MINUTE_MS);
  expect(await works(answer.body.access_token)).toBe(false);
});

test('an account that signed up by key is the one that signs in', async () => {
  const key = await signUp(t, 'same@example.org');
  const { body } = await open('same@example.org');
  const both = await t.call('GET', '/api/billing/limits', { key, token: body.access_token });
  expect(both.status).toBe(200);
  const other = (await open('other@example.org')).body.access_token;
  const conflicting = await t.call('GET', '/api/billing/limits', { key, token: other });
  expect(conflicting.body.error).toBe('conflicting_credentials');
});

test('the refresh cookie is out of reach of scripts, other sites and other paths', async () => {
  const cookie = setCookie(await open('cookie@example.org'));
  expect(cookie).toContain('Path=/api/auth/session;');
  expect(cookie).toContain('HttpOnly');
  expect(cookie).toContain('SameSite=Strict');
  expect(cookie).toContain(`Max-Age=${30 * 86_400}`);
  expect(cookie).not.toContain('Secure');
  const secure = await openTestService({ base_url: 'https://meshwork.example' });
  expect(setCookie(await open('cookie@example.org', secure))).toContain('; Secure');
  await secure.close();
});

test('a refresh rotates the cookie; a cookie that was replaced a while ago ends the session for whoever holds it', async () => {
  const first = cookieOf(await open('rotate@example.org'));
  const second = await refresh(first);
  expect(second.status).toBe(200);
  expect(cookieOf(second)).not.toBe(first);
  expect(await works(second.body.access_token)).toBe(true);
  const third = await refresh(cookieOf(second));
  expect(third.status).toBe(200);
  await t.advance(30_000);
  expect((await refresh(first)).status).toBe(401);
  expect((await refresh(cookieOf(third))).status).toBe(401);
  expect(await works(third.body.access_token)).toBe(false);
});

test('two tabs that refresh at once get the same cookie, and both stay signed in', async () => {
  const first = cookieOf(await open('tabs@example.org'));
  const tabs = await Promise.all(Array.from({ length: 4 }, () => refresh(first)));
  expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(tabs.map(cookieOf)).size).toBe(1);
  for (const { body } of tabs) expect(await works(body.access_token)).toBe(true);
  expect((await refresh(cookieOf(tabs[0] as TestAnswer))).status).toBe(200);
});

test('whose answer was lost gets it again for 30 seconds, or the cookie that has replaced it since', async () => {
  const first = cookieOf(await open('lost@example.org'));
  const lost = await refresh(first);
  await t.advance(10_000);
  expect(cookieOf(await refresh(first))).toBe(cookieOf(lost));
  const next = await refresh(cookieOf(lost));
  await t.advance(19_999);
  expect(cookieOf(await refresh(first))).toBe(cookieOf(next));
  expect(cookieOf(await refresh(cookieOf(lost)))).toBe(cookieOf(next));
  expect(await works(next.body.access_token)).toBe(true);
  await t.advance(1);
  expect((await refresh(first)).status).toBe(401);
  expect(await works(next.body.access_token)).toBe(false);
});

test('a late answer to the first of two refreshes keeps the tabs signed in', async () => {
  let jar = cookieOf(await open('late@example.org'));
  const first = jar;
  for (let i = 0; i < 2; i++) jar = cookieOf(await refresh(jar));
  jar = cookieOf(await refresh(first));
  await t.advance(14 * MINUTE_MS);
  const later = await refresh(jar);
  expect(later.status).toBe(200);
  expect(await works(later.body.access_token)).toBe(true);
});

test('a replaced cookie from which too many refreshes lead to the current one is refused, and ends nothing', async () => {
  let jar = cookieOf(await open('many@example.org'));
  const first = jar;
  for (let i = 0; i < 64; i++) jar = cookieOf(await refresh(jar));
  expect(cookieOf(await refresh(first))).toBe(jar);
  jar = cookieOf(await refresh(jar));
  expect((await refresh(first)).status).toBe(401);
  expect((await refresh(jar)).status).toBe(200);
});

test('a replaced cookie signs out while it is answered, and no cookie is stored', async () => {
  const first = cookieOf(await open('stored@example.org'));
  const second = cookieOf(await refresh(first));
  const { data_dir } = t.service.world.settings;
  const rows = await Promise.all(
    ['sessions', 'codes'].map((name) => readStoredRows(data_dir, `select * from ${name}`)),
  );
  const stored = JSON.stringify(rows);
  for (const cookie of [first, second]) expect(stored).not.toContain(cookie.split('.')[1] ?? '');
  const ended = await t.call('POST', '/api/auth/session/end', { headers: { cookie: first } });
  expect(ended.body).toEqual({ ended: true });
  expect((await refresh(second)).status).toBe(401);
});

test('an expired access token in the header does not keep its session from refreshing', async () => {
  const opened = await open('tab@example.org');
  await t.advance(20 * MINUTE_MS);
  const headers = { cookie: cookieOf(opened) };
  const answer = await t.call('POST', '/api/auth/session/refresh', { headers, token: opened.body.access_token });
  expect(answer.status).toBe(200);
});

test('a session that nobody refreshes for 30 days is over', async () => {
  const kept = cookieOf(await open('kept@example.org'));
  await t.advance(29 * DAY_MS);
  const later = await refresh(kept);
  expect(later.status).toBe(200);
  await t.advance(29 * DAY_MS);
  const again = await refresh(cookieOf(later));
  expect(again.status).toBe(200);
  await t.advance(30 * DAY_MS);
  expect((await refresh(cookieOf(again))).status).toBe(401);
});

test('no cookie, or one that nobody was given, is 401', async () => {
  for (const cookie of [
    '',
    'meshwork_refresh=',
    'meshwork_refresh=x.y',
    `meshwork_refresh=${crypto.randomUUID()}.${'a'.repeat(43)}`,
  ]) {
    expect((await refresh(cookie)).status).toBe(401);
  }
});

test('signing out by token or by cookie ends the session at once and takes the cookie back', async () => {
  for (const by of ['token', 'cookie'] as const) {
    const opened = await open(`out-${by}@example.org`);
    const token = opened.body.access_token;
    expect(await works(token)).toBe(true);
    const how = by === 'token' ? { token } : { headers: { cookie: cookieOf(opened) } };
    const ended = await t.call('POST', '/api/auth/session/end', how);
    expect(ended.body).toEqual({ ended: true });
    expect(setCookie(ended)).toContain('Max-Age=0');
    expect(await works(token)).toBe(false);
    expect((await refresh(cookieOf(opened))).status).toBe(401);
    expect((await t.call('POST', '/api/auth/session/end', how)).body).toEqual({ ended: false });
  }
});

test('the public keys of tokens are readable from every origin and hold nothing private', async () => {
  const answer = await t.call('GET', '/.well-known/jwks.json', { headers: { origin: 'https://elsewhere.example' } });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.body.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' });
  expect(answer.body.keys[0]).not.toHaveProperty('d');
});

test('a key is no session: session-only routes refuse it and say so', async () => {
  const key = await signUp(t, 'key-only@example.org');
  const answer = await t.call('GET', '/api/developer/keys', { key });
  expect(answer.status).toBe(403);
  expect(answer.body.error).toBe('session_required');
});

test('signing out several times at once is answered 200 each time, and ends the session once', async () => {
  const token = (await open('leaving@example.org')).body.access_token;
  expect(await works(token)).toBe(true);
  const ends = await Promise.all(Array.from({ length: 5 }, () => t.call('POST', '/api/auth/session/end', { token })));
  expect(ends.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(ends.filter(({ body }) => body.ended)).toHaveLength(1);
  expect(await works(token)).toBe(false);
});
