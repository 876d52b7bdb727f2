// Reserving a handle: one address keeps it for a day, and nobody else gets it meanwhile.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { openTestService, signUp, type TestAnswer } from '../support/testbed.ts';

const t = sharedService();

const reserve = (handle: string, email: string, service = t, ip?: string): Promise<TestAnswer> =>
  service.call('POST', '/api/reserve-handle', { body: { handle, email }, ip });
const create = (key: string, handle: string): Promise<TestAnswer> =>
  t.call('POST', '/api/agents', { key, body: { handle, display_name: handle } });

test('a reserved handle waits for its address alone, for 24 hours', async () => {
  const answer = await reserve('@Wanted', 'owner@example.org');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    reserved: true,
    handle: 'wanted',
    expires_at: new Date(t.clock.now() + DAY_MS).toISOString(),
  });
  expect((await reserve('wanted', 'rival@example.org')).body.error).toBe('handle_taken');
  expect((await create(await signUp(t, 'rival@example.org'), 'wanted')).status).toBe(409);
  expect((await create(await signUp(t, 'owner@example.org'), 'wanted')).status).toBe(201);
  expect((await reserve('wanted', 'owner@example.org')).status).toBe(409);
});

test('asking again does not prolong it, and after a day it is free', async () => {
  const first = await reserve('again', 'a@example.org');
  await t.advance(DAY_MS / 2);
  expect((await reserve('again', 'A@example.org')).body.expires_at).toBe(first.body.expires_at);
  await t.advance(DAY_MS / 2);
  expect((await reserve('again', 'b@example.org')).status).toBe(200);
});

test('taken and forbidden names are 409, malformed ones 400', async () => {
  await newAgent(t, { handle: 'present' });
  for (const handle of ['present', 'admin', 'concierge'])
    expect((await reserve(handle, 'x@example.org')).status).toBe(409);
  for (const handle of ['ab', 'no spaces', 'ümlaut']) expect((await reserve(handle, 'x@example.org')).status).toBe(400);
  expect((await reserve('fine_name', 'not an address')).body.fields[0].path).toBe('email');
});

test('of many who reserve one name at once, one gets it', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => reserve('rush', `rush${n}@example.org`)));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 409)).toHaveLength(7);
});

test('one network address reserves three a day', async () => {
  const limited = await openTestService({ rate_limits: true });
  for (const handle of ['one', 'two', 'three'])
    expect((await reserve(handle, 'x@example.org', limited)).status).toBe(200);
  const refused = await reserve('four', 'x@example.org', limited);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after_seconds));
  expect(refused.headers.get('ratelimit-policy')).toBe('"3-in-86400s";q=3;w=86400');
  expect((await reserve('four', 'x@example.org', limited, '198.51.100.7')).status).toBe(200);
  await limited.advance(DAY_MS);
  expect((await reserve('five', 'x@example.org', limited)).status).toBe(200);
  await limited.close();
});
