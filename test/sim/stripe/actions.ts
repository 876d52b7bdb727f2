// What people, their cards and their banks do in the simulation with Stripe.
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import type { Thing } from '../../support/stripe-double/world.ts';
import type { Member, StripeSim } from './world.ts';

export type Action = (sim: StripeSim, member: Member) => Promise<boolean>;

const open = ({ double }: StripeSim, mode: string): Thing[] =>
  double.world.all('checkout.session').filter((each) => each.status === 'open' && each.mode === mode);

/** A page of Stripe lives a day. */
function closesLater(sim: StripeSim): void {
  const [newest] = sim.double.world.all('checkout.session');
  if (newest?.status === 'open') sim.later(DAY_MS, () => sim.double.world.expire(newest.id));
}

const fund: Action = async (sim, member) => {
  sim.trouble();
  const amount_cents = 500 + sim.choose.below(30_000);
  const { status } = await sim.call(member, 'POST', '/api/wallet/fund', { amount_cents });
  closesLater(sim);
  return status === 200;
};

const pay: Action = async (sim) => {
  const page = sim.choose.maybe(open(sim, 'payment'));
  if (!page) return false;
  sim.note(`somebody pays ${page.id}`);
  sim.double.world.pay(page.id);
  return true;
};

/** Whose plan goes on, there or here, buys none: two at once are a person's to clear. */
const buy: Action = async (sim, member) => {
  sim.trouble();
  const { status } = await sim.call(member, 'POST', '/api/billing/checkout', { plan: 'pro' });
  closesLater(sim);
  const page = sim.choose.maybe(open(sim, 'subscription'));
  const buyer = sim.members.find(({ account_id }) => account_id === page?.metadata.meshwork_account);
  if (!page || !buyer || sim.live().some(({ metadata }) => metadata.meshwork_account === buyer.account_id))
    return false;
  const { body } = await sim.call(buyer, 'GET', '/api/billing/status');
  if (body.plan !== 'free' || body.status !== 'active') return false;
  sim.note(`${buyer.handle} subscribes by ${page.id}`);
  sim.double.world.pay(page.id);
  return status === 200;
};

const cancel: Action = async (sim, member) => {
  sim.trouble();
  return (await sim.call(member, 'POST', '/api/billing/cancel')).status === 200;
};

const connect: Action = async (sim, member) => {
  sim.trouble();
  const { status, body } = await sim.call(member, 'POST', '/api/payments/connect', {});
  const [account] = sim.double.world.all('account');
  if (account && sim.choose.chance(0.7)) sim.double.world.finishAccount(account.id);
  sim.trouble();
  await sim.call(member, 'GET', '/api/payments/connect/status');
  return status === 200 || body.error === 'already_connected';
};

const withdraw: Action = async (sim, member) => {
  sim.trouble();
  const amount_cents = 1_000 + sim.choose.below(15_000);
  const { status } = await sim.call(member, 'POST', '/api/wallet/withdraw', { amount_cents });
  return status === 201;
};

/** A bank takes a payout, does not, or sends one back that it had taken. */
const bank: Action = async (sim) => {
  const { world } = sim.double;
  const payout = sim.choose.maybe(world.all('payout').filter(({ status }) => status !== 'failed'));
  if (!payout || sim.clock.now() - payout.created * 1000 > 8 * DAY_MS) return false;
  const word = sim.choose.chance(0.7) ? 'paid' : 'failed';
  sim.note(`the bank says of ${payout.id}: ${word}`);
  world.settlePayout(payout.id, word);
  return true;
};

/** A bank takes a payment back, once, or the platform gives a part of it back. */
const takeBack: Action = async (sim) => {
  const { world } = sim.double;
  const taken = new Set([...world.all('dispute'), ...world.all('refund')].map((each) => each.payment_intent));
  const paid = paidFor(sim).filter((id) => !taken.has(id));
  const payment = sim.choose.maybe(paid);
  if (payment === null) return false;
  const amount = 1 + sim.choose.below(world.get(payment).amount);
  const is_refund = sim.choose.chance(0.4);
  sim.note(`${amount} of ${payment} are taken back${is_refund ? ' by us' : ''}`);
  if (is_refund) world.refund(payment, amount);
  else world.dispute(payment, amount);
  return true;
};

/** The payments of fundings that somebody made. */
function paidFor({ double }: StripeSim): string[] {
  const sessions = double.world.all('checkout.session');
  return sessions.flatMap(({ mode, payment_intent }) => (mode === 'payment' && payment_intent ? [payment_intent] : []));
}

const settle: Action = async (sim) => {
  const { world } = sim.double;
  const dispute = sim.choose.maybe(world.all('dispute').filter(({ status }) => status === 'needs_response'));
  if (!dispute) return false;
  const end = sim.choose.chance(0.5) ? 'won' : 'lost';
  sim.note(`${dispute.id} is ${end}`);
  world.closeDispute(dispute.id, end);
  return true;
};

const send: Action = async (sim, member) => {
  const to_handle = sim.choose.pick(sim.members.filter((each) => each !== member)).handle;
  const amount_cents = 1 + sim.choose.below(8_000);
  return (await sim.call(member, 'POST', '/api/wallet/send', { to_handle, amount_cents })).status === 201;
};

const pass: Action = async (sim) => {
  sim.trouble();
  const ms = sim.choose.chance(0.6) ? sim.choose.below(HOUR_MS) : sim.choose.below(4 * DAY_MS);
  sim.note(`time passes: ${ms} ms`);
  await sim.pass(ms);
  return true;
};

const reopen: Action = async (sim) => {
  sim.note('closed and opened again');
  await sim.close();
  await sim.open();
  return true;
};

/** Each with how often it is drawn. */
export const ACTIONS: readonly (readonly [name: string, weight: number, action: Action])[] = [
  ['fund', 14, fund],
  ['pay', 14, pay],
  ['buy', 10, buy],
  ['cancel', 5, cancel],
  ['connect', 6, connect],
  ['withdraw', 12, withdraw],
  ['bank', 10, bank],
  ['take back', 5, takeBack],
  ['settle', 4, settle],
  ['send', 8, send],
  ['pass', 16, pass],
  ['reopen', 1, reopen],
];
