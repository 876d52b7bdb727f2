// Plans with Stripe, from the checkout to their end, by its own SDK against a double: each month is booked once and only when it was
// paid, whatever becomes of the webhooks, and a plan that has ended is charged for no more.

import { describe, expect, test } from 'bun:test';
import { journalsOfKind } from '../../db/queries/ledger.ts';
import { planCheckoutByExternal } from '../../db/queries/processor.ts';
import { reviewById } from '../../db/queries/review.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedStripe } from '../support/shared-stripe.ts';
import type { SignedEvent } from '../support/stripe-double/world.ts';

const FREE = { plan: 'free', status: 'active', renews_at: null, ends_at: null };

const { t, double } = sharedStripe();

/** What months of plans came to; what Stripe keeps of each is booked apart from it. */
const fees = async (): Promise<number> => {
  const page = { kind: 'plan', from: 0, to: t.clock.now() + 1, after: '', limit: 1000 };
  return (await t.service.world.store.read(journalsOfKind, page)).length * 2900;
};
const status = async ({ email }: TestAgent) =>
  (await t.call('GET', '/api/billing/status', { token: await signIn(t, email) })).body;
const told = (): SignedEvent[] => double.world.events.splice(0);

/** Signed anew, as Stripe does each time that it tries. */
async function deliver(events: readonly SignedEvent[]): Promise<void> {
  for (const { body } of events) {
    const headers = { 'Stripe-Signature': double.world.sign(body) };
    const got = await t.call('POST', '/webhooks/stripe', { raw: { type: 'application/json', text: body }, headers });
    expect(got.status).toBe(200);
  }
}

async function begin({ email }: TestAgent): Promise<{ checkout: string; session: string }> {
  const { body } = await t.call('POST', '/api/billing/checkout', {
    token: await signIn(t, email),
    body: { plan: 'pro' },
  });
  return { checkout: body.checkout_id, session: body.checkout_url.split('/').at(-1) };
}

/** A person subscribes; answers the name of what they bought. */
async function subscribed(agent: TestAgent): Promise<string> {
  const { session } = await begin(agent);
  double.world.pay(session);
  await deliver(told());
  expect(await status(agent)).toMatchObject({ plan: 'pro', status: 'active' });
  return double.world.get(session).subscription;
}

/** The paid time ends; the invoice that is made then. */
async function monthLater(subscription: string): Promise<string> {
  await t.advance(double.world.get(subscription).items.data[0].current_period_end * 1000 - t.clock.now());
  return double.world.beginMonth(subscription).id;
}

describe('a checkout', () => {
  test('puts the account on the plan once, whether its webhooks come twice, the wrong way round, late, or not at all', async () => {
    for (const way of ['twice', 'reversed', 'late', 'lost'] as const) {
      const agent = await newAgent(t, { handle: `buys_${way}` });
      const before = await fees();
      const { session } = await begin(agent);
      double.world.pay(session);
      const subscription = double.world.get(double.world.get(session).subscription);
      double.world.tell('customer.subscription.created', subscription);
      const events = told();
      if (way === 'twice') await deliver([...events, ...events]);
      if (way === 'reversed') await deliver(events.toReversed());
      if (way === 'late' || way === 'lost') await t.advance(HOUR_MS);
      if (way === 'late') await deliver(events);
      expect(await status(agent)).toMatchObject({ plan: 'pro', status: 'active', ends_at: null });
      expect((await fees()) - before).toBe(2900);
    }
  });

  test('without an answer, and behind a saved error, is found by our id and sold once', async () => {
    for (const fault of ['silent_done', 'error_done'] as const) {
      const agent = await newAgent(t, { handle: `no_answer_${fault}` });
      double.fail(fault, /POST .*sessions/);
      const body = { plan: 'pro' };
      const asked = await t.call('POST', '/api/billing/checkout', { token: agent.token, body });
      expect([asked.status, asked.body.error]).toEqual([503, 'processor_unavailable']);
      const page = double.world.all('checkout.session')[0]?.id ?? '';
      double.world.pay(page);
      told();
      await t.advance(2 * HOUR_MS);
      expect(await status(agent)).toMatchObject({ plan: 'pro', status: 'active' });
      expect(await t.service.world.store.read(planCheckoutByExternal, { external_id: page })).not.toBeNull();
    }
  });

  test('that is paid after the account was deleted begins nothing, is cancelled, and goes to administrators', async () => {
    const agent = await newAgent(t, { handle: 'left_too_soon' });
    const { session, checkout } = await begin(agent);
    const gone = await t.call('DELETE', '/api/account', { token: await signIn(t, agent.email), body: {} });
    expect(gone.status).toBe(200);
    double.world.pay(session);
    await deliver(told());
    await t.advance(HOUR_MS);
    const subscription = double.world.get(double.world.get(session).subscription);
    expect(subscription.status).toBe('canceled');
    expect(await t.service.world.store.read(reviewById, { id: checkout })).toMatchObject({ kind: 'payment' });
  });
});

describe('a renewal', () => {
  test('is booked when its month is paid, and not while its invoice is a draft', async () => {
    const agent = await newAgent(t, { handle: 'renews_well' });
    const subscription = await subscribed(agent);
    const before = await fees();
    const invoice = await monthLater(subscription);
    await deliver(told());
    expect(await fees()).toBe(before);
    double.world.charge(invoice, true);
    const events = told();
    await deliver([...events.toReversed(), ...events]);
    expect(await fees()).toBe(before + 2900);
    // And one of which no webhook tells.
    double.world.charge(await monthLater(subscription), true);
    told();
    await t.advance(2 * HOUR_MS);
    expect(await fees()).toBe(before + 5800);
    expect(await status(agent)).toMatchObject({ plan: 'pro', status: 'active' });
  });

  test('that fails leaves seven days; paid within them the plan goes on, and its month is booked once', async () => {
    const agent = await newAgent(t, { handle: 'pays_late' });
    const subscription = await subscribed(agent);
    const before = await fees();
    const invoice = await monthLater(subscription);
    double.world.charge(invoice, false);
    await deliver(told());
    expect(await status(agent)).toMatchObject({ plan: 'pro', status: 'past_due' });
    await t.advance(3 * DAY_MS);
    double.world.charge(invoice, true);
    await deliver(told());
    expect(await status(agent)).toMatchObject({ plan: 'pro', status: 'active' });
    expect(await fees()).toBe(before + 2900);
  });

  test('that fails for seven days ends the plan, and nothing is charged any more', async () => {
    const agent = await newAgent(t, { handle: 'never_pays' });
    const subscription = await subscribed(agent);
    const before = await fees();
    const invoice = await monthLater(subscription);
    double.world.charge(invoice, false);
    told();
    await t.advance(DAY_MS);
    expect(await status(agent)).toMatchObject({ plan: 'pro', status: 'past_due' });
    // The first try to end it there has no answer, although it was done.
    double.fail('silent_done', /DELETE .*subscriptions/);
    await t.advance(8 * DAY_MS);
    expect(await status(agent)).toEqual(FREE);
    const held = double.world.available;
    expect(double.world.get(subscription).status).toBe('canceled');
    expect(double.world.get(invoice).status).toBe('void');
    double.world.charge(invoice, true);
    expect([double.world.available, await fees()]).toEqual([held, before]);
  });
});

describe('an end', () => {
  test('that its person asks for comes when the paid time is over', async () => {
    const agent = await newAgent(t, { handle: 'cancels_it' });
    const subscription = await subscribed(agent);
    const token = await signIn(t, agent.email);
    expect((await t.call('POST', '/api/billing/cancel', { token })).body).toMatchObject({ status: 'cancelling' });
    await t.advance(HOUR_MS);
    expect(double.world.get(subscription)).toMatchObject({ status: 'active', cancel_at_period_end: true });
    const before = await fees();
    await monthLater(subscription);
    await deliver(told());
    await t.advance(HOUR_MS);
    expect(await status(agent)).toEqual(FREE);
    expect(await fees()).toBe(before);
  });

  test('with the account comes at once', async () => {
    const agent = await newAgent(t, { handle: 'leaves_all' });
    const subscription = await subscribed(agent);
    const token = await signIn(t, agent.email);
    expect((await t.call('DELETE', '/api/account', { token, body: {} })).status).toBe(200);
    await t.advance(HOUR_MS);
    expect(double.world.get(subscription).status).toBe('canceled');
  });

  test('that Stripe made is followed', async () => {
    const agent = await newAgent(t, { handle: 'ended_there' });
    const subscription = await subscribed(agent);
    double.world.endSubscription(subscription);
    await deliver(told());
    expect(await status(agent)).toEqual(FREE);
  });
});
