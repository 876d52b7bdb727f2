// Connect with Stripe, by both doors of each operation: a person finishes Stripe's pages, and the account can be paid out to; what was
// begun goes on, whatever becomes of an answer.
import { expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open, said } from '../support/escrow.ts';
import { rpc } from '../support/mcp.ts';
import { sharedStripe } from '../support/shared-stripe.ts';
import type { TestAnswer } from '../support/testbed.ts';

const REVISION = '2025-11-25';

const { t, double } = sharedStripe();

type Told = Pick<TestAnswer, 'body'>['body'];
type Door = (agent: TestAgent, what: 'connect' | 'status' | 'payments') => Promise<Told>;

const ROUTES = {
  connect: ['POST', '/api/payments/connect', 'mesh_payout_setup'],
  status: ['GET', '/api/payments/connect/status', 'mesh_payout_status'],
  payments: ['GET', '/api/payments/status', 'mesh_payment_status'],
} as const;

const byRoute: Door = async ({ key, handle }, what) => {
  const [method, path] = ROUTES[what];
  return (await t.call(method, path, { key, agent: handle })).body;
};
const byTool: Door = async ({ key }, what) => {
  const asked = { name: ROUTES[what][2], arguments: {} };
  const { result } = (await rpc(t, 'tools/call', asked, { key, revision: REVISION })).body;
  return result.structuredContent ?? JSON.parse(result.content[0].text);
};

const newest = (): string => double.world.all('account')[0]?.id ?? '';

test.each([
  ['routes', byRoute],
  ['tools', byTool],
] as const)('by %s a person connects, and withdrawals are possible once Stripe says so', async (name, door) => {
  const agent = await newAgent(t, { handle: `connects_${name}` });
  expect(await door(agent, 'payments')).toMatchObject({ processor: 'stripe', funding: true, payouts: true });
  expect(await door(agent, 'status')).toMatchObject({ connected: false, can_withdraw: false });
  const begun = await door(agent, 'connect');
  const id = newest();
  expect(begun).toMatchObject({ success: true, resumed: false, onboarding_url: `https://connect.stripe.test/${id}` });
  expect(await door(agent, 'connect')).toMatchObject({ resumed: true, onboarding_url: begun.onboarding_url });
  // Handed in, and looked at by Stripe.
  double.world.get(id).details_submitted = true;
  const waits = await door(agent, 'status');
  expect(waits).toMatchObject({ connected: true, can_withdraw: false, payouts_enabled: false });
  expect(waits.next_step).toContain('wait for the result');
  double.world.finishAccount(id);
  expect(await door(agent, 'status')).toMatchObject({ connected: true, can_withdraw: true, next_step: null });
  expect((await door(agent, 'connect')).error).toBe('already_connected');
});

test.each(['silent_done', 'error_done', 'error', 'busy'] as const)(
  'an account that Stripe made under %s is gone on with, and is one',
  async (fault) => {
    const agent = await newAgent(t, { handle: `connects_${fault}` });
    const before = double.world.all('account').length;
    double.fail(fault, /POST .*accounts$/);
    expect((await byRoute(agent, 'connect')).error).toBe('processor_unavailable');
    expect((await byRoute(agent, 'connect')).onboarding_url).toContain(newest());
    expect(double.world.all('account').length - before).toBe(1);
    double.world.finishAccount(newest());
    // Its webhook alone tells of it.
    const told = double.world.events.splice(0).at(-1);
    const raw = { type: 'application/json', text: told?.body ?? '' };
    const headers = { 'Stripe-Signature': told?.signature ?? '' };
    expect((await t.call('POST', '/webhooks/stripe', { raw, headers })).status).toBe(200);
    await t.rest();
    expect(await byTool(agent, 'status')).toMatchObject({ can_withdraw: true });
  },
);

/** Connects an agent's account, whose person names a bank at Stripe; answers what Stripe calls the account. */
async function connectTo(agent: TestAgent, bank: Readonly<Record<string, unknown>>): Promise<string> {
  await byRoute(agent, 'connect');
  const id = newest();
  double.world.finishAccount(id, bank);
  expect(await byRoute(agent, 'status')).toMatchObject({ can_withdraw: true });
  return id;
}

test('after it was disconnected another account is made at Stripe, and the first one counts for nothing', async () => {
  const agent = await newAgent(t, { handle: 'connects_anew' });
  const first = await connectTo(agent, { bank_name: 'First Bank', fingerprint: 'first' });
  expect((await byRoute(agent, 'status')).destination.bank_name).toBe('First Bank');
  expect((await t.call('DELETE', '/api/payments/connect', { token: agent.token })).status).toBe(200);
  expect((await byRoute(agent, 'connect')).resumed).toBe(false);
  const second = newest();
  expect(second).not.toBe(first);
  double.world.setBank(first, { bank_name: 'Third Bank', fingerprint: 'third' });
  for (const { body, signature } of double.world.events.splice(0)) {
    const raw = { type: 'application/json', text: body };
    await t.call('POST', '/webhooks/stripe', { raw, headers: { 'Stripe-Signature': signature } });
  }
  await t.rest();
  expect(await byTool(agent, 'status')).toMatchObject({ can_withdraw: false, destination: null });
  double.world.finishAccount(second);
  expect(await byTool(agent, 'status')).toMatchObject({ can_withdraw: true, destination: { last4: '6789' } });
});

/** A deal that is paid, and what the buyer's review of it is answered. */
async function reviewed(buyer: Buyer, seller: TestAgent): Promise<string> {
  const escrow = await open(t, buyer, seller, [5_000]);
  const by = { key: buyer.pays, agent: buyer.handle };
  const body = { milestone_index: 0 };
  expect((await t.call('POST', `/api/wallet/escrow/${escrow.id}/release`, { ...by, body })).status).toBe(200);
  return said(await t.call('POST', `/api/deals/${escrow.deal_id}/review`, { ...by, body: { rating: 5 } }));
}

async function dealPoints({ token, handle }: TestAgent): Promise<number> {
  await t.rest();
  const { body } = await t.call('GET', '/api/trust/signals', { token, agent: handle });
  return body.breakdown.find(({ signal }: { signal: string }) => signal === 'deal_completed').points;
}

test('who is paid at one bank belongs together, through whatever accounts at Stripe; the same last digits tie nobody', async () => {
  const [seller, other] = [await newSeller(t), await newSeller(t)];
  const [tied, apart] = [await newBuyer(t), await newBuyer(t)];
  const one = { fingerprint: 'one_bank' };
  const accounts = [await connectTo(seller, one), await connectTo(other, {}), await connectTo(apart, {})];
  expect(await reviewed(tied, seller)).toBe('201');
  expect(await dealPoints(seller)).toBeGreaterThan(0);
  accounts.push(await connectTo(tied, one));
  expect(new Set(accounts).size).toBe(4);
  // Those that were counted before are counted no more.
  expect([await dealPoints(seller), await dealPoints(tied)]).toEqual([0, 0]);
  expect(await reviewed(tied, seller)).toBe('409 related_accounts');
  expect(await dealPoints(seller)).toBe(0);
  expect(await reviewed(apart, other)).toBe('201');
  expect(await dealPoints(other)).toBeGreaterThan(0);
});
