// The check of the ledger: right as long as nobody writes past the service, and whatever was altered is told by name, with the figures.
import { beforeAll, describe, expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import type { LedgerChecked } from '../../db/ledger-check/problems.ts';
import { fault } from '../../src/domain/fault.ts';
import { type Leg, post } from '../../src/domain/money/ledger.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { writeStored } from '../support/store.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let payer: TestAgent;
let payee: TestAgent;
let key: string;

beforeAll(async () => {
  payer = await newAgent(t, { handle: 'payer', verified: true, pro: true });
  payee = await newAgent(t, { handle: 'payee', verified: true });
  key = await keyWith(t, payer.email, ['payments:write']);
  await fundWallet(t, payer.id, 10_000);
  for (const amount_cents of [100, 200, 300]) {
    await t.call('POST', '/api/wallet/send', { key, body: { to_handle: 'payee', amount_cents } });
  }
});

const check = async (): Promise<LedgerChecked> => {
  const answer = await t.call('GET', '/api/admin/ledger/check', { headers: { 'X-Internal-Token': t.internal_token } });
  expect(answer.status).toBe(200);
  return answer.body;
};
const stored = (sql: string): Promise<void> => writeStored(t.service.world.settings.data_dir, sql);

/** What is told while something is altered, which is then put back. */
async function toldOf(alter: string, restore: string): Promise<string[]> {
  await stored(alter);
  const { ok, problems } = await check();
  await stored(restore);
  expect(ok).toBe(problems.length === 0);
  return problems.map(({ about, problem }) => `${about}: ${problem}`);
}

describe('a ledger that nobody has altered', () => {
  test('is right, with its figures', async () => {
    expect(await check()).toEqual({ ok: true, accounts: 3, transfers: 4, sum_cents: 0, problems: [] });
  });

  test('is shown to administrators alone', async () => {
    const refused = async (credential: object): Promise<string> => {
      const { status, body } = await t.call('GET', '/api/admin/ledger/check', credential);
      return `${status} ${body.error}`;
    };
    expect(await refused({})).toBe('401 unauthorized');
    expect(await refused({ key })).toBe('403 session_required');
    expect(await refused({ token: payer.token })).toBe('403 wrong_role');
  });
});

describe('what was altered is told:', () => {
  const wallet = (): string => `wallet:${payer.id}`;

  test('a balance', async () => {
    const set = (cents: number): string =>
      `update ledger_accounts set balance_cents = ${cents} where id = '${wallet()}'`;
    expect(await toldOf(set(9_401), set(9_400))).toEqual([
      'ledger: all balances together come to 1 cents',
      `${wallet()}: it holds 9401 cents in 4 postings, and its transfers come to 9400 in 4`,
    ]);
  });

  test('an amount of a transfer', async () => {
    const set = (from: number, to: number): string =>
      `update transfers set amount_cents = ${to} where amount_cents = ${from}`;
    const told = await toldOf(set(200, 250), set(250, 200));
    expect(told).toContain(`${wallet()}: posting 3 of -250 to 9900 cents says that 9700 stood there after it`);
    expect(told).toContain(`wallet:${payee.id}: posting 2 of 250 to 100 cents says that 300 stood there after it`);
  });

  test('a transfer that is gone, and one without its journal', async () => {
    const move = (from: string, to: string): string =>
      `update transfers set journal = '${to}' || substr(journal, ${from.length + 1}) where amount_cents = 200 and journal like '${from}%'`;
    const told = await toldOf(move('send:', 'gone:'), move('gone:', 'send:'));
    expect(told.filter((line) => line.includes('has no journal gone:'))).toHaveLength(1);
    expect(told.filter((line) => line.endsWith('this journal has no transfers'))).toHaveLength(1);
  });

  test('a number that is missing', async () => {
    const set = (from: number, to: number): string =>
      `update transfers set debit_n = ${to} where debit = '${wallet()}' and debit_n = ${from}`;
    expect(await toldOf(set(4, 5), set(5, 4))).toEqual([
      `${wallet()}: posting 5 follows posting 3`,
      `${wallet()}: it holds 9400 cents in 4 postings, and its transfers come to 9700 in 3`,
    ]);
  });

  test('a funding that was never paid', async () => {
    const told = await toldOf("update fundings set status = 'expired'", "update fundings set status = 'paid'");
    expect(told).toEqual([expect.stringMatching(/^fund:.*: its funding was paid with 0 cents, and 10000 are booked/)]);
  });

  test('a hold that is not held, and one that was forgotten', async () => {
    const row = (expires_at: number): string =>
      `insert into holds (id, agent_id, kind, amount_cents, status, counted, expires_at, created_at, version) values ('h1', '${payer.id}', 'call', 50, 'pending', '[]', ${expires_at}, 1, 1)`;
    const gone = "delete from holds where id = 'h1'";
    const now = t.clock.now();
    const held = `held:${payer.id}`;
    expect(await toldOf(row(now + 1), gone)).toEqual([`${held}: it holds 0 cents, and its pending holds come to 50`]);
    expect(await toldOf(row(now - 60_000), gone)).toHaveLength(1);
    expect((await toldOf(row(now - 60_001), gone))[1]).toStartWith(`${held}: hold h1 of 50 cents is pending`);
  });

  test('a fee that is no plan’s', async () => {
    const book = (id: string, fee: number): Promise<unknown> => {
      const debit = `wallet:${payer.id}` as const;
      const legs: Leg[] = [
        { debit, credit: `wallet:${payee.id}`, amount_cents: 101 - fee, earned: true },
        { debit, credit: 'platform_fees', amount_cents: fee },
      ];
      const effect = post(
        { id, kind: 'charge', subject_id: 's', created_at: t.clock.now() },
        legs,
        fault('conflict'),
        fault('conflict'),
      );
      const [, , period = ''] = id.split(':');
      const row = {
        id: `c${period}`,
        subscription_id: 's',
        seller_id: payee.id,
        period: Number(period),
        period_start: 1,
        amount_cents: 101,
        fee_cents: fee,
        status: 'succeeded',
        reason: null,
        created_at: 1,
      } as const;
      return t.service.world.store.turn({
        attempt: async () => ({ reply: null, effects: [effect, insert('subscription_charges', row)] }),
      });
    };
    await book('charge:s:1', 5);
    await book('charge:s:2', 3);
    expect((await check()).problems).toEqual([]);
    await book('charge:s:3', 6);
    expect((await check()).problems).toEqual([
      { about: 'charge:s:3', problem: "its fee is 6 cents of 101, which is no plan's" },
    ]);
  });
});
