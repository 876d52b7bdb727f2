// The platform's own routes, and the plans: reached by the internal token alone, and never from a page in a browser.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { sharedService } from '../support/opened.ts';
import { openTestService, type TestAnswer } from '../support/testbed.ts';

const t = sharedService({}, 'files');

function platform(method: string, path: string, body?: unknown, service = t): Promise<TestAnswer> {
  return service.call(method, path, { body, headers: { 'X-Internal-Token': service.internal_token } });
}

test('the outbox shows a letter as soon as the request that sent it is answered, newest first', async () => {
  for (const purpose of ['signup', 'login']) {
    await t.call('POST', `/api/auth/${purpose}/start`, { body: { email: 'box@example.org' } });
    await t.advance(1_000);
  }
  await t.call('POST', '/api/auth/login/start', { body: { email: 'else@example.org' } });
  const { status, body } = await platform('GET', '/internal/outbox?to=Box@Example.org');
  expect(status).toBe(200);
  expect(body.map((mail: { subject: string }) => mail.subject)).toEqual([
    'Your login code for Meshwork',
    'Your sign-up code for Meshwork',
  ]);
  expect(body[0].text).toMatch(/^\d{6}$/m);
  expect(body[0]).toMatchObject({ kind: 'mail', to: 'box@example.org' });
});

test('without the token, with a wrong one, or from a browser, every route is 401', async () => {
  const headers: Record<string, string>[] = [
    {},
    { 'X-Internal-Token': 'wrong' },
    { 'X-Internal-Token': t.internal_token, Origin: 'http://localhost' },
  ];
  const routes = [
    ['GET', '/internal/outbox?to=x@example.org'],
    ['POST', '/internal/clock'],
    ['POST', '/internal/admin/create'],
    ['POST', '/internal/admin/set-plan'],
  ] as const;
  for (const [method, path] of routes) {
    for (const sent of headers) expect((await t.call(method, path, { headers: sent })).status).toBe(401);
  }
});

test('where mail and text messages really leave, there is no outbox; without TEST_CLOCK there is no clock', async () => {
  const real = await openTestService({ outbox: false, text_outbox: false, test_clock: false });
  expect((await platform('GET', '/internal/outbox?to=x@example.org', undefined, real)).status).toBe(404);
  expect((await platform('POST', '/internal/clock', { advance_seconds: 1 }, real)).status).toBe(404);
  await real.close();
  // A number that is not texted is looked up there, whatever becomes of letters.
  const texts = await openTestService({ outbox: false });
  expect((await platform('GET', '/internal/outbox?to=%2B15550177001', undefined, texts)).status).toBe(200);
  await texts.close();
});

test('the clock moves forward by so many seconds and never back', async () => {
  const before = t.clock.now();
  const { body } = await platform('POST', '/internal/clock', { advance_seconds: 3600 });
  expect(Date.parse(body.now)).toBe(before + HOUR_MS);
  expect(t.clock.now()).toBe(before + HOUR_MS);
  expect((await platform('POST', '/internal/clock', { advance_seconds: -1 })).status).toBe(400);
  expect((await platform('POST', '/internal/clock', {})).status).toBe(400);
});

test('an account is made once, and its plan is changed at once', async () => {
  const made = await platform('POST', '/internal/admin/create', { email: 'Boss@Example.org' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ email: 'boss@example.org', plan: 'free' });
  expect((await platform('POST', '/internal/admin/create', { email: 'boss@example.org' })).status).toBe(409);
  const changed = await platform('POST', '/internal/admin/set-plan', { email: 'boss@example.org', plan: 'pro' });
  expect(changed.body).toMatchObject({ id: made.body.id, plan: 'pro' });
  expect((await platform('POST', '/internal/admin/set-plan', { email: 'x@example.org', plan: 'pro' })).status).toBe(
    404,
  );
  expect((await platform('POST', '/internal/admin/set-plan', { email: 'boss@example.org', plan: 'gold' })).status).toBe(
    400,
  );
});
