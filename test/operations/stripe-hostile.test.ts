// Stripe in the hands of somebody who wants money for nothing: webhooks that are old, sent again, about somebody else's payment or in
// the wrong order, and cards that take their money back after it has left the house.

import { expect, test } from 'bun:test';
import { platformBalance } from '../../db/queries/ledger.ts';
import { differencesOfDay, openReceivables, payeeById } from '../../db/queries/processor.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { accountOf, newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedStripe } from '../support/shared-stripe.ts';
import type { SignedEvent } from '../support/stripe-double/world.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';
import { deliverEvent } from '../support/with-stripe.ts';

const FIVE = 5_000;

const { t, double } = sharedStripe();

const wallet = ({ id }: TestAgent): Promise<number> => balanceOf(t, `wallet:${id}`);

const deliver = (event: Pick<SignedEvent, 'body' | 'signature'>): Promise<number> => deliverEvent(t, event);

/** What Stripe has to tell, oldest first. */
const told = (): SignedEvent[] => double.world.events.splice(0);

async function deliverAll(): Promise<void> {
  for (const event of told()) await deliver(event);
  await t.rest();
}

/** The one event that Stripe has to tell. */
function only(): SignedEvent {
  const [event, ...more] = told();
  if (!event || more.length > 0) throw new Error('not one event was told');
  return event;
}

async function asPerson({ email, handle: agent }: TestAgent, path: string, body: object): Promise<TestAnswer> {
  return t.call('POST', path, { token: await signIn(t, email), agent, body });
}

/** The id of the checkout page of a funding, which nobody has paid yet. */
async function ask(agent: TestAgent): Promise<string> {
  const { body } = await asPerson(agent, '/api/wallet/fund', { amount_cents: FIVE });
  return body.checkout_url.split('/').at(-1);
}

/** Pays in by card and answers the payment. */
async function payIn(agent: TestAgent): Promise<string> {
  const session = await ask(agent);
  double.world.pay(session);
  await deliver(only());
  return double.world.get(session)['payment_intent'];
}

/** An agent whose person can withdraw to a bank. */
async function connected(handle: string): Promise<TestAgent> {
  const agent = await newAgent(t, { handle, verified: true });
  await asPerson(agent, '/api/payments/connect', {});
  const payee = await t.service.world.store.read(payeeById, { id: await accountOf(t, agent.email) });
  double.world.finishAccount(payee?.external_id ?? '');
  await deliverAll();
  return agent;
}

const withdraw = (agent: TestAgent, amount_cents: number): Promise<TestAnswer> =>
  asPerson(agent, '/api/wallet/withdraw', { amount_cents });

const owed = async (agent: TestAgent): Promise<number> =>
  (await t.service.world.store.read(openReceivables, { account_id: await accountOf(t, agent.email) })).reduce(
    (sum, { amount_cents, repaid_cents }) => sum + amount_cents - repaid_cents,
    0,
  );

test('a signature counts for five minutes, before and after its time, and for the whole body', async () => {
  const { world } = double;
  const body = JSON.stringify({ id: 'evt_aged', object: 'event', type: 'payout.paid', data: { object: { id: 'po' } } });
  const now_s = t.clock.now() / 1_000;
  for (const [age_s, status] of [
    [299, 200],
    [301, 400],
    [86_400, 400],
  ] as const)
    expect([age_s, await deliver({ body, signature: world.sign(body, now_s - age_s) })]).toEqual([age_s, status]);
  // A second time beside the signed one does not renew it, nor does a signature of another scheme count.
  const old = world.sign(body, now_s - 301);
  for (const signature of [
    `t=${now_s},${old}`,
    `${old},t=${now_s}`,
    world.sign(body).replace('v1=', 'v0='),
    `t=NaN,${world.sign(body).split(',')[1]}`,
  ])
    expect([signature, await deliver({ body, signature })]).toEqual([signature, 400]);
  expect(await deliver({ body: `${body} `, signature: world.sign(body) })).toBe(400);
});

test('a webhook that is sent again moves nothing, also under a new id and after the money was taken back', async () => {
  const agent = await newAgent(t, { handle: 'sent_again' });
  const session = await ask(agent);
  double.world.pay(session);
  const paid = only();
  await deliver(paid);
  double.world.dispute(double.world.get(session)['payment_intent']);
  const taken = only();
  await deliver(taken);
  expect(await wallet(agent)).toBe(0);
  for (const { id, body } of [paid, taken])
    for (const again of [body, body.replace(id, `${id}_again`)])
      expect(await deliver({ body: again, signature: double.world.sign(again) })).toBe(200);
  await t.rest();
  expect([await wallet(agent), await owed(agent)]).toEqual([0, 0]);
});

test('a payment under the id of another funding, or told by another account, pays for nobody else', async () => {
  const [payer, thief] = [await newAgent(t, { handle: 'honest_payer' }), await newAgent(t, { handle: 'thief' })];
  const [paid, unpaid] = [await ask(payer), await ask(thief)];
  const { body: asked } = await asPerson(thief, '/api/wallet/fund', { amount_cents: FIVE });
  double.world.pay(paid);
  const { body, id } = only();
  const ours = JSON.parse(body).data.object.metadata.meshwork_id as string;
  const renamed = body.replace(ours, asked.funding_id);
  for (const forged of [
    renamed.replace(id, 'evt_renamed'),
    body.replace(id, 'evt_other').replaceAll(paid, unpaid).replace(ours, asked.funding_id),
    renamed.replace(`"${id}"`, '"evt_connected","account":"acct_of_thief"'),
  ]) {
    expect(forged).not.toBe(body);
    expect(await deliver({ body: forged, signature: double.world.sign(forged) })).toBe(200);
  }
  await t.rest();
  expect(await wallet(thief)).toBe(0);
  await deliver({ body, signature: double.world.sign(body) });
  expect([await wallet(payer), await wallet(thief)]).toEqual([FIVE, 0]);
});

test('what is taken back before the payment was heard of is taken as soon as it is', async () => {
  const agent = await newAgent(t, { handle: 'wrong_order', verified: true });
  for (const how of ['dispute', 'refund'] as const) {
    const session = await ask(agent);
    double.world.pay(session);
    const payment = double.world.get(session)['payment_intent'];
    if (how === 'dispute') double.world.dispute(payment);
    else double.world.refund(payment, FIVE);
    const [paid, taken] = told();
    if (!paid || !taken) throw new Error('less than two events were told');
    expect([await deliver(taken), await wallet(agent)]).toEqual([200, 0]);
    await deliver(paid);
    await t.rest();
    expect([how, await wallet(agent)]).toEqual([how, 0]);
  }
});

test('a card that takes back what was withdrawn leaves a debt, which bars the account and takes what comes in', async () => {
  const agent = await connected('cashed_out');
  const second = await newAgent(t, { handle: 'cashed_out_too', email: agent.email, verified: true });
  const payment = await payIn(agent);
  double.world.available = 100_000;
  expect((await withdraw(agent, FIVE)).status).toBe(201);
  await t.rest();
  const payout = double.world.all('payout')[0]?.id ?? '';
  double.world.settlePayout(payout, 'paid');
  await deliverAll();
  const books = async (): Promise<number | undefined> =>
    (await t.service.world.store.read(platformBalance, { id: 'processor' }))?.balance_cents;
  const before = (await books()) ?? 0;
  double.world.dispute(payment);
  await deliverAll();
  expect([await wallet(agent), await owed(agent)]).toEqual([0, FIVE]);
  // The amount and the fee of the dispute.
  expect(Math.abs(((await books()) ?? 0) - before)).toBe(FIVE + 1_500);
  await fundWallet(t, second.id, FIVE);
  for (const answer of [
    await asPerson(second, '/api/wallet/withdraw', { amount_cents: 1_000 }),
    await asPerson(second, '/api/wallet/send', { to_handle: 'thief', amount_cents: 1 }),
  ])
    expect([answer.status, answer.body.error]).toEqual([403, 'account_restricted']);
  // The bank sends the withdrawal back: the debt is paid with it, and none of it leaves a second time.
  double.world.settlePayout(payout, 'failed');
  await deliverAll();
  await t.advance(10 * MINUTE_MS);
  expect((await withdraw(agent, FIVE)).body.error).not.toBeUndefined();
  await t.advance(DAY_MS);
  expect([await wallet(agent), await owed(agent), await wallet(second)]).toEqual([0, 0, FIVE]);
});

test('a month of a plan that its card takes back is told to administrators with the books of the day', async () => {
  const agent = await newAgent(t, { handle: 'pro_for_nothing' });
  const { body } = await asPerson(agent, '/api/billing/checkout', { plan: 'pro' });
  double.world.pay(body.checkout_url.split('/').at(-1));
  await deliverAll();
  double.world.dispute(double.world.all('payment_intent')[0]?.id ?? '');
  const day = new Date(t.clock.now()).toISOString().slice(0, 10);
  await deliverAll();
  await t.advance(2 * DAY_MS);
  const told = await t.service.world.store.read(differencesOfDay, { day });
  const [dispute] = double.world.all('dispute');
  expect(told.filter(({ object_id }) => object_id === dispute?.id)).toMatchObject([
    { problem: 'a month of a plan that was taken back', theirs_cents: -2_900, resolved_at: null },
  ]);
});
