// What may be spent: the limits of a wallet, the bounds of an agent and the budget of a key. Each refusal says which limit it was and
// what is left, moves nothing, and counts nothing; what is counted is what was spent.

import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { insert } from '../../db/effects.ts';
import { counterById } from '../../db/queries/turn.ts';
import { payerById } from '../../db/queries/wallet.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { unspend } from '../../src/steps/money/spend.ts';
import { newAgent, newProvisional, signIn, type TestAgent } from '../support/agents.ts';
import { putFunds } from '../support/funds.ts';
import { eventsOf } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { START_MS, type TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let payee: TestAgent;
let names = 0;

beforeAll(async () => {
  payee = await newAgent(t, { handle: 'limit_payee' });
});

interface Payer extends TestAgent {
  readonly pays: string;
}

const payerOf = async (cents: number): Promise<Payer> => {
  const agent = await newAgent(t, { handle: `limited_${++names}`, verified: true, pro: true });
  if (cents > 0) await fundWallet(t, agent.id, cents);
  return { ...agent, pays: await keyWith(t, agent.email, ['payments:write', 'agents:read', 'agents:write']) };
};
const send = (key: string, amount_cents: number, more: object = {}): Promise<TestAnswer> =>
  t.call('POST', '/api/wallet/send', { key, body: { to_handle: payee.handle, amount_cents, ...more } });
const limit = ({ token }: TestAgent, body: object): Promise<TestAnswer> =>
  t.call('PATCH', '/api/wallet/', { token, body });
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const counted = async (key: string): Promise<number> =>
  (await t.service.world.store.read(counterById, { id: key }))?.n ?? 0;
const today = (): string => new Date(t.clock.now()).toISOString().slice(0, 10);

describe('a wallet', () => {
  test('is read by a session with and without a slash, by a key at its own address, and by the tool', async () => {
    const ada = await payerOf(12_300);
    const wallet = {
      handle: ada.handle,
      balance_cents: 12_300,
      held_cents: 0,
      withdrawable_cents: 12_300,
      currency: 'USD',
      payout_rails: ['chain'],
      spending_limit: { per_transaction_cents: null, per_day_cents: null },
      default_key_limit: { per_transaction_cents: 1_000, per_day_cents: 2_000 },
      low_balance_cents: 500,
    };
    for (const path of ['/api/wallet', '/api/wallet/', '/api/v1/wallet']) {
      expect((await t.call('GET', path, { token: ada.token })).body).toEqual(wallet);
    }
    for (const key of [ada.key, ada.pays]) {
      expect((await t.call('GET', '/api/v1/wallet', { key })).body).toEqual(wallet);
    }
    const refused = await t.call('GET', '/api/wallet/', { key: ada.key });
    expect(said(refused)).toBe('403 session_required');
    expect(refused.body.how).toContain('GET /api/v1/wallet');
    const asked = { key: ada.key, revision: '2025-11-25' };
    const { result } = (await rpc(t, 'tools/call', { name: 'mesh_wallet_balance', arguments: {} }, asked)).body;
    expect(result.structuredContent).toEqual(wallet);
  });

  test('tells what escrows hold of it, and leaves young card payments out of what may be withdrawn', async () => {
    const ada = await payerOf(7_000);
    await putFunds(t, ada.id, 3_000, DAY_MS);
    const seller = await payerOf(0);
    const body = { seller_handle: seller.handle, milestones: [{ title: 'A rope', amount_cents: 2_500 }] };
    expect((await t.call('POST', '/api/wallet/escrow', { key: ada.pays, body })).status).toBe(201);
    const read = async () => (await t.call('GET', '/api/v1/wallet', { key: ada.key })).body;
    const held = { balance_cents: 7_500, held_cents: 2_500 };
    expect(await read()).toMatchObject({ ...held, withdrawable_cents: 4_500 });
    expect(said(await send(ada.pays, 5_000))).toBe('201');
    expect((await read()).withdrawable_cents).toBe(0);
    await t.advance(DAY_MS);
    expect(await read()).toMatchObject({ balance_cents: 2_500, held_cents: 2_500, withdrawable_cents: 2_500 });
  });

  test('of a provisional agent is seen by its key', async () => {
    const { key, agent } = await newProvisional(t, 'agent_sees');
    await fundWallet(t, agent.id, 50);
    const read = await t.call('GET', '/api/v1/wallet', { key });
    expect([read.status, read.body.balance_cents]).toEqual([200, 50]);
  });

  test('has limits that its person alone sets, one at a time', async () => {
    const ada = await payerOf(0);
    expect((await limit(ada, { spending_limit: { per_day_cents: 900 } })).body.spending_limit).toEqual({
      per_transaction_cents: null,
      per_day_cents: 900,
    });
    const both = await limit(ada, { spending_limit: { per_transaction_cents: 0 }, low_balance_cents: 0 });
    expect([both.body.spending_limit, both.body.low_balance_cents]).toEqual([
      { per_transaction_cents: 0, per_day_cents: 900 },
      0,
    ]);
    expect((await t.call('GET', '/api/wallet/', { token: ada.token })).body).toEqual(both.body);
    expect((await limit(ada, { spending_limit: null })).body.spending_limit).toEqual({
      per_transaction_cents: null,
      per_day_cents: null,
    });
    for (const per_day_cents of [-1, 1.5, '5', 2 ** 53]) {
      const wrong = await limit(ada, { spending_limit: { per_day_cents } });
      expect([said(wrong), wrong.body.fields[0].path]).toEqual([
        '400 invalid_request',
        expect.stringContaining('spending_limit'),
      ]);
    }
    expect(said(await t.call('PATCH', '/api/wallet/', { key: ada.pays, body: {} }))).toBe('403 session_required');
  });
});

describe('a limit', () => {
  test('set while a payment is being decided holds for it, also where none stood before', async () => {
    const ada = await payerOf(0);
    for (const cents of [900, 800]) {
      const seen: (number | null | undefined)[] = [];
      await t.service.world.store.turn({
        attempt: async (read) => {
          seen.push((await read(payerById, { id: ada.id }))?.per_day_cents);
          if (seen.length === 1) await limit(ada, { spending_limit: { per_day_cents: cents } });
          return {
            reply: null,
            effects: [insert('counters', { id: `decided:${ada.id}:${cents}`, n: 1, expires_at: 1 })],
          };
        },
      });
      expect(seen).toEqual([cents === 900 ? null : 900, cents]);
    }
  });

  test('of a payment is one of each payment', async () => {
    const ada = await payerOf(5_000);
    await limit(ada, { spending_limit: { per_transaction_cents: 100 } });
    const over = await send(ada.pays, 101);
    expect(said(over)).toBe('403 spending_limit');
    expect(over.body).toMatchObject({ limit: 'spending_limit.per_transaction_cents', limit_cents: 100 });
    expect([said(await send(ada.pays, 100)), said(await send(ada.pays, 100))]).toEqual(['201', '201']);
  });

  test('of a day counts what was spent on it before it was set, says what is left, and begins anew at midnight UTC', async () => {
    const ada = await payerOf(5_000);
    await send(ada.pays, 300);
    await limit(ada, { spending_limit: { per_day_cents: 1_000 } });
    const over = await send(ada.pays, 701);
    expect(said(over)).toBe('403 spending_limit');
    expect(over.body).toMatchObject({
      limit: 'spending_limit.per_day_cents',
      limit_cents: 1_000,
      used_cents: 300,
      left_cents: 700,
    });
    expect(said(await send(ada.pays, 700))).toBe('201');
    expect(said(await send(ada.pays, 1))).toBe('403 spending_limit');
    const dry = await send(ada.pays, 1, { dry_run: true });
    expect(dry.body.refusal).toMatchObject({ error: 'spending_limit', used_cents: 1_000, left_cents: 0 });
    await t.advance(DAY_MS - (START_MS % DAY_MS));
    expect(said(await send(ada.pays, 1_000))).toBe('201');
  });

  test('that refuses, or a wallet that is short, counts nothing', async () => {
    const ada = await payerOf(50);
    expect(said(await send(ada.pays, 51))).toBe('402 payment_required');
    expect(await counted(`spent:${ada.id}:${today()}`)).toBe(0);
  });
});

describe('outside the bounds', () => {
  test('a key is refused, and its person told of the same payment once a day', async () => {
    const ada = await payerOf(5_000);
    await t.call('PATCH', '/api/agents/bounds', { key: ada.key, body: { max_pay_cents: 200 } });
    const asked = new Set<string>();
    for (const _ of [1, 2, 3]) {
      const over = await send(ada.pays, 201);
      expect(said(over)).toBe('403 outside_bounds');
      const { error: _error, message: _message, request_id: _id, action_id, how, ...figures } = over.body;
      expect(how).toContain('action');
      const url = 'http://localhost/app/approvals';
      expect(figures).toEqual({ amount_cents: 201, bound: 'max_pay_cents', bound_cents: 200, url });
      asked.add(action_id);
    }
    const events = await eventsOf(t, ada, 'negotiation.escalated');
    const [action_id] = asked;
    expect([asked.size, events.length]).toEqual([1, 1]);
    const data = { amount_cents: 201, bound: 'max_pay_cents', action_id, operation: 'wallet.send' };
    expect(events[0]).toMatchObject({ data, actions: [{ action: 'approve' }, { action: 'reject' }] });
    const notices = (await t.call('GET', '/api/notifications', { token: ada.token })).body;
    expect(notices[0]).toMatchObject({ kind: 'negotiation.escalated', title: 'Your agent wants to send money: $2.01' });
    const respond = `/api/inbox/${events[0].id}/respond`;
    expect(said(await t.call('POST', respond, { key: ada.key, body: { action: 'approve' } }))).toBe(
      '403 session_required',
    );
    // The person is bound by nothing but the limits.
    const body = { to_handle: payee.handle, amount_cents: 201 };
    expect(said(await t.call('POST', '/api/wallet/send', { token: ada.token, body }))).toBe('201');
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(4_799);
    await t.advance(DAY_MS + 1);
    await t.service.world.store.prune(t.clock.now());
    await send(ada.pays, 201);
    expect(await eventsOf(t, ada, 'negotiation.escalated')).toHaveLength(2);
  });

  test('a program that tries on and on writes its person ten letters at once, and one about the rest of the day', async () => {
    const ada = await payerOf(5_000);
    await t.call('PATCH', '/api/agents/bounds', { key: ada.key, body: { max_pay_cents: 0 } });
    const letters = async (): Promise<string[]> => {
      await t.rest();
      return t.mails
        .filter(({ to, text }) => to === ada.email && text.includes('outside the bounds'))
        .map(({ text }) => text);
    };
    const asked = new Set<string>();
    for (let cents = 1; cents <= 15; cents++) {
      asked.add(String((await send(ada.pays, cents)).body.action_id));
      await t.rest();
    }
    expect([asked.size, asked.has('undefined')]).toEqual([15, false]);
    expect(await eventsOf(t, ada, 'negotiation.escalated')).toHaveLength(15);
    expect(await letters()).toHaveLength(10);
    const said_no = [...asked].at(-1);
    const body = { decision: 'reject' };
    await t.call('POST', `/api/actions/${said_no}/decide`, { token: ada.token, body });
    await t.advance(DAY_MS - (t.clock.now() % DAY_MS));
    const told = await letters();
    expect(told).toHaveLength(11);
    for (const cents of ['$0.11', '$0.12', '$0.13', '$0.14']) expect(told.at(-1)).toContain(cents);
    expect(told.at(-1)).not.toContain('$0.15');
    await t.advance(DAY_MS);
    expect(await letters()).toHaveLength(11);
  });
});

describe('the budget of a key', () => {
  const keyOf = async (ada: Payer, budget: object): Promise<TestAnswer> => {
    const body = { name: 'a shop', scopes: ['payments:write', 'agents:read'], budget };
    return t.call('POST', '/api/developer/keys', { token: ada.token, body });
  };

  test('is kept with handles as they are now, and across a renewal with what is left', async () => {
    const ada = await payerOf(5_000);
    const made = await keyOf(ada, { total_cents: 1_000, recipients: [`@${payee.handle.toUpperCase()}`] });
    const budget = {
      per_call_cents: null,
      per_day_cents: null,
      total_cents: 1_000,
      recipients: [payee.handle],
      capabilities: null,
      spent_today_cents: 0,
      spent_total_cents: 0,
    };
    expect([made.status, made.body.budget]).toEqual([201, budget]);
    expect(said(await send(made.body.api_key, 600))).toBe('201');
    const { api_key } = (await t.call('POST', '/api/auth/key/renew', { key: made.body.api_key })).body;
    const over = await send(api_key, 401);
    expect(said(over)).toBe('403 spending_limit');
    expect(over.body).toMatchObject({ limit: 'budget.total_cents', used_cents: 600, left_cents: 400 });
    expect(said(await send(api_key, 400))).toBe('201');
    const keys = (await t.call('GET', '/api/developer/keys', { token: ada.token })).body;
    expect(keys[0].budget).toEqual({ ...budget, spent_today_cents: 1_000, spent_total_cents: 1_000 });
    // Another key of the same agent has no budget.
    expect(said(await send(ada.pays, 401))).toBe('201');
  });

  test('holds by the call, by the day, to the recipients and to capabilities', async () => {
    const ada = await payerOf(5_000);
    const other = await newAgent(t, { handle: `limit_other_${++names}` });
    const limitOf = async (budget: object, cents: number, to_handle = payee.handle): Promise<string> => {
      const { api_key } = (await keyOf(ada, budget)).body;
      return (await send(api_key, cents, { to_handle })).body.limit ?? 'none';
    };
    expect(await limitOf({ per_call_cents: 10 }, 11)).toBe('budget.per_call_cents');
    expect(await limitOf({ per_call_cents: 10 }, 10)).toBe('none');
    expect(await limitOf({ per_day_cents: 10 }, 11)).toBe('budget.per_day_cents');
    expect(await limitOf({ total_cents: 0 }, 1)).toBe('budget.total_cents');
    expect(await limitOf({ recipients: [payee.handle] }, 1, other.handle)).toBe('budget.recipients');
    expect(await limitOf({ recipients: [payee.handle] }, 1)).toBe('none');
    expect(await limitOf({ recipients: [] }, 1)).toBe('budget.recipients');
    expect(await limitOf({ capabilities: ['ocr.read'] }, 1)).toBe('budget.capabilities');
    const unknown = await keyOf(ada, { recipients: [payee.handle, 'nobody_there'] });
    expect([said(unknown), unknown.body.fields[0].path]).toEqual(['400 invalid_request', 'budget.recipients.1']);
    for (const total_cents of [-1, 0.5, '10']) {
      expect(said(await keyOf(ada, { total_cents }))).toBe('400 invalid_request');
    }
  });
});

describe('a low balance', () => {
  const letters = async ({ email }: TestAgent): Promise<string[]> => {
    await t.rest();
    const low = t.mails.filter(({ to, subject }) => to === email && subject.includes('runs low'));
    return low.map(({ text }) => text);
  };

  test('is told by a letter with the page to fund it, once until the balance was above', async () => {
    const ada = await payerOf(2_000);
    await send(ada.pays, 1_400);
    expect(await letters(ada)).toEqual([]);
    await send(ada.pays, 101);
    const [text, ...others] = await letters(ada);
    expect(others).toEqual([]);
    // It names no button that the page does not have.
    expect(text).toContain('To add money, sign in:\n');
    expect(text).toContain('$4.99');
    expect(text).toContain(`http://localhost/app/wallet?agent=${ada.handle}`);
    await send(ada.pays, 100);
    await t.advance(60_000);
    expect(await letters(ada)).toHaveLength(1);
    await fundWallet(t, ada.id, 1_000);
    await send(ada.pays, 1_000);
    await t.advance(60_000);
    expect(await letters(ada)).toHaveLength(2);
  });

  test('is what its person says, and nothing at 0', async () => {
    const [ada, bob] = [await payerOf(1_000), await payerOf(1_000)];
    await limit(ada, { low_balance_cents: 0 });
    await limit(bob, { low_balance_cents: 1_000 });
    await send(ada.pays, 999);
    await send(bob.pays, 1);
    expect([await letters(ada), await letters(bob)]).toEqual([[], [expect.stringContaining('$9.99')]]);
  });
});

test('spending counters are the sum of what was spent and not given back, whatever was refused in between', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), cents: fc.integer({ min: 1, max: 60 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('limit' as const), cents: fc.option(fc.integer({ min: 0, max: 200 })) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('back' as const), cents: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('day' as const), cents: fc.constant(0) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      let ada = await payerOf(600);
      const body = { name: 'b', scopes: ['payments:write'], budget: { total_cents: 400 } };
      const { api_key, id } = (await t.call('POST', '/api/developer/keys', { token: ada.token, body })).body;
      let [day, total, balance, per_day] = [0, 0, 600, null as number | null];
      const spent: number[] = [];
      const keys = async (): Promise<{ budget: { spent_today_cents: number; spent_total_cents: number } }> =>
        (await t.call('GET', '/api/developer/keys', { token: ada.token })).body.find(
          (key: { id: string }) => key.id === id,
        );
      for (const { do: what, cents } of steps) {
        if (what === 'limit') {
          per_day = cents;
          await limit(ada, { spending_limit: { per_day_cents: cents } });
        } else if (what === 'day') {
          await t.advance(DAY_MS);
          ada = { ...ada, token: await signIn(t, ada.email) };
          spent.length = 0;
          day = 0;
        } else if (what === 'back') {
          const back = spent.pop();
          if (back === undefined) continue;
          const effects = unspend([[`spent:${ada.id}:${today()}`, back]]);
          await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
          day -= back;
        } else if (cents !== null) {
          const fits = cents <= balance && total + cents <= 400 && (per_day === null || day + cents <= per_day);
          const { status } = await send(api_key, cents);
          expect(status === 201).toBe(fits);
          if (!fits) continue;
          spent.push(cents);
          [day, total, balance] = [day + cents, total + cents, balance - cents];
        }
        expect(await counted(`spent:${ada.id}:${today()}`)).toBe(day);
        expect((await keys()).budget.spent_total_cents).toBe(total);
        expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(balance);
      }
    }),
    { numRuns: 15 },
  );
});
