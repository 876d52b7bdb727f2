// The demand board: who is woken by a request, who sees what of it and of its quotes, and how it ends: by an award, by its
// requester, by its time, and with the account of a side.

import { beforeAll, describe, expect, test } from 'bun:test';
import { WAKES_A_DAY } from '../../src/domain/demand/demand.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { said } from '../support/escrow.ts';
import { eventsOf, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let buyer: TestAgent;
let names = 0;

beforeAll(async () => {
  buyer = await newAgent(t, { handle: 'baker', verified: true, pro: true });
});

const iso = (at: number): string => new Date(at).toISOString();
const ahead = (ms: number): string => iso(t.clock.now() + ms);

function asked(label: string, more: object = {}): Record<string, unknown> {
  return {
    headline: `Wanted: ${label}`,
    description: 'Friendly, for a small shop.',
    labels: [label],
    budget_cents: 40_000,
    closes_at: ahead(3 * DAY_MS),
    ...more,
  };
}

const post = (label: string, more: object = {}, { key } = buyer): Promise<TestAnswer> =>
  t.call('POST', '/api/demand', { key, body: asked(label, more) });
const quote = ({ key }: TestAgent, id: string, price_cents: number, more: object = {}): Promise<TestAnswer> =>
  t.call('POST', `/api/demand/${id}/respond`, { key, body: { price_cents, ...more } });
const award = (id: string, body: object, { key } = buyer): Promise<TestAnswer> =>
  t.call('POST', `/api/demand/${id}/award`, { key, body });
const read = (id: string, who: { key?: string } = {}): Promise<TestAnswer> =>
  t.call('GET', `/api/demand/${id}`, who.key === undefined ? {} : { key: who.key });

/** A verified agent that sells something of a label. */
async function seller(label: string, more: object = {}): Promise<TestAgent> {
  const agent = await newAgent(t, { handle: `maker_${++names}`, verified: true });
  const offer = { card_type: 'selling', headline: `We make ${label}`, labels: [label], price_cents: 20_000 };
  await publish(t, agent, { ...offer, ...more });
  return agent;
}

const wokenBy = async (who: TestAgent, id: string) =>
  (await eventsOf(t, who, 'demand.posted')).filter(({ data }) => data.request_id === id);

describe('a post', () => {
  test('lacks nothing, or is refused for what it lacks', async () => {
    for (const field of ['headline', 'labels', 'budget_cents', 'closes_at']) {
      const answer = await post('gates', { [field]: undefined });
      expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', field]);
    }
    for (const [field, wrong] of Object.entries({
      headline: ' ',
      labels: [],
      budget_cents: 0,
      closes_at: ahead(HOUR_MS / 2),
    })) {
      const answer = await post('gates', { [field]: wrong });
      expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', field]);
    }
    expect(said(await post('gates', { closes_at: ahead(91 * DAY_MS) }))).toBe('400 invalid_request');
    expect(said(await post('gates', { description: 'Mail me: ada@example.org' }))).toBe('400 disclosure_refused');
    const unproven = await newAgent(t, { handle: 'unproven' });
    expect(said(await post('gates', {}, unproven))).toBe('403 verification_required');
  });

  test('is shown to anybody without ids, and whole to those with a key, soonest closing first', async () => {
    const { body } = await post('fences');
    expect(body).toMatchObject({ status: 'open', woken: 0, quotes_count: 0, handle: 'baker', labels: ['fences'] });
    const sooner = (await post('fences', { closes_at: ahead(2 * HOUR_MS) })).body;
    const shown = {
      request_id: body.request_id,
      status: 'open',
      handle: 'baker',
      headline: 'Wanted: fences',
      labels: ['fences'],
      budget_cents: 40_000,
      currency: 'USD',
      closes_at: body.closes_at,
      created_at: body.created_at,
    };
    expect((await read(body.request_id)).body).toEqual(shown);
    const store = (await t.call('GET', '/api/store/requests', { key: buyer.key })).body;
    expect(store.map((each: { request_id: string }) => each.request_id).slice(0, 2)).toEqual([
      sooner.request_id,
      body.request_id,
    ]);
    expect(store[1]).toEqual(shown);
    const first = await t.call('GET', '/api/demand?limit=1');
    expect(first.body[0].request_id).toBe(sooner.request_id);
    const cursor = first.headers.get('x-next-cursor');
    expect((await t.call('GET', `/api/demand?limit=1&cursor=${cursor}`)).body).toEqual([shown]);
    const other = await newAgent(t, { handle: 'looker' });
    const [whole] = (
      await t.call('GET', '/api/demand?labels=fences&min_budget_cents=40000&limit=1', { key: other.key })
    ).body;
    expect(whole).toMatchObject({ requester_id: buyer.id, description: 'Friendly, for a small shop.', woken: null });
    expect((await t.call('GET', '/api/demand?min_budget_cents=40001')).body).toEqual([]);
    expect(said(await t.call('GET', `/api/demand?cursor=${buyer.id}`))).toBe('400 invalid_request');
    await t.advance(2 * HOUR_MS);
    expect((await t.call('GET', '/api/demand')).body.map((each: { request_id: string }) => each.request_id)).toEqual([
      body.request_id,
    ]);
    expect((await read(sooner.request_id)).body.status).toBe('closed');
  });

  test('tells nobody on the outside of an agent that does not show itself', async () => {
    const shy = await newAgent(t, { handle: 'shy_baker', verified: true });
    await t.call('PATCH', '/api/agents/shy_baker', { key: shy.key, body: { visibility: 'stealth' } });
    const { request_id } = (await post('gates', {}, shy)).body;
    expect((await read(request_id)).body.handle).toBeNull();
    expect((await read(request_id, buyer)).body.handle).toBe('shy_baker');
    await t.call('PATCH', '/api/agents/shy_baker', { key: shy.key, body: { visibility: 'hidden' } });
    expect((await read(request_id, buyer)).body.handle).toBeNull();
    expect((await read(request_id, shy)).body.handle).toBe('shy_baker');
    await t.call('POST', `/api/demand/${request_id}/close`, { key: shy.key });
  });

  test('is one of five on Free, and of ten a day', async () => {
    const free = await newAgent(t, { handle: 'free_baker', verified: true });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await post('gates', {}, free)).body.request_id);
    const sixth = await post('gates', {}, free);
    expect([said(sixth), sixth.body.limit, sixth.body.used]).toEqual(['403 plan_limit', 5, 5]);
    for (const id of ids) {
      const closed = await t.call('POST', `/api/demand/${id}/close`, { key: free.key });
      expect([said(closed), closed.body.status]).toEqual(['200', 'closed']);
    }
    for (let n = 0; n < 5; n += 1) expect((await post('gates', {}, free)).status).toBe(201);
    await t.call('POST', `/api/demand/${ids[0]}/close`, { key: free.key });
    const eleventh = await post('gates', {}, free);
    expect([said(eleventh), eleventh.body.limit]).toEqual(['403 plan_limit', 10]);
    const mine = await t.call('GET', '/api/demand/mine?limit=3', { key: free.key });
    expect([mine.body.length, mine.body[0].woken]).toEqual([3, 0]);
    // At their time they are closed, each by a call of its own, and a day later there is room again.
    await t.advance(4 * DAY_MS);
    expect((await post('gates', {}, free)).status).toBe(201);
  });
});

describe('whom a request wakes', () => {
  test('sellers of its label, the best first, by what they want to be woken for', async () => {
    const fits = await seller('weaving');
    const dear = await seller('weaving', { price_cents: 900_000 });
    const modest = await seller('weaving');
    const wake = { min_demand_budget_cents: 40_001 };
    await t.call('PATCH', `/api/agents/${modest.handle}`, { key: modest.key, body: { wake } });
    const others = await seller('pottery');
    const foe = await seller('weaving');
    await t.call('POST', `/api/agents/${foe.handle}/block`, { key: buyer.key });
    const { body } = await post('weaving');
    expect(body.woken).toBe(2);
    const [told] = await wokenBy(fits, body.request_id);
    expect(told).toMatchObject({
      kind: 'demand.posted',
      respond_by: body.closes_at,
      data: {
        request_id: body.request_id,
        headline: 'Wanted: weaving',
        budget_cents: 40_000,
        closes_at: body.closes_at,
        counterparty_handle: 'baker',
      },
    });
    expect(told.data.respond).toEndWith(`/api/demand/${body.request_id}/respond`);
    expect(told.actions.map(({ action }: { action: string }) => action)).toEqual(['quote', 'pass']);
    expect((await wokenBy(dear, body.request_id)).length).toBe(1);
    for (const nobody of [modest, others, foe]) expect(await wokenBy(nobody, body.request_id)).toEqual([]);
    expect(said(await quote(foe, body.request_id, 10_000))).toBe('403 blocked');
    const own = await post('weaving', { budget_cents: 50_000 }, fits);
    expect([own.body.woken, said(await quote(fits, own.body.request_id, 1))]).toEqual([3, '409 own_request']);
  });

  test('25 at most', async () => {
    const sellers = await Promise.all(Array.from({ length: 27 }, () => seller('glazing')));
    const { body } = await post('glazing');
    const told = await Promise.all(sellers.map((each) => wokenBy(each, body.request_id)));
    expect([body.woken, told.flat().length]).toEqual([25, 25]);
  });

  test('20 times a day one seller', async () => {
    const smith = await seller('smithing');
    const woken: number[] = [];
    for (let n = 0; n <= WAKES_A_DAY; n += 1) woken.push((await post('smithing')).body.woken);
    expect(woken).toEqual([...Array(WAKES_A_DAY).fill(1), 0]);
    await t.advance(DAY_MS);
    expect((await post('smithing')).body.woken).toBe(1);
    expect((await eventsOf(t, smith, 'demand.posted')).length).toBe(WAKES_A_DAY + 1);
  });
});

describe('a quote', () => {
  test('is seen by its two sides alone, and replaced by the next', async () => {
    const [one, two] = [await seller('tiling'), await seller('tiling')];
    const { request_id } = (await post('tiling')).body;
    expect(said(await quote(one, request_id, 40_001))).toBe('400 over_budget');
    expect(said(await quote(one, request_id, 0))).toBe('400 invalid_request');
    const first = (await quote(one, request_id, 39_000)).body;
    const second = await quote(one, request_id, 30_000, { message: 'In a week.', delivery_days: 7 });
    expect(second.status).toBe(201);
    await quote(two, request_id, 29_000);
    expect((await read(request_id)).body).not.toHaveProperty('quotes');
    const own = (await read(request_id, one)).body;
    expect([own.quotes, own.quotes_count]).toEqual([[second.body], null]);
    const all = (await read(request_id, buyer)).body;
    expect(all.quotes.map((each: { price_cents: number }) => each.price_cents)).toEqual([29_000, 30_000]);
    expect([all.quotes_count, all.quotes[1].message]).toEqual([2, 'In a week.']);
    expect((await eventsOf(t, buyer, 'demand.quoted')).at(-1)?.data).toMatchObject({
      request_id,
      price_cents: 29_000,
      fee_cents: 1_450,
      net_cents: 27_550,
      counterparty_handle: two.handle,
    });
    expect(all.quotes[1]).toMatchObject({ price_cents: 30_000, fee_cents: 1_500, net_cents: 28_500 });
    const replaced = await award(request_id, { quote_id: first.quote_id });
    expect([said(replaced), replaced.body.quote_id]).toEqual(['409 quote_replaced', second.body.quote_id]);
    const [mine] = (await t.call('GET', '/api/demand/mine?role=seller', { key: one.key })).body;
    expect([mine.request_id, mine.quotes]).toEqual([request_id, own.quotes]);
  });

  test('of several that come at once one stands, and several awards at once make one deal', async () => {
    const [one, two] = [await seller('caulking'), await seller('caulking')];
    const { request_id } = (await post('caulking')).body;
    const prices = [1_000, 2_000, 3_000, 4_000];
    await Promise.all(prices.flatMap((price) => [quote(one, request_id, price), quote(two, request_id, price)]));
    const { quotes, quotes_count } = (await read(request_id, buyer)).body;
    expect([quotes.length, quotes_count]).toEqual([2, 2]);
    const awards = await Promise.all([one, two, one, two].map(({ handle }) => award(request_id, { handle })));
    expect(awards.map(said).sort()).toEqual(['200', ...Array(3).fill('409 request_closed')]);
  });

  test('is awarded once, by the requester: a conversation, a deal, and nobody else is to answer', async () => {
    const [winner, loser] = [await seller('thatching'), await seller('thatching')];
    const { request_id } = (await post('thatching')).body;
    const { quote_id } = (await quote(winner, request_id, 25_000)).body;
    expect(said(await award(request_id, { quote_id }, loser))).toBe('404 not_found');
    expect(said(await award(request_id, {}))).toBe('400 invalid_request');
    expect(said(await award(request_id, { quote_id: buyer.id }))).toBe('404 not_found');
    const won = await award(request_id, { handle: winner.handle });
    expect([won.status, won.body]).toEqual([
      200,
      expect.objectContaining({
        request_id,
        quote_id,
        status: 'awarded',
        seller_handle: winner.handle,
        price_cents: 25_000,
        fee_cents: 1_250,
        net_cents: 23_750,
      }),
    ]);
    const { conversation_id, deal_id } = won.body;
    const deal = (await t.call('GET', `/api/deals/${deal_id}`, { key: winner.key })).body;
    expect(deal).toMatchObject({
      kind: 'agreement',
      status: 'agreed',
      amount_cents: 25_000,
      buyer_handle: 'baker',
      your_side: 'seller',
      conversation_id,
    });
    const thread = (await t.call('GET', `/api/conversations/${conversation_id}`, { key: winner.key })).body;
    expect([thread.deal_id, thread.subject]).toEqual([deal_id, 'Wanted: thatching']);
    expect((await eventsOf(t, winner, 'conversation.started')).at(-1)?.data.conversation_id).toBe(conversation_id);
    expect((await eventsOf(t, winner, 'demand.awarded')).at(-1)?.data).toMatchObject({
      ...{ request_id, deal_id, price_cents: 25_000, fee_cents: 1_250, net_cents: 23_750 },
    });
    const [over] = await wokenBy(loser, request_id);
    expect([over.actions, over.answered]).toEqual([[], null]);
    expect((await read(request_id, winner)).body).toMatchObject({ status: 'awarded', deal_id, conversation_id });
    expect((await read(request_id, loser)).body).toMatchObject({ deal_id: null, conversation_id: null, quotes: [] });
    expect(said(await award(request_id, { quote_id }))).toBe('409 request_closed');
    const late = await quote(loser, request_id, 1_000);
    expect([said(late), late.body.status]).toEqual(['409 request_closed', 'awarded']);
    expect(said(await t.call('POST', `/api/demand/${request_id}/close`, { key: buyer.key }))).toBe(
      '409 request_closed',
    );
  });

  test('is paid for by an escrow of its price in the conversation of the award', async () => {
    const one = await seller('milling');
    const { request_id } = (await post('milling')).body;
    await quote(one, request_id, 7_000);
    const { conversation_id, deal_id } = (await award(request_id, { handle: one.handle })).body;
    await fundWallet(t, buyer.id, 20_000);
    const pays = await keyWith(t, buyer.email, ['payments:write', 'deals:read']);
    const pay = async (cents: readonly number[]) => {
      const milestones = cents.map((amount_cents) => ({ title: 'A part', amount_cents }));
      const body = { seller_handle: one.handle, conversation_id, milestones };
      return (await t.call('POST', '/api/wallet/escrow', { key: pays, agent: buyer.handle, body })).body;
    };
    expect((await pay([1_000])).deal_id).not.toBe(deal_id);
    const escrow = await pay([3_000, 4_000]);
    expect(escrow.deal_id).toBe(deal_id);
    const paid = async () => (await t.call('GET', `/api/deals/${deal_id}`, { key: one.key })).body;
    expect(await paid()).toMatchObject({ kind: 'agreement', status: 'funded', escrow_id: escrow.id });
    expect((await pay([7_000])).deal_id).not.toBe(deal_id);
    for (const milestone_index of [0, 1]) {
      const body = { milestone_index };
      await t.call('POST', `/api/wallet/escrow/${escrow.id}/release`, { key: pays, agent: buyer.handle, body });
    }
    expect((await paid()).status).toBe('completed');
  });

  test('is given over the inbox with the scope and the proof that its own route asks for', async () => {
    const [one, two] = [await seller('plumbing'), await seller('plumbing')];
    const { request_id } = (await post('plumbing')).body;
    const answer = async (who: TestAgent, body: object) => {
      const [event] = await wokenBy(who, request_id);
      return t.call('POST', `/api/inbox/${event.id}/respond`, { key: who.key, body });
    };
    const lacking = await answer(one, { action: 'quote' });
    expect([said(lacking), lacking.body.fields[0].path]).toEqual(['400 invalid_request', 'input.price_cents']);
    const narrow = { ...one, key: await keyWith(t, one.email, ['agents:write', 'agents:read']) };
    const barred = await answer(narrow, { action: 'quote', input: { price_cents: 12_000 } });
    expect([said(barred), barred.body.required_scope]).toEqual(['403 insufficient_scope', 'deals:write']);
    expect(said(await answer(one, { action: 'quote', input: { price_cents: 40_001 } }))).toBe('400 over_budget');
    const given = { action: 'quote', note: 'Gladly.', input: { price_cents: 12_000 } };
    expect((await answer(one, given)).body).toMatchObject({
      status: 'answered',
      result: { price_cents: 12_000, message: 'Gladly.' },
    });
    expect(said(await answer(one, given))).toBe('409 already_answered');
    expect((await answer(two, { action: 'pass', reason: 'no_capacity' })).body.answered.action).toBe('pass');
    expect((await read(request_id, buyer)).body.quotes_count).toBe(1);
  });

  test('by its own route answers the event too', async () => {
    const one = await seller('slating');
    const { request_id } = (await post('slating')).body;
    await quote(one, request_id, 12_000);
    const [event] = await wokenBy(one, request_id);
    expect([event.answered.action, event.actions]).toEqual(['quote', []]);
  });

  test('outside the bounds of an agent is for its person to make', async () => {
    const one = await seller('gilding');
    await t.call('PATCH', '/api/agents/bounds', { key: one.key, body: { min_charge_cents: 20_000 } });
    const { request_id } = (await post('gilding')).body;
    const low = await quote(one, request_id, 19_999);
    expect([said(low), low.body.bound]).toEqual(['403 outside_bounds', 'min_charge_cents']);
    expect((await eventsOf(t, one, 'negotiation.escalated')).at(-1)?.data).toMatchObject({ bound: 'min_charge_cents' });
    expect((await quote(one, request_id, 20_000)).status).toBe(201);
    const thrifty = await newAgent(t, { handle: 'thrifty', verified: true });
    await t.call('PATCH', '/api/agents/bounds', { key: thrifty.key, body: { max_pay_cents: 500 } });
    const wanted = (await post('gilding', {}, thrifty)).body.request_id;
    const { quote_id } = (await quote(one, wanted, 30_000)).body;
    const dear = await award(wanted, { quote_id }, thrifty);
    expect([said(dear), dear.body.bound]).toEqual(['403 outside_bounds', 'max_pay_cents']);
    // A person is bound by no bounds of a program.
    const asPerson = { token: thrifty.token, agent: 'thrifty', body: { quote_id } };
    expect((await t.call('POST', `/api/demand/${wanted}/award`, asPerson)).status).toBe(200);
  });
});

describe('time', () => {
  test('closes a request, and an extension gives everybody more of it', async () => {
    const one = await seller('paving');
    const { request_id, closes_at } = (await post('paving', { closes_at: ahead(2 * HOUR_MS) })).body;
    const extend = (to: string): Promise<TestAnswer> =>
      t.call('PATCH', `/api/demand/${request_id}`, { key: buyer.key, body: { closes_at: to } });
    expect(said(await extend(closes_at))).toBe('400 invalid_request');
    const later = ahead(5 * HOUR_MS);
    expect((await extend(later)).body).toMatchObject({ closes_at: later, status: 'open' });
    const [event] = await wokenBy(one, request_id);
    expect([event.respond_by, event.data.closes_at]).toEqual([later, later]);
    await t.advance(3 * HOUR_MS);
    const { quote_id } = (await quote(one, request_id, 1_000)).body;
    await t.advance(2 * HOUR_MS);
    for (const over of [
      await quote(one, request_id, 900),
      await award(request_id, { quote_id }),
      await extend(ahead(DAY_MS)),
    ]) {
      expect([said(over), over.body.status]).toEqual(['409 request_closed', 'closed']);
    }
    expect((await read(request_id, buyer)).body).toMatchObject({ status: 'closed', ended_at: later });
  });

  test('leaves nothing to answer', async () => {
    const one = await seller('fencing');
    const { request_id } = (await post('fencing', { closes_at: ahead(HOUR_MS) })).body;
    const [event] = await wokenBy(one, request_id);
    await t.advance(HOUR_MS + 1);
    const late = await t.call('POST', `/api/inbox/${event.id}/respond`, { key: one.key, body: { action: 'pass' } });
    expect(said(late)).toBe('409 expired');
    expect((await wokenBy(one, request_id))[0].actions).toEqual([]);
  });

  test('stands still for nobody: what a deactivated agent asked for takes no quotes', async () => {
    const [one, asker] = [await seller('roofing'), await newAgent(t, { handle: 'asker', verified: true })];
    const { request_id } = (await post('roofing', {}, asker)).body;
    await t.call('DELETE', `/api/agents/${asker.handle}`, { key: asker.key });
    expect(said(await quote(one, request_id, 1_000))).toBe('409 request_closed');
    await t.call('POST', `/api/agents/${asker.handle}/restore`, { token: asker.token });
    expect((await quote(one, request_id, 1_000)).status).toBe(201);
  });
});

test('an account that leaves takes its requests and quotes along', async () => {
  const [one, two] = [await seller('carving'), await seller('carving')];
  const leaver = await newAgent(t, { handle: 'leaver', verified: true });
  const gone = (await post('carving', {}, leaver)).body.request_id;
  const stays = (await post('carving')).body.request_id;
  for (const each of [gone, stays]) for (const who of [one, two]) await quote(who, each, 2_000);
  const taken = await t.call('GET', '/api/account/export', { token: leaver.token });
  expect(taken.body.sections.requests.map(({ id, woken }: { id: string; woken: number }) => [id, woken])).toEqual([
    [gone, 2],
  ]);
  expect((await t.call('DELETE', '/api/account', { token: leaver.token, body: {} })).status).toBe(200);
  expect((await t.call('DELETE', '/api/account', { token: one.token, body: {} })).status).toBe(200);
  await t.rest();
  expect(said(await read(gone))).toBe('404 not_found');
  const [told] = await wokenBy(two, gone);
  expect([told.data.counterparty_handle === 'leaver', told.actions]).toEqual([false, []]);
  const left = (await read(stays, buyer)).body;
  expect([left.quotes_count, left.quotes.map((each: { handle: string }) => each.handle)]).toEqual([1, [two.handle]]);
});

test('a tool does as its route does', async () => {
  const one = await seller('dyeing');
  const call = (key: string, name: string, given: object) =>
    rpc(t, 'tools/call', { name, arguments: given }, { key, revision: '2025-11-25' });
  const posted = await call(buyer.key, 'mesh_post_demand', asked('dyeing'));
  const { request_id } = posted.body.result.structuredContent;
  const quoted = await call(one.key, 'mesh_quote_demand', { request_id, price_cents: 1_500 });
  expect(quoted.body.result.structuredContent).toMatchObject({ request_id, price_cents: 1_500 });
  const seen = await call(one.key, 'mesh_browse_demand', { request_id });
  expect(seen.body.result.structuredContent.quotes.length).toBe(1);
  const listed = await call(one.key, 'mesh_browse_demand', { labels: ['dyeing'] });
  expect(JSON.stringify(listed.body.result.structuredContent)).toContain(request_id);
  const won = await call(buyer.key, 'mesh_award_demand', { request_id, handle: one.handle });
  expect(won.body.result.structuredContent.status).toBe('awarded');
});
