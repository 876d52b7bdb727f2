// Held money on a real store: set aside, settled in whole or in part, voided, expired. Nobody opens a hold over a door, so the
// steps are driven in turns of their own.

import { beforeAll, describe, expect, test } from 'bun:test';
import { holdById, payerById } from '../../db/queries/wallet.ts';
import type { Decision, Outcome } from '../../db/store.ts';
import type { Ctx } from '../../src/contract/context.ts';
import { fault, isFault } from '../../src/domain/fault.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { NOT_ESCALATED } from '../../src/steps/money/escalate.ts';
import { placeHold, settleHold, voidHold } from '../../src/steps/money/hold.ts';
import { isSpendFault, spend, spentKey } from '../../src/steps/money/spend.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import { ctxOf } from '../support/threads.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let caller: TestAgent;
let provider: TestAgent;

beforeAll(async () => {
  caller = await newAgent(t, { handle: 'caller', verified: true });
  provider = await newAgent(t, { handle: 'provider', verified: true });
  await fundWallet(t, caller.id, 10_000);
});

const ctxFor = (agent: TestAgent): Ctx => {
  // Only what holding and spending look at.
  const row = { id: agent.id, account_id: agent.id, bounds: {}, deactivated_at: null } as NonNullable<Ctx['agent']>;
  const ctx = ctxOf(t, agent.id);
  return { ...ctx, agent: row, principal: { ...ctx.principal, budget: null } };
};
const turn = <T>(decision: () => Promise<Decision<T>> | Decision<T>): Promise<Outcome<T>> =>
  t.service.world.store.turn({ attempt: async () => decision() });
const read = (hold_id: string) => t.service.world.store.read(holdById, { id: hold_id });

/** Holds money of the caller's for some minutes; answers its id, or the code of the refusal. */
async function place(amount_cents: number, minutes = 5): Promise<string> {
  const ctx = ctxFor(caller);
  const payer = await t.service.world.store.read(payerById, { id: caller.id });
  const state = { payer, paid_by_keys: 0, ...NOT_ESCALATED };
  const spent = spend(ctx, state, { amount_cents, to_id: null, operation: 'router_call.make' });
  if (isSpendFault(spent)) throw new Error(spent.fault);
  const expires_at = ctx.now_ms + minutes * MINUTE_MS;
  const asked = { kind: 'call', subject_id: null, amount_cents, expires_at, counted: spent.counted };
  const { hold_id, effects } = placeHold(ctx, asked);
  const outcome = await turn(() => ({ reply: hold_id, effects: [spent.gate, ...spent.counts, ...effects] }));
  return isFault(outcome) ? outcome.fault : outcome.reply;
}

async function settle(hold_id: string, paid_cents: number, fee_bps = 500): Promise<string> {
  const outcome = await t.service.world.store.turn({
    attempt: async (load) => {
      const hold = await load(holdById, { id: hold_id });
      const settled = hold && settleHold(ctxFor(caller), hold, { to_id: provider.id, paid_cents, fee_bps });
      return settled ? { reply: 'settled', effects: settled.effects } : fault('conflict');
    },
  });
  return isFault(outcome) ? outcome.fault : outcome.reply;
}

async function giveBack(hold_id: string): Promise<void> {
  await t.service.world.store.turn({
    attempt: async (load) => {
      const hold = await load(holdById, { id: hold_id });
      return { reply: null, effects: hold ? voidHold(ctxFor(caller), hold) : [] };
    },
  });
}

const figures = (): Promise<number[]> =>
  Promise.all([`wallet:${caller.id}`, `held:${caller.id}`, `wallet:${provider.id}`].map((id) => balanceOf(t, id)));

async function spentOn(at_ms: number): Promise<number> {
  const stored = `select n from counters where id = '${spentKey(caller.id, at_ms)}'`;
  const [row] = await readStoredRows(t.service.world.settings.data_dir, stored);
  return Number(row?.['n'] ?? 0);
}

async function reminders(): Promise<number> {
  const stored = "select count(*) as n from reminders where operation = 'hold.expire'";
  const [row] = await readStoredRows(t.service.world.settings.data_dir, stored);
  return Number(row?.['n']);
}

describe('held money', () => {
  test('leaves the wallet, and is paid with the fee while the rest comes back', async () => {
    const [wallet = 0, held = 0, earned = 0] = await figures();
    const spent = await spentOn(t.clock.now());
    const hold_id = await place(1_000);
    expect(await figures()).toEqual([wallet - 1_000, held + 1_000, earned]);
    expect(await spentOn(t.clock.now())).toBe(spent + 1_000);
    // 5 % of 707 is 35.35.
    expect(await settle(hold_id, 707)).toBe('settled');
    expect(await figures()).toEqual([wallet - 707, held, earned + 672]);
    expect(await spentOn(t.clock.now())).toBe(spent + 707);
    expect(await read(hold_id)).toMatchObject({ status: 'settled', settled_cents: 707, ended_at: t.clock.now() });
    expect(await reminders()).toBe(0);
  });

  test('has one end, whoever asks for another', async () => {
    const hold_id = await place(500);
    const before = await figures();
    const ends = await Promise.all([settle(hold_id, 500), settle(hold_id, 500), giveBack(hold_id), giveBack(hold_id)]);
    expect(ends.slice(0, 2).filter((end) => end === 'settled').length).toBeLessThanOrEqual(1);
    const hold = await read(hold_id);
    const [wallet = 0, held = 0, earned = 0] = before;
    const after = hold?.status === 'settled' ? [wallet, held - 500, earned + 475] : [wallet + 500, held - 500, earned];
    expect(await figures()).toEqual(after);
  });

  test('that the wallet does not have is refused with nothing held', async () => {
    const before = await figures();
    expect(await place(1_000_000)).toBe('payment_required');
    expect(await figures()).toEqual(before);
    expect(await reminders()).toBe(0);
  });

  test('that is voided comes back, also to the day from which it was taken', async () => {
    const before = await figures();
    const day = t.clock.now();
    const spent = await spentOn(day);
    const hold_id = await place(300, 2 * 24 * 60);
    await t.advance(24 * 60 * MINUTE_MS);
    await giveBack(hold_id);
    expect(await figures()).toEqual(before);
    expect([await spentOn(day), await spentOn(t.clock.now())]).toEqual([spent, 0]);
    await giveBack(hold_id);
    expect(await figures()).toEqual(before);
  });

  test('goes back by itself when its time has passed, not before', async () => {
    const before = await figures();
    const hold_id = await place(250, 3);
    await t.advance(3 * MINUTE_MS - 1);
    expect((await read(hold_id))?.status).toBe('pending');
    await t.advance(1);
    expect(await read(hold_id)).toMatchObject({ status: 'voided', settled_cents: 0 });
    expect(await figures()).toEqual(before);
    expect(await settle(hold_id, 250)).toBe('conflict');
  });
});
