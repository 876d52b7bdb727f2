// Escrows: what is taken and paid, by whom, once; what is refused with nothing moved; and that tools do as the routes do.

import { beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { type Buyer, journals, newBuyer, newSeller, open, said, walletOf } from '../support/escrow.ts';
import { eventsOf, LOGO_OFFER, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf } from '../support/wallet.ts';

const t = sharedService();
let buyer: Buyer;
let seller: TestAgent;

beforeAll(async () => {
  buyer = await newBuyer(t);
  seller = await newSeller(t);
});

const create = (body: object, key = buyer.pays): Promise<TestAnswer> =>
  t.call('POST', '/api/wallet/escrow', { key, body });
const release = (id: string, milestone_index: unknown, key = buyer.pays): Promise<TestAnswer> =>
  t.call('POST', `/api/wallet/escrow/${id}/release`, { key, body: { milestone_index } });
const read = (id: string, key = buyer.pays): Promise<TestAnswer> => t.call('GET', `/api/wallet/escrow/${id}`, { key });
const parts = (...cents: unknown[]): object[] => cents.map((amount_cents, n) => ({ title: `Part ${n}`, amount_cents }));
const tool = async (name: string, args: object, key = buyer.pays): Promise<Record<string, unknown>> => {
  const { result } = (await rpc(t, 'tools/call', { name, arguments: args }, { key, revision: '2025-11-25' })).body;
  return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
};

describe('opening an escrow', () => {
  test('takes the sum out of the wallet and shows both sides the same', async () => {
    const before = await walletOf(t, buyer);
    const answer = await create({ seller_handle: seller.handle, title: 'A logo', milestones: parts(1_250, 2_500) });
    expect(answer.status).toBe(201);
    const { id, deal_id, created_at, milestones, ...rest } = answer.body;
    expect(rest).toEqual({
      status: 'active',
      total_amount: 37.5,
      total_amount_cents: 3_750,
      currency: 'USD',
      title: 'A logo',
      buyer_handle: buyer.handle,
      seller_handle: seller.handle,
      released_cents: 0,
      refunded_cents: 0,
      unreleased_cents: 3_750,
      fee_cents: 187,
      net_cents: 3_563,
      journal_id: `escrow:${id}`,
      dispute_id: null,
      conversation_id: null,
      listing_id: null,
      auto_release_after_days: null,
      expires_at: null,
      ended_at: null,
    });
    expect(milestones.map(({ released, status }: Record<string, unknown>) => [released, status])).toEqual([
      [false, 'held'],
      [false, 'held'],
    ]);
    expect([deal_id.length, created_at]).toEqual([36, new Date(t.clock.now()).toISOString()]);
    expect([await walletOf(t, buyer), await balanceOf(t, `escrow:${id}`)]).toEqual([before - 3_750, 3_750]);
    expect((await read(id)).body).toEqual(answer.body);
    expect((await read(id, seller.key)).body).toEqual(answer.body);
    for (const key of [buyer.pays, seller.key]) {
      const { body } = await t.call('GET', '/api/wallet/escrows', { key });
      expect(body.escrows[0]).toEqual(answer.body);
    }
    const data = {
      ...{ kind: 'purchase', amount_cents: 3_750, fee_cents: 187, net_cents: 3_563, held: true },
      ...{ reference_id: id, escrow_id: id, journal_id: `escrow:${id}` },
    };
    const [paid] = await eventsOf(t, buyer, 'payment.succeeded');
    expect(paid.data).toEqual({ ...data, counterparty_handle: seller.handle, your_role: 'payer' });
    const [sold] = await eventsOf(t, seller, 'payment.succeeded');
    expect(sold.data).toEqual({ ...data, counterparty_handle: buyer.handle, your_role: 'payee' });
  });

  test('is done by the tool and by a session as well', async () => {
    const asked = { seller_handle: seller.handle, milestones: parts(100) };
    const byTool = await tool('mesh_create_escrow', asked);
    expect(byTool).toMatchObject({ status: 'active', total_amount_cents: 100, seller_handle: seller.handle });
    expect(await tool('mesh_get_escrow', { escrow_id: byTool['id'] })).toMatchObject({ id: byTool['id'] });
    const listed = (await tool('mesh_list_escrows', { limit: 1 })) as { escrows: object[]; next_cursor: string };
    expect(listed).toMatchObject({ escrows: [{ id: byTool['id'] }], next_cursor: byTool['id'] });
    const body = { seller_handle: seller.handle, milestones: parts(100) };
    expect(said(await t.call('POST', '/api/wallet/escrow', { token: buyer.token, body }))).toBe('201');
  });

  test('keeps the conversation that it came from, if it is one of the two', async () => {
    const asked = { handle: seller.handle, content: 'A logo?' };
    const conversation_id = (await tool('mesh_start_conversation', asked, buyer.key))['conversation_id'];
    const { id } = await open(t, buyer, seller, [100], { conversation_id });
    expect((await read(id)).body.conversation_id).toBe(conversation_id);
    await release(id, 0);
    const thread = await t.call('GET', `/api/conversations/${conversation_id}`, { key: buyer.key });
    expect(thread.body.status).toBe('completed');
    for (const side of [buyer, seller]) {
      const [told] = await eventsOf(t, side, 'conversation.completed');
      expect(told.data.conversation_id).toBe(conversation_id);
    }
    const thanks = { key: seller.key, body: { content: 'Thank you.' } };
    expect(said(await t.call('POST', `/api/messages/${conversation_id}`, thanks))).toBe('200');
    expect((await t.call('GET', `/api/conversations/${conversation_id}`, { key: buyer.key })).body.status).toBe('open');
    const third = await newSeller(t);
    const body = { seller_handle: third.handle, milestones: parts(100), conversation_id };
    const strange = await create(body);
    expect([said(strange), strange.body.fields[0].path]).toEqual(['400 invalid_request', 'conversation_id']);
  });

  test('keeps what was sold, though the listing is deleted', async () => {
    const theirs = await newSeller(t);
    const listing_id = await publish(t, theirs, LOGO_OFFER);
    const { id } = await open(t, buyer, theirs, [100], { listing_id });
    const strange = await create({ seller_handle: seller.handle, milestones: parts(100), listing_id });
    expect([said(strange), strange.body.fields[0].path]).toEqual(['400 invalid_request', 'listing_id']);
    const gone = await t.call('DELETE', `/api/agents/${theirs.handle}/cards/${listing_id}`, { key: theirs.key });
    expect(gone.status).toBe(200);
    expect((await read(id)).body).toMatchObject({ listing_id, title: LOGO_OFFER.headline, status: 'active' });
    expect((await release(id, 0)).body.status).toBe('completed');
  });

  test('dry says what would move, and moves nothing', async () => {
    const before = [await journals(t), await walletOf(t, buyer)];
    const asked = { seller_handle: seller.handle, milestones: parts(100, 200), dry_run: true };
    const { status, body } = await create(asked);
    expect([status, body.dry_run, body.refusal]).toEqual([200, true, null]);
    expect(body.postings).toContainEqual({ account: `wallet:${buyer.handle}`, cents: -300 });
    expect([await journals(t), await walletOf(t, buyer)]).toEqual(before);
  });
});

describe('opening is refused, with nothing moved,', () => {
  test.each<[what: string, amount: unknown]>([
    ['nothing', 0],
    ['less than nothing', -1],
    ['half a cent', 0.5],
    ['more than 2^53', 2 ** 53 + 2],
    ['more than a transfer', 10_000_000_001],
    ['a text', '100'],
    ['null', null],
  ])('for an amount that is %s', async (_what, amount) => {
    const before = await journals(t);
    const answer = await create({ seller_handle: seller.handle, milestones: parts(100, amount) });
    expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', 'milestones.1.amount_cents']);
    expect(await journals(t)).toBe(before);
  });

  test('for what no terms are', async () => {
    const before = await journals(t);
    const some = { seller_handle: seller.handle, milestones: parts(100) };
    const late = new Date(t.clock.now() + 400 * DAY_MS).toISOString();
    for (const [more, path] of [
      [{ milestones: [] }, 'milestones'],
      [{ milestones: parts(...Array.from({ length: 21 }, () => 1)) }, 'milestones'],
      [{ milestones: parts(10_000_000_000, 1) }, 'milestones'],
      [{ milestones: 'all' }, 'milestones'],
      [{ auto_release_after_days: 0 }, 'auto_release_after_days'],
      [{ auto_release_after_days: 91 }, 'auto_release_after_days'],
      [{ expires_at: new Date(t.clock.now()).toISOString() }, 'expires_at'],
      [{ expires_at: late }, 'expires_at'],
      [{ expires_at: 'soon' }, 'expires_at'],
      [{ listing_id: Bun.randomUUIDv7() }, 'listing_id'],
      [{ conversation_id: Bun.randomUUIDv7() }, 'conversation_id'],
    ] as const) {
      const answer = await create({ ...some, ...more });
      expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', path]);
    }
    expect(said(await create({ ...some, currency: 'EUR' }))).toBe('400 unsupported_currency');
    expect(await journals(t)).toBe(before);
  });

  test('for who cannot be paid, and who is not there', async () => {
    const before = await journals(t);
    const to = async (seller_handle: string): Promise<string> =>
      said(await create({ seller_handle, milestones: parts(100) }));
    const unverified = await newAgent(t, { handle: 'unverified_seller' });
    const { agent: provisional } = await newProvisional(t, 'agent_seller');
    const gone = await newSeller(t);
    await t.call('DELETE', `/api/agents/${gone.handle}`, { key: gone.key });
    const blocker = await newSeller(t);
    await t.call('POST', `/api/agents/${buyer.handle}/block`, { key: blocker.key });
    for (const { handle } of [unverified, provisional, gone])
      expect(await to(handle)).toBe('409 seller_cannot_be_paid');
    expect(await to('concierge')).toBe('409 seller_cannot_be_paid');
    expect(await to(buyer.handle)).toBe('400 own_agent');
    expect(await to('nobody_here')).toBe('404 not_found');
    expect(await to(blocker.handle)).toBe('403 blocked');
    expect(await journals(t)).toBe(before);
  });

  test('for a short wallet with the figures, an unverified buyer, and a key that may not spend', async () => {
    const poor = await newBuyer(t, 50);
    const asked = { seller_handle: seller.handle, milestones: parts(40, 60) };
    const short = await create(asked, poor.pays);
    expect(said(short)).toBe('402 payment_required');
    expect(short.body.payment_required).toEqual({
      price_cents: 100,
      currency: 'USD',
      balance_cents: 50,
      shortfall_cents: 50,
    });
    expect(said(await create(asked, buyer.key))).toBe('403 insufficient_scope');
    const fresh = await newAgent(t, { handle: 'fresh_buyer' });
    expect(said(await t.call('POST', '/api/wallet/escrow', { token: fresh.token, body: asked }))).toBe(
      '403 verification_required',
    );
    expect(await walletOf(t, poor)).toBe(50);
  });
});

describe('releasing a milestone', () => {
  test('pays the seller less the fee of its plan, once, and the last one completes the deal', async () => {
    const [ours, theirs] = [await newBuyer(t), await newSeller(t)];
    const { id, deal_id } = await open(t, ours, theirs, [999, 2_001]);
    const first = await release(id, 1, ours.pays);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      status: 'active',
      released_cents: 2_001,
      unreleased_cents: 999,
      fee_cents: 149,
      net_cents: 2_851,
    });
    expect(first.body.milestones[1]).toMatchObject({ released: true, status: 'released', fee_cents: 100 });
    expect(await walletOf(t, theirs)).toBe(1_901);
    for (const side of [ours, theirs]) {
      const [told] = await eventsOf(t, side, 'escrow.released');
      expect(told.data).toEqual({
        escrow_id: id,
        deal_id,
        milestone_index: 1,
        amount_cents: 2_001,
        fee_cents: 100,
        net_cents: 1_901,
        by: 'buyer',
      });
    }
    const [line] = (await t.call('GET', '/api/v1/wallet/transactions', { key: theirs.key })).body;
    expect(line).toMatchObject({ kind: 'release', amount_cents: 1_901, gross_cents: 2_001, fee_cents: 100 });
    const [held] = (await t.call('GET', '/api/v1/wallet/transactions', { key: ours.pays })).body;
    expect(held).toMatchObject({ kind: 'escrow', amount_cents: -3_000, gross_cents: null });
    expect(said(await release(id, 1, ours.pays))).toBe('400 already_released');
    expect((await tool('mesh_release_milestone', { escrow_id: id, milestone_index: 0 }, ours.pays))['status']).toBe(
      'completed',
    );
    expect([await walletOf(t, theirs), await balanceOf(t, `escrow:${id}`)]).toEqual([1_901 + 950, 0]);
    for (const { handle } of [ours, theirs]) {
      const { body } = await t.call('GET', `/api/agents/public/${handle}/track-record`);
      expect(body.deals.completed).toBe(1);
      expect(body.deals.by_band).toContainEqual({ band: '10-50', count: 1 });
      expect(body.disputes).toEqual({ opened_against: 0, settled: 0, rate: 0 });
    }
    expect((await t.call('GET', `/api/agents/public/${theirs.handle}`)).body.dispute_rate).toBe(0);
    expect(said(await release(id, 0, ours.pays))).toBe('400 already_released');
  });

  test('takes three in the hundred of a seller on Pro, and nothing of a few cents', async () => {
    const pro = await newSeller(t, true);
    const { id } = await open(t, buyer, pro, [1_000, 19]);
    await release(id, 0);
    await release(id, 1);
    expect(await walletOf(t, pro)).toBe(970 + 19);
    expect((await read(id)).body).toMatchObject({ status: 'completed', fee_cents: 30 });
  });

  test('is refused to all but the buyer, and for what is not there, with nothing moved', async () => {
    const { id } = await open(t, buyer, seller, [500]);
    const stranger = await newBuyer(t);
    const before = await journals(t);
    const sells = { token: seller.token, body: { milestone_index: 0 } };
    expect(said(await t.call('POST', `/api/wallet/escrow/${id}/release`, sells))).toBe('403 wrong_role');
    expect(said(await release(id, 0, stranger.pays))).toBe('403 not_a_party');
    expect(said(await read(id, stranger.pays))).toBe('403 not_a_party');
    expect(said(await release(Bun.randomUUIDv7(), 0))).toBe('404 not_found');
    expect(said(await release('x', 0))).toBe('404 not_found');
    expect(said(await release(id, 1))).toBe('400 no_such_milestone');
    for (const index of [-1, 0.5, '0', null, undefined])
      expect(said(await release(id, index))).toBe('400 invalid_request');
    expect(await journals(t)).toBe(before);
  });

  test('of one milestone twenty times at once pays once', async () => {
    const { id } = await open(t, buyer, seller, [500, 500]);
    const before = await walletOf(t, seller);
    const answers = await Promise.all(Array.from({ length: 20 }, () => release(id, 0)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await walletOf(t, seller)).toBe(before + 475);
  });

  test('dry tells the fee, and moves nothing', async () => {
    const { id } = await open(t, buyer, seller, [1_000]);
    const before = await journals(t);
    const asked = { key: buyer.pays, body: { milestone_index: 0, dry_run: true } };
    const { status, body } = await t.call('POST', `/api/wallet/escrow/${id}/release`, asked);
    expect([status, body.refusal]).toEqual([200, null]);
    expect(body.postings).toContainEqual({ account: `wallet:${seller.handle}`, cents: 950 });
    expect(body.fees).toMatchObject([{ cents: 50 }]);
    expect(await journals(t)).toBe(before);
  });
});

test('an open escrow is an obligation of both sides, and none once it has ended', async () => {
  const [ours, theirs] = [await newBuyer(t), await newSeller(t)];
  const { id } = await open(t, ours, theirs, [500]);
  const owed = async (): Promise<number[]> =>
    Promise.all(
      [ours, theirs].map(async (side) => {
        const asked = `select n from counters where id = 'obligations:${side.id}'`;
        const [row] = await readStoredRows(t.service.world.settings.data_dir, asked);
        return Number(row?.['n'] ?? 0);
      }),
    );
  expect(await owed()).toEqual([1, 1]);
  await release(id, 0, ours.pays);
  expect(await owed()).toEqual([0, 0]);
});
