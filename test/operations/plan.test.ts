// A plan that is bought: a person subscribes on the processor's page, each month is booked once, a month that is not paid ends it
// after seven days, and a cancelled one ends where its paid time does.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { platformBalance } from '../../db/queries/ledger.ts';
import { reviewById } from '../../db/queries/review.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import type { PlanState, Processor, RenewalState } from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { decideOn } from '../support/funds.ts';
import { LOGO_OFFER } from '../support/matches.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

const FREE = { plan: 'free', status: 'active', renews_at: null, ends_at: null };

/** By a session, since keys do not live as long as some of these plans. */
const status = async (t: TestService, { email }: TestAgent) =>
  (await t.call('GET', '/api/billing/status', { token: await signIn(t, email) })).body;
const checkout = (t: TestService, token: string) =>
  t.call('POST', '/api/billing/checkout', { token, body: { plan: 'pro' } });
const fees = async (t: TestService): Promise<number> =>
  Number((await t.service.world.store.read(platformBalance, { id: 'platform_fees' }))?.balance_cents);

async function subscribe(t: TestService, { email }: TestAgent): Promise<string> {
  const { body } = await checkout(t, await signIn(t, email));
  const page = await decideOn(t, body.checkout_url, 'pay');
  expect(await page.text()).toContain('Subscribed');
  return body.checkout_id;
}

async function cancel(t: TestService, { email }: TestAgent) {
  return t.call('POST', '/api/billing/cancel', { token: await signIn(t, email) });
}

describe('with the sandbox', () => {
  let t: TestService;
  beforeAll(async () => {
    t = await openTestService();
  });
  afterAll(() => t.close());

  test('a person subscribes, and each month is booked once', async () => {
    const ada = await newAgent(t, { handle: 'subscribes' });
    expect(await status(t, ada)).toEqual(FREE);
    const before = await fees(t);
    await subscribe(t, ada);
    // Service time begins on 15 June 2026 at noon.
    expect(await status(t, ada)).toMatchObject({ plan: 'pro', status: 'active', ends_at: null });
    expect((await status(t, ada)).renews_at).toStartWith('2026-07-15');
    expect(await fees(t)).toBe(before + 2900);
    expect((await checkout(t, ada.token)).body.error).toBe('already_subscribed');
    await t.advance(31 * DAY_MS);
    expect((await status(t, ada)).renews_at).toStartWith('2026-08-15');
    expect(await fees(t)).toBe(before + 2 * 2900);
    await t.advance(62 * DAY_MS);
    expect((await status(t, ada)).renews_at).toStartWith('2026-10-15');
    expect(await fees(t)).toBe(before + 4 * 2900);
    const gone = await cancel(t, ada);
    expect([gone.status, gone.body]).toEqual([
      200,
      { plan: 'pro', status: 'cancelling', renews_at: null, ends_at: expect.stringMatching(/^2026-10-15/) },
    ]);
    expect((await cancel(t, ada)).body).toEqual(gone.body);
    await t.advance(10 * DAY_MS);
    expect(await status(t, ada)).toMatchObject({ plan: 'pro', status: 'cancelling' });
    await t.advance(30 * DAY_MS);
    expect(await status(t, ada)).toEqual(FREE);
    expect(await fees(t)).toBe(before + 4 * 2900);
    const none = await cancel(t, ada);
    expect([none.status, none.body.error]).toEqual([409, 'no_plan']);
    // And again.
    await subscribe(t, ada);
    expect(await status(t, ada)).toMatchObject({ plan: 'pro', status: 'active' });
    expect(await fees(t)).toBe(before + 5 * 2900);
  });

  test('whoever cancels on the page stays on Free', async () => {
    const agent = await newAgent(t, { handle: 'thinks_again' });
    const { checkout_url } = (await checkout(t, agent.token)).body;
    expect(await (await decideOn(t, checkout_url, 'cancel')).text()).toContain('Nothing was paid');
    expect(await status(t, agent)).toEqual(FREE);
  });

  test('a plan that does not exist, and a key, are refused', async () => {
    const { token, key } = await newAgent(t, { handle: 'odd_plan' });
    const odd = await t.call('POST', '/api/billing/checkout', { token, body: { plan: 'gold' } });
    expect([odd.status, odd.body.fields[0].path]).toEqual([400, 'plan']);
    const none = await t.call('POST', '/api/billing/checkout', { token, body: {} });
    expect([none.status, none.body.fields[0].path]).toEqual([400, 'plan']);
    const keyed = await t.call('POST', '/api/billing/checkout', { key, body: { plan: 'pro' } });
    expect([keyed.status, keyed.body.error]).toEqual([403, 'session_required']);
  });

  test('paid on two pages: the first goes on, and administrators are asked about the second', async () => {
    const agent = await newAgent(t, { handle: 'pays_twice' });
    const [one, two] = [(await checkout(t, agent.token)).body, (await checkout(t, agent.token)).body];
    await decideOn(t, one.checkout_url, 'pay');
    await decideOn(t, two.checkout_url, 'pay');
    expect(await status(t, agent)).toMatchObject({ plan: 'pro', status: 'active' });
    const review = await t.service.world.store.read(reviewById, { id: two.checkout_id });
    expect(review).toMatchObject({ kind: 'payment', reason: 'plan', status: 'open' });
    const headers = { 'X-Internal-Token': t.internal_token };
    const list = (await t.call('GET', '/api/admin/reviews', { headers })).body;
    expect(list.map(({ id }: { id: string }) => id)).toContain(two.checkout_id);
  });

  test('what exceeds Free stays when the plan ends, nothing new is added, and Pro rights rest', async () => {
    const agent = await newAgent(t, { handle: 'falls_back', verified: true });
    await subscribe(t, agent);
    const token = await signIn(t, agent.email);
    const cards = `/api/agents/${agent.handle}/cards`;
    for (let n = 0; n < 3; n += 1) {
      const body = { ...LOGO_OFFER, headline: `Logos and marks ${n}` };
      expect((await t.call('POST', cards, { key: agent.key, body })).status).toBe(201);
    }
    const wanted = { name: 'pays', scopes: ['agents:read', 'payments:write'] };
    const spender = (await t.call('POST', '/api/developer/keys', { token, body: wanted })).body.api_key;
    const scopes = async () => (await t.call('GET', '/api/auth/key', { key: spender })).body.scopes;
    expect(await scopes()).toEqual(['agents:read', 'payments:write']);
    await cancel(t, agent);
    await t.advance(32 * DAY_MS);
    expect(await status(t, agent)).toEqual(FREE);
    expect(await scopes()).toEqual(['agents:read']);
    expect((await t.call('GET', cards, { key: agent.key })).body).toHaveLength(3);
    const more = await t.call('POST', cards, { key: agent.key, body: { ...LOGO_OFFER, headline: 'One more' } });
    expect([more.status, more.body.error]).toEqual([403, 'plan_limit']);
  });
});

/** A service whose processor says of plans what the test last told it. */
async function told(
  run: (
    t: TestService,
    agent: TestAgent,
    say: (renewal: Partial<RenewalState> | null, plan?: Partial<PlanState>) => void,
    cancelled: () => number,
  ) => Promise<void>,
): Promise<void> {
  let [renewal, plan]: [Partial<RenewalState> | null, Partial<PlanState>] = [{}, {}];
  let cancelled = 0;
  const processor = (options: SandboxOptions): Processor => {
    const sandbox = createSandbox(options);
    const findRenewal: Processor['findRenewal'] = async (id) => {
      if (renewal === null) return { outcome: 'unknown', reason: 'no answer in time' };
      const found = await sandbox.findRenewal(id);
      return found.outcome === 'done' ? { outcome: 'done', value: { ...found.value, ...renewal } } : found;
    };
    return {
      ...sandbox,
      findRenewal,
      cancelRenewal: (id) => {
        cancelled += 1;
        return findRenewal(id);
      },
      findPlan: async (row) => {
        const found = await sandbox.findPlan(row);
        if (found.outcome !== 'done' || found.value === null) return found;
        return { outcome: 'done', value: { ...found.value, ...plan } };
      },
    };
  };
  const t = await openTestService({}, 'memory', { processor });
  try {
    await run(
      t,
      await newAgent(t, { handle: 'plan_of' }),
      (next, next_plan = {}) => {
        renewal = next;
        plan = next_plan;
      },
      () => cancelled,
    );
  } finally {
    await t.close();
  }
}

describe('when a month is not paid', () => {
  test('the plan goes on for seven days, its person is told, and then it is Free', async () => {
    await told(async (t, agent, say, cancelled) => {
      await subscribe(t, agent);
      say({ status: 'past_due' });
      await t.advance(31 * DAY_MS);
      expect(await status(t, agent)).toMatchObject({ plan: 'pro', status: 'past_due', renews_at: null });
      const letters = () => t.mails.filter(({ subject }) => subject.includes('Pro plan')).map(({ subject }) => subject);
      expect(letters()).toEqual(['Your Pro plan could not be renewed']);
      await t.advance(5 * DAY_MS);
      expect(await status(t, agent)).toMatchObject({ plan: 'pro', status: 'past_due' });
      await t.advance(3 * DAY_MS);
      expect(await status(t, agent)).toEqual(FREE);
      expect(letters()).toEqual(['Your Pro plan could not be renewed', 'Your Pro plan has ended']);
      const told_fees = 'On Free the fee is 5% of what you sell, and 5% of what routed calls earn you.';
      expect(t.mails.filter(({ text }) => text.includes(told_fees))).toHaveLength(2);
      // The processor tries no more.
      expect(cancelled()).toBe(1);
      expect(await fees(t)).toBe(2900);
    });
  });

  test('one that is paid within them goes on', async () => {
    await told(async (t, agent, say) => {
      await subscribe(t, agent);
      say({ status: 'past_due' });
      await t.advance(33 * DAY_MS);
      expect((await status(t, agent)).status).toBe('past_due');
      say({});
      await t.advance(DAY_MS);
      expect(await status(t, agent)).toMatchObject({ plan: 'pro', status: 'active' });
      expect(await fees(t)).toBe(2 * 2900);
    });
  });

  test('one that is cancelled within them ends at once', async () => {
    await told(async (t, agent, say, cancelled) => {
      await subscribe(t, agent);
      say({ status: 'past_due' });
      await t.advance(32 * DAY_MS);
      expect((await cancel(t, agent)).body).toEqual(FREE);
      expect(await status(t, agent)).toEqual(FREE);
      expect(cancelled()).toBe(1);
    });
  });

  test('a plan that the processor ended is Free', async () => {
    await told(async (t, agent, say) => {
      await subscribe(t, agent);
      say({ status: 'ended' });
      await t.advance(31 * DAY_MS);
      expect(await status(t, agent)).toEqual(FREE);
    });
  });

  test('a processor that gives no answer ends nothing, and is asked again', async () => {
    await told(async (t, agent, say) => {
      await subscribe(t, agent);
      say(null);
      await t.advance(33 * DAY_MS);
      expect(await status(t, agent)).toMatchObject({ plan: 'pro', status: 'active' });
      say({});
      await t.advance(DAY_MS);
      expect((await status(t, agent)).renews_at).toStartWith('2026-08-15');
      expect(await fees(t)).toBe(2 * 2900);
    });
  });

  test('a cancellation of which the processor has not heard is told again', async () => {
    await told(async (t, agent, say, cancelled) => {
      await subscribe(t, agent);
      say(null);
      expect((await cancel(t, agent)).body.status).toBe('cancelling');
      expect(cancelled()).toBe(1);
      say({});
      await t.advance(DAY_MS);
      expect(cancelled()).toBe(2);
      await t.advance(31 * DAY_MS);
      expect(await status(t, agent)).toEqual(FREE);
    });
  });
});

test.each<[string, Partial<PlanState>]>([
  ['another amount', { amount_cents: 2800 }],
  ['another currency', { currency: 'EUR' }],
  ['another mode', { livemode: true }],
])('a plan that was paid with %s is not given, and administrators are asked', async (_, state) => {
  await told(async (t, agent, say) => {
    const { checkout_url, checkout_id } = (await checkout(t, agent.token)).body;
    say({}, { ...state, status: 'paid' });
    await decideOn(t, checkout_url, 'pay');
    expect(await status(t, agent)).toEqual(FREE);
    expect(await t.service.world.store.read(reviewById, { id: checkout_id })).toMatchObject({ kind: 'payment' });
    expect(await fees(t)).toBe(0);
  });
});

test('without a processor: the documented 500', async () => {
  const t = await openTestService({}, 'memory', { processor: null });
  try {
    const { token } = await newAgent(t, { handle: 'no_plans' });
    const refused = await checkout(t, token);
    expect([refused.status, refused.body.error]).toEqual([500, 'processor_not_configured']);
  } finally {
    await t.close();
  }
});
