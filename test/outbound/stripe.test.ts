// The adapter to Stripe, by Stripe's own SDK, against a double of Stripe: what a call comes to under every fault, and that
// nothing is made twice, whatever was lost on the way.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import type { Called, Processor } from '../../src/outbound/processor/processor.ts';
import { change } from '../../src/outbound/processor/stripe/call.ts';
import { createStripe } from '../../src/outbound/processor/stripe/stripe.ts';
import { StripeDouble, type StripeFault } from '../support/stripe-double/stripe-double.ts';

const START_MS = Date.UTC(2026, 5, 15, 12);
const ID = '0199d3a2-7c41-7d3e-8a01-5f0c1d2e3a01';

let now = START_MS;
let double: StripeDouble;
let stripe: Processor;

beforeEach(() => {
  now = START_MS;
  double = new StripeDouble(() => now);
  const { url: api_base, secret_key, webhook_secret } = double;
  stripe = createStripe({
    secret_key,
    webhook_secret,
    api_base,
    hold_ms: 0,
    now: () => now,
    timeout_ms: 1000,
    retries: 0,
  });
});
afterEach(() => double.close());

const row = { id: ID, external_id: null, created_at: START_MS };
const ask = { id: ID, amount_cents: 2500, handle: 'ada', email: 'ada@example.org', return_url: 'http://localhost/app' };

function done<T>(called: Called<T>): T {
  if (called.outcome !== 'done') throw new Error(`${called.outcome}: ${called.reason}`);
  return called.value;
}

async function payee(): Promise<string> {
  const opened = done(await stripe.openPayee({ ...ask, external_id: null, created_at: START_MS }));
  double.world.finishAccount(opened.external_id);
  return opened.external_id;
}

describe('a funding', () => {
  test('goes from its page to the money, its fee and its payment', async () => {
    const { external_id, url } = done(await stripe.openFunding(ask));
    expect(url).toStartWith('https://checkout.stripe.test/');
    const named = { ...row, external_id };
    expect(done(await stripe.findFunding(named))).toMatchObject({ status: 'pending', payment_id: null });
    double.world.pay(external_id);
    expect(done(await stripe.findFunding(named))).toEqual({
      external_id,
      status: 'paid',
      amount_cents: 2500,
      currency: 'USD',
      livemode: false,
      payment_id: 'pi_1',
      processor_fee_cents: 103,
      card: 'card_of_one',
      reason: null,
    });
  });

  test('is found by our id where the answer was lost, and is null where nothing was made', async () => {
    expect(done(await stripe.findFunding(row))).toBeNull();
    double.fail('silent_done', /POST .*sessions/);
    expect((await stripe.openFunding(ask)).outcome).toBe('unknown');
    for (let n = 0; n < 150; n += 1) await stripe.openFunding({ ...ask, id: `other-${n}` });
    expect(done(await stripe.findFunding(row))).toMatchObject({ status: 'pending', external_id: 'cs_test_1' });
  });

  test('that expires, and one that is too small', async () => {
    const { external_id } = done(await stripe.openFunding(ask));
    double.world.expire(external_id);
    expect(done(await stripe.findFunding({ ...row, external_id }))).toMatchObject({ status: 'expired' });
    const small = await stripe.openFunding({ ...ask, id: 'small', amount_cents: 10 });
    expect(small).toEqual({ outcome: 'refused', reason: 'amount' });
  });
});

/** How often each kind of thing stands in the double. */
const made = (object: string): number => double.world.all(object).length;

describe('under faults, nothing is made twice', () => {
  const faults: StripeFault[] = ['silent', 'silent_done', 'error', 'error_done', 'busy'];
  const kinds = ['transfer', 'payout', 'reversal', 'account'] as const;
  test.each(kinds.flatMap((kind) => faults.map((fault) => [kind, fault] as const)))('%s, %s', async (kind, fault) => {
    double.world.available = 10_000;
    const account = kind === 'account' ? '' : await payee();
    const transferred =
      kind === 'account'
        ? ''
        : done(await stripe.transfer({ id: 'first', payee: account, amount_cents: 700 })).external_id;
    const calls: Record<(typeof kinds)[number], [RegExp, string, number, () => Promise<Called<unknown>>]> = {
      transfer: [
        /POST .*transfers$/,
        'transfer',
        2,
        () => stripe.transfer({ id: ID, payee: account, amount_cents: 500 }),
      ],
      payout: [/POST .*payouts$/, 'payout', 1, () => stripe.payOut({ id: ID, payee: account, amount_cents: 500 })],
      reversal: [
        /POST .*reversals$/,
        'transfer_reversal',
        1,
        () => stripe.reverseTransfer({ id: ID, transfer_id: transferred }),
      ],
      account: [
        /POST .*accounts$/,
        'account',
        1,
        () => stripe.openPayee({ ...ask, external_id: null, created_at: START_MS }),
      ],
    };
    const [on, object, wanted, call] = calls[kind];
    double.fail(fault, on);
    expect((await call()).outcome).toBe('unknown');
    // At once, when an error is still saved under the key; and after the key was forgotten.
    expect((await call()).outcome).toBe('done');
    expect((await call()).outcome).toBe('done');
    now += 25 * HOUR_MS;
    expect((await call()).outcome).toBe('done');
    expect(made(object)).toBe(wanted);
  });

  test('errors that are saved one behind the other are passed by', async () => {
    double.world.available = 10_000;
    const account = await payee();
    const call = () => stripe.transfer({ id: ID, payee: account, amount_cents: 500 });
    for (let n = 0; n < 3; n += 1) {
      for (let saved = 0; saved <= n; saved += 1) double.fail('error', /POST .*transfers$/);
      expect((await call()).outcome).toBe('unknown');
    }
    expect((await call()).outcome).toBe('done');
    expect(made('transfer')).toBe(1);
  });
});

describe('money that goes out', () => {
  test('waits for a balance, and an answer that was saved does not stand in its way', async () => {
    const account = await payee();
    const call = () => stripe.transfer({ id: ID, payee: account, amount_cents: 500 });
    expect(await call()).toEqual({ outcome: 'refused', reason: 'insufficient' });
    expect(await call()).toEqual({ outcome: 'refused', reason: 'insufficient' });
    double.world.available = 500;
    expect(await call()).toEqual({ outcome: 'done', value: { external_id: 'tr_1', status: 'paid', reason: null } });
    expect(double.world.available).toBe(0);
  });

  test('may fail after it was paid, and is then reversed once', async () => {
    double.world.available = 500;
    const account = await payee();
    const sent = done(await stripe.transfer({ id: ID, payee: account, amount_cents: 500 }));
    const out = done(await stripe.payOut({ id: ID, payee: account, amount_cents: 500 }));
    expect(out.status).toBe('pending');
    const state = async () =>
      done(await stripe.findPayout({ ...row, external_id: out.external_id, payee: account }))?.status;
    double.world.settlePayout(out.external_id, 'paid');
    expect(await state()).toBe('paid');
    const reverse = () => stripe.reverseTransfer({ id: ID, transfer_id: sent.external_id });
    expect(await reverse()).toEqual({ outcome: 'refused', reason: 'insufficient' });
    double.world.settlePayout(out.external_id, 'failed');
    expect(await state()).toBe('failed');
    expect(done(await reverse()).status).toBe('reversed');
    expect(done(await reverse()).status).toBe('reversed');
    expect(double.world.available).toBe(500);
    expect(done(await stripe.findTransfer(row))?.status).toBe('reversed');
  });
});

describe('a plan, a payee, a key', () => {
  test('a plan is bought, renews and is cancelled', async () => {
    const plan = {
      product: 'Tradewinds Pro',
      id: ID,
      account_id: 'a',
      price_cents: 4900,
      email: null,
      return_url: ask.return_url,
    };
    const { external_id } = done(await stripe.openPlan(plan));
    double.world.pay(external_id);
    const state = done(await stripe.findPlan({ ...row, external_id }));
    expect(state).toMatchObject({ status: 'paid', amount_cents: 4900, currency: 'USD', subscription_id: 'sub_1' });
    const renewal = { status: 'active' as const, renews_at: Date.UTC(2026, 6, 15, 12) };
    expect(done(await stripe.findRenewal('sub_1'))).toEqual(renewal);
    expect(done(await stripe.cancelRenewal('sub_1', { now: false }))).toEqual(renewal);
    expect(done(await stripe.findRenewal('sub_none')).status).toBe('ended');
  });

  test('a plan whose next month is not paid yet is paid until its last one ended; ended at once, nothing is charged any more', async () => {
    const plan = {
      product: 'Tradewinds Pro',
      id: ID,
      account_id: 'a',
      price_cents: 2900,
      email: null,
      return_url: ask.return_url,
    };
    const { external_id } = done(await stripe.openPlan(plan));
    double.world.pay(external_id);
    const { subscription_id } = done(await stripe.findPlan({ ...row, external_id })) ?? {};
    const name = subscription_id ?? '';
    const paid_until = done(await stripe.findRenewal(name)).renews_at;
    const invoice = double.world.beginMonth(name);
    expect(done(await stripe.findRenewal(name))).toEqual({ status: 'active', renews_at: paid_until });
    double.world.charge(invoice.id, false);
    expect(done(await stripe.findRenewal(name))).toEqual({ status: 'past_due', renews_at: paid_until });
    const held = double.world.available;
    double.fail('silent_done', /DELETE .*subscriptions/);
    expect((await stripe.cancelRenewal(name, { now: true })).outcome).toBe('unknown');
    expect(double.world.get(invoice.id)['status']).toBe('open');
    expect(done(await stripe.cancelRenewal(name, { now: true })).status).toBe('ended');
    expect(done(await stripe.cancelRenewal(name, { now: true })).status).toBe('ended');
    expect(double.world.get(invoice.id)['status']).toBe('void');
    double.world.charge(invoice.id, true);
    expect(double.world.available).toBe(held);
    expect((await stripe.cancelRenewal(name, { now: false })).outcome).toBe('refused');
  });

  test('a payee is finished, and gone', async () => {
    const account = await payee();
    const found = () => stripe.findPayee({ ...row, external_id: account });
    expect(done(await found())).toEqual({
      external_id: account,
      details_submitted: true,
      payouts_enabled: true,
      bank: { name: 'STRIPE TEST BANK', country: 'US', last4: '6789', fingerprint: `bank_of_${account}` },
      gone: false,
    });
    // What our payouts go to is the default of their currency, be it a card.
    const { external_accounts } = double.world.get(account);
    const [bank] = external_accounts.data;
    const card = {
      object: 'card',
      brand: 'Visa',
      country: null,
      last4: '4242',
      currency: 'usd',
      default_for_currency: true,
    };
    external_accounts.data = [{ ...bank, default_for_currency: false }, card];
    expect(done(await found())?.bank).toEqual({ name: 'Visa', country: '', last4: '4242', fingerprint: null });
    external_accounts.data = [];
    expect(done(await found())?.bank).toBeNull();
    double.world.things.delete(account);
    expect(done(await found())?.gone).toBe(true);
  });

  test('a key that does not work says nothing of what was done', async () => {
    const other = createStripe({
      ...{ webhook_secret: 'w', hold_ms: 0, retries: 0 },
      secret_key: 'sk_live_x',
      api_base: double.url,
      now: () => now,
    });
    expect(other.livemode).toBe(true);
    expect((await other.openFunding(ask)).outcome).toBe('unknown');
    expect((await other.findFunding(row)).outcome).toBe('unknown');
  });
});

describe('webhooks and books', () => {
  test('a hint names what it is about; a signature that is old, of another key or of another body is none', async () => {
    const { external_id } = done(await stripe.openFunding(ask));
    double.world.pay(external_id);
    const [{ body, signature } = { body: '', signature: '' }] = double.world.events;
    const read = (text: string, sign: string) => stripe.readWebhook(Buffer.from(text), sign);
    expect(await read(body, signature)).toMatchObject({ kind: 'funding', object_id: external_id, our_id: ID });
    expect(await read(body.replace('paid', 'pait'), signature)).toBeNull();
    expect(await read(body, double.world.sign(body, now / 1000, 'whsec_other'))).toBeNull();
    expect(await read(body, '')).toBeNull();
    now += HOUR_MS;
    expect(await read(body, signature)).toBeNull();
  });

  test('what was taken back, and the lines of it', async () => {
    const { external_id } = done(await stripe.openFunding(ask));
    double.world.pay(external_id);
    const dispute = double.world.dispute('pi_1', 2000);
    double.world.refund('pi_1', 300);
    const taken = {
      payment_id: 'pi_1',
      external_id: dispute.id,
      amount_cents: 2000,
      kind: 'chargeback',
      fee_cents: 1500,
    };
    expect(done(await stripe.takenBack('pi_1'))).toMatchObject([
      { ...taken, status: 'open' },
      { external_id: 're_1', amount_cents: 300, kind: 'refund', status: 'lost' },
    ]);
    double.world.closeDispute(dispute.id, 'won');
    expect(done(await stripe.takenBack('pi_1'))[0]).toMatchObject({ ...taken, status: 'won' });
    const lines = await stripe.books?.(START_MS, START_MS + 1000);
    expect(lines && done(lines).map(({ kind, amount_cents, payment_id }) => [kind, amount_cents, payment_id])).toEqual([
      ['payment', 2500, 'pi_1'],
      ['chargeback', -2000, 'pi_1'],
      ['refund', -300, 'pi_1'],
      ['chargeback', 2000, 'pi_1'],
    ]);
  });
});

test.each([
  [{ type: 'StripeAuthenticationError', statusCode: 401 }, 'StripeAuthenticationError'],
  [{ type: 'StripeConnectionError', code: 'ECONNRESET' }, 'no_answer'],
  [{}, 'Error'],
])('the reason of a failure is a code, never its message: %j', async (failure, reason) => {
  const failing = change(() => Promise.reject(Object.assign(new Error('Invalid API key: sk_live_1'), failure)));
  expect(await failing).toEqual({ outcome: 'unknown', reason });
});
