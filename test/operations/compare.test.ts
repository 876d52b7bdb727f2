// An agent that has time to decide compares what it is offered: it agrees to the best, once, and competition lowers the price.
import { describe, expect, test } from 'bun:test';
import { counterById } from '../../db/queries/turn.ts';
import { COMPARED_MAX } from '../../src/domain/negotiation/compare.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { signIn, type TestAgent } from '../support/agents.ts';
import {
  agentWith,
  BUYS,
  comparedIn as compared,
  dealsOf,
  type Market,
  type MarketWanted,
  openMarket,
  personOf as person,
  proposeIn as propose,
} from '../support/market.ts';
import { feedback, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();

const MINUTE_MS = 60_000;
const market = (wanted: MarketWanted): Promise<Market> => openMarket(t, wanted);
const decide = ({ sellers, talks }: Market, at: number, decision: string): Promise<{ status: number }> =>
  t.call('POST', `/api/conversations/${talks[at]}/approve`, {
    ...person(sellers[at] as TestAgent),
    body: { decision },
  });
/** How many open questions about a proposal there are in its buyer's inbox. */
const askedAbout = async ({ buyer, talks }: Market, at: number): Promise<number> => {
  const { body } = await t.call('GET', '/api/inbox', { key: buyer.key });
  const asks = body.events.filter(
    ({ kind, data, actions }: { kind: string; data: { conversation_id: string }; actions: readonly unknown[] }) =>
      kind === 'negotiation.proposed' && actions.length > 0 && data.conversation_id === talks[at],
  );
  return asks.length;
};
const THREE = [{}, {}, {}];

describe('a seek with time to decide', () => {
  test('keeps acceptable proposals beside each other, best first, and says when it decides', async () => {
    const all = await market({ sellers: THREE });
    await propose(all, 0, 26_000);
    await propose(all, 1, 22_000);
    await propose(all, 2, 24_000);
    expect(await dealsOf(all)).toEqual([]);
    const held = await compared(all);
    expect(held.map(({ amount_cents }: { amount_cents: number }) => amount_cents)).toEqual([22_000, 24_000, 26_000]);
    const [{ decides_at }] = held;
    const [first] = all.sellers;
    const theirs = await t.call('GET', '/api/proposals', { key: first?.key ?? '' });
    expect(theirs.body).toMatchObject([{ amount_cents: 26_000, status: 'open', decides_at }]);
    const { body } = await t.call('GET', `/api/conversations/${all.talks[0]}/messages`, { key: first?.key ?? '' });
    expect(JSON.stringify(body)).toContain(`I compare offers until ${decides_at.slice(0, 16).replace('T', ' ')} UTC`);
  });

  test('agrees to the best when it is time, pays it, and closes the others without a figure', async () => {
    const all = await market({ sellers: THREE });
    await propose(all, 0, 26_000);
    await propose(all, 1, 22_000);
    await t.advance(HOUR_MS);
    expect(await dealsOf(all)).toMatchObject([
      { amount_cents: 22_000, status: 'funded', seller_handle: all.sellers[1]?.handle },
    ]);
    const told = await t.call('GET', '/api/inbox', { key: all.sellers[0]?.key ?? '' });
    const ended = told.body.events.filter(({ kind }: { kind: string }) => kind === 'conversation.completed');
    expect(ended).toMatchObject([{ data: { conversation_id: all.talks[0], reason: 'other_chosen' } }]);
    expect(JSON.stringify(ended)).not.toContain('22000');
    expect(await compared(all)).toEqual([]);
  });

  test('falls back to the next where the best is withdrawn', async () => {
    const all = await market({ sellers: THREE });
    await propose(all, 0, 26_000);
    await propose(all, 1, 22_000);
    expect((await decide(all, 1, 'reject')).status).toBe(200);
    await t.advance(HOUR_MS);
    expect(await dealsOf(all)).toMatchObject([{ amount_cents: 26_000, seller_handle: all.sellers[0]?.handle }]);
  });

  test('takes the next where the best says nothing for a day', async () => {
    const all = await market({ sellers: THREE });
    await propose(all, 0, 26_000);
    await propose(all, 1, 22_000, ({ key }) => ({ key }));
    await t.advance(2 * HOUR_MS);
    const dear = await dealsOf(all);
    await t.advance(25 * HOUR_MS);
    expect([dear, await dealsOf(all)]).toMatchObject([[], [{ amount_cents: 26_000, status: 'funded' }]]);
  });

  test('asks its person about the best alone, where the bounds ask for one', async () => {
    const all = await market({ sellers: THREE, buyer: { max_pay_cents: 45_000 }, hours: 0.25 });
    await propose(all, 0, 26_000);
    await propose(all, 1, 22_000);
    await t.advance(30 * MINUTE_MS);
    expect(await dealsOf(all)).toEqual([]);
    const { body } = await t.call('GET', '/api/inbox', { key: all.buyer.key });
    const asked = body.events.filter(({ kind, data }: { kind: string; data: { conversation_id: string } }) => {
      return kind === 'negotiation.proposed' && data.conversation_id === all.talks[1];
    });
    expect(asked.length).toBeGreaterThan(0);
    const yes = { token: await signIn(t, all.buyer.email), agent: all.buyer.handle, body: {} };
    expect((await t.call('POST', `/api/conversations/${all.talks[1]}/approve`, yes)).status).toBe(200);
    await t.advance(MINUTE_MS);
    expect(await dealsOf(all)).toMatchObject([{ amount_cents: 22_000, status: 'funded' }]);
    expect(await compared(all)).toEqual([]);
  });

  test('shows what it compares to its owner alone', async () => {
    const all = await market({ sellers: THREE });
    await propose(all, 0, 26_000);
    const other = await t.call('GET', `/api/proposals?listing_id=${all.seek}`, { key: all.sellers[0]?.key ?? '' });
    expect(other).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test('takes the first acceptable one where it has no time', async () => {
    const all = await market({ sellers: THREE, hours: 0 });
    await propose(all, 0, 26_000);
    expect(await dealsOf(all)).toMatchObject([{ amount_cents: 26_000 }]);
  });
});

const FLOORS = [20_000, 28_000, 36_000].map((min_charge_cents) => ({
  min_charge_cents,
  auto_approve_below_cents: 99_000,
}));

test('competition lowers the price, whoever was contacted first', async () => {
  const paid: number[] = [];
  for (const order of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ]) {
    const all = await market({ sellers: FLOORS, hours: 0.25, autopilot: true, order, gap_ms: 20_000 });
    for (let minute = 0; minute < 30; minute += 1) await t.advance(MINUTE_MS);
    const [deal, another] = await dealsOf(all);
    expect(another).toBeUndefined();
    expect(deal.status).toBe('funded');
    paid.push(deal.amount_cents);
  }
  // Without comparing it was 37,575 (evidence of the issue); the highest floor of a seller who can win is 28,000.
  expect(paid.reduce((sum, cents) => sum + cents, 0) / paid.length).toBeLessThanOrEqual(30_000);
});

describe('nobody is left waiting', () => {
  test('where the best is blocked', async () => {
    const all = await market({ sellers: THREE });
    await propose(all, 0, 26_000);
    await propose(all, 1, 22_000);
    const body = { handle: all.sellers[1]?.handle };
    expect((await t.call('POST', `/api/agents/${body.handle}/block`, person(all.buyer))).status).toBeLessThan(300);
    await t.advance(HOUR_MS);
    expect(await dealsOf(all)).toMatchObject([{ amount_cents: 26_000, seller_handle: all.sellers[0]?.handle }]);
  });

  test('where the listing is paused: its person is asked about the best', async () => {
    const all = await market({ sellers: THREE });
    await propose(all, 0, 26_000);
    await propose(all, 1, 22_000);
    const off = await t.call('PATCH', `/api/agents/${all.buyer.handle}/cards/${all.seek}`, {
      ...person(all.buyer),
      body: { active: false },
    });
    expect(off.status).toBe(200);
    expect(await askedAbout(all, 1)).toBe(0);
    await t.advance(HOUR_MS + MINUTE_MS);
    expect(await dealsOf(all)).toEqual([]);
    expect(await askedAbout(all, 1)).toBe(1);
    expect(await askedAbout(all, 0)).toBe(0);
  });

  test('where both sides compare', async () => {
    const alone = { auto_approve_below_cents: 99_000 };
    const compares = { decide_within_hours: 0.5 };
    const all = await market({ sellers: [{ min_charge_cents: 20_000, ...alone }], autopilot: true, offers: compares });
    for (let minute = 0; minute < 150; minute += 1) await t.advance(MINUTE_MS);
    expect(await dealsOf(all)).toMatchObject([{ status: 'funded', seller_handle: all.sellers[0]?.handle }]);
  });
});

test('a seller that has its deals leaves no buyer waiting who compares it', async () => {
  const alone = { auto_approve_below_cents: 99_000 };
  const sellers = [20_000, 30_000].map((min_charge_cents) => ({ min_charge_cents, ...alone }));
  const one = { deals_wanted: 1 };
  const all = await market({ sellers, hours: 0.25, autopilot: true, offers: one });
  const second = await agentWith(t, 'buys', BUYS, true);
  await fundWallet(t, second.id, 200_000);
  const conditions = { decide_within_hours: 0.25 };
  await publish(t, second, { ...LOGO_SEEK, budget_cents: 45_000, labels: [all.label], conditions });
  const handles = all.sellers.map(({ handle }) => handle);
  const own = (await matchesOf(t, second)).filter((match: { counterparty_handle: string }) =>
    handles.includes(match.counterparty_handle),
  );
  for (const { match_id } of own) await feedback(t, second, match_id, 'interested');
  for (let minute = 0; minute < 45; minute += 1) await t.advance(MINUTE_MS);
  const deals = [...(await dealsOf(all)), ...(await t.call('GET', '/api/deals', { key: second.key })).body];
  expect(deals.map(({ seller_handle }: { seller_handle: string }) => seller_handle).toSorted()).toEqual(
    handles.toSorted(),
  );
  const [, dear] = all.sellers;
  const { body } = await t.call('GET', '/api/inbox?limit=100', { key: dear?.key ?? '' });
  const reasons = body.events.flatMap(({ kind, data }: { kind: string; data: { reason?: string } }) =>
    kind === 'conversation.completed' ? [data.reason] : [],
  );
  expect(reasons).toEqual(['other_chosen']);
});

test('what is compared waits for its person only from the decision on', async () => {
  const all = await market({ sellers: THREE, buyer: { max_pay_cents: 45_000 } });
  const waiting = async () => (await t.call('GET', '/api/proposals?waiting=true', { key: all.buyer.key })).body;
  await propose(all, 0, 26_000);
  await propose(all, 1, 22_000);
  expect(await waiting()).toEqual([]);
  expect(await askedAbout(all, 1)).toBe(0);
  await t.advance(HOUR_MS);
  for (let minute = 0; minute < 3; minute += 1) await t.advance(MINUTE_MS);
  expect((await waiting()).length).toBe(2);
  expect(await askedAbout(all, 1)).toBe(1);
});

test('the deal of a person keeps its agent from making another in the same moment', async () => {
  const all = await market({ sellers: THREE });
  await propose(all, 0, 26_000);
  await propose(all, 1, 22_000);
  const path = `/api/conversations/${all.talks[0]}/approve`;
  expect((await t.call('POST', path, { ...person(all.buyer), body: {} })).body.deal_id).not.toBeNull();
  // What the turn of its agent, decided before, would count as well, and be decided again for.
  expect(await t.service.world.store.read(counterById, { id: `bought:${all.seek}:0` })).toMatchObject({ n: 1 });
  await t.advance(2 * HOUR_MS);
  expect(await dealsOf(all)).toMatchObject([{ amount_cents: 26_000 }]);
});

// Last: the inboxes of later buyers would fill up with matches with its sellers.
test('what stands is compared however many cheaper ones ended', async () => {
  const all = await market({ sellers: Array.from({ length: COMPARED_MAX + 1 }, () => ({})) });
  for (let at = 0; at < COMPARED_MAX; at += 1) {
    await propose(all, at, 10_000 + at);
    const path = `/api/conversations/${all.talks[at]}/close`;
    expect((await t.call('POST', path, { ...person(all.sellers[at] as TestAgent), body: {} })).status).toBe(200);
  }
  await propose(all, COMPARED_MAX, 22_000);
  expect(await compared(all)).toMatchObject([{ amount_cents: 22_000 }]);
  await t.advance(HOUR_MS);
  expect(await dealsOf(all)).toMatchObject([{ amount_cents: 22_000 }]);
}, 60_000);
