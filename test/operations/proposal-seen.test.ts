// What the other side can find out by proposing, and by looking at all that it may read: nothing of bounds, of what was withheld, whatever
// became of that, nor of who agreed before it has agreed itself.

import { describe, expect, test } from 'bun:test';
import { timeOf } from '../../src/domain/id-time.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { interestedIn, LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { startTalk } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const LIMIT_CENTS = 30_000;

const t = sharedService();
let pairs = 0;

interface Pair {
  readonly buyer: TestAgent;
  readonly seller: TestAgent;
  readonly id: string;
}

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
const bound = (who: TestAgent, body: object): Promise<TestAnswer> =>
  t.call('PATCH', '/api/agents/bounds', { ...person(who), body });

async function pair(): Promise<Pair> {
  pairs += 1;
  const buyer = await newAgent(t, { handle: `looks_${pairs}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `hides_${pairs}`, verified: true, pro: true });
  const conversation_id = await startTalk(t, buyer, seller.handle, 'Hello');
  return { buyer, seller, id: conversation_id };
}

const put = async ({ key }: TestAgent, id: string, amount_cents: number, side: string): Promise<TestAnswer['body']> =>
  (await t.call('POST', `/api/conversations/${id}/propose`, { key, body: { amount_cents, side, terms: 'All' } })).body;
const say = (who: object, id: string, body: object = {}): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/approve`, { ...who, body });

/** All that an agent and its person read, of this pair's names made alike. */
async function allRead({ buyer, seller, id }: Pair): Promise<Record<string, unknown>> {
  const { key, token } = buyer;
  const seen: Record<string, unknown> = {};
  for (const path of [
    `/api/conversations/${id}`,
    `/api/conversations/${id}/meetings`,
    '/api/conversations',
    ...['open', 'escalated', 'declined'].map((status) => `/api/conversations?status=${status}`),
    '/api/proposals',
    '/api/proposals?waiting=true',
    '/api/deals',
    '/api/inbox?limit=100',
    '/api/notifications',
  ]) {
    seen[path] = (await t.call('GET', path, { key })).body;
  }
  const { sections } = (await t.call('GET', '/api/account/export', { token })).body;
  for (const name of ['proposals', 'approvals', 'messages', 'events', 'meetings', 'turns']) seen[name] = sections[name];
  const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
  const known = new Map<string, string>();
  const alike = JSON.stringify(seen)
    .replaceAll(buyer.handle, 'me')
    .replaceAll(seller.handle, 'other')
    .replaceAll(id, 'thread')
    .replace(ids, (found) => known.set(found, known.get(found) ?? `id-${known.size}`).get(found) ?? '');
  return JSON.parse(alike);
}

/** What the buyer reads after some steps, for each of two bounds of the seller's, at the same moments. */
async function inBoth(bounds: readonly object[], steps: (both: Pair) => Promise<unknown>): Promise<unknown[]> {
  const read = [];
  const pairs_of = [];
  for (const set of bounds) {
    const both = await pair();
    await bound(both.seller, set);
    pairs_of.push(both);
  }
  for (const both of pairs_of) await steps(both);
  for (const both of pairs_of) read.push(await allRead(both));
  return read;
}

describe('whoever proposes', () => {
  test('reads the same whether the other side’s bounds let it pass or not', async () => {
    const bounds = [{ min_charge_cents: LIMIT_CENTS }, { min_charge_cents: LIMIT_CENTS + 1 }];
    const [within, outside] = await inBoth(bounds, async ({ buyer, id }) => {
      await put(buyer, id, LIMIT_CENTS, 'buyer');
    });
    expect(outside).toEqual(within);
  });

  test('and agreed by it reads nothing of whether that will count', async () => {
    const bounds = [{ auto_approve_below_cents: LIMIT_CENTS }, { auto_approve_below_cents: LIMIT_CENTS - 1 }];
    const [alone, asked] = await inBoth(bounds, async ({ seller, id }) => {
      await put(seller, id, LIMIT_CENTS, 'seller');
    });
    expect(asked).toEqual(alone);
  });
});

describe('what a side withholds', () => {
  const narrow = { min_charge_cents: LIMIT_CENTS };
  const withheld = async ({ seller, id }: Pair, cents = LIMIT_CENTS - 1): Promise<TestAnswer['body']> => {
    const row = await put(seller, id, cents, 'seller');
    expect(row.status).toBe('withheld');
    return row;
  };

  test.each<[string, (both: Pair) => Promise<unknown>]>([
    ['waits', (both) => withheld(both)],
    [
      'was replaced by another',
      async (both) => {
        await withheld(both);
        await withheld(both, LIMIT_CENTS - 2);
      },
    ],
    [
      'its person refused',
      async (both) => {
        const { id: proposal_id } = await withheld(both);
        await say(person(both.seller), both.id, { proposal_id, decision: 'reject' });
      },
    ],
  ])('is unseen where it %s, and what is put after it is numbered as if it were not there', async (_why, hide) => {
    const one = await pair();
    const two = await pair();
    for (const { seller } of [one, two]) await bound(seller, narrow);
    // The buyer's person is asked about it, and reads so whatever is withheld behind it.
    for (const { buyer } of [one, two]) await bound(buyer, { max_pay_cents: 100 });
    for (const both of [one, two]) await put(both.seller, both.id, LIMIT_CENTS + 2, 'seller');
    await hide(two);
    expect(await allRead(two)).toEqual(await allRead(one));
    for (const both of [one, two]) await put(both.seller, both.id, LIMIT_CENTS + 1, 'seller');
    expect(await allRead(two)).toEqual(await allRead(one));
  });

  test('reads as any other once its person lets it go', async () => {
    const [one, two] = [await pair(), await pair()];
    await bound(two.seller, narrow);
    const hidden = await withheld(two);
    await t.advance(MINUTE_MS);
    const body = { amount_cents: LIMIT_CENTS - 1, side: 'seller', terms: 'All' };
    await t.call('POST', `/api/conversations/${one.id}/propose`, { ...person(one.seller), body });
    expect((await say(person(two.seller), two.id, { proposal_id: hidden.id, version: hidden.version })).status).toBe(
      200,
    );
    expect(await allRead(two)).toEqual(await allRead(one));
    expect((await say(person(two.buyer), two.id)).body.proposal.status).toBe('approved');
  });

  test('keeps the id that its person was asked about, which tells nobody when that was', async () => {
    const both = await pair();
    const { buyer, seller, id } = both;
    await bound(seller, narrow);
    const hidden = await withheld(both);
    await t.advance(5 * MINUTE_MS);
    const between = await put(buyer, id, LIMIT_CENTS, 'buyer');
    await t.advance(5 * MINUTE_MS);
    const done = await say(person(seller), id, { proposal_id: hidden.id });
    const of_proposal = done.body.proposal;
    expect([of_proposal.id, of_proposal.status, Date.parse(of_proposal.created_at)]).toEqual([
      hidden.id,
      'open',
      t.clock.now(),
    ]);
    // The ids of all proposals of a conversation tell when that began.
    for (const each of [hidden.id, between.id]) expect(timeOf(each)).toBe(timeOf(id));
    // In lists it stands where it was let go, page by page.
    for (const who of [buyer, seller]) {
      const first = await t.call('GET', '/api/proposals?limit=1', { key: who.key });
      const cursor = first.headers.get('x-next-cursor');
      const second = await t.call('GET', `/api/proposals?limit=1&cursor=${cursor}`, { key: who.key });
      expect([...first.body, ...second.body].map((each) => each.id)).toEqual([hidden.id, between.id]);
      expect(second.headers.get('x-next-cursor')).toBeNull();
    }
    expect((await say(person(buyer), id, { proposal_id: hidden.id })).body.proposal.status).toBe('approved');
  });

  test('changes no count of the other side, however much it is', async () => {
    const both = await pair();
    const { buyer, seller } = both;
    const other = await newAgent(t, { handle: 'sells_beside', verified: true, pro: true });
    await publish(t, buyer, LOGO_SEEK);
    await publish(t, other, LOGO_OFFER);
    const about_match = await interestedIn(t, other, buyer);
    const decisions = async (): Promise<number> =>
      (await t.call('GET', '/api/notifications/unread', person(buyer))).body.decisions;
    expect(await decisions()).toBe(1);
    const body = { amount_cents: 40_000, side: 'buyer', terms: 'All' };
    await t.call('POST', `/api/conversations/${about_match}/propose`, { ...person(buyer), body });
    expect(await decisions()).toBe(0);
    await bound(seller, narrow);
    for (let n = 1; n <= 21; n++) await withheld(both, LIMIT_CENTS - n);
    expect(await decisions()).toBe(0);
  });

  test('keeps its own count for its side, and is answered by it', async () => {
    const both = await pair();
    await bound(both.seller, narrow);
    await bound(both.buyer, { max_pay_cents: 100 });
    expect((await withheld(both)).version).toBe(1);
    expect((await put(both.buyer, both.id, 200, 'buyer')).version).toBe(1);
    const second = await withheld(both, LIMIT_CENTS - 2);
    expect(second.version).toBe(2);
    expect((await say(person(both.seller), both.id, { version: 1 })).body.error).toBe('proposal_replaced');
    expect((await say(person(both.seller), both.id, { version: 2 })).status).toBe(200);
  });
});

test('a version without an id never lets go what was withheld in place of what both sides read by that number', async () => {
  const { buyer, seller, id } = await pair();
  await bound(seller, { min_charge_cents: LIMIT_CENTS });
  expect((await put(buyer, id, LIMIT_CENTS, 'buyer')).version).toBe(1);
  await say({ key: buyer.key }, id, { decision: 'reject' });
  const hidden = await put(seller, id, LIMIT_CENTS - 1, 'seller');
  expect([hidden.status, hidden.version]).toEqual(['withheld', 1]);
  const stale = await say(person(seller), id, { version: 1 });
  expect([stale.status, stale.body.error, stale.body.proposal.id]).toEqual([409, 'proposal_replaced', hidden.id]);
  expect((await say(person(seller), id, { version: 1, proposal_id: hidden.id })).status).toBe(200);
});

test('who takes its escrows along takes nothing of the other side’s bounds, address or program', async () => {
  const { buyer, seller, id } = await pair();
  const secret = { max_pay_cents: 77_777, min_charge_cents: 11_111, auto_approve_below_cents: 66_666 };
  for (const who of [buyer, seller]) await bound(who, secret);
  await fundWallet(t, buyer.id, 100_000);
  await put(seller, id, 20_000, 'seller');
  expect((await say(person(buyer), id)).body.escrow_id).not.toBeNull();
  for (const [who, own, other] of [
    [buyer, 'buyer_bounds', 'seller_bounds'],
    [seller, 'seller_bounds', 'buyer_bounds'],
  ] as const) {
    const { sections } = (await t.call('GET', '/api/account/export', { token: who.token })).body;
    const [escrow] = sections.escrows;
    expect(escrow.terms.agreed[own]).toMatchObject(secret);
    expect(escrow.terms.agreed[other]).toBeUndefined();
    expect(escrow.terms.agreed.by).toBe(who === buyer ? 'person' : undefined);
    expect(escrow[who === buyer ? 'seller_account_id' : 'buyer_account_id']).toBeNull();
    expect(escrow.terms.buyer_email === undefined).toBe(who === seller);
  }
});
