// Calls of capabilities over real TLS: who is asked, what is charged, and that nothing is ever charged but a whole answer.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { providerOf } from '../../db/queries/router.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { AUTHORITY } from '../support/authority.ts';
import { eventsOf } from '../support/matches.ts';
import { PROVIDER_HOST, type Provider, startProvider } from '../support/provider.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

/** Nothing listens there. */
const SILENT_PORT = 1;

let p: Provider;
let t: TestService;
beforeAll(async () => {
  p = await startProvider();
  const outside = { allow: [p.port, SILENT_PORT].map((port) => ({ host: PROVIDER_HOST, port })), ca: AUTHORITY };
  t = await openTestService({}, 'memory', { outside });
  t.zone.setAddresses(PROVIDER_HOST, ['127.0.0.1']);
});
afterAll(async () => {
  await t.close();
  await p.close();
});

let names = 0;
const someone = (more: { verified?: boolean } = { verified: true }): Promise<TestAgent> => {
  names += 1;
  return newAgent(t, { handle: `router_${names}`, ...more });
};

/** Offers a capability that behaves so. */
async function offer(who: TestAgent, capability: string, behaviour: string, price_cents: number): Promise<TestAnswer> {
  const body = { capability, endpoint_url: p.url(behaviour, who.handle), price_cents };
  const made = await t.call('POST', '/api/router/providers', { key: who.key, body });
  expect(made.status).toBe(201);
  p.secrets.add(made.body.signing_secret);
  return made;
}

const route = ({ key }: TestAgent, body: object, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  t.call('POST', '/api/router/call', { key, body, headers });

/** A caller with money. */
async function caller(cents = 10_000): Promise<TestAgent> {
  const who = await someone();
  if (cents > 0) await fundWallet(t, who.id, cents);
  return who;
}

describe('a call', () => {
  test('is answered by its provider, paid at its price, and told as a receipt to both', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.paid', 'serve', 100);
    const before = await balanceOf(t, `wallet:${bob.id}`);
    const { status, body } = await route(ada, { capability: 'demo.paid', payload: { text: 'hello' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'charged',
      capability: 'demo.paid',
      provider_handle: bob.handle,
      price_cents: 100,
      fee_cents: 5,
      net_cents: 95,
      attempts: [{ provider_handle: bob.handle, outcome: 'served', reason: null, http_status: 200 }],
      result: { by: bob.handle, text: 'hello' },
    });
    expect([await balanceOf(t, `wallet:${ada.id}`), (await balanceOf(t, `wallet:${bob.id}`)) - before]).toEqual([
      9_900, 95,
    ]);
    const [came] = p.calls('serve', bob.handle);
    expect(came).toMatchObject({
      signed: true,
      call_id: body.call_id,
      body: { capability: 'demo.paid', payload: { text: 'hello' } },
    });
    const read = await t.call('GET', `/api/router/calls/${body.call_id}`, { key: ada.key });
    expect(read.body).toMatchObject({ status: 'charged', result: body.result, receipt: expect.any(String) });
    const listed = (await t.call('GET', '/api/router/calls', { key: ada.key })).body;
    expect(listed.month_to_date).toEqual({ charged_calls: 1, spent_cents: 100 });
    expect(listed.calls).toEqual([expect.objectContaining({ id: body.call_id, price_cents: 100, fee_cents: 5 })]);
    const earned = (await t.call('GET', '/api/router/calls?role=provider', { key: bob.key })).body;
    const came_in = { id: body.call_id, status: 'charged', price_cents: 100, net_cents: 95 };
    expect(earned.calls).toEqual([expect.objectContaining(came_in)]);
    // Who serves it reads what was paid, and what of that was the fee.
    const lines = async (key: string) =>
      (await t.call('GET', '/api/v1/wallet/transactions?kind=hold_settle', { key })).body.map(
        (line: TestAnswer['body']) => [line.amount_cents, line.gross_cents, line.fee_cents, line.net_cents],
      );
    expect([await lines(bob.key), await lines(ada.key)]).toEqual([[[95, 100, 5, 95]], []]);
    expect((await t.call('GET', `/api/router/calls/${body.call_id}`, { key: bob.key })).status).toBe(404);
  });

  test.each([
    ['html', 'not_json'],
    ['events', 'not_json'],
    ['broken', 'not_json'],
    ['deep', 'not_json'],
    ['empty', 'empty'],
    ['none', 'empty'],
    ['away', 'http_status'],
    ['refuse', 'http_status'],
    ['fail', 'http_status'],
    ['reset', 'reset'],
    ['half', 'reset'],
    ['huge', 'too_large'],
  ])('whose provider answers %s is told as %s, costs nothing, and comes to the next', async (behaviour, reason) => {
    const [ada, bad, good] = [await caller(), await someone(), await someone()];
    const capability = `demo.${behaviour}`;
    await offer(bad, capability, behaviour, 10);
    const alone = await route(ada, { capability });
    expect([alone.status, alone.body.error, alone.body.status]).toEqual([502, 'providers_failed', 'failed']);
    expect(alone.body.attempts).toEqual([
      expect.objectContaining({ provider_handle: bad.handle, outcome: 'failed', reason }),
    ]);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(10_000);
    await offer(good, capability, 'serve', 400);
    const { body } = await route(ada, { capability });
    expect(body.attempts.map((each: TestAnswer['body']) => [each.provider_handle, each.outcome])).toEqual([
      [bad.handle, 'failed'],
      [good.handle, 'served'],
    ]);
    expect([body.price_cents, await balanceOf(t, `wallet:${ada.id}`)]).toEqual([400, 9_600]);
    const { provider } = (await t.call('GET', '/api/router/providers', { key: bad.key })).body.providers.map(
      (each: TestAnswer['body']) => ({ provider: each }),
    )[0];
    expect(provider).toMatchObject({ total_calls: 2, total_failures: 2, in_rotation: true });
  });

  test('is charged what its provider asks of it below the price, and never more', async () => {
    const [ada, cheap, dear] = [await caller(), await someone(), await someone()];
    await offer(cheap, 'demo.metered', 'cheap', 50);
    await offer(dear, 'demo.dear', 'dear', 50);
    const metered = (await route(ada, { capability: 'demo.metered' })).body;
    expect([metered.price_cents, metered.fee_cents, metered.usage]).toEqual([3, 0, '12 words']);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(9_997);
    expect((await route(ada, { capability: 'demo.dear' })).body.price_cents).toBe(50);
    const read = await t.call('GET', `/api/router/calls/${metered.call_id}`, { key: ada.key });
    const claims = JSON.parse(Buffer.from(read.body.receipt.split('.')[1], 'base64url').toString());
    expect(claims.call).toEqual({ id: metered.call_id, capability: 'demo.metered', usage: '12 words' });
  });

  test('that is free moves no money, and needs none', async () => {
    const [ada, bob] = [await caller(0), await someone()];
    await offer(bob, 'demo.free', 'number', 0);
    const { status, body } = await route(ada, { capability: 'demo.free' });
    expect([status, body.status, body.price_cents, body.result]).toEqual([200, 'not_charged', 0, 42]);
  });

  test('is refused before anybody is asked: unknown, without a field, above the maximum, without money', async () => {
    const [ada, poor, bob] = [await caller(), await caller(0), await someone()];
    await offer(bob, 'text.translate', 'serve', 700);
    const asked = { capability: 'text.translate', payload: { text: 'a', to: 'fr' } };
    expect((await route(ada, { capability: 'demo.nobody' })).status).toBe(404);
    const missing = await route(ada, { capability: 'text.translate', payload: { text: 'a' } });
    expect([missing.status, missing.body.fields]).toEqual([400, [expect.objectContaining({ path: 'payload.to' })]]);
    const dear = await route(ada, { ...asked, max_price_cents: 699 });
    expect([dear.status, dear.body.error, dear.body.from_price_cents]).toEqual([409, 'price_above_max', 700]);
    const short = await route(poor, asked);
    expect([short.status, short.body.payment_required]).toEqual([
      402,
      { price_cents: 700, currency: 'USD', balance_cents: 0, shortfall_cents: 700 },
    ]);
    expect((await route(bob, asked)).status).toBe(404);
    expect(p.calls('serve', bob.handle)).toEqual([]);
  });

  test('tried dry tells what it would cost, and asks nobody', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.dry', 'serve', 100);
    const { body } = await route(ada, { capability: 'demo.dry', dry_run: true });
    expect(body).toMatchObject({ dry_run: true, fees: [{ what: 'router_fee', cents: 5 }], refusal: null });
    expect(body.postings).toContainEqual({ account: `wallet:${ada.handle}`, cents: -100 });
    expect(p.calls('serve', bob.handle)).toEqual([]);
  });

  test('prefers whom its caller names, and leaves out whom it ignores', async () => {
    const [ada, one, two] = [await caller(), await someone(), await someone()];
    await offer(one, 'demo.choice', 'serve', 10);
    await offer(two, 'demo.choice', 'serve', 20);
    const by = async (more: object) => (await route(ada, { capability: 'demo.choice', ...more })).body.provider_handle;
    expect([
      await by({}),
      await by({ ignore: [one.handle] }),
      await by({ only: [two.handle] }),
      await by({ sort: 'price' }),
    ]).toEqual([one.handle, two.handle, two.handle, one.handle]);
    expect((await route(ada, { capability: 'demo.choice', only: ['nobody_at_all'] })).status).toBe(404);
  });

  test('goes to no other provider where its caller wants no fallback', async () => {
    const [ada, bad, good] = [await caller(), await someone(), await someone()];
    await offer(bad, 'demo.alone', 'fail', 1);
    await offer(good, 'demo.alone', 'serve', 500);
    const refused = await route(ada, { capability: 'demo.alone', allow_fallbacks: false });
    expect([refused.status, refused.body.attempts.length]).toEqual([502, 1]);
    expect(p.calls('serve', good.handle)).toEqual([]);
  });

  test('goes on from one that took no connection, also where its caller wants no fallback', async () => {
    const [ada, gone, good] = [await caller(), await someone(), await someone()];
    await offer(gone, 'demo.unheard', 'serve', 1);
    await offer(good, 'demo.unheard', 'serve', 500);
    await t.service.world.store.turn({
      attempt: async (read) => {
        const row = await read(providerOf, { agent_id: gone.id, capability: 'demo.unheard' });
        if (!row) throw new Error('the offer stands');
        const endpoint_url = `https://${PROVIDER_HOST}:${SILENT_PORT}/`;
        return { reply: null, effects: [patch('providers', row, { endpoint_url })] };
      },
    });
    const served = await route(ada, { capability: 'demo.unheard', allow_fallbacks: false });
    expect([served.status, served.body.attempts.length, served.body.provider_handle]).toEqual([200, 2, good.handle]);
    // Its figures are there at once, and its receipt is null in the list alone.
    const listed = (await t.call('GET', '/api/router/capabilities')).body;
    const [of] = listed.capabilities.filter(({ capability }: { capability: string }) => capability === 'demo.unheard');
    expect(of).toMatchObject({ calls_served: 1, typical_latency_ms: expect.any(Number) });
    const { calls } = (await t.call('GET', '/api/router/calls', { key: ada.key })).body;
    expect(calls[0]).toMatchObject({ capability: 'demo.unheard', receipt: null });
  });
});

describe('a repeat under its key', () => {
  test('gets the receipt alone where the answer was free and longer than 64 KiB; one that was paid for is kept', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.free_kept', 'serve', 0);
    await offer(bob, 'demo.paid_kept', 'serve', 100);
    const payload = { text: 'x'.repeat(70_000) };
    const twice = async (capability: string, key: string) => {
      const ask = () => route(ada, { capability, payload }, { 'Idempotency-Key': key });
      return [await ask(), await ask()] as const;
    };
    const [free, freeAgain] = await twice('demo.free_kept', 'large-free');
    expect([free.body.result.text.length, freeAgain.body.result]).toEqual([70_000, null]);
    expect([freeAgain.status, freeAgain.body.call_id]).toEqual([200, free.body.call_id]);
    const [, paidAgain] = await twice('demo.paid_kept', 'large-paid');
    expect(paidAgain.body.result.text.length).toBe(70_000);
  });

  test('gets the same answer, and nobody is asked or charged again', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.again', 'serve', 100);
    const asked = [ada, { capability: 'demo.again', payload: { n: 1 } }, { 'Idempotency-Key': 'again-1' }] as const;
    const [first, again] = [await route(...asked), await route(...asked)];
    expect(again.body).toEqual(first.body);
    expect([p.calls('serve', bob.handle).length, await balanceOf(t, `wallet:${ada.id}`)]).toEqual([1, 9_900]);
    const other = await route(ada, { capability: 'demo.again', payload: { n: 2 } }, asked[2]);
    expect([other.status, other.body.error]).toEqual([409, 'idempotency_conflict']);
  });

  test('sent many times at once makes one call', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.many', 'serve', 100);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => route(ada, { capability: 'demo.many' }, { 'Idempotency-Key': 'many' })),
    );
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
    expect([p.calls('serve', bob.handle).length, await balanceOf(t, `wallet:${ada.id}`)]).toEqual([1, 9_900]);
  });

  test('makes a new call after a failure that cost nothing', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.once', 'once', 100);
    const asked = [ada, { capability: 'demo.once' }, { 'Idempotency-Key': 'once' }] as const;
    expect([(await route(...asked)).status, (await route(...asked)).status]).toEqual([502, 200]);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(9_900);
  });
});

describe('a provider', () => {
  test('is told how to serve, and that its address does not, and stays all the same', async () => {
    const bob = await someone();
    const { body } = await offer(bob, 'demo.told', 'html', 5);
    expect(body.endpoint_check).toMatchObject({ ok: false, http_status: 200 });
    expect(body.signing_secret).toMatch(/^prs_[\w-]{43}$/);
    expect([body.verify, body.contract].join(' ')).toContain('HMAC-SHA256');
    const good = await offer(bob, 'demo.told', 'serve', 6);
    expect(good.body.provider).toMatchObject({ id: body.provider.id, price_cents: 6, in_rotation: true });
    expect(good.body.signing_secret).not.toBe(body.signing_secret);
    const id = good.body.provider.id;
    const tried = await t.call('POST', `/api/router/providers/${id}/test`, {
      key: bob.key,
      body: { payload: { a: 1 } },
    });
    expect(tried.body).toMatchObject({ ok: true, http_status: 200, in_rotation: true });
    expect(tried.body.body_preview).toContain('"a":1');
    expect(p.dispatched.filter(({ path, test }) => path === `/serve/${bob.handle}` && test).length).toBe(2);
    const [listed] = (await t.call('GET', '/api/router/providers', { key: bob.key })).body.providers;
    expect([listed.total_calls, listed.avg_latency_ms]).toEqual([0, null]);
  });

  test('is out of rotation after five failures in a row, told so, and back when it registers anew', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.suspended', 'fail', 5);
    for (const _ of [1, 2, 3, 4, 5]) expect((await route(ada, { capability: 'demo.suspended' })).status).toBe(502);
    expect((await route(ada, { capability: 'demo.suspended' })).status).toBe(404);
    const [event] = await eventsOf(t, bob, 'provider.suspended');
    expect(event.data).toMatchObject({ capability: 'demo.suspended', last_error: expect.stringContaining('500') });
    const [listed] = (await t.call('GET', '/api/router/providers', { key: bob.key })).body.providers;
    expect(listed).toMatchObject({ in_rotation: false, total_calls: 5, total_failures: 5, success_rate: 0 });
    await offer(bob, 'demo.suspended', 'serve', 5);
    expect((await route(ada, { capability: 'demo.suspended' })).status).toBe(200);
  });

  test('has exact figures before and after they are gathered', async () => {
    const [ada, bob] = [await caller(), await someone()];
    await offer(bob, 'demo.figures', 'once', 5);
    const figures = async () => {
      const [own] = (await t.call('GET', '/api/router/providers', { key: bob.key })).body.providers;
      const { capabilities } = (await t.call('GET', '/api/router/capabilities')).body;
      const shown = capabilities.find((each: TestAnswer['body']) => each.capability === 'demo.figures');
      return [own.total_calls, own.total_failures, shown.calls_served, shown.success_rate, shown.providers];
    };
    for (const _ of [1, 2, 3, 4]) await route(ada, { capability: 'demo.figures' });
    const before = await figures();
    expect(before).toEqual([4, 1, 3, 75, 1]);
    await t.advance(60_000);
    expect(await figures()).toEqual(before);
    await route(ada, { capability: 'demo.figures' });
    expect(await figures()).toEqual([5, 1, 4, 80, 1]);
  });

  test('needs a proof of whose agent it is, and an address that may be called', async () => {
    const body = { capability: 'demo.unproven', endpoint_url: p.url('serve', 'x'), price_cents: 1 };
    const unproven = await someone({ verified: false });
    expect((await t.call('POST', '/api/router/providers', { key: unproven.key, body })).body.error).toBe(
      'verification_required',
    );
    const bob = await someone();
    for (const endpoint_url of [
      'http://example.org/',
      'https://10.0.0.1/',
      'https://localhost/',
      'ftp://x',
      'nothing',
    ]) {
      const refused = await t.call('POST', '/api/router/providers', { key: bob.key, body: { ...body, endpoint_url } });
      expect([refused.status, refused.body.fields?.[0]?.path]).toEqual([400, 'endpoint_url']);
    }
  });
});
