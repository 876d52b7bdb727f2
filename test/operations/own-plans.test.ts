// Whoever runs the service may change what the plans allow and cost. What was bought goes on at its price, and what cannot be meant is
// refused before the service starts.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformBalance } from '../../db/queries/ledger.ts';
import { usePlans } from '../../src/compose/plans.ts';
import { INTERFACE_PLANS, takePlans } from '../../src/domain/identity/plan.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn } from '../support/agents.ts';
import { newBuyer, newSeller, open } from '../support/escrow.ts';
import { decideOn } from '../support/funds.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

const folder = mkdtempSync(join(tmpdir(), 'meshwork-plans-'));
const file = join(folder, 'plans.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a service with plans of its own', () => {
  let t: TestService;
  const plans = (given: unknown): Promise<void> => {
    writeFileSync(file, JSON.stringify(given));
    return usePlans(t.service.world.store, file);
  };
  beforeAll(async () => {
    t = await openTestService();
  });
  afterAll(async () => {
    takePlans(INTERFACE_PLANS);
    await t.close();
  });

  test('tells them, and keeps to them', async () => {
    await plans({
      free: {
        name: 'Guest',
        outcome_fee_bps: 0,
        limits: { listings: 1 },
        demand: { open: 1 },
        scopes: ['export:read'],
      },
      pro: { name: 'Member', price_cents: 900 },
    });
    const [free, pro] = (await t.call('GET', '/api/billing/plans', {})).body;
    expect([free.plan, free.name, pro.plan, pro.name]).toEqual(['free', 'Guest', 'pro', 'Member']);
    expect(free).toMatchObject({ price_cents: 0, outcome_fee_bps: 0, router_fee_bps: 500 });
    expect(free.limits).toEqual({ listings: 1, matches: 10, conversations: 25 });
    expect(pro).toMatchObject({ price_cents: 900, outcome_fee_bps: 300 });
    expect(free).not.toHaveProperty('scopes');
    const agent = await newAgent(t, { handle: 'exports' });
    const mint = (scopes: readonly string[]) =>
      t.call('POST', '/api/developer/keys', { token: agent.token, body: { name: 'a program', scopes } });
    expect((await mint(['export:read'])).status).toBe(201);
    expect((await mint(['payments:write'])).body).toMatchObject({
      error: 'plan_limit',
      message: 'A key with payments:write needs the Member plan.',
    });
    const limits = (await t.call('GET', '/api/billing/limits', { key: agent.key })).body.limits;
    const allowed = (name: string) => limits.find((each: { name: string }) => each.name === name).limit;
    expect([allowed('demand_open'), allowed('demand_posts_per_day')]).toEqual([1, 10]);
    const [buyer, seller] = [await newBuyer(t), await newSeller(t)];
    const { id } = await open(t, buyer, seller, [10_000]);
    const path = `/api/wallet/escrow/${id}/release`;
    expect((await t.call('POST', path, { key: buyer.pays, body: { milestone_index: 0 } })).body).toMatchObject({
      fee_cents: 0,
      net_cents: 10_000,
    });
  });

  test('books what was bought at its price, also after the price is another', async () => {
    const fees = async () =>
      Number((await t.service.world.store.read(platformBalance, { id: 'platform_fees' }))?.balance_cents);
    await plans({ pro: { price_cents: 900 } });
    const agent = await newAgent(t, { handle: 'pays_less' });
    const before = await fees();
    const bought = await t.call('POST', '/api/billing/checkout', { token: agent.token, body: { plan: 'pro' } });
    await plans({ pro: { price_cents: 1_900 } });
    expect(await (await decideOn(t, bought.body.checkout_url, 'pay')).text()).toContain('Subscribed');
    expect(await fees()).toBe(before + 900);
    await t.advance(31 * DAY_MS);
    expect(await fees()).toBe(before + 2 * 900);
    // Bought again, at the price of now; the months of before stay right.
    await t.call('POST', '/api/billing/cancel', { token: await signIn(t, agent.email) });
    await t.advance(62 * DAY_MS);
    const again = await t.call('POST', '/api/billing/checkout', {
      token: await signIn(t, agent.email),
      body: { plan: 'pro' },
    });
    await decideOn(t, again.body.checkout_url, 'pay');
    await t.advance(31 * DAY_MS);
    expect(await fees()).toBe(before + 2 * 900 + 2 * 1_900);
    const headers = { 'X-Internal-Token': t.internal_token };
    expect((await t.call('GET', '/api/admin/ledger/check', { headers })).body).toMatchObject({
      ok: true,
      problems: [],
    });
  });
});

describe('a file of plans is refused', () => {
  const nowhere = { turn: () => Promise.reject(new Error('nothing is to be written')) };
  test.each([
    ['{', 'JSON'],
    [{ gold: {} }, 'gold'],
    [{ free: { price_cents: 100 } }, 'free'],
    [{ pro: { price_cents: 10 } }, 'pro.price_cents'],
    [{ pro: { name: 'two\nlines' } }, 'pro.name'],
    [{ pro: { name: 'x'.repeat(41) } }, 'pro.name'],
    [{ pro: { outcome_fee_bps: 10_001 } }, 'pro.outcome_fee_bps'],
    [{ free: { limits: { listings: -1 } } }, 'free.limits.listings'],
    [{ free: { scopes: ['agents:read'] } }, 'free.scopes.0'],
  ])('as %j', async (given, named) => {
    writeFileSync(file, typeof given === 'string' ? given : JSON.stringify(given));
    const refused = usePlans(nowhere, file);
    await expect(refused).rejects.toThrow(`PLANS ${file}: `);
    await expect(refused).rejects.toThrow(named);
  });

  test('that is another file, without a word of what stands in it', async () => {
    writeFileSync(file, 'hush_of_another_file');
    const refused = await usePlans(nowhere, file).catch(String);
    expect(refused).toEndWith(`PLANS ${file}: it is not valid JSON`);
  });

  test('that is not there', async () => {
    await expect(usePlans(nowhere, join(folder, 'none.json'))).rejects.toThrow('no such file');
  });
});
