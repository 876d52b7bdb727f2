// After a restore from a backup: what was due before it is not done until an operator lets it go on, who sees first what it is. With
// money the processor is asked first, so what was done since the backup is not done twice.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTORE_NOTE } from '../../actors/restore-watch.ts';
import { agentById } from '../../db/queries/agent.ts';
import { payeeById } from '../../db/queries/processor.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { createStripe } from '../../src/outbound/processor/stripe/stripe.ts';
import { sendLetter } from '../../src/steps/letter.ts';
import { DIGEST } from '../../src/steps/notification.ts';
import { remind } from '../../src/steps/reminder.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { AUTHORITY } from '../support/authority.ts';
import { startReceiver } from '../support/receivers.ts';
import { markRestored } from '../support/restored.ts';
import { createSenderDouble } from '../support/sender-double.ts';
import { dropStore, readStoredRows, writeStored } from '../support/store.ts';
import { StripeDouble } from '../support/stripe-double/stripe-double.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../support/testbed.ts';
import { ctxOf } from '../support/threads.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const HOST = 'receivers.example';
let data_dir: string;
let clock: VirtualClock;
let t: TestService;
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-held-'));
  clock = virtualClock(START_MS);
});
afterEach(async () => {
  await t.close();
  rmSync(data_dir, { recursive: true, force: true });
  await dropStore(data_dir);
});

const platform = (method: string, path: string): Promise<TestAnswer> =>
  t.call(method, path, { headers: { 'X-Internal-Token': t.internal_token }, ...(method === 'POST' && { body: {} }) });
const kinds = async (): Promise<string[]> => {
  const { body } = await platform('GET', '/internal/admin/waiting');
  return body.waits.map(({ kind, count }: { kind: string; count: number }) => `${kind} ${count}`);
};

test('letters, deliveries and reminders wait, what comes anew does not, and all of it goes on when an operator says so', async () => {
  const receiver = await startReceiver();
  const down = { now: true };
  const mailer = createSenderDouble<Mail>(({ subject }) =>
    down.now && subject === 'Held' ? 'refuse_for_now' : 'deliver',
  );
  const outside = { allow: [{ host: HOST, port: receiver.port }], ca: AUTHORITY };
  const reopen = async (): Promise<void> => {
    t = await openTestService({}, 'memory', { data_dir, clock, mailer, outside });
    t.zone.setAddresses(HOST, ['127.0.0.1']);
  };
  await reopen();
  const agent = await newAgent(t, { handle: 'held_agent' });
  const fresh = await newAgent(t, { handle: 'fresh_agent' });
  for (const { key, handle } of [agent, fresh]) {
    const body = { url: `https://${HOST}:${receiver.port}/200/${handle}`, events: ['*'] };
    await t.call('POST', '/api/developer/webhooks', { key, body });
  }
  await t.call('POST', '/api/inbox/test', { key: agent.key });
  const ctx = ctxOf(t, agent.id);
  const letter = { channel: 'mail', to: agent.email, subject: 'Held', text: 'It waits.' } as const;
  const digest = remind(DIGEST, { account_id: agent.id }, { at: clock.now() + 1, key: agent.id, now_ms: clock.now() });
  await t.service.world.store.turn({
    attempt: async () => ({ reply: null, effects: [sendLetter(letter, ctx), digest] }),
  });
  await t.service.dispatcher.idle();
  await t.service.delivery.idle();
  const delivered = (handle: string): number =>
    receiver.received.filter(({ path }) => path === `/200/${handle}`).length;
  expect(delivered('held_agent')).toBe(1);
  // The backup knows nothing of that delivery.
  await t.close();
  clock.moveTo(clock.now() + MINUTE_MS);
  await writeStored(data_dir, `UPDATE inboxes SET delivered_seq = 0, behind = 1 WHERE id = '${agent.id}'`);
  await reopen();
  await markRestored(t, 2, true);
  down.now = false;
  const sent = mailer.delivered.length;
  const held = ['mail 1', 'inbox 1', 'notification.digest 1'];
  expect(await kinds()).toEqual(held);
  await t.service.delivery.redrive();
  await t.advance(2 * HOUR_MS);
  await t.call('POST', '/api/inbox/test', { key: fresh.key });
  await t.call('POST', '/api/inbox/test', { key: agent.key });
  await t.rest();
  expect([delivered('held_agent'), delivered('fresh_agent'), mailer.delivered.length]).toEqual([1, 1, sent]);
  expect(await kinds()).toEqual(held);
  const { restored } = (await t.call('GET', '/readyz?verbose')).body;
  expect(restored).toMatchObject({ epoch: 2, work_waits: true });
  expect((await platform('POST', '/internal/admin/resume')).body).toEqual({ resumed: true });
  await t.service.delivery.redrive();
  await t.advance(MINUTE_MS);
  await t.rest();
  expect([delivered('held_agent'), mailer.delivered.length]).toEqual([3, sent + 1]);
  const [digests] = await readStoredRows(
    data_dir,
    "SELECT count(*) AS n FROM reminders WHERE operation = 'notification.digest'",
  );
  expect(digests).toEqual({ n: 0 });
  expect((await platform('POST', '/internal/admin/resume')).body).toEqual({ resumed: false });
  expect((await t.call('GET', '/readyz?verbose')).body.restored).toMatchObject({ epoch: 2, work_waits: false });
  await receiver.close();
});

// A database of PostgreSQL is no folder that could be copied.
describe.skipIf(process.env['TEST_STORE'] === 'postgres')('money that the backup left open', () => {
  let double: StripeDouble;
  let agent: TestAgent;
  const copy = (): string => `${data_dir}-copy`;
  const reopen = async (): Promise<void> => {
    const { url: api_base, secret_key, webhook_secret } = double;
    const now = (): number => clock.now();
    const processor = () => createStripe({ secret_key, webhook_secret, api_base, hold_ms: 0, now, retries: 0 });
    t = await openTestService({}, 'memory', { data_dir, clock, processor });
  };
  const asPerson = async (method: string, path: string, body?: object): Promise<TestAnswer> => {
    const token = await signIn(t, agent.email);
    return t.call(method, path, { token, agent: agent.handle, ...(body && { body }) });
  };
  const backup = async (): Promise<void> => {
    await t.close();
    cpSync(data_dir, copy(), { recursive: true });
    await reopen();
  };
  const restore = async (): Promise<void> => {
    await t.close();
    rmSync(data_dir, { recursive: true });
    cpSync(copy(), data_dir, { recursive: true });
    const value = { epoch: 2, restored_at: clock.now(), backup_at: START_MS, held: true };
    await writeStored(
      data_dir,
      `INSERT INTO service_notes (id, value) VALUES ('${RESTORE_NOTE}', '${JSON.stringify(value)}')`,
    );
    await reopen();
  };
  beforeEach(async () => {
    double = new StripeDouble(() => clock.now());
    await reopen();
    agent = await newAgent(t, { handle: 'held_money', verified: true });
  });
  afterEach(async () => {
    rmSync(copy(), { recursive: true, force: true });
    await double.close();
  });

  test('a payout that was sent after the backup is not sent twice', async () => {
    await fundWallet(t, agent.id, 5_000);
    await asPerson('POST', '/api/payments/connect', {});
    const { store } = t.service.world;
    const row = await store.read(agentById, { id: agent.id });
    const payee = await store.read(payeeById, { id: row?.account_id ?? '' });
    double.world.finishAccount(payee?.external_id ?? '');
    await asPerson('GET', '/api/payments/connect/status');
    double.world.available = 0;
    const { payout_id } = (await asPerson('POST', '/api/wallet/withdraw', { amount_cents: 4_000 })).body;
    await t.rest();
    await backup();
    double.world.available = 10_000;
    await t.advance(HOUR_MS);
    expect([double.world.all('transfer').length, double.world.all('payout').length]).toEqual([1, 1]);
    const status = async (): Promise<string> => (await asPerson('GET', `/api/wallet/payouts/${payout_id}`)).body.status;
    expect(await status()).toBe('submitted');
    await restore();
    expect(await status()).toBe('pending');
    const { waits } = (await platform('GET', '/internal/admin/waiting')).body;
    expect(waits).toContainEqual(expect.objectContaining({ kind: 'payout.follow', count: 1, amount_cents: 4_000 }));
    await t.advance(DAY_MS);
    expect(await status()).toBe('pending');
    await platform('POST', '/internal/admin/resume');
    await t.advance(HOUR_MS);
    expect(await status()).toBe('submitted');
    double.world.settlePayout(double.world.all('payout')[0]?.id ?? '', 'paid');
    await t.advance(DAY_MS);
    expect(await status()).toBe('finalized');
    expect([double.world.all('transfer').length, double.world.all('payout').length]).toEqual([1, 1]);
    expect(double.world.available).toBe(6_000);
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(1_000);
  });

  test.each(['the webhook', 'the look at it'])('a payment after the backup is booked once, by %s', async (by) => {
    const { checkout_url } = (await asPerson('POST', '/api/wallet/fund', { amount_cents: 2_500 })).body;
    await t.rest();
    await backup();
    double.world.pay(checkout_url.split('/').at(-1));
    const events = double.world.events.splice(0);
    const deliver = async (): Promise<void> => {
      for (const { body, signature } of events) {
        const raw = { type: 'application/json', text: body };
        await t.call('POST', '/webhooks/stripe', { raw, headers: { 'Stripe-Signature': signature } });
      }
      await t.rest();
    };
    await deliver();
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(2_500);
    await restore();
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(0);
    if (by === 'the webhook') {
      await deliver();
      expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(2_500);
    }
    await platform('POST', '/internal/admin/resume');
    await t.advance(2 * DAY_MS);
    expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(2_500);
  });
});
