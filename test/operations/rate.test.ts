// Request rates and code-sending limits, on the virtual clock: the published numbers, exactly.

import { expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { makePro, signIn } from '../support/agents.ts';
import { often } from '../support/nightly.ts';
import { freshService } from '../support/opened.ts';
import { onPostgres } from '../support/postgres.ts';
import { openTestService, signUp, type TestAnswer } from '../support/testbed.ts';

const t = freshService({ rate_limits: true });

async function statuses(calls: number, one: () => Promise<TestAnswer>): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n < calls; n++) seen.push((await one()).status);
  return seen;
}

const allOk = (seen: readonly number[]): boolean => seen.every((status) => status === 200);
const start = (email: string, ip?: string, purpose = 'signup'): Promise<TestAnswer> =>
  t.call('POST', `/api/auth/${purpose}/start`, { body: { email }, ip });

function expectLimited(answer: TestAnswer): void {
  expect(answer.status).toBe(429);
  expect(answer.body.error).toBe('rate_limited');
  expect(answer.body.retry_after_seconds).toBeGreaterThan(0);
  const { retry_after_seconds: wait, limit, window_seconds: window } = answer.body;
  expect(answer.headers.get('retry-after')).toBe(String(wait));
  const name = `"${limit}-in-${window}s"`;
  expect(answer.headers.get('ratelimit-policy')).toBe(`${name};q=${limit};w=${window}`);
  expect(answer.headers.get('ratelimit')).toBe(`${name};r=0;t=${wait}`);
}

const quotaOf = ({ body }: TestAnswer): [number, number] => [body.limit, body.window_seconds];
const hasQuotaHeader = ({ headers }: TestAnswer): boolean =>
  headers.has('ratelimit') || headers.has('ratelimit-policy');

test('a free account’s programs have 60 requests a minute, however many keys they bring', async () => {
  const key = await signUp(t, 'free@example.org');
  const token = await signIn(t, 'free@example.org');
  const made = await t.call('POST', '/api/developer/keys', { token, body: { name: 'second' } });
  await t.advance(MINUTE_MS);
  const limits = (by: { key?: string; token?: string }) => () => t.call('GET', '/api/billing/limits', by);
  expect(allOk(await statuses(40, limits({ key })))).toBe(true);
  expect(allOk(await statuses(19, limits({ key: made.body.api_key })))).toBe(true);
  // A successful answer says nothing of the quota, not even the last one of it.
  const last = await limits({ key })();
  expect([last.status, hasQuotaHeader(last)]).toEqual([200, false]);
  const refused = await limits({ key: made.body.api_key })();
  expectLimited(refused);
  expect(quotaOf(refused)).toEqual([60, 60]);
  await t.advance(refused.body.retry_after_seconds * 1000);
  expect((await limits({ key })()).status).toBe(200);
});

test('a person who is signed in has 600 requests a minute apart from their programs, however many sessions they bring', async () => {
  const key = await signUp(t, 'free@example.org');
  const [token, other] = [await signIn(t, 'free@example.org'), await signIn(t, 'free@example.org')];
  await t.advance(MINUTE_MS);
  const limits = (by: { key?: string; token?: string }) => () => t.call('GET', '/api/billing/limits', by);
  expect(allOk(await statuses(60, limits({ key })))).toBe(true);
  expect(allOk(await statuses(400, limits({ token })))).toBe(true);
  expect(allOk(await statuses(200, limits({ token: other })))).toBe(true);
  const refused = await limits({ token })();
  expectLimited(refused);
  expect(quotaOf(refused)).toEqual([600, 60]);
  expectLimited(await limits({ key })());
});

test('one account’s flood takes nothing from another, nor from those without a credential', async () => {
  const key = await signUp(t, 'loud@example.org');
  const quiet = await signUp(t, 'quiet@example.org');
  await t.advance(MINUTE_MS);
  await statuses(61, () => t.call('GET', '/api/billing/limits', { key }));
  expect((await t.call('GET', '/api/billing/limits', { key: quiet })).status).toBe(200);
  expect((await t.call('GET', '/api/billing/plans')).status).toBe(200);
});

// The same counter as that of Free above, which both stores are held to.
if (!onPostgres || often(0, 1) === 1) {
  test('a Pro account has 6,000 requests a minute', async () => {
    const key = await signUp(t, 'pro@example.org');
    await makePro(t, 'pro@example.org');
    await t.advance(MINUTE_MS);
    const seen = await statuses(6000, () => t.call('GET', '/api/billing/limits', { key }));
    expect(allOk(seen)).toBe(true);
    expectLimited(await t.call('GET', '/api/billing/limits', { key }));
  }, 600_000);
}

test('each address without a credential has 60 a minute, wrong credentials counted in', async () => {
  const plans = (ip: string) => () => t.call('GET', '/api/billing/plans', { ip });
  const wrong = (ip: string) => () => t.call('GET', '/api/billing/limits', { ip, key: 'mesh_live_wrong' });
  expect(allOk(await statuses(30, plans('192.0.2.1')))).toBe(true);
  expect(await statuses(30, wrong('192.0.2.1'))).toEqual(Array.from({ length: 30 }, () => 401));
  expectLimited(await plans('192.0.2.1')());
  expectLimited(await wrong('192.0.2.1')());
  expect((await plans('192.0.2.2')()).status).toBe(200);
  await t.advance(MINUTE_MS);
  expect((await plans('192.0.2.1')()).status).toBe(200);
});

test('the platform’s own calls are never held up', async () => {
  const headers = { 'X-Internal-Token': t.internal_token };
  const seen = await statuses(100, () => t.call('GET', '/internal/outbox?to=x@example.org', { headers }));
  expect(allOk(seen)).toBe(true);
});

test('an address is sent five codes an hour, whatever they are for', async () => {
  const purposes = ['signup', 'login', 'session', 'signup', 'login'];
  for (const purpose of purposes) expect((await start('often@example.org', undefined, purpose)).status).toBe(200);
  const refused = await start('often@example.org');
  expectLimited(refused);
  expect(quotaOf(refused)).toEqual([5, 3600]);
  expect(t.mails).toHaveLength(5);
  await t.advance(refused.body.retry_after_seconds * 1000);
  expect((await start('often@example.org')).status).toBe(200);
});

test('a client is served 20 codes an hour, a network 60, a mail domain 50', async () => {
  let n = 0;
  const fresh =
    (ip: string, domain = `d${n}.example`) =>
    () => {
      n += 1;
      return start(`user${n}@${domain}`, ip);
    };
  for (const last of [1, 2, 3]) {
    const seen: number[] = [];
    for (let i = 0; i < 20; i++) seen.push((await fresh(`192.0.2.${last}`, `d${n}.example`)()).status);
    expect(allOk(seen)).toBe(true);
    await t.advance(MINUTE_MS);
    if (last === 1) expectLimited(await fresh('192.0.2.1')());
  }
  expectLimited(await fresh('192.0.2.4')());
  for (const net of [1, 2, 3]) {
    const calls = net === 3 ? 10 : 20;
    expect(allOk(await statuses(calls, fresh(`198.51.${net}.1`, 'crowd.example')))).toBe(true);
  }
  // Beyond what a domain gets the answer stays, and nothing is sent.
  const sent = t.mails.length;
  expect((await fresh('198.51.4.1', 'crowd.example')()).status).toBe(200);
  expect(t.mails).toHaveLength(sent);
  await t.advance(HOUR_MS);
  expect((await fresh('198.51.4.1', 'crowd.example')()).status).toBe(200);
});

test('a refused sending leaves the code that was sent before it in force', async () => {
  const email = 'inforce@example.org';
  for (let i = 0; i < 5; i++) await start(email);
  const code = t.mails.at(-1)?.text.match(/^(\d{6})$/m)?.[1];
  expectLimited(await start(email));
  expect((await t.call('POST', '/api/auth/signup/verify', { body: { email, code } })).status).toBe(200);
});

test('with the limits off, the five tries still hold', async () => {
  const open = await openTestService();
  const email = 'tries@example.org';
  for (let i = 0; i < 30; i++) {
    expect((await open.call('POST', '/api/auth/signup/start', { body: { email } })).status).toBe(200);
  }
  const right = open.mails.at(-1)?.text.match(/^(\d{6})$/m)?.[1] ?? '';
  const wrong = right === '123456' ? '654321' : '123456';
  const verify = (code: string) => open.call('POST', '/api/auth/signup/verify', { body: { email, code } });
  expect(await statuses(5, () => verify(wrong))).toEqual([400, 400, 400, 400, 400]);
  const burnt = await verify(right);
  expect(burnt.status).toBe(429);
  expect(burnt.headers.get('retry-after')).toBe(String(burnt.body.retry_after_seconds));
  expect(burnt.headers.get('ratelimit')).toBe('"5-in-600s";r=0;t=1');
  await open.close();
});
