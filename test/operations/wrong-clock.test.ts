// A clock that is wrong for a while: nothing is sealed or deleted by it, what was paid once is paid once, and an operator ends the
// wait. What a wrong clock has sealed all the same is mended, with a signed note.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { sealLater } from '../../src/steps/money/ledger.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { keyWith } from '../support/scene.ts';
import { dropStore, readStoredRows } from '../support/store.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../support/testbed.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

let data_dir: string;
let clock: VirtualClock;
let t: TestService;
let payer: TestAgent;
let payee: TestAgent;
/** A key that outlives sessions. */
let paying_key: string;

beforeEach(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-clock-'));
  clock = virtualClock(START_MS);
  t = await openTestService({}, 'memory', { data_dir, clock });
  payer = await newAgent(t, { handle: 'clock_payer', verified: true, pro: true });
  payee = await newAgent(t, { handle: 'clock_payee', verified: true });
  paying_key = await keyWith(t, payer.email, ['payments:write', 'agents:read', 'deals:write']);
  await fundWallet(t, payer.id, 10_000);
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [sealLater(clock.now())] }) });
});
afterEach(async () => {
  await t.close();
  rmSync(data_dir, { recursive: true, force: true });
  await dropStore(data_dir);
});

const platform = (path: string, method = 'POST'): Promise<TestAnswer> =>
  t.call(method, path, { headers: { 'X-Internal-Token': t.internal_token }, ...(method === 'POST' && { body: {} }) });
const pay = (key: string): Promise<TestAnswer> =>
  t.call('POST', '/api/wallet/send', {
    key: paying_key,
    agent: payer.handle,
    body: { to_handle: payee.handle, amount_cents: 700 },
    headers: { 'Idempotency-Key': key },
  });
const doubt = async (): Promise<string | null> => (await t.call('GET', '/readyz?verbose')).body.clock.doubt;
const count = async (sql: string): Promise<number> => Number((await readStoredRows(data_dir, sql))[0]?.['n']);
const sealed = (): Promise<number> => count('SELECT count(*) AS n FROM ledger_days');
const kept = (): Promise<number> => count('SELECT count(*) AS n FROM idempotency');
/** Lets what is due by the clock as it stands run, and what is over be deleted. */
const settle = (): Promise<void> => t.advance(0);
const reopen = async (): Promise<void> => {
  await t.close();
  t = await openTestService({}, 'memory', { data_dir, clock });
};
const problems = async (): Promise<unknown[]> => (await platform('/api/admin/ledger/check', 'GET')).body.problems;

test('a clock two days ahead seals and deletes nothing, and a payment repeated then or later is made once', async () => {
  const first = await pay('order-77');
  expect([first.status, first.body.error]).toEqual([201, undefined]);
  clock.jump(2 * DAY_MS);
  // At once, whether or not the clocks were compared meanwhile.
  expect((await pay('order-77')).body).toEqual(first.body);
  await settle();
  expect(await doubt()).toBe('jumped_forward');
  expect([await sealed(), await kept()]).toEqual([0, 1]);
  await pay('order-78');
  clock.jump(-2 * DAY_MS);
  await settle();
  expect(await doubt()).toBe('jumped_back');
  expect((await pay('order-77')).body).toEqual(first.body);
  expect(await balanceOf(t, `wallet:${payer.id}`)).toBe(10_000 - 2 * 700);
  // What was committed last lies two days ahead, and the clock comes to it.
  await t.advance(2 * DAY_MS + MINUTE_MS);
  expect(await doubt()).toBeNull();
  expect(await problems()).toEqual([]);
});

test('after a jump forward an hour of running is waited for, and no longer', async () => {
  clock.jump(3 * DAY_MS);
  await settle();
  await t.advance(59 * MINUTE_MS);
  expect([await doubt(), await sealed()]).toEqual(['jumped_forward', 0]);
  await t.advance(2 * MINUTE_MS);
  await settle();
  expect(await doubt()).toBeNull();
  expect(await sealed()).toBeGreaterThan(0);
});

test('an operator ends the wait, and what is sealed then is right', async () => {
  clock.jump(3 * DAY_MS);
  expect(await doubt()).toBe('jumped_forward');
  expect((await platform('/internal/admin/clock-accept')).body).toMatchObject({ believed: true });
  expect(await doubt()).toBeNull();
  await settle();
  expect(await sealed()).toBeGreaterThan(0);
  expect(await problems()).toEqual([]);
});

test('small corrections of the clock, and moves by hand, are no jumps', async () => {
  clock.jump(50 * MINUTE_MS);
  await settle();
  clock.jump(-50_000);
  await settle();
  await t.advance(40 * DAY_MS);
  expect(await doubt()).toBeNull();
  expect(await sealed()).toBeGreaterThan(30);
});

test('a start long after the newest commit waits for an hour, one soon after it does not', async () => {
  await pay('order-1');
  clock.jump(30 * MINUTE_MS);
  await reopen();
  expect(await doubt()).toBeNull();
  clock.jump(2 * DAY_MS);
  await reopen();
  expect(await doubt()).toBe('started_late');
  await settle();
  expect([await sealed(), await kept()]).toEqual([0, 1]);
  // What is committed by a clock in doubt does not make the next start believe it.
  await pay('order-2');
  await reopen();
  expect(await doubt()).toBe('started_late');
  await t.advance(HOUR_MS);
  expect(await doubt()).toBeNull();
  await settle();
  expect(await kept()).toBe(1);
});

test('a start before the newest commit waits until the clock has passed it', async () => {
  clock.jump(DAY_MS);
  await settle();
  await pay('order-1');
  await t.close();
  clock.jump(-DAY_MS);
  t = await openTestService({}, 'memory', { data_dir, clock });
  expect(await doubt()).toBe('started_early');
  await t.advance(DAY_MS - MINUTE_MS);
  expect([await doubt(), await sealed()]).toEqual(['started_early', 0]);
  await t.advance(2 * MINUTE_MS);
  expect(await doubt()).toBeNull();
});

test('seals of a wrong clock are replaced, and what they were is told, signed', async () => {
  clock.jump(33 * DAY_MS);
  await platform('/internal/admin/clock-accept');
  await settle();
  const before = await readStoredRows(data_dir, 'SELECT id, hash FROM ledger_days ORDER BY id');
  expect(before.length).toBeGreaterThan(30);
  clock.jump(-33 * DAY_MS);
  await settle();
  expect((await platform('/internal/admin/ledger-reseal')).body).toMatchObject({ error: 'pending' });
  await platform('/internal/admin/clock-accept');
  await pay('order-1');
  expect(await problems()).not.toEqual([]);
  const { body } = await platform('/internal/admin/ledger-reseal');
  expect(body).toMatchObject({ from: '2026-06-15', replaced: before.length, sealed: 0 });
  const claims = JSON.parse(Buffer.from(body.note.split('.')[1], 'base64url').toString());
  expect(claims.replaced).toEqual(before.map(({ id: day, hash }) => ({ day, hash })));
  expect((await t.call('GET', '/.well-known/ledger-head')).body.resealed).toBe(body.note);
  expect(await problems()).toEqual([]);
  await t.advance(3 * DAY_MS);
  expect(await sealed()).toBe(3);
  expect(await problems()).toEqual([]);
  expect((await platform('/internal/admin/ledger-reseal')).body).toEqual({
    from: null,
    replaced: 0,
    sealed: 0,
    note: null,
  });
});

test('a node whose clock is off that of the database says so and runs no timer, until it is set right', async () => {
  await t.close();
  const shared_time = async (): Promise<number> => START_MS + clock.running_ms();
  t = await openTestService({}, 'memory', { data_dir, clock, shared_time });
  const ahead = async (): Promise<number | null> =>
    (await t.call('GET', '/readyz?verbose')).body.clock.ahead_of_database_seconds;
  await pay('order-79');
  expect([await ahead(), await kept()]).toEqual([null, 1]);
  clock.jump(-5_000);
  expect(await ahead()).toBe(-5);
  // It goes by the database's clock all the same.
  expect(clock.now()).toBe(await shared_time());
  await t.advance(2 * DAY_MS + MINUTE_MS);
  expect([await doubt(), await sealed(), await kept()]).toEqual([null, 0, 1]);
  clock.jump(5_000);
  expect(await ahead()).toBeNull();
  await settle();
  expect(await sealed()).toBeGreaterThan(0);
});
