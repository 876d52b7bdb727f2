// The marketplace: what is for sale, what it costs whoever asks, a purchase with what it leaves on both sides, and each refusal of a
// purchase with nothing moved.

import { describe, expect, test } from 'bun:test';
import { insert, patch } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { eventsOf, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let names = 0;

interface Buyer extends TestAgent {
  /** A key that may spend. */
  readonly pays: string;
}

async function buyer(cents: number, options: { readonly verified?: boolean } = {}): Promise<Buyer> {
  const agent = await newAgent(t, { handle: `mk_buyer_${++names}`, verified: true, pro: true, ...options });
  if (cents > 0) await fundWallet(t, agent.id, cents);
  const scopes = ['payments:write', 'agents:read', 'agents:write', 'conversations:read'] as const;
  return { ...agent, pays: await keyWith(t, agent.email, scopes) };
}
const seller = (pro = false): Promise<TestAgent> =>
  newAgent(t, { handle: `mk_seller_${++names}`, verified: true, pro });

const TIERS = [
  { id: 'basic', name: 'Basic', price_cents: 1_500, billing: 'one_time' },
  { id: 'weekly', name: 'Weekly', price_cents: 300, billing: 'weekly' },
  { id: 'hourly', name: 'By the hour', price_cents: 200, billing: 'hourly' },
];
const offer = (who: TestAgent, more: object = {}): Promise<string> =>
  publish(t, who, {
    card_type: 'selling',
    headline: `Rope no ${names}`,
    labels: [`rope-${names}`],
    price_cents: 4_010,
    ...more,
  });

const buy = (
  who: Buyer,
  handle: string,
  slug: string,
  body: object = { tier_id: 'listed' },
  query = '',
): Promise<TestAnswer> =>
  t.call('POST', `/api/services/${handle}/${slug}/checkout${query}`, { key: who.pays, agent: who.handle, body });
const quote = async (who: Buyer, handle: string, slug: string, query = ''): Promise<TestAnswer> =>
  t.call('GET', `/api/services/${handle}/${slug}/quote${query}`, { key: who.pays, agent: who.handle });
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const wallet = ({ id }: { readonly id: string }): Promise<number> => balanceOf(t, `wallet:${id}`);
const rows = (sql: string): Promise<Record<string, unknown>[]> =>
  readStoredRows(t.service.world.settings.data_dir, sql);
const count = async (table: string): Promise<number> =>
  Number((await rows(`select count(*) as n from ${table}`))[0]?.['n']);
/** All that a purchase could leave. */
const traces = (): Promise<number[]> =>
  Promise.all(['journals', 'escrows', 'deals', 'conversations', 'events'].map(count));
const byTool = async (who: Buyer, name: string, args: object): Promise<TestAnswer['body']> => {
  const asked = { key: who.pays, revision: '2025-11-25', headers: { 'X-Agent-Handle': who.handle } };
  const { result } = (await rpc(t, 'tools/call', { name, arguments: args }, asked)).body;
  return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
};
const payments = async (who: TestAgent): Promise<TestAnswer['body'][]> =>
  (await eventsOf(t, who, 'payment.succeeded')).map(({ data }: TestAnswer['body']) => data);

describe('a purchase', () => {
  test('holds the price, opens a conversation and a deal, and both hear of it', async () => {
    const [ada, bob] = [await buyer(5_000), await seller()];
    const id = await offer(bob);
    const [{ slug }] = (await t.call('GET', `/api/agents/${bob.handle}/cards`)).body;
    const { status, body } = await buy(ada, bob.handle, slug, {
      tier_id: 'listed',
      buyer_email: 'Ada@Example.org',
      max_price_cents: 4_010,
    });
    expect(status).toBe(200);
    const { checkout_id, purchase_id, conversation_id, escrow_id, ...rest } = body;
    expect(checkout_id).toBe(purchase_id);
    const at = `http://localhost/api/wallet/escrow/${escrow_id}`;
    expect(rest).toEqual({
      journal_id: `escrow:${escrow_id}`,
      charged_cents: 4_010,
      fee_cents: 200,
      net_cents: 3_810,
      status: 'held_in_escrow',
      next: { deliver: `${at}/deliverable`, release: `${at}/release`, dispute: `${at}/dispute` },
    });
    expect([await wallet(ada), await wallet(bob), await balanceOf(t, `escrow:${escrow_id}`)]).toEqual([990, 0, 4_010]);
    const [stored] = await rows(
      `select deal_id, conversation_id, origin, terms from escrows where id = '${escrow_id}'`,
    );
    expect(stored).toMatchObject({ deal_id: purchase_id, conversation_id, origin: 'checkout' });
    expect(JSON.parse(String(stored?.['terms']))).toMatchObject({
      listing_id: id,
      slug,
      tier_id: 'listed',
      buyer_email: 'ada@example.org',
    });
    const ids = { reference_id: purchase_id, escrow_id, journal_id: `escrow:${escrow_id}`, listing_id: id };
    const data = { kind: 'purchase', amount_cents: 4_010, fee_cents: 200, net_cents: 3_810, ...ids, held: true };
    expect(await payments(ada)).toEqual([{ ...data, counterparty_handle: bob.handle, your_role: 'payer' }]);
    expect(await payments(bob)).toEqual([{ ...data, counterparty_handle: ada.handle, your_role: 'payee' }]);
    expect(
      (await eventsOf(t, bob, 'conversation.started')).map((e: TestAnswer['body']) => e.data.conversation_id),
    ).toEqual([conversation_id]);
    const thread = await t.call('GET', `/api/conversations/${conversation_id}`, { key: ada.pays, agent: ada.handle });
    expect(thread.body.deal_id).toBe(purchase_id);
    const again = await buy(ada, bob.handle, id, { tier_id: 'listed' });
    expect(said(again)).toBe('402 payment_required');
    await fundWallet(t, ada.id, 10_000);
    const second = await buy(ada, `@${bob.handle.toUpperCase()}`, id);
    expect([second.status, second.body.conversation_id]).toEqual([200, conversation_id]);
    expect((await eventsOf(t, bob, 'conversation.started')).length).toBe(1);
    const released = await t.call('POST', `/api/wallet/escrow/${escrow_id}/release`, {
      key: ada.pays,
      body: { milestone_index: 0 },
    });
    expect([released.status, await wallet(bob)]).toEqual([200, 3_810]);
  });

  test('of a tier is had by tool, once for one Idempotency-Key', async () => {
    const [ada, bob] = [await buyer(10_000), await seller(true)];
    const slug = await offer(bob, { price_cents: null, conditions: { tiers: TIERS } });
    const made = await byTool(ada, 'mesh_buy_listing', { handle: bob.handle, slug, tier_id: 'basic' });
    expect([made.charged_cents, made.status]).toEqual([1_500, 'held_in_escrow']);
    const headers = { 'Idempotency-Key': 'once' };
    const call = (): Promise<TestAnswer> =>
      t.call('POST', `/api/services/${bob.handle}/${slug}/checkout`, {
        key: ada.pays,
        headers,
        body: { tier_id: 'basic' },
      });
    const [one, two] = [await call(), await call()];
    expect([one.body, two.headers.get('idempotent-replayed')]).toEqual([two.body, 'true']);
    expect(await wallet(ada)).toBe(7_000);
  });

  test('at the price in force when it is made', async () => {
    const [ada, bob] = [await buyer(10_000), await seller()];
    const id = await offer(bob);
    const [changed, bought] = await Promise.all([
      t.call('PATCH', `/api/agents/${bob.handle}/cards/${id}`, { key: bob.key, body: { price_cents: 6_000 } }),
      buy(ada, bob.handle, id),
    ]);
    expect([changed.status, bought.status]).toEqual([200, 200]);
    expect([4_010, 6_000]).toContain(bought.body.charged_cents);
    expect(await wallet(ada)).toBe(10_000 - bought.body.charged_cents);
    expect((await buy(ada, bob.handle, id)).body.charged_cents ?? 'short').toBe(
      bought.body.charged_cents === 6_000 ? 'short' : 6_000,
    );
  });

  test('of half a wallet is made twice at most, however many ask at once', async () => {
    const [ada, bob] = [await buyer(9_000), await seller()];
    const id = await offer(bob);
    const all = await Promise.all(Array.from({ length: 12 }, () => buy(ada, bob.handle, id)));
    expect(all.map(said).toSorted()).toEqual([...Array(2).fill('200'), ...Array(10).fill('402 payment_required')]);
    expect(await wallet(ada)).toBe(980);
  });

  test('is no way around a block, in the conversation that the two have', async () => {
    const [ada, bob] = [await buyer(20_000), await seller()];
    const id = await offer(bob);
    expect((await buy(ada, bob.handle, id)).status).toBe(200);
    await t.call('POST', `/api/agents/${ada.handle}/block`, { key: bob.key });
    expect(said(await buy(ada, bob.handle, id))).toBe('403 blocked');
    await t.call('DELETE', `/api/agents/${ada.handle}/block`, { key: bob.key });
    await t.call('POST', `/api/agents/${bob.handle}/block`, { key: ada.pays });
    expect(said(await buy(ada, bob.handle, id))).toBe('403 blocked');
    expect(await wallet(ada)).toBe(15_990);
  });

  test('as a trial leaves nothing, in the body as in the query', async () => {
    const [ada, bob] = [await buyer(5_000), await seller()];
    const id = await offer(bob);
    const before = await traces();
    const [inBody, inQuery] = [
      await buy(ada, bob.handle, id, { tier_id: 'listed', dry_run: true }),
      await buy(ada, bob.handle, id, { tier_id: 'listed' }, '?dry_run=true'),
    ];
    expect([inBody.body, inBody.body.refusal]).toEqual([inQuery.body, null]);
    expect(inBody.body.postings.map(({ cents }: { cents: number }) => cents)).toEqual([-4_010, 4_010]);
    expect(await traces()).toEqual(before);
  });
});

describe('a purchase is refused, and nothing moves:', () => {
  type Case = (ada: Buyer, bob: TestAgent, id: string) => Promise<TestAnswer>;
  test.each<[string, string, Case]>([
    [
      '402 where the wallet is short',
      '402 payment_required',
      async (_, bob, id) => buy(await buyer(4_009), bob.handle, id),
    ],
    [
      '403 by the wallet’s limit',
      '403 spending_limit',
      async (ada, bob, id) => {
        const row = { id: ada.id, per_transaction_cents: 4_009, per_day_cents: null };
        await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [insert('wallets', row)] }) });
        return buy(ada, bob.handle, id);
      },
    ],
    [
      '403 outside the agent’s bounds, by key',
      '403 outside_bounds',
      async (ada, bob, id) => {
        await t.call('PATCH', '/api/agents/bounds', {
          key: ada.pays,
          agent: ada.handle,
          body: { max_pay_cents: 4_009 },
        });
        return buy(ada, bob.handle, id);
      },
    ],
    [
      '403 to the unverified',
      '403 verification_required',
      async (_, bob, id) => buy(await buyer(9_000, { verified: false }), bob.handle, id),
    ],
    [
      '403 to whom the seller blocks',
      '403 blocked',
      async (ada, bob, id) => {
        await t.call('POST', `/api/agents/${ada.handle}/block`, { key: bob.key });
        return buy(ada, bob.handle, id);
      },
    ],
    [
      '403 to a key without the right',
      '403 insufficient_scope',
      (ada, bob, id) => buy({ ...ada, pays: ada.key }, bob.handle, id),
    ],
    ['404 of a seller that is not there', '404 not_found', (ada, _, id) => buy(ada, 'nobody_at_all', id)],
    ['404 of a listing that is not there', '404 not_found', (ada, bob) => buy(ada, bob.handle, 'no-such-rope')],
    ['404 of another seller’s listing', '404 not_found', async (ada, _, id) => buy(ada, (await seller()).handle, id)],
    [
      '404 of a tier that is not there',
      '404 not_found',
      (ada, bob, id) => buy(ada, bob.handle, id, { tier_id: 'gold' }),
    ],
    [
      '404 of a listing that is paused',
      '404 not_found',
      async (ada, bob, id) => {
        await t.call('PATCH', `/api/agents/${bob.handle}/cards/${id}`, { key: bob.key, body: { active: false } });
        return buy(ada, bob.handle, id);
      },
    ],
    [
      '404 of what is sought',
      '404 not_found',
      async (ada, bob) => {
        const body = { card_type: 'buying', headline: 'A rope', labels: ['rope-wanted'], budget_cents: 900 };
        return buy(ada, bob.handle, await publish(t, bob, body));
      },
    ],
    ['409 of one’s own listing', '409 own_listing', async (ada) => buy(ada, ada.handle, await offer(ada))],
    [
      '409 of one’s other agent’s listing',
      '409 own_listing',
      async (ada) => {
        const twin = await newAgent(t, { handle: `mk_twin_${++names}`, email: ada.email, verified: true });
        return buy(ada, twin.handle, await offer(twin));
      },
    ],
    [
      '409 without a fixed price',
      '409 no_fixed_price',
      async (ada, bob) => buy(ada, bob.handle, await offer(bob, { price_period: 'hour' })),
    ],
    [
      '409 of a tier by the hour',
      '409 no_fixed_price',
      async (ada, bob) =>
        buy(ada, bob.handle, await offer(bob, { price_cents: null, conditions: { tiers: TIERS } }), {
          tier_id: 'hourly',
        }),
    ],
    [
      '409 of what is billed by the week',
      '409 use_subscription',
      async (ada, bob) =>
        buy(ada, bob.handle, await offer(bob, { price_cents: null, conditions: { tiers: TIERS } }), {
          tier_id: 'weekly',
        }),
    ],
    [
      '409 of a seller that lost its proof',
      '409 seller_cannot_be_paid',
      async (ada, bob, id) => {
        await t.service.world.store.turn({
          attempt: async (read) => {
            const row = await read(agentById, { id: bob.id });
            return { reply: null, effects: row ? [patch('agents', row, { verified_at: null })] : [] };
          },
        });
        return buy(ada, bob.handle, id);
      },
    ],
    [
      '409 of a seller that is gone',
      '409 seller_cannot_be_paid',
      async (ada, bob, id) => {
        await t.call('DELETE', `/api/agents/${bob.handle}`, { key: bob.key });
        return buy(ada, bob.handle, id);
      },
    ],
    [
      '409 of a provisional seller',
      '409 seller_cannot_be_paid',
      async (ada, _, id) => buy(ada, (await newProvisional(t, `mk_prov_${++names}`)).agent.handle, id),
    ],
    [
      '409 of a price that rose above what was agreed to',
      '409 conflict',
      (ada, bob, id) => buy(ada, bob.handle, id, { tier_id: 'listed', max_price_cents: 4_009 }),
    ],
    ['400 without a tier', '400 invalid_request', (ada, bob, id) => buy(ada, bob.handle, id, {})],
    [
      '400 with an address that is none',
      '400 invalid_request',
      (ada, bob, id) => buy(ada, bob.handle, id, { tier_id: 'listed', buyer_email: 'nowhere' }),
    ],
  ])('%s', async (_what, refusal, ask) => {
    const [ada, bob] = [await buyer(50_000), await seller(true)];
    const id = await offer(bob);
    const before = await Promise.all(['journals', 'escrows', 'deals', 'conversations'].map(count));
    const told = await ask(ada, bob, id);
    expect(said(told)).toBe(refusal);
    const funded = (await count('journals')) - (before[0] ?? 0);
    const after = await Promise.all(['escrows', 'deals', 'conversations'].map(count));
    expect([after, funded <= 1]).toEqual([before.slice(1), true]);
    expect([await wallet(ada), await wallet(bob)]).toEqual([50_000, 0]);
    if (told.status === 402) {
      const figures = { price_cents: 4_010, currency: 'USD', balance_cents: 4_009, shortfall_cents: 1 };
      expect([told.body.payment_required, typeof told.body.how_to_fix]).toEqual([figures, 'string']);
    }
  });
});

describe('a quote', () => {
  test('tells the price, the fee, the rest and that nothing is in the way', async () => {
    const [ada, bob] = [await buyer(5_000), await seller()];
    const id = await offer(bob);
    const before = await traces();
    const { status, body } = await quote(ada, bob.handle, id);
    expect([status, body]).toEqual([
      200,
      {
        handle: bob.handle,
        slug: body.slug,
        listing_id: id,
        headline: body.headline,
        tier_id: 'listed',
        tier_name: null,
        billing: 'one_time',
        price_cents: 4_010,
        fee_cents: 200,
        net_cents: 3_810,
        currency: 'USD',
        terms: { auto_release_after_days: null, expires_at: null },
        gate: { passes: true, refusal: null },
        choices: [{ tier_id: 'listed', tier_name: null, price_cents: 4_010, billing: 'one_time' }],
      },
    ]);
    expect(await byTool(ada, 'mesh_get_quote', { handle: bob.handle, slug: body.slug, tier_id: 'listed' })).toEqual(
      body,
    );
    expect([await traces(), await wallet(ada)]).toEqual([before, 5_000]);
  });

  test('tells what a checkout would meet', async () => {
    const [ada, bob] = [await buyer(4_000), await seller(true)];
    const id = await offer(bob, { conditions: { tiers: TIERS } });
    const gate = async (who: Buyer, tier = 'listed'): Promise<unknown> =>
      (await quote(who, bob.handle, id, `?tier_id=${tier}`)).body.gate.refusal;
    expect(await gate(ada)).toMatchObject({ error: 'payment_required', shortfall_cents: 10 });
    expect(await gate(ada, 'basic')).toBeNull();
    expect(await gate(ada, 'weekly')).toMatchObject({ error: 'use_subscription' });
    expect(await gate(await buyer(5_000, { verified: false }))).toMatchObject({ error: 'verification_required' });
    await t.call('PATCH', '/api/agents/bounds', { key: ada.pays, agent: ada.handle, body: { max_pay_cents: 99 } });
    const before = await traces();
    expect(await gate(ada, 'basic')).toMatchObject({ error: 'outside_bounds' });
    expect(await traces()).toEqual(before);
    expect((await quote(ada, bob.handle, id, '?tier_id=basic')).body).toMatchObject({
      fee_cents: 45,
      net_cents: 1_455,
    });
    expect(said(await quote(ada, bob.handle, id, '?tier_id=gold'))).toBe('404 not_found');
    expect(said(await quote(ada, bob.handle, id, '?tier_id=hourly'))).toBe('409 no_fixed_price');
    expect(said(await quote({ ...ada, pays: bob.key, handle: bob.handle }, bob.handle, id))).toBe('409 own_listing');
  });
});

describe('what is for sale', () => {
  const list = async (query: string): Promise<TestAnswer> => t.call('GET', `/api/services/explore/list${query}`);

  test('is seen by anybody, by category, words and price, a page at a time', async () => {
    const bob = await seller(true);
    const word = `zanzibar${names}`;
    const some = { headline: `Sails from ${word}`, labels: ['sails'] };
    const fixed = await offer(bob, { ...some, price_cents: 4_000 });
    const tiers = await offer(bob, { ...some, price_cents: null, conditions: { tiers: TIERS } });
    const hourly = await offer(bob, { ...some, price_period: 'hour' });
    await publish(t, bob, {
      card_type: 'partnering',
      direction: 'offer',
      headline: `Partners in ${word}`,
      labels: ['sails'],
    });
    const shown = await list(`?q=${word.toUpperCase()}%20sails`);
    expect(shown.body.map(({ id }: { id: string }) => id)).toEqual([hourly, tiers, fixed]);
    const [ofHours, ofTiers, ofOne] = shown.body;
    expect(ofOne).toEqual({
      id: fixed,
      handle: bob.handle,
      slug: ofOne.slug,
      card_type: 'selling',
      headline: some.headline,
      description: '',
      labels: ['sails'],
      subcategory: null,
      price_cents: 4_000,
      price_period: 'once',
      currency: 'USD',
      tiers: [],
      buyable: true,
      rating: null,
      trust_score: ofOne.trust_score,
    });
    expect([ofTiers.price_cents, ofTiers.tiers.length, ofTiers.buyable, ofHours.buyable]).toEqual([
      1_500,
      3,
      true,
      false,
    ]);
    expect((await list(`?q=${word}&max_price_cents=1500`)).body.map(({ id }: { id: string }) => id)).toEqual([tiers]);
    expect((await list(`?q=${word}&category=selling`)).body.length).toBe(3);
    expect((await list(`?q=${word}&category=buying`)).body).toEqual([]);
    const page = await list(`?q=${word}&limit=2`);
    const next = await list(`?q=${word}&limit=2&cursor=${page.headers.get('x-next-cursor')}`);
    expect([page.body.length, next.body.length, next.headers.get('x-next-cursor')]).toEqual([2, 1, null]);
    await t.call('PATCH', `/api/agents/${bob.handle}`, { key: bob.key, body: { visibility: 'hidden' } });
    expect((await list(`?q=${word}`)).body).toEqual([]);
  });

  test('shows what its buyers gave it, and not what its seller gave them', async () => {
    const bob = await seller(true);
    const id = await offer(bob, { headline: `Rated ropes ${names}` });
    for (const [mine, theirs] of [
      [5, 1],
      [4, 1],
      [4, 1],
    ]) {
      const ada = await buyer(5_000);
      const { escrow_id, purchase_id } = (await buy(ada, bob.handle, id)).body;
      const path = `/api/wallet/escrow/${escrow_id}/release`;
      await t.call('POST', path, { key: ada.pays, body: { milestone_index: 0 } });
      const review = (who: TestAgent, rating: number | undefined): Promise<TestAnswer> =>
        t.call('POST', `/api/deals/${purchase_id}/review`, { key: who.key, body: { rating, text: 'As agreed.' } });
      expect([(await review(ada, mine)).status, (await review(bob, theirs)).status]).toEqual([201, 201]);
    }
    await t.advance(1_001);
    const [shown] = (await list(`?q=${encodeURIComponent(`rated ropes ${names}`.slice(0, 11))}`)).body;
    expect([shown.id, shown.rating]).toEqual([id, 4.3]);
  });

  test('is counted by category, and browsed with all else by tool', async () => {
    const bob = await seller(true);
    const before = (await t.call('GET', '/api/services/explore/categories')).body;
    await offer(bob, { card_type: 'partnering', direction: 'offer', headline: 'Shares of a rope', price_cents: 5 });
    const after = (await t.call('GET', '/api/services/explore/categories')).body;
    const of = (found: TestAnswer['body']): number =>
      found.find(({ category }: { category: string }) => category === 'partnering')?.count ?? 0;
    expect(of(after)).toBe(of(before) + 1);
    expect(after.find(({ category }: { category: string }) => category === 'partnering').label).toBe('Partnering');
    const ada = await buyer(0);
    expect((await byTool(ada, 'mesh_browse_services', { q: 'shares of' })).items[0].handle).toBe(bob.handle);
    const whole = await byTool(ada, 'mesh_browse_marketplace', { limit: 1 });
    expect([whole.categories, whole.listings.length, typeof whole.next_cursor]).toEqual([after, 1, 'string']);
  });

  test('stands on the card of who sells it, with the rail by which it is paid', async () => {
    const bob = await seller(true);
    await offer(bob);
    await offer(bob, { price_period: 'hour' });
    await publish(t, bob, { card_type: 'partnering', direction: 'offer', headline: 'Partners', labels: ['sails'] });
    const card = (await t.call('GET', `/.well-known/agent.json?handle=${bob.handle}`)).body['x-mesh'];
    expect([card.service_count, card.payment_rails]).toEqual([2, ['wallet']]);
    const plain = await newAgent(t, { handle: `mk_plain_${++names}` });
    const other = (await t.call('GET', `/.well-known/agent.json?handle=${plain.handle}`)).body['x-mesh'];
    expect([other.service_count, other.payment_rails]).toEqual([0, []]);
  });
});

describe('whoever sells', () => {
  const sell = (who: TestAgent, body: object): Promise<TestAnswer> =>
    t.call('POST', '/api/marketplace/services', { key: who.key, body });
  const ROPE = { card_type: 'selling', headline: 'A fine rope', labels: ['fine-ropes'] };

  test('puts a listing up, a new one or one that is there', async () => {
    const bob = await seller(true);
    const made = await sell(bob, { ...ROPE, price_cents: 700 });
    expect([made.status, made.body.status, made.body.price_cents]).toEqual([201, 'live', 700]);
    const body = { ...ROPE, price_cents: 800, active: false };
    const draft = (await t.call('POST', `/api/agents/${bob.handle}/cards`, { key: bob.key, body })).body;
    const put = await sell(bob, { listing_id: draft.id });
    expect([put.status, put.body.id, put.body.status]).toEqual([201, draft.id, 'live']);
    const mine = await t.call('GET', '/api/marketplace/my-listings', { key: bob.key });
    expect(mine.body.map(({ id }: { id: string }) => id)).toEqual([draft.id, made.body.id]);
    expect(said(await sell(await seller(), { listing_id: draft.id }))).toBe('404 not_found');
    expect(said(await sell(bob, ROPE))).toBe('409 no_fixed_price');
    expect(said(await sell(bob, { ...ROPE, price_cents: 700, price_period: 'hour' }))).toBe('409 no_fixed_price');
    expect(said(await sell(bob, { ...ROPE, card_type: 'buying', budget_cents: 5 }))).toBe('400 invalid_request');
    const plain = await newAgent(t, { handle: `mk_plain_${++names}` });
    expect(said(await sell(plain, { ...ROPE, price_cents: 700 }))).toBe('403 verification_required');
    expect((await t.call('GET', '/api/marketplace/my-listings', { key: plain.key })).body).toEqual([]);
  });

  test('reads what came in, net of fees, by month, and what is held', async () => {
    const [ada, bob] = [await buyer(50_000), await seller()];
    const id = await offer(bob, { per_week_cents: 1_000 });
    const first = (await buy(ada, bob.handle, id)).body;
    await buy(ada, bob.handle, id);
    const earnings = async (): Promise<TestAnswer['body']> =>
      (await t.call('GET', '/api/marketplace/earnings', { key: bob.key })).body;
    expect(await earnings()).toEqual({ total_cents: 0, pending_cents: 8_020, by_month: [], sales: [] });
    await t.call('POST', `/api/wallet/escrow/${first.escrow_id}/release`, {
      key: ada.pays,
      body: { milestone_index: 0 },
    });
    const args = { seller_handle: bob.handle, listing_id: id, interval: 'weekly' };
    const made = await byTool(ada, 'mesh_subscribe', args);
    await fundWallet(t, bob.id, 777);
    const month = new Date(t.clock.now()).toISOString().slice(0, 7);
    const now = await earnings();
    expect({ ...now, sales: now.sales.length }).toEqual({
      total_cents: 4_760,
      pending_cents: 4_010,
      by_month: [{ month, cents: 4_760 }],
      sales: 2,
    });
    const at = new Date(t.clock.now()).toISOString();
    expect(now.sales[0]).toMatchObject({
      kind: 'subscription',
      reference_id: made.id,
      amount_cents: 1_000,
      fee_cents: 50,
      net_cents: 950,
      at,
    });
    expect(now.sales[1]).toMatchObject({
      kind: 'release',
      reference_id: first.escrow_id,
      amount_cents: 4_010,
      net_cents: 3_810,
      buyer_handle: ada.handle,
    });
    await t.advance(28 * DAY_MS);
    const later = await earnings();
    expect([later.total_cents, later.by_month.length]).toEqual([4_760 + 4 * 950, 2]);
    expect((await t.call('GET', '/api/marketplace/earnings', { key: ada.key })).body.total_cents).toBe(0);
  });

  test('is called by a signed-in person, with a note', async () => {
    const [ada, bob] = [await buyer(10_000), await seller()];
    const id = await offer(bob);
    const path = `/api/marketplace/services/${id}/call`;
    const body = { tier_id: 'listed', note: 'In blue, please.' };
    expect(said(await t.call('POST', path, { key: ada.pays, body }))).toBe('403 session_required');
    const asked = { token: ada.token, agent: ada.handle, body };
    const one = await t.call('POST', path, asked);
    expect([one.status, one.body.charged_cents]).toEqual([200, 4_010]);
    const two = await t.call('POST', path, { ...asked, body: { ...body, note: 'And one in red.' } });
    expect(two.body.conversation_id).toBe(one.body.conversation_id);
    const { messages } = (await t.call('GET', `/api/conversations/${one.body.conversation_id}`, { key: bob.key })).body;
    expect(messages.map(({ content }: { content: string }) => content)).toEqual([
      'And one in red.',
      'In blue, please.',
    ]);
    expect(said(await t.call('POST', `/api/marketplace/services/${Bun.randomUUIDv7()}/call`, asked))).toBe(
      '404 not_found',
    );
  });
});
