// Subscriptions from the first charge to the last: what is refused with nothing moved, the periods as time passes, what fails and is
// tried again, who may stop what, and that no period is ever charged twice.

import { describe, expect, test } from 'bun:test';
import { count, insert, patch, remove } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { walletById } from '../../db/queries/wallet.ts';
import { fault } from '../../src/domain/fault.ts';
import { DAY_MS, WEEK_MS } from '../../src/domain/time.ts';
import { restrictionKey } from '../../src/steps/money/spend.ts';
import { newAgent, newProvisional, signIn, type TestAgent, verifyPhone } from '../support/agents.ts';
import { eventsOf, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { readStoredRows } from '../support/store.ts';
import { START_MS, type TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let names = 0;

interface Pair {
  readonly buyer: TestAgent;
  readonly seller: TestAgent;
}

/** Two verified agents, and money in the wallet of the one. */
async function pair(
  cents: number,
  seller: { readonly pro?: boolean; readonly verified?: boolean } = {},
): Promise<Pair> {
  names += 1;
  const buyer = await newAgent(t, { handle: `sub_buyer_${names}`, verified: true, pro: true });
  if (cents > 0) await fundWallet(t, buyer.id, cents);
  return { buyer, seller: await newAgent(t, { handle: `sub_seller_${names}`, verified: true, ...seller }) };
}

/** A session; access tokens live a quarter of an hour of service time. */
const asPerson = async ({ email, handle }: TestAgent): Promise<{ token: string; agent: string }> => ({
  token: await signIn(t, email),
  agent: handle,
});
const ask = async (who: TestAgent, method: string, path: string, body?: object): Promise<TestAnswer> =>
  t.call(method, path, { ...(await asPerson(who)), ...(body && { body }) });
const subscribe = ({ buyer, seller }: Pair, body: object = {}): Promise<TestAnswer> =>
  ask(buyer, 'POST', '/api/subscriptions', {
    seller_handle: seller.handle,
    amount_cents: 1_000,
    interval: 'weekly',
    ...body,
  });
const act = (who: TestAgent, id: string, verb: string): Promise<TestAnswer> =>
  ask(who, 'POST', `/api/subscriptions/${id}/${verb}`);
const read = async (who: TestAgent, id: string): Promise<TestAnswer['body']> =>
  (await ask(who, 'GET', `/api/subscriptions/${id}`)).body;
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const iso = (ms: number): string => new Date(ms).toISOString();
const wallet = ({ id }: { readonly id: string }): Promise<number> => balanceOf(t, `wallet:${id}`);
const rows = (sql: string): Promise<Record<string, unknown>[]> =>
  readStoredRows(t.service.world.settings.data_dir, sql);
const journals = async (): Promise<number> => Number((await rows('select count(*) as n from journals'))[0]?.['n']);
const obligations = async ({ id }: TestAgent): Promise<number> =>
  Number((await rows(`select n from counters where id = 'obligations:${id}'`))[0]?.['n'] ?? 0);
const payments = async (who: TestAgent, kind: 'payment.succeeded' | 'payment.failed'): Promise<TestAnswer['body'][]> =>
  (await eventsOf(t, who, kind)).map(({ data }: TestAnswer['body']) => data);

async function limit(
  { id }: TestAgent,
  set: { per_transaction_cents?: number; per_day_cents?: number },
): Promise<void> {
  await t.service.world.store.turn({
    attempt: async (get) => {
      const row = await get(walletById, { id });
      const gone = row ? [remove('wallets', row)] : [];
      return {
        reply: null,
        effects: [...gone, insert('wallets', { id, per_transaction_cents: null, per_day_cents: null, ...set })],
      };
    },
  });
}

async function setAgent({ id }: TestAgent, set: { readonly verified_at: number | null }): Promise<void> {
  await t.service.world.store.turn({
    attempt: async (get) => {
      const row = await get(agentById, { id });
      return { reply: null, effects: row ? [patch('agents', row, set)] : [] };
    },
  });
}

describe('a new subscription', () => {
  test('is paid for at once, less the fee of the seller’s plan, and both hear of it', async () => {
    const both = await pair(2_500);
    const { status, body } = await subscribe(both, { amount_cents: 1_010, interval: 'monthly' });
    const now = t.clock.now();
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        status: 'active',
        buyer_handle: both.buyer.handle,
        seller_handle: both.seller.handle,
        headline: null,
        amount_cents: 1_010,
        fee_cents: 50,
        net_cents: 960,
        currency: 'USD',
        interval: 'monthly',
        listing_id: null,
        next_charge_at: '2026-07-15T12:00:00.000Z',
        max_charges: null,
        charges_made: 1,
        ends_at: null,
        failed_attempts: 0,
        created_at: iso(now),
        ended_at: null,
        charges: [
          {
            period_start: iso(now),
            amount_cents: 1_010,
            fee_cents: 50,
            net_cents: 960,
            status: 'succeeded',
            reason: null,
            journal_id: `charge:${body.id}:0`,
            at: iso(now),
          },
        ],
      },
    ]);
    expect([await wallet(both.buyer), await wallet(both.seller)]).toEqual([1_490, 960]);
    expect([await obligations(both.buyer), await obligations(both.seller)]).toEqual([1, 1]);
    const data = {
      kind: 'subscription',
      amount_cents: 1_010,
      reference_id: body.id,
      subscription_id: body.id,
      journal_id: `charge:${body.id}:0`,
      fee_cents: 50,
      net_cents: 960,
    };
    expect(await payments(both.buyer, 'payment.succeeded')).toEqual([
      { ...data, counterparty_handle: both.seller.handle, your_role: 'payer' },
    ]);
    expect(await payments(both.seller, 'payment.succeeded')).toEqual([
      { ...data, counterparty_handle: both.buyer.handle, your_role: 'payee' },
    ]);
    const { token, handle: agent } = both.buyer;
    const lines = (await t.call('GET', '/api/wallet/transactions?kind=charge', { token, agent })).body;
    const paidTo = lines.map((line: TestAnswer['body']) => [line.amount_cents, line.counterparty_handle]);
    const sums = lines.map((line: TestAnswer['body']) => [line.gross_cents, line.fee_cents, line.net_cents]);
    expect(sums).toEqual([
      [null, null, null],
      [1_010, 50, 960],
    ]);
    expect(paidTo).toEqual([
      [-50, both.seller.handle],
      [-960, both.seller.handle],
    ]);
    expect(await read(both.seller, body.id)).toEqual(body);
    const listed = await t.call('GET', '/api/subscriptions', { token, agent });
    expect(listed.body[0]).toMatchObject({ id: body.id, fee_cents: 50, net_cents: 960 });
  });

  test('costs a Pro seller three in a hundred', async () => {
    const both = await pair(1_000, { pro: true });
    expect((await subscribe(both)).body.charges[0].fee_cents).toBe(30);
    expect(await wallet(both.seller)).toBe(970);
  });

  test('is had by tool with the right to spend, within the bounds of the agent', async () => {
    const both = await pair(5_000);
    const args = { seller_handle: both.seller.handle, amount_cents: 1_000, interval: 'weekly' };
    const revision = '2025-11-25';
    const call = async (name: string, key: string, given: object): Promise<TestAnswer['body']> => {
      const asked = { key, revision, headers: { 'X-Agent-Handle': both.buyer.handle } };
      const { result, error } = (await rpc(t, 'tools/call', { name, arguments: given }, asked)).body;
      if (!result) return error;
      return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
    };
    const key = await keyWith(t, both.buyer.email, ['payments:write', 'agents:write', 'deals:read']);
    const { key: signup } = both.buyer;
    expect(said(await t.call('POST', '/api/subscriptions', { key: signup, body: args }))).toBe('403 session_required');
    await t.call('PATCH', '/api/agents/bounds', { key, agent: both.buyer.handle, body: { max_pay_cents: 999 } });
    expect(await call('mesh_subscribe', key, args)).toMatchObject({ error: 'outside_bounds', bound: 'max_pay_cents' });
    const made = await call('mesh_subscribe', key, { ...args, amount_cents: 999 });
    expect([made.status, made.charges_made]).toEqual(['active', 1]);
    const listed = await call('mesh_list_subscriptions', key, { role: 'buyer' });
    expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([made.id]);
    const asked = { subscription_id: made.id };
    expect((await call('mesh_pause_subscription', key, asked)).status).toBe('paused');
    expect((await call('mesh_resume_subscription', key, asked)).status).toBe('active');
    expect((await call('mesh_get_subscription', key, asked)).charges.length).toBe(1);
    expect((await call('mesh_cancel_subscription', key, asked)).status).toBe('cancelled');
  });

  test.each<[string, object, string]>([
    ['an amount of nothing', { amount_cents: 0 }, '400 invalid_request'],
    ['a negative amount', { amount_cents: -5 }, '400 invalid_request'],
    ['half a cent', { amount_cents: 10.5 }, '400 invalid_request'],
    ['an amount as text', { amount_cents: '10' }, '400 invalid_request'],
    ['an amount beyond all numbers', { amount_cents: 2 ** 60 }, '400 invalid_request'],
    ['no amount', { amount_cents: undefined }, '400 invalid_request'],
    ['another interval', { interval: 'daily' }, '400 invalid_request'],
    ['no charge at all', { max_charges: 0 }, '400 invalid_request'],
    ['an end that has passed', { ends_at: iso(START_MS - 1) }, '400 invalid_request'],
    ['a price above what was agreed to', { amount_cents: 1_000, max_price_cents: 999 }, '409 conflict'],
    ['nobody', { seller_handle: 'nobody_at_all' }, '404 not_found'],
    ['more than there is', { amount_cents: 1_000_000 }, '402 payment_required'],
    ['a listing of somebody else', { amount_cents: undefined, listing_id: Bun.randomUUIDv7() }, '404 not_found'],
    ['both an amount and a listing', { listing_id: Bun.randomUUIDv7() }, '404 not_found'],
  ])('of %s is refused, and nothing moves', async (_what, body, refusal) => {
    const both = await pair(5_000);
    const before = await journals();
    expect(said(await subscribe(both, body))).toBe(refusal);
    expect([await journals(), await wallet(both.buyer), await wallet(both.seller)]).toEqual([before, 5_000, 0]);
    expect((await ask(both.buyer, 'GET', '/api/subscriptions')).body).toEqual([]);
    expect([await obligations(both.buyer), await obligations(both.seller)]).toEqual([0, 0]);
  });

  test('with too little money tells the figures', async () => {
    const both = await pair(400);
    const { status, body } = await subscribe(both);
    expect([status, body.payment_required]).toEqual([
      402,
      { price_cents: 1_000, currency: 'USD', balance_cents: 400, shortfall_cents: 600 },
    ]);
  });

  test('is refused to one’s own agent, to sellers that cannot be paid, and to the unverified', async () => {
    const both = await pair(5_000);
    const twin = await newAgent(t, { handle: `sub_twin_${names}`, email: both.buyer.email, verified: true });
    expect(said(await subscribe({ ...both, seller: twin }))).toBe('400 own_agent');
    expect(said(await subscribe({ ...both, seller: both.buyer }))).toBe('400 own_agent');
    const plain = await newAgent(t, { handle: `sub_plain_${names}` });
    expect(said(await subscribe({ ...both, seller: plain }))).toBe('409 seller_cannot_be_paid');
    const { agent } = await newProvisional(t, `sub_prov_${names}`);
    expect(said(await subscribe({ ...both, seller: { ...plain, handle: agent.handle } }))).toBe(
      '409 seller_cannot_be_paid',
    );
    await fundWallet(t, plain.id, 5_000);
    expect(said(await subscribe({ buyer: plain, seller: both.seller }))).toBe('403 verification_required');
    await limit(both.buyer, { per_transaction_cents: 999 });
    expect(said(await subscribe(both))).toBe('403 spending_limit');
    await t.call('POST', `/api/agents/${both.buyer.handle}/block`, { key: both.seller.key });
    expect(said(await subscribe(both))).toBe('403 blocked');
    expect([await wallet(both.buyer), await wallet(plain)]).toEqual([5_000, 5_000]);
  });

  test('asked for as a trial moves nothing and says what it would', async () => {
    const both = await pair(1_000);
    const { status, body } = await subscribe(both, { dry_run: true });
    expect([status, body.dry_run, body.refusal]).toEqual([200, true, null]);
    expect(body.postings).toContainEqual(expect.objectContaining({ cents: 950 }));
    expect((await subscribe(both, { dry_run: true, amount_cents: 1_001 })).body.refusal.error).toBe('payment_required');
    expect([await wallet(both.buyer), await obligations(both.buyer)]).toEqual([1_000, 0]);
    expect((await ask(both.buyer, 'GET', '/api/subscriptions')).body).toEqual([]);
  });
});

describe('of a listing', () => {
  const OFFER = { card_type: 'selling', headline: 'Newsletter care', labels: ['newsletters'] };
  const tiers = [
    { id: 'small', name: 'Small', price_cents: 500, billing: 'weekly' },
    { id: 'large', name: 'Large', price_cents: 900, billing: 'weekly' },
    { id: 'month', name: 'Month', price_cents: 1_500, billing: 'monthly' },
  ];

  test('the fixed price of the interval is taken, and stays as it was', async () => {
    const both = await pair(20_000, { pro: true });
    const listing_id = await publish(t, both.seller, { ...OFFER, price_cents: 9_000, per_week_cents: 700 });
    const of = (interval: string): object => ({ amount_cents: undefined, listing_id, interval });
    const made = await subscribe(both, of('weekly'));
    expect([made.status, made.body.amount_cents, made.body.headline]).toEqual([201, 700, 'Newsletter care']);
    expect(said(await subscribe(both, of('monthly')))).toBe('409 no_fixed_price');
    await t.call('PATCH', `/api/agents/${both.seller.handle}/cards/${listing_id}`, {
      key: both.seller.key,
      body: { per_week_cents: 5_000 },
    });
    await t.call('DELETE', `/api/agents/${both.seller.handle}/cards/${listing_id}`, { key: both.seller.key });
    await t.advance(WEEK_MS);
    expect((await read(both.buyer, made.body.id)).charges.map((c: TestAnswer['body']) => c.amount_cents)).toEqual([
      700, 700,
    ]);
    expect(said(await subscribe(both, of('weekly')))).toBe('404 not_found');
  });

  test('a tier is named where several are billed so', async () => {
    const both = await pair(20_000, { pro: true });
    const listing_id = await publish(t, both.seller, { ...OFFER, conditions: { tiers } });
    const of = (interval: string, tier_id?: string): object => ({
      amount_cents: undefined,
      listing_id,
      interval,
      tier_id,
    });
    expect((await subscribe(both, of('monthly'))).body.amount_cents).toBe(1_500);
    expect(said(await subscribe(both, of('weekly')))).toBe('400 invalid_request');
    expect((await subscribe(both, of('weekly', 'large'))).body.amount_cents).toBe(900);
    expect(said(await subscribe(both, of('weekly', 'month')))).toBe('409 no_fixed_price');
    expect(said(await subscribe(both, of('weekly', 'none')))).toBe('404 not_found');
  });
});

describe('as time passes', () => {
  test('each month is charged once, also short ones, for ten months', async () => {
    const both = await pair(100_000);
    await t.advance(Date.UTC(2027, 0, 31, 23, 59, 59, 999) - t.clock.now());
    const made = (await subscribe(both, { interval: 'monthly' })).body;
    const days = [];
    for (let month = 0; month < 10; month += 1) {
      await t.advance(Date.parse((await read(both.buyer, made.id)).next_charge_at) - t.clock.now());
      days.push(iso(t.clock.now()).slice(5, 10));
    }
    expect(days).toEqual(['02-28', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30', '10-31', '11-30']);
    const now = await read(both.buyer, made.id);
    expect([now.charges_made, now.charges.length, now.next_charge_at]).toEqual([11, 11, '2027-12-31T23:59:59.999Z']);
    expect([await wallet(both.buyer), await wallet(both.seller)]).toEqual([89_000, 11 * 950]);
    const told = await rows(
      `select id from events where agent_id = '${both.seller.id}' and kind = 'payment.succeeded'`,
    );
    expect(told.length).toBe(11);
    await act(both.buyer, made.id, 'cancel');
  });

  test('it ends with max_charges', async () => {
    const both = await pair(10_000);
    const made = (await subscribe(both, { max_charges: 3 })).body;
    await t.advance(10 * WEEK_MS);
    const now = await read(both.buyer, made.id);
    expect([now.status, now.charges_made, now.next_charge_at]).toEqual(['completed', 3, null]);
    expect([await wallet(both.buyer), await obligations(both.buyer), await obligations(both.seller)]).toEqual([
      7_000, 0, 0,
    ]);
    expect(said(await act(both.buyer, made.id, 'cancel'))).toBe('409 subscription_ended');
    for (const side of [both.buyer, both.seller]) {
      const told = (await eventsOf(t, side, 'subscription.updated')).map(({ data }: TestAnswer['body']) => data);
      expect(told).toMatchObject([{ subscription_id: made.id, status: 'completed', changed_by: 'terms' }]);
    }
    expect((await subscribe(both, { max_charges: 1 })).body.status).toBe('completed');
    expect(await obligations(both.buyer)).toBe(0);
  });

  test('it ends at ends_at, also while paused', async () => {
    const both = await pair(10_000);
    const ends_at = iso(t.clock.now() + WEEK_MS + DAY_MS);
    const made = (await subscribe(both, { ends_at })).body;
    const other = (await subscribe(both, { ends_at })).body;
    await act(both.buyer, other.id, 'pause');
    await t.advance(WEEK_MS);
    expect((await read(both.buyer, made.id)).next_charge_at).toBe(null);
    expect((await read(both.buyer, made.id)).status).toBe('active');
    await t.advance(2 * WEEK_MS);
    const [one, two] = [await read(both.buyer, made.id), await read(both.buyer, other.id)];
    expect([one.status, one.charges_made, one.ended_at]).toEqual(['completed', 2, ends_at]);
    expect([two.status, two.charges_made]).toEqual(['completed', 1]);
    expect([await wallet(both.buyer), await obligations(both.seller)]).toEqual([7_000, 0]);
  });

  test('a charge that fell due while nothing ran is taken at the start, and periods that passed are not', async () => {
    const both = await pair(10_000);
    const made = (await subscribe(both)).body;
    const slept = async (ms: number): Promise<TestAnswer['body']> => {
      t.clock.moveTo(t.clock.now() + ms);
      await t.advance(0);
      return read(both.buyer, made.id);
    };
    const late = await slept(WEEK_MS + 2 * DAY_MS);
    expect([late.charges_made, late.charges[0].period_start]).toEqual([2, iso(Date.parse(made.created_at) + WEEK_MS)]);
    expect(late.next_charge_at).toBe(iso(Date.parse(made.created_at) + 2 * WEEK_MS));
    const later = await slept(3 * WEEK_MS);
    expect(later.charges_made).toBe(3);
    expect(later.charges[0].period_start).toBe(iso(Date.parse(made.created_at) + 4 * WEEK_MS));
    expect(await wallet(both.buyer)).toBe(7_000);
    await act(both.seller, made.id, 'cancel');
  });
});

describe('what fails', () => {
  test('is tried again daily, pauses at the fourth, and is not charged for when it is resumed', async () => {
    const both = await pair(1_000);
    const made = (await subscribe(both, { interval: 'monthly' })).body;
    const began = Date.parse(made.next_charge_at);
    await t.advance(began - t.clock.now());
    const first = await read(both.buyer, made.id);
    expect([first.status, first.failed_attempts, first.next_charge_at]).toEqual(['past_due', 1, iso(began + DAY_MS)]);
    expect(first.charges[0]).toMatchObject({ status: 'failed', reason: 'payment_required', period_start: iso(began) });
    await t.advance(10 * DAY_MS);
    const now = await read(both.seller, made.id);
    expect([now.status, now.failed_attempts, now.charges.length, now.next_charge_at]).toEqual(['paused', 4, 5, null]);
    for (const who of [both.buyer, both.seller]) {
      const told = await payments(who, 'payment.failed');
      expect(told.map(({ status }) => status).sort()).toEqual(['past_due', 'past_due', 'past_due', 'paused']);
      expect(told[0]).toMatchObject({ subscription_id: made.id, reason: 'payment_required' });
    }
    await fundWallet(t, both.buyer.id, 5_000);
    await t.advance(60 * DAY_MS);
    expect(await wallet(both.buyer)).toBe(5_000);
    expect(said(await act(both.seller, made.id, 'resume'))).toBe('403 wrong_role');
    const resumed = (await act(both.buyer, made.id, 'resume')).body;
    expect([resumed.status, resumed.failed_attempts]).toEqual(['active', 0]);
    expect(Date.parse(resumed.next_charge_at)).toBeGreaterThan(t.clock.now());
    expect(await wallet(both.buyer)).toBe(5_000);
    await t.advance(Date.parse(resumed.next_charge_at) - t.clock.now());
    expect([(await read(both.buyer, made.id)).charges_made, await wallet(both.buyer)]).toEqual([2, 4_000]);
    await act(both.buyer, made.id, 'cancel');
  });

  test('and goes through later is active again, at the same boundaries', async () => {
    const both = await pair(1_000);
    const made = (await subscribe(both)).body;
    const began = Date.parse(made.created_at);
    await t.advance(WEEK_MS + DAY_MS);
    expect((await read(both.buyer, made.id)).failed_attempts).toBe(2);
    await fundWallet(t, both.buyer.id, 5_000);
    await t.advance(DAY_MS);
    const now = await read(both.buyer, made.id);
    expect([now.status, now.charges_made, now.failed_attempts]).toEqual(['active', 2, 0]);
    expect([now.charges[0].period_start, now.next_charge_at]).toEqual([iso(began + WEEK_MS), iso(began + 2 * WEEK_MS)]);
    await act(both.buyer, made.id, 'cancel');
  });

  test.each<[string, (both: Pair) => Promise<void>, string]>([
    ['its payment limit', ({ buyer }) => limit(buyer, { per_transaction_cents: 999 }), 'spending_limit'],
    ['its day’s limit', ({ buyer }) => limit(buyer, { per_day_cents: 999 }), 'spending_limit'],
    ['the buyer’s proof', ({ buyer }) => setAgent(buyer, { verified_at: null }), 'verification_required'],
    [
      'what its account owes',
      async ({ buyer }) => {
        const [account] = await rows(`select account_id from agents where id = '${buyer.id}'`);
        const owed = count(restrictionKey(String(account?.['account_id'])), 9, fault('conflict'));
        await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [owed] }) });
      },
      'account_restricted',
    ],
    ['the seller’s proof', ({ seller }) => setAgent(seller, { verified_at: null }), 'seller_cannot_be_paid'],
  ])('may fail for %s', async (_what, change, reason) => {
    const both = await pair(5_000);
    const made = (await subscribe(both)).body;
    await change(both);
    await t.advance(WEEK_MS);
    const now = await read(both.buyer, made.id);
    expect([now.status, now.charges[0].reason]).toEqual(['past_due', reason]);
    expect(await wallet(both.buyer)).toBe(4_000);
    await act(both.buyer, made.id, 'cancel');
  });

  test('of two charges on one day the second may be above its limit', async () => {
    const both = await pair(10_000);
    const [one, two] = [(await subscribe(both)).body, (await subscribe(both)).body];
    await limit(both.buyer, { per_day_cents: 1_999 });
    // Both are due in the same moment and find the day's limit free; the one that comes second decides anew, and has its answer.
    await t.advance(WEEK_MS);
    const statuses = [(await read(both.buyer, one.id)).status, (await read(both.buyer, two.id)).status];
    expect(statuses.toSorted()).toEqual(['active', 'past_due']);
    expect(await wallet(both.buyer)).toBe(7_000);
    await t.advance(DAY_MS);
    expect([(await read(both.buyer, one.id)).status, (await read(both.buyer, two.id)).status]).toEqual([
      'active',
      'active',
    ]);
    for (const { id } of [one, two]) await act(both.buyer, id, 'cancel');
  });

  test('charges of a day count to its limit, with whatever else was spent', async () => {
    const both = await pair(10_000);
    await limit(both.buyer, { per_day_cents: 1_500 });
    const made = (await subscribe(both)).body;
    expect(said(await subscribe(both, { amount_cents: 501 }))).toBe('403 spending_limit');
    await t.advance(WEEK_MS);
    expect((await read(both.buyer, made.id)).charges_made).toBe(2);
    expect(said(await subscribe(both, { amount_cents: 501 }))).toBe('403 spending_limit');
    expect((await subscribe(both, { amount_cents: 500 })).status).toBe(201);
  });
});

describe('either side', () => {
  test('ends it for good; strangers do not know of it', async () => {
    const both = await pair(5_000);
    const stranger = await newAgent(t, { handle: `sub_stranger_${names}`, verified: true });
    const made = (await subscribe(both)).body;
    for (const verb of ['cancel', 'pause', 'resume'])
      expect(said(await act(stranger, made.id, verb))).toBe('404 not_found');
    expect(said(await ask(stranger, 'GET', `/api/subscriptions/${made.id}`))).toBe('404 not_found');
    expect(said(await act(both.seller, made.id, 'pause'))).toBe('403 wrong_role');
    expect((await act(both.seller, made.id, 'cancel')).body.status).toBe('cancelled');
    expect((await act(both.buyer, made.id, 'cancel')).body.status).toBe('cancelled');
    expect(said(await act(both.buyer, made.id, 'resume'))).toBe('409 subscription_ended');
    await t.advance(4 * WEEK_MS);
    expect([await wallet(both.buyer), await obligations(both.buyer), await obligations(both.seller)]).toEqual([
      4_000, 0, 0,
    ]);
  });

  test('the buyer pauses and goes on, and is charged for nothing in between', async () => {
    const both = await pair(5_000);
    const made = (await subscribe(both)).body;
    const paused = (await act(both.buyer, made.id, 'pause')).body;
    expect([paused.status, paused.next_charge_at]).toEqual(['paused', null]);
    expect(said(await act(both.buyer, made.id, 'pause'))).toBe('409 subscription_ended');
    await t.advance(3 * WEEK_MS + DAY_MS);
    const resumed = (await act(both.buyer, made.id, 'resume')).body;
    expect(resumed.next_charge_at).toBe(iso(Date.parse(made.created_at) + 4 * WEEK_MS));
    await t.advance(WEEK_MS);
    expect((await read(both.buyer, made.id)).charges_made).toBe(2);
    await act(both.buyer, made.id, 'cancel');
  });

  test('is kept from leaving by one that goes on, and by none that has ended', async () => {
    const both = await pair(5_000);
    const made = (await subscribe(both)).body;
    const leave = async ({ handle, key }: TestAgent): Promise<string> =>
      said(await t.call('DELETE', `/api/agents/${handle}`, { key }));
    expect([await leave(both.buyer), await leave(both.seller)]).toEqual(Array(2).fill('409 open_obligations'));
    await act(both.seller, made.id, 'cancel');
    expect([await leave(both.buyer), await leave(both.seller)]).toEqual(['200', '200']);
  });

  test('lists its own, by agent and by role', async () => {
    const [both, other] = [await pair(5_000), await pair(5_000)];
    const made = (await subscribe(both)).body;
    const back = (await subscribe({ buyer: other.buyer, seller: both.buyer })).body;
    const ids = async (query: string): Promise<string[]> =>
      (await ask(both.buyer, 'GET', `/api/subscriptions${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([back.id, made.id]);
    expect([await ids('?role=buyer'), await ids('?role=seller')]).toEqual([[made.id], [back.id]]);
    expect(await ids(`?agent_id=${both.buyer.id}&role=buyer`)).toEqual([made.id]);
    expect(said(await ask(both.buyer, 'GET', `/api/subscriptions?agent_id=${other.buyer.id}`))).toBe('404 not_found');
    const page = await ask(both.buyer, 'GET', '/api/subscriptions?limit=1');
    const rest = await ask(both.buyer, 'GET', `/api/subscriptions?limit=1&cursor=${page.headers.get('x-next-cursor')}`);
    expect([page.body[0].id, rest.body[0].id, rest.headers.get('x-next-cursor')]).toEqual([back.id, made.id, null]);
    const twin = await newAgent(t, { handle: `sub_two_${names}`, email: both.buyer.email });
    await verifyPhone(t, (await asPerson(twin)).token, twin.handle);
    const all = await t.call('GET', `/api/subscriptions?agent_id=${both.buyer.id}`, {
      token: await signIn(t, twin.email),
    });
    expect(all.body.length).toBe(2);
  });
});

test('an end and a charge at the same moment leave one of the two', async () => {
  for (let n = 0; n < 5; n += 1) {
    const both = await pair(5_000);
    const made = (await subscribe(both)).body;
    t.clock.moveTo(Date.parse(made.next_charge_at));
    const token = await signIn(t, both.seller.email);
    const agent = both.seller.handle;
    const [, ended] = await Promise.all([
      t.advance(0),
      t.call('POST', `/api/subscriptions/${made.id}/cancel`, { token, agent }),
    ]);
    const now = await read(both.buyer, made.id);
    expect([ended.status, now.status]).toEqual([200, 'cancelled']);
    expect(await wallet(both.buyer)).toBe(5_000 - now.charges_made * 1_000);
    expect([await obligations(both.buyer), await obligations(both.seller)]).toEqual([0, 0]);
    await t.advance(4 * WEEK_MS);
    expect((await read(both.buyer, made.id)).charges_made).toBe(now.charges_made);
  }
});
