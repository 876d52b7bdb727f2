// The whole way with Stripe, by its own SDK against a double: money comes in once whatever becomes of the webhooks, and what
// is taken back is taken once, from the wallet as far as it reaches, the rest owed.

import { describe, expect, test } from 'bun:test';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { platformBalance, transfersOf } from '../../db/queries/ledger.ts';
import { differencesOfDay, fundingsOfAgent, planTermsByExternal, receivableById } from '../../db/queries/processor.ts';
import { reviewById } from '../../db/queries/review.ts';
import { counterById } from '../../db/queries/turn.ts';
import { HIGHEST_ID } from '../../db/query.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { obligationsKey } from '../../src/steps/money/obligation.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedStripe } from '../support/shared-stripe.ts';
import type { SignedEvent } from '../support/stripe-double/world.ts';
import { START_MS } from '../support/testbed.ts';
import { balanceOf } from '../support/wallet.ts';
import { deliverEvent } from '../support/with-stripe.ts';

const FIVE = 5000;

const { t, double } = sharedStripe();

const wallet = ({ id }: TestAgent): Promise<number> => balanceOf(t, `wallet:${id}`);

const deliver = (event: Pick<SignedEvent, 'body' | 'signature'>): Promise<number> => deliverEvent(t, event);

/** Takes what Stripe has to tell of. */
const told = (): SignedEvent[] => double.world.events.splice(0);

async function ask({ token, handle, email }: TestAgent, amount_cents = FIVE): Promise<{ id: string; session: string }> {
  const again = () => signIn(t, email);
  const send = (by: string) => t.call('POST', '/api/wallet/fund', { token: by, agent: handle, body: { amount_cents } });
  let asked = await send(token);
  if (asked.status === 401) asked = await send(await again());
  if (asked.status !== 200) throw new Error(JSON.stringify(asked.body));
  return { id: asked.body.funding_id, session: asked.body.checkout_url.split('/').at(-1) };
}

async function paidBy(agent: TestAgent, amount_cents = FIVE): Promise<{ id: string; payment: string }> {
  const { id, session } = await ask(agent, amount_cents);
  double.world.pay(session);
  for (const event of told()) await deliver(event);
  return { id, payment: double.world.get(session)['payment_intent'] };
}

async function payments({ id: agent_id }: TestAgent): Promise<unknown[]> {
  const events = await t.service.world.store.read(eventsAfter, { agent_id, after: 0, limit: 100 });
  return events.filter(({ kind }) => kind.startsWith('payment.')).map(({ kind, data }) => [kind, data['kind']]);
}

describe('a funding', () => {
  test('is there once, whether its webhook comes once, twice, late, or not at all', async () => {
    for (const way of ['once', 'twice', 'late', 'lost'] as const) {
      const agent = await newAgent(t, { handle: `paid_${way}` });
      const { session } = await ask(agent);
      double.world.pay(session);
      const [event] = told();
      if (!event) throw new Error('nothing was told');
      if (way === 'once' || way === 'twice') expect(await deliver(event)).toBe(200);
      if (way === 'twice') expect(await deliver(event)).toBe(200);
      if (way === 'late' || way === 'lost') await t.advance(11 * MINUTE_MS);
      const signature = double.world.sign(event.body);
      if (way === 'late') expect(await deliver({ body: event.body, signature })).toBe(200);
      expect(await wallet(agent)).toBe(FIVE);
      expect(await payments(agent)).toEqual([['payment.succeeded', 'fund']]);
    }
  });

  test('a webhook of another body or another key is refused, and one of an unknown kind is taken', async () => {
    const agent = await newAgent(t, { handle: 'forged' });
    const { id, session } = await ask(agent);
    const body = JSON.stringify({
      ...{ id: 'evt_forged', object: 'event', type: 'checkout.session.completed' },
      data: { object: { id: session, payment_status: 'paid', status: 'complete', metadata: { meshwork_id: id } } },
    });
    const signature = double.world.sign(body, t.clock.now() / 1000, 'whsec_of_somebody');
    expect(await deliver({ body, signature })).toBe(400);
    expect(await deliver({ body, signature: '' })).toBe(400);
    // Signed well, it is a hint still: what it says of the payment is not believed.
    expect(await deliver({ body, signature: double.world.sign(body) })).toBe(200);
    expect(await wallet(agent)).toBe(0);
    const odd = JSON.stringify({ id: 'evt_odd', object: 'event', type: 'radar.odd', data: { object: { id: 'x' } } });
    expect(await deliver({ body: odd, signature: double.world.sign(odd) })).toBe(200);
  });

  test.each([
    ['amount', { amount: 4999 }],
    ['currency', { currency: 'eur' }],
    ['livemode', { livemode: true }],
  ] as const)('of another %s posts nothing and opens a review', async (what, as) => {
    const agent = await newAgent(t, { handle: `other_${what}` });
    const { id, session } = await ask(agent);
    double.world.pay(session, as);
    for (const event of told()) await deliver(event);
    expect(await wallet(agent)).toBe(0);
    expect(await t.service.world.store.read(reviewById, { id })).toMatchObject({ kind: 'payment', status: 'open' });
  });

  test('of a size that Stripe never takes is refused with the field, and leaves no page that waits', async () => {
    const { token, handle: agent, id } = await newAgent(t, { handle: 'asks_little', verified: true });
    const small = await t.call('POST', '/api/wallet/fund', { token, agent, body: { amount_cents: 49 } });
    expect([small.status, small.body.error, small.body.fields?.[0].path]).toEqual([
      400,
      'invalid_request',
      'amount_cents',
    ]);
    const rows = await t.service.world.store.read(fundingsOfAgent, { agent_id: id, before: HIGHEST_ID, limit: 10 });
    expect(rows).toMatchObject([{ amount_cents: 49, status: 'failed', reason: 'amount', url: null }]);
    await t.rest();
    expect([await wallet({ id } as TestAgent), await payments({ id } as TestAgent)]).toEqual([0, []]);
  });

  test('whose page was made without an answer is found by our id, and paid once', async () => {
    const agent = await newAgent(t, { handle: 'lost_answer' });
    double.fail('silent_done', /POST .*sessions/);
    const body = { amount_cents: FIVE };
    const asked = await t.call('POST', '/api/wallet/fund', { token: agent.token, agent: agent.handle, body });
    expect(asked.status).toBe(503);
    const [session] = double.world.all('checkout.session');
    double.world.pay(session?.id ?? '');
    told();
    await t.advance(11 * MINUTE_MS);
    expect(await wallet(agent)).toBe(FIVE);
  });
});

describe('what the processor takes back', () => {
  const owes = async (account_id: string) =>
    (await t.service.world.store.read(counterById, { id: `receivables:${account_id}` }))?.n ?? 0;
  const obligations = async ({ id }: TestAgent) =>
    (await t.service.world.store.read(counterById, { id: obligationsKey(id) }))?.n ?? 0;
  const send = async ({ email, handle }: TestAgent, to_handle: string, amount_cents: number) =>
    t.call('POST', '/api/wallet/send', {
      token: await signIn(t, email),
      agent: handle,
      body: { to_handle, amount_cents },
    });

  test('comes from the wallet as far as it reaches; the rest is owed, bars what goes out, and is repaid', async () => {
    const agent = await newAgent(t, { handle: 'charged_back', verified: true });
    await newAgent(t, { handle: 'was_paid', verified: true });
    const { payment } = await paidBy(agent);
    expect((await send(agent, 'was_paid', 2000)).status).toBe(201);
    const dispute = double.world.dispute(payment);
    const [event] = told();
    if (!event) throw new Error('nothing was told');
    expect([await deliver(event), await deliver(event)]).toEqual([200, 200]);
    expect(await wallet(agent)).toBe(0);
    const debt = () => t.service.world.store.read(receivableById, { id: dispute.id });
    expect(await debt()).toMatchObject({ amount_cents: 2000, repaid_cents: 0, status: 'open' });
    const account_id = (await debt())?.account_id ?? '';
    expect([await owes(account_id), await obligations(agent)]).toEqual([1, 1]);
    const barred = await send(agent, 'was_paid', 1);
    expect([barred.status, barred.body.error]).toEqual([403, 'account_restricted']);
    // Its person pays in again: a part, then more than the rest.
    await paidBy(agent, 500);
    expect(await wallet(agent)).toBe(0);
    expect(await debt()).toMatchObject({ repaid_cents: 500, status: 'open' });
    await paidBy(agent, 2000);
    expect(await wallet(agent)).toBe(500);
    expect(await debt()).toMatchObject({ repaid_cents: 2000, status: 'repaid' });
    expect([await owes(account_id), await obligations(agent)]).toEqual([0, 0]);
    expect((await send(agent, 'was_paid', 1)).status).toBe(201);
    expect(await payments(agent)).toContainEqual(['payment.failed', 'chargeback']);
  });

  test('and is won, is given back once: first what is still owed, then the wallet', async () => {
    const agent = await newAgent(t, { handle: 'won_back', verified: true });
    const { payment } = await paidBy(agent);
    await send(agent, 'was_paid', 1500);
    const dispute = double.world.dispute(payment);
    double.world.closeDispute(dispute.id, 'won');
    // Its end comes first: nothing was taken, so nothing is given.
    const [opened, closed] = told();
    if (!opened || !closed) throw new Error('nothing was told');
    await deliver(closed);
    expect(await wallet(agent)).toBe(3500);
    await deliver(opened);
    expect(await wallet(agent)).toBe(3500);

    const second = await paidBy(agent);
    const again = double.world.dispute(second.payment);
    for (const event of told()) await deliver(event);
    expect(await wallet(agent)).toBe(3500);
    double.world.closeDispute(again.id, 'won');
    const [end] = told();
    if (!end) throw new Error('nothing was told');
    await deliver(end);
    await deliver({
      body: end.body.replace(end.id, 'evt_again'),
      signature: double.world.sign(end.body.replace(end.id, 'evt_again')),
    });
    expect(await wallet(agent)).toBe(8500);
  });

  test('by a refund of ours at the processor is taken too', async () => {
    const agent = await newAgent(t, { handle: 'refunded_one' });
    const { payment } = await paidBy(agent);
    double.world.refund(payment, 1200);
    for (const event of told()) await deliver(event);
    expect(await wallet(agent)).toBe(FIVE - 1200);
  });

  test('and the ledger holds what the processor holds', async () => {
    const ours = (await t.service.world.store.read(platformBalance, { id: 'processor' }))?.balance_cents ?? 0;
    const strange = double.world
      .all('checkout.session')
      .filter(({ livemode, currency, status }) => status === 'complete' && (livemode || currency !== 'usd'));
    const odd = double.world.all('charge').filter(({ amount }) => amount === 4999);
    expect(strange.length + odd.length).toBe(3);
    const kept = (amount: number) => amount - Math.round(amount * 0.029) - 30;
    expect(-ours).toBe(double.world.available - kept(4999) - 2 * kept(FIVE));
  });
});

describe('the books of a day', () => {
  const differences = async () =>
    (
      await t.service.world.store.read(differencesOfDay, {
        day: new Date(START_MS + 3 * DAY_MS).toISOString().slice(0, 10),
      })
    ).map(({ problem, resolved_at }) => [problem, resolved_at === null]);

  test('show what no webhook told of, which is then followed, and the difference ends', async () => {
    const agent = await newAgent(t, { handle: 'books_one' });
    const day = new Date(START_MS).toISOString().slice(0, 10);
    await t.advance(Date.parse(day) + 3 * DAY_MS + 10 * MINUTE_MS - t.clock.now());
    const { payment } = await paidBy(agent);
    // The bank takes it back, its webhook is lost, and nobody asks.
    double.world.refund(payment, 1000);
    const odd = double.world.add('tr', 'transfer', { amount: 77, destination: 'x', reversed: false, metadata: {} });
    double.world.book('transfer', -77, odd.id);
    told();
    expect(await wallet(agent)).toBe(FIVE);
    await t.advance(DAY_MS + 2 * 60 * MINUTE_MS);
    expect(await wallet(agent)).toBe(FIVE - 1000);
    expect(await differences()).toEqual([
      ['reversed, but not booked', true],
      ['a transfer that is not ours', true],
    ]);
    double.calls.length = 0;
    await t.advance(DAY_MS);
    expect(await differences()).toEqual([
      ['reversed, but not booked', false],
      ['a transfer that is not ours', true],
    ]);
    // The days before that still differ are looked at once, and none lets the others be looked at anew.
    expect(double.calls.filter((call) => call.includes('balance_transactions')).length).toBeLessThanOrEqual(5);
  });

  test('have each month of a plan, and its fee is booked from them', async () => {
    const { email } = await newAgent(t, { handle: 'books_plan' });
    const { store } = t.service.world;
    const token = await signIn(t, email);
    const { body } = await t.call('POST', '/api/billing/checkout', { token, body: { plan: 'pro' } });
    const session = body.checkout_url.split('/').at(-1);
    double.world.pay(session);
    for (const event of told()) await deliver(event);
    const cents = async (journal: string) =>
      (await store.read(transfersOf, { journal })).map(({ amount_cents }) => amount_cents);
    const today = () => new Date(t.clock.now()).toISOString().slice(0, 10);
    const found = async (day: string) =>
      (await store.read(differencesOfDay, { day })).map(({ problem, resolved_at }) => [problem, resolved_at === null]);
    const bought = today();
    double.world.book('stripe_fee', -200, null);
    await t.advance(DAY_MS + 3 * 60 * MINUTE_MS);
    expect(await cents(`plan:${body.checkout_id}`)).toEqual([2900]);
    expect(await cents(`processor_fee:${body.checkout_id}`)).toEqual([114]);
    expect(await cents(`processor_fee:${double.world.all('balance_transaction')[0]?.id}`)).toEqual([200]);
    expect(await found(bought)).toEqual([]);
    // The next month, of which nobody told; and one of a plan that is nobody's here.
    const subscription = double.world.get(session)['subscription'];
    await t.advance(20 * DAY_MS);
    const month = new Date(t.clock.now()).toISOString().slice(0, 7);
    double.world.renew(subscription, 2900);
    const odd = double.world.add('sub', 'subscription', { items: { data: [{ current_period_end: 1 }] }, metadata: {} });
    double.world.renew(odd.id, 500);
    const renewed = today();
    await t.advance(DAY_MS + 3 * 60 * MINUTE_MS);
    expect((await found(renewed)).sort()).toEqual([
      ['a month of a plan that is not booked', true],
      ['a month of a plan that is not ours', true],
    ]);
    await t.advance(DAY_MS);
    expect((await found(renewed)).sort()).toEqual([
      ['a month of a plan that is not booked', false],
      ['a month of a plan that is not ours', true],
    ]);
    const { id: account_id } = (await store.read(planTermsByExternal, { external_id: subscription })) ?? { id: '' };
    expect(await cents(`processor_fee:${account_id}:${month}`)).toEqual([114]);
  });

  test('tell of a fee of another amount', async () => {
    const agent = await newAgent(t, { handle: 'books_fee' });
    const { payment } = await paidBy(agent);
    const line = double.world.get(double.world.get(double.world.get(payment)['latest_charge'])['balance_transaction']);
    line['fee'] += 1;
    const day = new Date(t.clock.now()).toISOString().slice(0, 10);
    await t.advance(DAY_MS + 3 * 60 * MINUTE_MS);
    expect(await t.service.world.store.read(differencesOfDay, { day })).toMatchObject([
      { object_id: `fee:${payment}`, problem: 'a fee of another amount', ours_cents: 175, theirs_cents: 176 },
    ]);
  });
});
