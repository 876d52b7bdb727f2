// What the rest of the service knows of capabilities and of who serves them; and what is nobody's: a call that was cut off, and failures
// that say nothing of their providers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { AUTHORITY } from '../support/authority.ts';
import { rpc } from '../support/mcp.ts';
import { PROVIDER_HOST, type Provider, startProvider } from '../support/provider.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';
import { until } from '../support/until.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const REVISION = '2025-11-25';
const HOSTS = ['one', 'two', 'three'];

let p: Provider;
let t: TestService;
beforeAll(async () => {
  p = await startProvider();
  const names = [PROVIDER_HOST, ...HOSTS.map((host) => `${host}.${PROVIDER_HOST}`)];
  const outside = { allow: names.map((host) => ({ host, port: p.port })), ca: AUTHORITY };
  t = await openTestService({}, 'memory', { outside });
  for (const name of names) t.zone.setAddresses(name, ['127.0.0.1']);
});
afterAll(async () => {
  await t.close();
  await p.close();
});

let names = 0;
async function someone(cents = 0): Promise<TestAgent> {
  names += 1;
  const who = await newAgent(t, { handle: `seen_${names}`, verified: true });
  if (cents > 0) await fundWallet(t, who.id, cents);
  return who;
}

async function offer(
  { key, handle }: TestAgent,
  capability: string,
  behaviour: string,
  price_cents = 0,
  host?: string,
) {
  const body = { capability, endpoint_url: p.url(behaviour, handle, host), price_cents };
  const made = await t.call('POST', '/api/router/providers', { key, body });
  expect(made.status).toBe(201);
}

const route = ({ key }: TestAgent, capability: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  t.call('POST', '/api/router/call', { key, body: { capability }, headers });

const ownOffer = async ({ key }: TestAgent): Promise<TestAnswer['body']> =>
  (await t.call('GET', '/api/router/providers', { key })).body.providers[0];

describe('a capability that somebody offers', () => {
  test('is completed like a label, and counted among what the router knows', async () => {
    const before = (await t.call('GET', '/api/network-stats')).body.capabilities;
    await offer(await someone(), 'demo.completed', 'serve');
    const found = (await t.call('GET', '/api/labels?q=demo.compl')).body;
    expect(found).toContainEqual({ name: 'demo.completed', kind: 'capability', uses: 1 });
    expect((await t.call('GET', '/api/network-stats')).body.capabilities).toBe(before + 1);
  });

  test('tells what its payload needs where the catalogue does not, by whoever offered it first', async () => {
    const [bob, ada] = [await someone(), await someone()];
    const body = {
      capability: 'demo.fields',
      endpoint_url: p.url('serve', bob.handle),
      price_cents: 0,
      required_fields: ['text'],
    };
    await t.call('POST', '/api/router/providers', { key: bob.key, body });
    const { capabilities } = (await t.call('GET', '/api/router/capabilities')).body;
    const told = capabilities.find((each: TestAnswer['body']) => each.capability === 'demo.fields');
    expect(told).toMatchObject({ required_fields: ['text'], accepted_fields: ['text'], description: null });
    const refused = await route(ada, 'demo.fields');
    expect([refused.status, refused.body.fields[0].path]).toEqual([400, 'payload.text']);
    const known = capabilities.find((each: TestAnswer['body']) => each.capability === 'text.translate');
    expect(known).toMatchObject({ providers: 0, from_price_cents: null, required_fields: ['text', 'to'] });
    expect(known.input_schema.required).toEqual(['text', 'to']);
  });

  test('has a quote, by its own address and by the tool that quotes listings, with what the call would meet', async () => {
    const [ada, poor, bob] = [await someone(1_000), await someone(), await someone()];
    await offer(bob, 'demo.quoted', 'serve', 300);
    const quote = {
      capability: 'demo.quoted',
      provider_handle: bob.handle,
      price_cents: 300,
      fee_cents: 15,
      net_cents: 285,
      providers: 1,
    };
    const asked = await t.call('GET', '/api/router/quote?capability=demo.quoted', { key: ada.key });
    expect(asked.body).toMatchObject({ ...quote, gate: { passes: true, refusal: null } });
    const call = { name: 'mesh_get_quote', arguments: { capability: 'demo.quoted' } };
    const told = await rpc(t, 'tools/call', call, { key: poor.key, revision: REVISION });
    expect(told.body.result.structuredContent).toMatchObject({
      ...quote,
      gate: { passes: false, refusal: { error: 'payment_required', shortfall_cents: 300 } },
    });
    expect((await t.call('GET', '/api/router/quote?capability=demo.quoted', { key: bob.key })).status).toBe(404);
  });
});

describe('who serves', () => {
  test('says so on its card, and in its track record what it was paid for', async () => {
    const [ada, bob] = [await someone(1_000), await someone()];
    const modes = async () =>
      (await t.call('GET', `/.well-known/agent.json?handle=${bob.handle}`)).body['x-mesh'].active_modes;
    expect(await modes()).toEqual([]);
    await offer(bob, 'demo.carded', 'once', 10);
    expect(await modes()).toEqual(['router_provider']);
    expect([(await route(ada, 'demo.carded')).status, (await route(ada, 'demo.carded')).status]).toEqual([502, 200]);
    const { body } = await t.call('GET', `/api/agents/public/${bob.handle}/track-record`);
    expect(body.paid_calls).toEqual({ count: 1, success_rate: 50 });
  });

  test('serves no more once its agent is deactivated, and takes along what is kept of it', async () => {
    const [ada, bob] = [await someone(), await someone()];
    await offer(bob, 'demo.gone', 'serve');
    const { body } = await t.call('GET', '/api/account/export', { token: bob.token });
    expect(JSON.stringify(body)).toContain('demo.gone');
    expect(JSON.stringify(body)).not.toContain('prs_');
    expect((await route(ada, 'demo.gone')).status).toBe(200);
    expect((await t.call('DELETE', `/api/agents/${bob.handle}`, { key: bob.key })).status).toBe(200);
    expect((await route(ada, 'demo.gone')).status).toBe(404);
    // Coming back is no offer.
    expect((await t.call('POST', `/api/agents/${bob.handle}/restore`, { key: bob.key })).status).toBe(200);
    expect([(await ownOffer(bob)).active, (await route(ada, 'demo.gone')).status]).toEqual([false, 404]);
  });

  test('is no candidate for whom it shares a proof or a payout account with', async () => {
    const [ada, bob, carl] = [await someone(), await someone(), await someone()];
    await offer(bob, 'demo.shared', 'serve');
    const { store } = t.service.world;
    const agents = await Promise.all([ada, bob].map(({ id }) => store.read(agentById, { id })));
    const effects = agents.flatMap((agent) => {
      const account_id = agent?.account_id ?? '';
      return [insert('account_marks', { id: `${account_id}:shared-mark`, account_id, mark: 'shared-mark' })];
    });
    await store.turn({ attempt: async () => ({ reply: null, effects }) });
    expect([(await route(ada, 'demo.shared')).status, (await route(carl, 'demo.shared')).status]).toEqual([404, 200]);
  });
});

describe('nobody’s fault', () => {
  test('are failures without an answer at three hosts of three accounts at once; two hosts are their own', async () => {
    const ada = await someone();
    const providers = [await someone(), await someone(), await someone()];
    for (const [at, who] of providers.entries()) if (at < 2) await offer(who, 'demo.outage', 'reset', 0, HOSTS[at]);
    expect((await route(ada, 'demo.outage')).status).toBe(502);
    const figures = async () =>
      Promise.all(providers.slice(0, 2).map(async (who) => (await ownOffer(who)).total_failures));
    expect(await figures()).toEqual([1, 1]);
    await t.advance(11_000);
    if (providers[2]) await offer(providers[2], 'demo.outage', 'reset', 0, HOSTS[2]);
    for (let calls = 0; calls < 6; calls++) expect((await route(ada, 'demo.outage')).body.attempts.length).toBe(3);
    expect(await figures()).toEqual([1, 1]);
    expect((await ownOffer(providers[2] ?? ada)).in_rotation).toBe(true);
  });

  test('is a refusal that a provider repeats to one caller, where the operator says so', async () => {
    const once = await openTestService({ refusals_once: true }, 'memory', {
      outside: { allow: [{ host: PROVIDER_HOST, port: p.port }], ca: AUTHORITY },
    });
    try {
      once.zone.setAddresses(PROVIDER_HOST, ['127.0.0.1']);
      const [ada, bob, carl] = await Promise.all(
        ['ada', 'bob', 'carl'].map((handle) => newAgent(once, { handle, verified: true })),
      );
      if (!ada || !bob || !carl) throw new Error('three agents were made');
      const body = { capability: 'demo.refuses', endpoint_url: p.url('refuse', 'once'), price_cents: 0 };
      await once.call('POST', '/api/router/providers', { key: bob.key, body });
      const call = ({ key }: TestAgent) =>
        once.call('POST', '/api/router/call', { key, body: { capability: 'demo.refuses' } });
      for (let calls = 0; calls < 7; calls++) expect((await call(ada)).status).toBe(502);
      expect((await call(carl)).status).toBe(502);
      const [own] = (await once.call('GET', '/api/router/providers', { key: bob.key })).body.providers;
      expect([own.in_rotation, own.total_failures]).toEqual([true, 2]);
    } finally {
      await once.close();
    }
  });

  test.each([100, 0])('is a call of %i cents that was given up: nobody is charged, and nobody knows', async (price) => {
    const [ada, bob, carl] = [await someone(1_000), await someone(), await someone()];
    const capability = `demo.holds-${price}`;
    await offer(carl, capability, 'fail', price);
    await offer(bob, capability, 'hold', price);
    const keyed = { 'Idempotency-Key': 'cut-off' };
    const waiting = route(ada, capability, keyed);
    await until(() => p.calls('hold', bob.handle).length === 1);
    expect(await balanceOf(t, `held:${ada.id}`)).toBe(price);
    expect((await route(ada, capability, keyed)).body.error).toBe('idempotency_in_flight');
    await t.advance(120_000);
    expect([await balanceOf(t, `held:${ada.id}`), await balanceOf(t, `wallet:${ada.id}`)]).toEqual([0, 1_000]);
    p.release();
    const late = await waiting;
    expect([late.status, late.body.error, late.body.status]).toEqual([502, 'outcome_unknown', 'unknown']);
    const again = await route(ada, capability, keyed);
    expect([again.status, again.body.error]).toEqual([502, 'outcome_unknown']);
    const [receipt] = (await t.call('GET', '/api/router/calls', { key: ada.key })).body.calls;
    expect([receipt.status, receipt.price_cents]).toEqual(['unknown', 0]);
    const told = receipt.attempts.map(({ provider_handle, outcome, reason }: Record<string, unknown>) => [
      ...[provider_handle, outcome, reason],
    ]);
    expect(told).toEqual([
      [carl.handle, 'failed', 'http_status'],
      [bob.handle, 'unknown', 'cut_off'],
    ]);
    const earned = (await t.call('GET', '/api/router/calls?role=provider', { key: bob.key })).body.calls;
    expect(earned).toEqual([expect.objectContaining({ id: receipt.id, status: 'unknown' })]);
    expect((await ownOffer(bob)).total_calls).toBe(0);
    expect(p.calls('hold', bob.handle).length).toBe(1);
  });
});
