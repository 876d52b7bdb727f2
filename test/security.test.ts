// Attacks that were tried and must go on failing: one caller taking what is everybody's, a key reaching beyond its agent,
// many tries at once where only so many are allowed.
import { describe, expect, test } from 'bun:test';
import type { Principal } from '../src/contract/context.ts';
import type { StreamSink } from '../src/contract/operation.ts';
import { fault } from '../src/domain/fault.ts';
import { OpenStreams } from '../src/pipeline/open-streams.ts';
import { NOBODY } from '../src/pipeline/principals.ts';
import { newAgent } from './support/agents.ts';
import { sharedService } from './support/opened.ts';
import { codeFor, signUp, type TestAnswer } from './support/testbed.ts';

const t = sharedService();

const atOnce = (n: number, call: (i: number) => Promise<TestAnswer>): Promise<TestAnswer[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => call(i)));
const statuses = (answers: readonly TestAnswer[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [String(status), of.length]),
  );

describe('many at once', () => {
  test('200 guesses at a code are five tries and 195 refusals, and the right code is burnt', async () => {
    const email = 'guessed@example.org';
    await t.call('POST', '/api/auth/signup/start', { body: { email } });
    const right = codeFor(t, email);
    const verify = (code: string): Promise<TestAnswer> =>
      t.call('POST', '/api/auth/signup/verify', { body: { email, code } });
    const wrong = right === '000000' ? '000001' : '000000';
    expect(statuses(await atOnce(200, () => verify(wrong)))).toEqual({ 400: 5, 429: 195 });
    expect((await verify(right)).status).toBe(429);
  });

  test('a right code is worth one key, however often it is sent', async () => {
    const email = 'once@example.org';
    await t.call('POST', '/api/auth/signup/start', { body: { email } });
    const body = { email, code: codeFor(t, email) };
    const answers = await atOnce(100, () => t.call('POST', '/api/auth/signup/verify', { body }));
    expect(statuses(answers)).toEqual({ 200: 1, 400: 99 });
  });

  test('renewing one key many times leaves one successor that works', async () => {
    const key = await signUp(t, 'renewing@example.org');
    const answers = await atOnce(40, () => t.call('POST', '/api/auth/key/renew', { key }));
    expect(answers.map(({ status }) => status)).not.toContain(500);
    const works = await Promise.all(
      answers
        .filter(({ status }) => status === 200)
        .map(({ body }) => t.call('GET', '/api/billing/limits', { key: body.api_key })),
    );
    expect(works.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("two agents of one account share the plan's listings", async () => {
    const { key, email } = await newAgent(t, { handle: 'first_of_two', verified: true });
    await newAgent(t, { handle: 'second_of_two', email });
    const card = { card_type: 'selling', headline: 'A', labels: ['a'], price_cents: 1, active: false };
    const answers = await atOnce(20, (i) => {
      const handle = i % 2 ? 'first_of_two' : 'second_of_two';
      return t.call('POST', `/api/agents/${handle}/cards`, { key, body: card });
    });
    expect(statuses(answers)).toEqual({ 201: 2, 403: 18 });
  });
});

test('a key that is bound to an agent makes no other agent', async () => {
  const { token } = await newAgent(t, { handle: 'bound_one' });
  const body = { name: 'ci', agent_handle: 'bound_one' };
  const { api_key: key } = (await t.call('POST', '/api/developer/keys', { token, body })).body;
  const made = await t.call('POST', '/api/agents', { key, body: { handle: 'bound_two', display_name: 'x' } });
  expect(made).toMatchObject({ status: 403, body: { error: 'not_reachable_with_key' } });
});

describe('one account', () => {
  const me = { ...NOBODY, account_id: 'me' };
  const by = (principal: Principal) => ({ principal, agent: null, token_ends_at: Number.POSITIVE_INFINITY });
  const nothing = async (): Promise<() => void> => () => {};
  const full = { fault: 'stream_unavailable', data: { retry_after_seconds: 30 } };

  test('cannot hold all streams, also when it opens many at once', async () => {
    const streams = new OpenStreams(t.service.world);
    const closers: (() => void)[] = [];
    const sink: StreamSink = {
      write: () => true,
      waitForDrain: () => Promise.resolve(),
      close: () => {},
      onClose: (listener) => closers.push(listener),
    };
    const opened = await Promise.all(Array.from({ length: 110 }, () => streams.open(by(me), nothing)));
    const starts = opened.filter((start) => typeof start === 'function');
    expect(starts).toHaveLength(100);
    for (const start of starts) start(sink);
    await t.advance(30_000);
    expect(await streams.open(by(me), nothing)).toMatchObject(full);
    expect(await streams.open(by({ ...NOBODY, account_id: 'another' }), nothing)).toBeFunction();
    closers[0]?.();
    expect(await streams.open(by(me), nothing)).toBeFunction();
    expect(await streams.open(by(me), nothing)).toMatchObject(full);
  });

  test('has the places back of streams that were refused, failed, or never started', async () => {
    const streams = new OpenStreams(t.service.world);
    const all = (): Promise<unknown[]> => Promise.all(Array.from({ length: 100 }, () => streams.open(by(me), nothing)));
    for (let i = 0; i < 200; i++) {
      expect(await streams.open(by(me), async () => fault('not_found'))).toHaveProperty('fault');
      await streams.open(by(me), () => Promise.reject(new Error('no'))).catch(() => {});
    }
    await all();
    await t.advance(29_999);
    expect(await streams.open(by(me), nothing)).toMatchObject(full);
    await t.advance(1);
    for (const start of await all()) expect(start).toBeFunction();
  });
});

test('an account has 200 agents at most, however many are asked for at once', async () => {
  const key = await signUp(t, 'legion@example.org');
  const answers = await atOnce(210, (i) =>
    t.call('POST', '/api/agents', { key, body: { handle: `legion_${i}`, display_name: 'Many' } }),
  );
  expect(statuses(answers)).toEqual({ 201: 200, 403: 10 });
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.body).toMatchObject({ error: 'plan_limit', limit: 200, used: 200, resets_at: null });
});
