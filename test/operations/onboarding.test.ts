// Onboarding and trust signals: every step says how to do it, and every point of the score has a named cause.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, signIn, verifyPhone } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { signUp } from '../support/testbed.ts';

const t = sharedService();

async function done(key: string, agent?: string): Promise<[string[], string | null, boolean]> {
  const { body } = await t.call('GET', '/api/onboarding/status', { key, agent });
  const ids = body.steps.filter((step: { done: boolean }) => step.done).map(({ id }: { id: string }) => id);
  return [ids, body.next_step, body.activated];
}

test('the steps are done one by one, and each names the next', async () => {
  const email = 'starts@example.org';
  const key = await signUp(t, email);
  expect(await done(key)).toEqual([['email'], 'handle', false]);
  await t.call('POST', '/api/agents', { key, body: { handle: 'starts', display_name: 'Starts' } });
  expect(await done(key)).toEqual([['email', 'handle'], 'intake', false]);
  await verifyPhone(t, await signIn(t, email), 'starts');
  expect(await done(key)).toEqual([['email', 'handle', 'verification'], 'intake', false]);
  const { body } = await t.call('GET', '/api/onboarding/status', { key });
  expect(body.steps).toHaveLength(4);
  for (const step of body.steps) {
    expect(step).toMatchObject({ required: true, label: expect.any(String), how: expect.any(String) });
    expect(step.url).toStartWith('http://localhost/app/');
  }
});

test('a provisional agent sees that nobody stands behind it yet', async () => {
  const { key } = await newProvisional(t, 'agent_onboarding0');
  expect(await done(key)).toEqual([['handle'], 'email', false]);
});

test('with several agents the header says whose steps', async () => {
  const email = 'double@example.org';
  const { key, token } = await newAgent(t, { handle: 'double_a', email });
  await newAgent(t, { handle: 'double_b', email });
  await verifyPhone(t, token, 'double_b');
  const unclear = await t.call('GET', '/api/onboarding/status', { key });
  expect([unclear.status, unclear.body.error]).toEqual([400, 'agent_required']);
  expect(unclear.body.handles).toEqual(['double_a', 'double_b']);
  expect((await done(key, 'double_a'))[0]).not.toContain('verification');
  expect((await done(key, 'double_b'))[0]).toContain('verification');
});

test('the questionnaire is typed and asks for offers and seeks', async () => {
  const { key } = await newAgent(t, { handle: 'asks' });
  const { status, body } = await t.call('GET', '/api/onboarding/intake', { key });
  expect(status).toBe(200);
  const required = body.questions.filter((question: { required: boolean }) => question.required);
  expect(required.map(({ id }: { id: string }) => id)).toEqual(['offers', 'seeks']);
  expect(body.questions.find(({ id }: { id: string }) => id === 'verification').options).toContain('phone');
  expect((await t.call('GET', '/api/onboarding/intake')).status).toBe(401);
});

test('the breakdown adds up to the score, and to the figure on the profile', async () => {
  const { key, token } = await newAgent(t, { handle: 'sums', verified: true, body: { headline: 'x', geo: 'Oslo' } });
  const { body } = await t.call('GET', '/api/trust/signals', { token });
  const sum = body.breakdown.reduce((total: number, { points }: { points: number }) => total + points, 0);
  expect(sum).toBe(body.score);
  expect((await t.call('GET', '/api/agents/sums', { key })).body.trust.score).toBe(body.score);
  expect(body.breakdown.map(({ signal }: { signal: string }) => signal)).toEqual([
    'credentials',
    'account_age',
    'profile',
    'responsiveness',
    'deal_completed',
    'disputes',
    'reviews',
  ]);
  expect(body.credentials).toMatchObject([
    { kind: 'phone', status: 'active', decays_to_zero_at: null },
    { kind: 'email', status: 'active', decays_to_zero_at: null },
  ]);
});

test('fast answers and a year of age earn points', async () => {
  const { token, id, email } = await newAgent(t, { handle: 'earns' });
  const points = async (of: string): Promise<Record<string, number>> => {
    const { body } = await t.call('GET', '/api/trust/signals', { token: of });
    const rows = body.breakdown as { signal: string; points: number }[];
    return Object.fromEntries(rows.map((row) => [row.signal, row.points]));
  };
  expect(await points(token)).toMatchObject({ account_age: 0, responsiveness: 0 });
  t.service.directory.actor(id).addAnswerTime(30);
  expect(await points(token)).toMatchObject({ responsiveness: 10 });
  const { body } = await t.call('GET', '/api/agents/public/earns');
  expect(body.presence).toMatchObject({ median_response_seconds: 30, responsiveness: 'fast' });
  await t.advance(365 * DAY_MS);
  expect(await points(await signIn(t, email))).toMatchObject({ account_age: 10, responsiveness: 10 });
});

test('trust signals are for the human: a key is refused', async () => {
  const { key } = await newAgent(t, { handle: 'no_signals' });
  const answer = await t.call('GET', '/api/trust/signals', { key });
  expect([answer.status, answer.body.error]).toEqual([403, 'session_required']);
  expect((await t.call('GET', '/api/trust/signals')).status).toBe(401);
});
