// The check of the ledger on money that comes from outside or goes there: sends, payouts, what the processor took back and who owes
// for it, plans and fees. Each row that is altered, and each journal that moves an account it has no business with, is told by name.

import { beforeAll, describe, expect, test } from 'bun:test';
import { type Effect, insert } from '../../db/effects.ts';
import type { LedgerChecked } from '../../db/ledger-check/problems.ts';
import { fault } from '../../src/domain/fault.ts';
import { type Leg, post } from '../../src/domain/money/ledger.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { FAILING_ADDRESS } from '../../src/outbound/chain/sandbox.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { decideOn } from '../support/funds.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import { writeStored } from '../support/store.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let payer: TestAgent;
let payee: TestAgent;
const ids = { send: '', sent: '', returned: '', waiting: '', plan: '' };

const book = (...effects: Effect<'conflict'>[]): Promise<unknown> =>
  t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });

function journal(id: string, subject_id: string | null, legs: readonly Leg[]): Effect<'conflict'> {
  const [kind = ''] = id.split(':');
  return post({ id, kind, subject_id, created_at: t.clock.now() }, legs, fault('conflict'), fault('conflict'));
}

const person = async (method: string, path: string, body?: object) =>
  t.call(method, path, { token: await signIn(t, payer.email), agent: 'payer', ...(body && { body }) });

/** A funding of 900 whose payment the bank took back when 500 were left, of the rest 100 were repaid. */
async function takenBack(): Promise<void> {
  const { id: agent_id } = payee;
  await fundWallet(t, agent_id, 900, 'funded');
  const wallet = `wallet:${agent_id}` as const;
  const debt = {
    id: 'dp_1',
    account_id: agent_id,
    agent_id,
    funding_id: 'funded',
    amount_cents: 400,
    repaid_cents: 100,
  };
  await book(
    insert('receivables', { ...debt, status: 'open', created_at: 1, version: 1 }),
    journal('chargeback:dp_1', 'funded', [
      { debit: wallet, credit: 'processor', amount_cents: 500 },
      { debit: 'receivables', credit: 'processor', amount_cents: 400 },
    ]),
    journal('processor_fee:dp_1', 'funded', [{ debit: 'platform_fees', credit: 'processor', amount_cents: 15 }]),
    journal('receivable:dp_1:0', 'funded', [{ debit: wallet, credit: 'receivables', amount_cents: 100 }]),
  );
  await stored("update fundings set taken_back_cents = 900 where id = 'funded'");
}

beforeAll(async () => {
  payer = await newAgent(t, { handle: 'payer', verified: true });
  payee = await newAgent(t, { handle: 'payee', verified: true });
  await fundWallet(t, payer.id, 20_000);
  ids.send = (await person('POST', '/api/wallet/send', { to_handle: 'payee', amount_cents: 700 })).body.id;
  await connectPayee(t, payer);
  const withdraw = async (body: object): Promise<string> =>
    (await person('POST', '/api/wallet/withdraw', body)).body.id;
  ids.sent = await withdraw({ amount: 2_000 });
  ids.returned = await withdraw({
    amount_cents: 3_000,
    chain: 'solana',
    to_address: FAILING_ADDRESS,
    idempotency_key: 'a',
  });
  await t.advance(3 * DAY_MS);
  ids.waiting = await withdraw({ amount: 4_000 });
  const { body } = await person('POST', '/api/billing/checkout', { plan: 'pro' });
  await decideOn(t, body.checkout_url, 'pay');
  ids.plan = body.checkout_id;
  await takenBack();
});

const check = async (): Promise<LedgerChecked> =>
  (await t.call('GET', '/api/admin/ledger/check', { headers: { 'X-Internal-Token': t.internal_token } })).body;
const stored = (sql: string): Promise<void> => writeStored(t.service.world.settings.data_dir, sql);

/** What is told while a column of a row is another. */
async function toldOf(table: string, id: string, column: string, [is, other]: readonly [string, string]) {
  const set = (value: string): string => `update ${table} set ${column} = ${value} where id = '${id}'`;
  await stored(set(other));
  const { problems } = await check();
  await stored(set(is));
  return problems.map(({ about, problem }) => `${about}: ${problem}`);
}

test('all of it holds while nobody alters anything', async () => {
  expect((await check()).problems).toEqual([]);
});

describe('told by name is', () => {
  test('a send of another amount, to another, and one that was never booked', async () => {
    const about = `send:${ids.send}: its send says`;
    const [amount] = await toldOf('sends', ids.send, 'amount_cents', ['700', '701']);
    expect(amount).toStartWith(`${about} 701 cents, and 700 are booked`);
    expect(await toldOf('sends', ids.send, 'to_id', [`'${payee.id}'`, "'x'"])).toHaveLength(1);
    await stored(
      `insert into sends (id, from_id, to_id, amount_cents, created_at, version) values ('s1', 'a', 'b', 5, 1, 1)`,
    );
    const { problems } = await check();
    await stored("delete from sends where id = 's1'");
    expect(problems.map(({ about: each }) => each)).toEqual(['send:s1']);
  });

  test('a payout whose money is elsewhere than its state says', async () => {
    const status = (id: string, is: string, other: string) =>
      toldOf('payouts', id, 'status', [`'${is}'`, `'${other}'`]);
    const lacks = (id: string, as: string, cents: readonly number[]) =>
      `payout:${id}: it is ${as}, and its journals lack ${cents[0]} cents out of the wallet, ${cents[1]} on the way, ${cents[2]} outside and ${cents[3]} back`;
    expect(await status(ids.sent, 'finalized', 'reversed')).toEqual([lacks(ids.sent, 'reversed', [0, 0, -2000, 2000])]);
    expect(await status(ids.returned, 'reversed', 'finalized')).toEqual([
      lacks(ids.returned, 'finalized', [0, 0, 3000, -3000]),
    ]);
    expect(await status(ids.waiting, 'pending', 'finalized')).toEqual([
      lacks(ids.waiting, 'finalized', [0, -4000, 4000, 0]),
    ]);
    expect(await toldOf('payouts', ids.waiting, 'amount_cents', ['4000', '4001'])).toEqual([
      lacks(ids.waiting, 'pending', [1, 1, 0, 0]),
    ]);
    expect(await toldOf('payouts', ids.sent, 'rail', ["'bank'", "'chain'"])).toHaveLength(1);
    expect(await toldOf('payouts', ids.sent, 'agent_id', [`'${payer.id}'`, "'x'"])).toHaveLength(1);
  });

  test('a funding that says something else of what was taken back', async () => {
    expect(await toldOf('fundings', 'funded', 'taken_back_cents', ['900', '899'])).toEqual([
      'fund:funded: its funding says that 899 cents were taken back, and its chargebacks come to 900',
    ]);
    const never = await toldOf('fundings', 'funded', 'status', ["'paid'", "'failed'"]);
    expect(never.map((line) => line.split(': ')[0]).sort()).toEqual([
      'chargeback:dp_1',
      'fund:funded',
      'fund:funded',
      'processor_fee:dp_1',
    ]);
  });

  test('a debt of another amount, repaid otherwise, and of another state', async () => {
    const each = await toldOf('receivables', 'dp_1', 'amount_cents', ['400', '300']);
    expect(each).toEqual([
      'receivable:dp_1: it is open with 100 of 300 cents repaid, and its journals say 100 of 400',
      'receivables: 300 cents are laid out, and 200 are owed',
    ]);
    expect(await toldOf('receivables', 'dp_1', 'repaid_cents', ['100', '150'])).toHaveLength(2);
    expect(await toldOf('receivables', 'dp_1', 'status', ["'open'", "'repaid'"])).toEqual([
      'receivable:dp_1: it is repaid with 100 of 400 cents repaid, and its journals say 100 of 400',
      'receivables: 300 cents are laid out, and 0 are owed',
    ]);
  });

  test('a plan that was paid and not booked, or booked and not paid', async () => {
    expect(await toldOf('plan_checkouts', ids.plan, 'status', ["'paid'", "'expired'"])).toEqual([
      `plan:${ids.plan}: a plan paid 0 cents for it, and 2900 are booked`,
    ]);
    await stored(
      "insert into plan_checkouts (id, account_id, plan, price_cents, processor, status, created_at, version) values ('p1', 'a', 'pro', 2900, 'sandbox', 'paid', 1, 1)",
    );
    const { problems } = await check();
    await stored("delete from plan_checkouts where id = 'p1'");
    expect(problems).toEqual([{ about: 'plan:p1', problem: 'a plan paid 2900 cents for it, and 0 are booked' }]);
  });

  test('a charge without its row', async () => {
    await stored(
      `insert into subscription_charges (id, subscription_id, seller_id, period, period_start, amount_cents, status, created_at) values ('c1', 's', '${payee.id}', 0, 1, 40, 'succeeded', 1)`,
    );
    const { problems } = await check();
    await stored("delete from subscription_charges where id = 'c1'");
    expect(problems.map(({ about }) => about)).toEqual(['charge:s:0']);
  });

  // Last, since a journal that stands is not taken away.
  test('a journal that moves an account of the platform for nothing', async () => {
    await book(
      journal('processor_fee:x', 'nothing', [{ debit: 'platform_fees', credit: 'processor', amount_cents: 3 }]),
      journal('present:x', null, [{ debit: 'processor', credit: 'payouts', amount_cents: 8 }]),
      journal('plan:x:2026-07', 'x', [{ debit: 'processor', credit: 'platform_fees', amount_cents: 2900 }]),
    );
    const { problems } = await check();
    expect(problems.slice(0, 2)).toEqual([
      { about: 'plan:x:2026-07', problem: 'a plan paid 0 cents for it, and 2900 are booked' },
      {
        about: 'processor_fee:x',
        problem: 'a fee of 3 cents from platform_fees to processor for nothing that was paid',
      },
    ]);
    const stray = '8 cents move by present:x, which is no journal of that account';
    expect(
      problems
        .slice(2)
        .map(({ about, problem }) => `${about}: ${problem}`)
        .sort(),
    ).toEqual([`payouts: ${stray}`, `processor: ${stray}`]);
  });
});
