// How the other side came to agree, what an agent on autopilot would agree to, and why a buyer does not pay is seen by no door.

import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { BYSTANDER } from '../support/scene.ts';
import { advance, bound, CENTS, call, expectAlike, person, put, say, type Talk } from '../support/twin-talks.ts';
import { fundWallet } from '../support/wallet.ts';

describe('how the other side came to agree is told by no door', () => {
  test('whether its program had agreed before its person said otherwise', async () => {
    await expectAlike({
      bounds: [{ auto_approve_below_cents: CENTS }, { auto_approve_below_cents: 10 }],
      steps: async (each) => {
        await put(each, each.keeps, CENTS);
        await bound(each, each.keeps, { auto_approve_below_cents: 11 });
        expect((await say(each, person(each.looks))).body.proposal.status).toBe('open');
      },
      tries: async (each) => (await advance(each, each.looks)).body,
    });
  });

  test('a person or its program, out of a full wallet or one that this empties', async () => {
    const bounds = { auto_approve_below_cents: CENTS };
    await expectAlike({
      side: 'seller',
      bounds: [bounds, bounds],
      steps: async (each, second) => {
        await fundWallet(each.t, each.keeps.id, second ? CENTS : 3 * CENTS);
        await call(each, person(each.looks), `/api/conversations/${each.id}/propose`, { amount_cents: CENTS });
        const agreed = await say(each, second ? person(each.keeps) : { key: each.keeps.key });
        expect([agreed.status, agreed.body.unpaid]).toEqual([200, null]);
      },
    });
  });
});

describe('an agent on autopilot tells by no door', () => {
  const MINUTE_MS = 60_000;
  const fly = async ({ t, keeps }: Talk): Promise<void> => {
    const body = { autopilot: true };
    expect((await t.call('PATCH', `/api/agents/${keeps.handle}`, { ...person(keeps), body })).status).toBe(200);
  };
  const limits = { min_charge_cents: 20_000 };

  test('whether it would agree to what is proposed alone', async () => {
    await expectAlike({
      bounds: [
        { ...limits, auto_approve_below_cents: 50_000 },
        { ...limits, auto_approve_below_cents: 49_999 },
      ],
      steps: async (each) => {
        await fly(each);
        await put(each, each.looks, 50_000);
        await each.t.advance(5 * MINUTE_MS);
      },
    });
  });

  test('whether it agreed to what it proposes', async () => {
    await expectAlike({
      bounds: [
        { ...limits, auto_approve_below_cents: 60_000 },
        { ...limits, auto_approve_below_cents: 10 },
      ],
      steps: async (each) => {
        await fly(each);
        // It asks about the need, the proofs and the scope before it bargains.
        for (const content of ['A logo.', 'None.', 'All of it.', 'I can pay $500.', 'Yes, $500.']) {
          await call(each, { key: each.looks.key }, `/api/messages/${each.id}`, { content });
          await each.t.advance(5 * MINUTE_MS);
        }
        const { proposal } = (await each.t.call('GET', `/api/conversations/${each.id}`, { key: each.looks.key })).body;
        expect(proposal.by).toBe(BYSTANDER);
      },
      tries: async (each) => (await advance(each, each.looks, { instruction: 'Hm.' })).body,
    });
  });

  test('a policy of its person', async () => {
    await expectAlike({
      bounds: [
        { ...limits, auto_approve_below_cents: 60_000 },
        {
          ...limits,
          auto_approve_below_cents: 60_000,
          policies: [{ operation: 'proposal.approve', outcome: 'ask' }],
        },
      ],
      steps: async (each) => {
        await fly(each);
        await put(each, each.looks, 50_000);
        await each.t.advance(5 * MINUTE_MS);
        await put(each, each.looks, 100);
        await each.t.advance(5 * MINUTE_MS);
      },
    });
  });
});

/** A key of the one that keeps, which may pay and quote. */
async function spender(each: Talk): Promise<{ readonly key: string }> {
  const scopes = ['payments:write', 'deals:write', 'agents:read', 'agents:write'];
  const body = { name: 'pays', scopes };
  const made = await each.t.call('POST', '/api/developer/keys', { token: each.keeps.token, body });
  expect(made.status).toBe(201);
  return { key: made.body.api_key };
}
const asked = async ({ t, keeps }: Talk): Promise<string[]> => {
  const { body } = await t.call('GET', '/api/actions?waiting=true', person(keeps));
  return body.map(({ id }: { id: string }) => id);
};

describe('what a program asked its person for, in vain, is seen by no door:', () => {
  const bounds = [{ max_pay_cents: 100 }, { max_pay_cents: 100 }] as const;

  test('money, an escrow and what the other side sells', async () => {
    await expectAlike({
      side: 'seller',
      bounds,
      steps: async (each, second) => {
        await fundWallet(each.t, each.keeps.id, 100_000);
        await put(each, each.looks, CENTS);
        const key = await spender(each);
        if (!second) return;
        const { handle } = each.looks;
        const [{ slug }] = (await each.t.call('GET', `/api/agents/${handle}/cards`, { key: each.looks.key })).body;
        const milestones = [{ title: 'All', amount_cents: 5_000 }];
        for (const [path, body] of [
          ['/api/wallet/send', { to_handle: handle, amount_cents: 5_000 }],
          ['/api/wallet/escrow', { seller_handle: handle, milestones }],
          [`/api/services/${handle}/${slug}/checkout`, { tier_id: 'listed' }],
        ] as const) {
          expect((await call(each, key, path, body)).body.error).toBe('outside_bounds');
        }
        const [one, ...others] = await asked(each);
        // By the event, and by its own route.
        const { events } = (await each.t.call('GET', '/api/inbox?limit=100', { key: each.keeps.key })).body;
        const { id } = events.find(({ data }: { data: { action_id?: string } }) => data.action_id === one);
        const no = { action: 'reject' };
        expect((await call(each, person(each.keeps), `/api/inbox/${id}/respond`, no)).status).toBe(200);
        for (const other of others) {
          const path = `/api/actions/${other}/decide`;
          expect((await call(each, person(each.keeps), path, { decision: 'reject' })).status).toBe(200);
        }
      },
    });
  });

  test('a quote', async () => {
    const least = { min_charge_cents: 40_000 };
    await expectAlike({
      bounds: [least, least],
      steps: async (each, second) => {
        const closes_at = new Date(each.t.clock.now() + 20 * 24 * HOUR_MS).toISOString();
        const wanted = { headline: 'A logo', labels: ['logo-design'], budget_cents: 60_000, closes_at };
        const { request_id } = (await call(each, person(each.looks), '/api/demand', wanted)).body;
        Object.assign(each.things, { request_id, quoted_request_id: request_id });
        await put(each, each.looks, CENTS);
        const key = await spender(each);
        if (!second) return;
        const quote = { price_cents: CENTS, message: 'Ours.' };
        const refused = await call(each, key, `/api/demand/${request_id}/respond`, quote);
        expect(refused.body.error).toBe('outside_bounds');
        const [action_id] = await asked(each);
        const path = `/api/actions/${action_id}/decide`;
        expect((await call(each, person(each.keeps), path, { decision: 'reject' })).status).toBe(200);
      },
    });
  });
});

describe('why a deal is not paid for is told to its seller by no door', () => {
  const limits = async ({ t, keeps }: Talk, body: object): Promise<void> => {
    const limited = { ...person(keeps), body: { spending_limit: body } };
    expect((await t.call('PATCH', '/api/wallet/', limited)).status).toBe(200);
  };
  test.each<[string, (talk: Talk) => Promise<unknown>, object]>([
    [
      'a limit of its wallet',
      async (each) => {
        await fundWallet(each.t, each.keeps.id, 2 * CENTS);
        await limits(each, { per_transaction_cents: 100 });
      },
      {},
    ],
    [
      'a policy',
      (each) => fundWallet(each.t, each.keeps.id, 2 * CENTS),
      {
        policies: [{ operation: 'escrow.create', outcome: 'ask' }],
      },
    ],
  ])('%s, or an empty wallet', async (_what, prepare, more) => {
    const bounds = { auto_approve_below_cents: CENTS };
    await expectAlike({
      side: 'seller',
      bounds: [bounds, { ...bounds, ...more }],
      steps: async (each, second) => {
        if (second) await prepare(each);
        await put(each, each.keeps, CENTS);
        const agreed = await say(each, person(each.looks));
        expect([agreed.status, agreed.body.unpaid]).toEqual([200, 'waits_for_buyer']);
      },
      tries: async (each) => [
        (await advance(each, each.looks)).body,
        (await call(each, { key: each.looks.key }, `/api/deals/${each.things['deal_id']}/cancel`)).body,
      ],
    });
  });
});
