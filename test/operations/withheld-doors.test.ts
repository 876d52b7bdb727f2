// What the other side withholds, and how far its bounds and policies go, is seen by no door: not by REST, by tools, tasks, streams, letters,
// webhooks or pushes, nor by what is answered to who tries to find it out.
import { describe, expect, test } from 'bun:test';
import { advance, bound, CENTS, call, expectAlike, person, put, say, type Talk } from '../support/twin-talks.ts';

describe('whoever proposes finds out nothing of', () => {
  test.each<[string, 'buyer' | 'seller', object, object]>([
    ['the least that the other side charges', 'buyer', { min_charge_cents: CENTS }, { min_charge_cents: CENTS + 1 }],
    ['the most that the other side pays', 'seller', { max_pay_cents: CENTS }, { max_pay_cents: CENTS - 1 }],
    [
      'how far the other side agrees alone',
      'buyer',
      { auto_approve_below_cents: CENTS },
      { auto_approve_below_cents: 10 },
    ],
    [
      'a policy of the other side',
      'buyer',
      { auto_approve_below_cents: CENTS },
      { auto_approve_below_cents: CENTS, policies: [{ operation: 'proposal.approve', outcome: 'ask' }] },
    ],
  ])('%s', async (_what, side, one, two) => {
    await expectAlike({
      side,
      bounds: [one, two],
      steps: (each) => put(each, each.looks, CENTS),
      tries: async (each) => [
        (await advance(each, each.looks)).body,
        (await advance(each, each.looks, { instruction: 'Think of it.' })).body,
        (await say(each, { key: each.looks.key }, { version: 1 })).body,
        (await put(each, each.looks, CENTS + 500)).body,
      ],
    });
  });
});

describe('what is withheld', () => {
  const narrow = { min_charge_cents: CENTS };
  test.each<[string, (talk: Talk) => Promise<unknown>]>([
    ['waits', (each) => put(each, each.keeps, CENTS - 1)],
    [
      'was replaced',
      async (each) => {
        await put(each, each.keeps, CENTS - 1);
        await put(each, each.keeps, CENTS - 2);
      },
    ],
    [
      'was refused',
      async (each) => {
        const { id: proposal_id } = (await put(each, each.keeps, CENTS - 1)).body;
        expect((await say(each, person(each.keeps), { proposal_id, decision: 'reject' })).status).toBe(200);
      },
    ],
  ])('is seen by no door where it %s', async (_what, hide) => {
    await expectAlike({
      bounds: [narrow, narrow],
      steps: async (each, second) => {
        await put(each, each.looks, CENTS + 1);
        if (second) await hide(each);
      },
      tries: async (each) => [
        (await advance(each, each.looks)).body,
        (await say(each, { key: each.looks.key })).body,
        (await put(each, each.looks, CENTS + 500)).body,
        (await say(each, { key: each.looks.key }, { decision: 'reject' })).body,
        (await put(each, each.looks, CENTS + 600)).body,
      ],
    });
  });

  test('is seen by no door where the talk ends meanwhile', async () => {
    await expectAlike({
      bounds: [narrow, narrow],
      steps: async (each, second) => {
        if (second) await put(each, each.keeps, CENTS - 1);
      },
      tries: async (each) => (await call(each, { key: each.looks.key }, `/api/conversations/${each.id}/close`)).body,
    });
  });

  test('reads as any other once it is let go', async () => {
    await expectAlike({
      bounds: [{}, narrow],
      steps: async (each, second) => {
        const body = { amount_cents: CENTS - 1, terms: 'All' };
        if (second) {
          const { id: proposal_id } = (await put(each, each.keeps, CENTS - 1)).body;
          await each.t.advance(60_000);
          expect((await say(each, person(each.keeps), { proposal_id })).status).toBe(200);
        } else {
          await each.t.advance(60_000);
          const path = `/api/conversations/${each.id}/propose`;
          expect((await call(each, person(each.keeps), path, body)).status).toBe(201);
        }
      },
    });
  });
});

describe('what a program agreed to by proposing is told by no door', () => {
  test.each<[string, object, object]>([
    [
      'at and above what it agrees to alone',
      { auto_approve_below_cents: CENTS },
      { auto_approve_below_cents: CENTS - 1 },
    ],
    [
      'with a policy and without',
      { auto_approve_below_cents: CENTS },
      { auto_approve_below_cents: CENTS, policies: [{ operation: 'proposal.approve', outcome: 'ask' }] },
    ],
  ])('%s', async (_what, one, two) => {
    await expectAlike({
      bounds: [one, two],
      steps: async (each) => {
        // The one that looks would agree alone.
        await bound(each, each.looks, { max_pay_cents: 3 * CENTS, auto_approve_below_cents: 3 * CENTS });
        await put(each, each.keeps, CENTS);
      },
      tries: async (each) => [
        (await advance(each, each.looks, { instruction: 'Is a red one possible?' })).body,
        (await say(each, { key: each.looks.key }, { version: 9 })).body,
      ],
    });
  });

  test('nor a policy of what is paid', async () => {
    await expectAlike({
      side: 'seller',
      bounds: [
        { auto_approve_below_cents: CENTS },
        { auto_approve_below_cents: CENTS, policies: [{ operation: 'escrow.create', outcome: 'ask' }] },
      ],
      steps: (each) => put(each, each.keeps, CENTS),
      tries: async (each) => [(await advance(each, each.looks, { instruction: 'Hm.' })).body],
    });
  });
});

test.each<[string, (talk: Talk) => Promise<unknown>]>([
  ['its bounds', (each) => bound(each, each.keeps, { auto_approve_below_cents: 11 })],
  [
    'its policies',
    (each) => bound(each, each.keeps, { policies: [{ operation: 'proposal.approve', outcome: 'ask' }] }),
  ],
  [
    'what it knows for itself',
    (each) => call(each, { key: each.keeps.key }, '/api/knowledge', { text: 'Not below $400.', public: false }),
  ],
])('that the other side has changed %s meanwhile is seen by no door', async (_what, change) => {
  const bounds = { min_charge_cents: CENTS };
  await expectAlike({
    bounds: [bounds, bounds],
    steps: async (each, second) => {
      await put(each, each.looks, CENTS);
      await each.t.advance(600_000);
      // It is there in both.
      await each.t.call('GET', '/api/inbox', { key: each.keeps.key });
      if (second) await change(each);
    },
  });
});
