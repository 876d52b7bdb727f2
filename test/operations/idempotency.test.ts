// Idempotency keys: the first answer again, for the same request of the same caller within a day, and for no other.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { onPostgres } from '../support/postgres.ts';
import { readStoredRows } from '../support/store.ts';
import { openTestService, signUp, type TestAnswer, type TestService } from '../support/testbed.ts';

let t: TestService;
let agent: TestAgent;
/** Whether calls that need randomness break off. */
let broken = false;
beforeAll(async () => {
  t = await openTestService({}, 'memory', {
    random: (bytes) => {
      if (broken) throw new Error('no randomness');
      return crypto.getRandomValues(new Uint8Array(bytes));
    },
  });
  agent = await newAgent(t, { handle: 'repeater' });
});
afterAll(() => t.close());

const keyed = (name: string): Record<string, string> => ({ 'Idempotency-Key': name });
const replayed = (answer: TestAnswer): boolean => answer.headers.get('idempotent-replayed') === 'true';
const mintKey = (token: string, name: string, idempotency: string): Promise<TestAnswer> =>
  t.call('POST', '/api/developer/keys', { token, body: { name }, headers: keyed(idempotency) });
const rows = (): Promise<Record<string, unknown>[]> =>
  readStoredRows(t.service.world.settings.data_dir, 'SELECT status, value, sealed FROM idempotency');

test('the same request again gets the first answer, secret and all, and nothing happens twice', async () => {
  const token = await signIn(t, 'again@example.org');
  const first = await mintKey(token, 'ci', 'a-1');
  const second = await mintKey(token, 'ci', 'a-1');
  expect(first.status).toBe(201);
  expect(second.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect(replayed(first)).toBe(false);
  expect(replayed(second)).toBe(true);
  expect((await t.call('GET', '/api/developer/keys', { token })).body).toHaveLength(1);
});

test('another body under the same key is a conflict; another key, route or account is another request', async () => {
  const token = await signIn(t, 'conflict@example.org');
  const first = await mintKey(token, 'one', 'c-1');
  const conflict = await mintKey(token, 'two', 'c-1');
  expect(conflict.status).toBe(409);
  expect(conflict.body.error).toBe('idempotency_conflict');
  const other = await mintKey(token, 'one', 'c-2');
  expect(other.body.id).not.toBe(first.body.id);
  const stranger = await mintKey(await signIn(t, 'conflict2@example.org'), 'one', 'c-1');
  expect(stranger.status).toBe(201);
  expect(replayed(stranger)).toBe(false);
});

test('the same key of another agent of the account is another request, and each gets its own answer again', async () => {
  const email = 'twins@example.org';
  const one = await newAgent(t, { handle: 'twin_one', email, pro: true });
  const two = await newAgent(t, { handle: 'twin_two', email });
  const ping = (who: TestAgent) =>
    t.call('POST', '/api/inbox/test', { key: one.key, agent: who.handle, headers: keyed('t-1') });
  const answers = [await ping(one), await ping(two)];
  expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual([
    [201, false],
    [201, false],
  ]);
  expect(answers[1]?.body.id).not.toBe(answers[0]?.body.id);
  for (const [n, who] of [one, two].entries()) {
    const again = await ping(who);
    expect([replayed(again), again.body]).toEqual([true, answers[n]?.body]);
    const inbox = await t.call('GET', '/api/inbox', { key: one.key, agent: who.handle });
    expect(inbox.body.events.map((event: { id: string }) => event.id)).toEqual([answers[n]?.body.id]);
  }
});

test('side by side one runs, and the others are told that it does or get its answer', async () => {
  const token = await signIn(t, 'side@example.org');
  const answers = await Promise.all([
    mintKey(token, 'x', 's-1'),
    mintKey(token, 'x', 's-1'),
    mintKey(token, 'x', 's-1'),
  ]);
  const refused = answers.filter((answer) => answer.status === 409);
  // How far they overlap is the clients' luck on PostgreSQL, where each asks over the wire who is calling.
  if (!onPostgres) expect(refused.length).toBeGreaterThan(0);
  for (const { body } of refused) expect(body.error).toBe('idempotency_in_flight');
  // One that came after the first had ended is its repetition.
  expect(answers.filter((answer) => answer.status === 201 && !replayed(answer))).toHaveLength(1);
  expect((await t.call('GET', '/api/developer/keys', { token })).body).toHaveLength(1);
});

test('an answer that holds a secret rests sealed, and opens to the credential that got it alone', async () => {
  const token = await signIn(t, 'sealed@example.org');
  const made = await mintKey(token, 'sealed', 'x-1');
  expect((await rows()).some((row) => row.sealed === 1)).toBe(true);
  const stored = JSON.stringify(await rows());
  expect(stored).not.toContain('_live_');
  expect(stored).not.toContain(made.body.id);
  await t.advance(1_000);
  const another = await mintKey(await signIn(t, 'sealed@example.org'), 'sealed', 'x-1');
  expect(another.status).toBe(409);
  expect(JSON.stringify(another.body)).not.toContain('_live_');
});

test('a repeated renewal gets the same successor, not another one', async () => {
  const key = await signUp(t, 'renewer@example.org');
  const renew = () => t.call('POST', '/api/auth/key/renew', { key, headers: keyed('r-1') });
  const first = await renew();
  const second = await renew();
  expect(second.body.api_key).toBe(first.body.api_key);
  expect((await t.call('GET', '/api/billing/limits', { key: second.body.api_key })).status).toBe(200);
  expect((await renew()).body.api_key).toBe(first.body.api_key);
});

test('routes that issue secrets without a credential never replay', async () => {
  const email = 'noreplay@example.org';
  await t.call('POST', '/api/auth/signup/start', { body: { email } });
  const code = t.mails.at(-1)?.text.match(/^(\d{6})$/m)?.[1];
  const verify = () => t.call('POST', '/api/auth/signup/verify', { body: { email, code }, headers: keyed('n-1') });
  const first = await verify();
  expect(first.status).toBe(200);
  const second = await verify();
  expect(second.status).toBe(400);
  expect(JSON.stringify(await rows())).not.toContain(first.body.api_key);
});

test('a deliberate refusal is kept and replayed even when it would succeed now', async () => {
  const email = 'refused@example.org';
  const create = (handle: string, name: string) =>
    t.call('POST', '/api/agents', { key: agent.key, body: { handle, display_name: 'x' }, headers: keyed(name) });
  await t.call('POST', '/api/reserve-handle', { body: { handle: 'held_name', email } });
  const first = await create('held_name', 'k-1');
  expect(first.status).toBe(409);
  await t.advance(DAY_MS - 1);
  expect(replayed(await create('held_name', 'k-1'))).toBe(true);
  await t.advance(1);
  const later = await create('held_name', 'k-1');
  expect(replayed(later)).toBe(false);
  expect(later.status).toBe(201);
});

test('a 429 is never kept', async () => {
  const limited = await openTestService({ rate_limits: true });
  const start = (name: string) =>
    limited.call('POST', '/api/auth/signup/start', { body: { email: 'often@example.org' }, headers: keyed(name) });
  for (let n = 0; n < 5; n++) expect((await start(`f-${n}`)).status).toBe(200);
  const refused = await start('f-5');
  expect(refused.status).toBe(429);
  await limited.advance(refused.body.retry_after_seconds * 1000);
  const retried = await start('f-5');
  expect(retried.status).toBe(200);
  expect(replayed(retried)).toBe(false);
  await limited.close();
});

test('after a day the key is free again, even where the expired row still stands', async () => {
  const key = await signUp(t, 'expiry@example.org');
  const start = () =>
    t.call('POST', '/api/auth/login/start', { key, body: { email: 'expiry@example.org' }, headers: keyed('e-1') });
  expect((await start()).status).toBe(200);
  t.clock.moveTo(t.clock.now() + DAY_MS - 1);
  expect(replayed(await start())).toBe(true);
  t.clock.moveTo(t.clock.now() + 1);
  const fresh = await start();
  expect(fresh.status).toBe(200);
  expect(replayed(fresh)).toBe(false);
  expect(replayed(await start())).toBe(true);
});

test('a malformed key is a 400 that names the header', async () => {
  const token = await signIn(t, 'malformed@example.org');
  for (const name of ['', 'two words', 'x'.repeat(256), 'umlaut-\u00fc']) {
    const answer = await mintKey(token, 'x', name);
    expect(answer.status).toBe(400);
    expect(answer.body.fields[0].path).toBe('Idempotency-Key');
  }
  expect((await mintKey(token, 'x', 'x'.repeat(255))).status).toBe(201);
});

test('reads take no notice of the header', async () => {
  for (let n = 0; n < 2; n++) {
    const answer = await t.call('GET', '/api/auth/challenge', { key: agent.key, headers: keyed('g-1') });
    expect(replayed(answer)).toBe(false);
  }
});

test('a body that looks like a refusal of ours is only a body', async () => {
  for (const body of [{ fault: 'internal' }, { fault: 'nonsense', email: 'odd@example.org' }]) {
    const answer = await t.call('POST', '/api/auth/signup/start', { body });
    expect(answer.status).toBe('email' in body ? 200 : 400);
  }
  expect((await t.call('GET', '/api/billing/plans?fault=internal')).status).toBe(200);
});

test('a call that breaks off, or whose client is gone, leaves its key free or answered, never running for ever', async () => {
  const token = await signIn(t, 'broken@example.org');
  broken = true;
  expect((await mintKey(token, 'one', 'b-1')).status).toBe(500);
  broken = false;
  expect((await mintKey(token, 'one', 'b-1')).status).toBe(201);
  const gone = new AbortController();
  const request = new Request('http://localhost/api/developer/keys', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...keyed('b-2') },
    body: JSON.stringify({ name: 'two' }),
    signal: gone.signal,
  });
  const left = t.fetch(request).catch(() => null);
  gone.abort();
  await left;
  let again = await mintKey(token, 'two', 'b-2');
  while (again.status === 409) again = await mintKey(token, 'two', 'b-2');
  expect(again.status).toBe(201);
  expect((await t.call('GET', '/api/developer/keys', { token })).body).toHaveLength(2);
});

test('what breaks behind a commit reaches neither the answer nor its key', async () => {
  const token = await signIn(t, 'behind@example.org');
  const { store } = t.service.world;
  let listens = true;
  store.onCommit(() => {
    if (listens) throw new Error('no');
  });
  const first = await mintKey(token, 'one', 'l-1');
  const second = await mintKey(token, 'one', 'l-1');
  listens = false;
  expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([201, false, 201, true]);
  expect(second.body).toEqual(first.body);
  expect(store.troubles.listener).toBeGreaterThan(0);
  expect((await t.call('GET', '/api/developer/keys', { token })).body).toHaveLength(1);
});
