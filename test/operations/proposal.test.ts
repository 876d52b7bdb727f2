// Proposals: one stands at a time, amounts outside a side's bounds go to its person and to nobody else, and what both sides have
// approved is a deal, paid for at once where the buyer's person lets its wallet pay.

import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { openThread, startTalk } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let pairs = 0;

interface Pair {
  readonly buyer: TestAgent;
  readonly seller: TestAgent;
  readonly id: string;
}

/** Two agents in a conversation that a match of theirs opened. */
async function pair(bounds: { buyer?: object; seller?: object } = {}, funds = 0): Promise<Pair> {
  pairs += 1;
  const buyer = await newAgent(t, { handle: `buys_${pairs}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `sells_${pairs}`, verified: true, pro: true });
  for (const [who, set] of [
    [buyer, bounds.buyer],
    [seller, bounds.seller],
  ] as const) {
    if (set) await t.call('PATCH', '/api/agents/bounds', { token: who.token, agent: who.handle, body: set });
  }
  if (funds > 0) await fundWallet(t, buyer.id, funds);
  const conversation_id = await startTalk(t, buyer, seller.handle, 'Hello');
  return { buyer, seller, id: conversation_id };
}

const by = ({ key }: TestAgent) => ({ key });
const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });

function propose(who: TestAgent, id: string, amount_cents: number, more: object = {}, as = by(who)) {
  return t.call('POST', `/api/conversations/${id}/propose`, {
    ...as,
    body: { amount_cents, terms: 'A logo', ...more },
  });
}
const sells = { side: 'seller' };
const buys = { side: 'buyer' };

function answer(who: object, id: string, body: object = {}) {
  return t.call('POST', `/api/conversations/${id}/approve`, { ...who, body });
}

async function events(who: TestAgent, kind: string): Promise<Record<string, unknown>[]> {
  const { body } = await t.call('GET', '/api/inbox?limit=100', by(who));
  const all = (Array.isArray(body) ? body : body.events) as { kind: string }[];
  return all.filter((event) => event.kind === kind) as unknown as Record<string, unknown>[];
}

async function thread(who: TestAgent, id: string) {
  return (await t.call('GET', `/api/conversations/${id}`, by(who))).body;
}

describe('a proposal', () => {
  test('stands for three days in its conversation, and is a message of its own kind', async () => {
    const { buyer, seller, id } = await pair();
    const put = await propose(seller, id, 45_000, sells);
    expect(put.status).toBe(201);
    expect(put.body).toMatchObject({ version: 1, status: 'open', your_side: 'seller', approved_by: [] });
    expect(Date.parse(put.body.expires_at) - t.clock.now()).toBe(72 * HOUR_MS);
    const seen = await thread(buyer, id);
    expect(seen.proposal).toMatchObject({ id: put.body.id, your_side: 'buyer', amount_cents: 45_000 });
    expect(seen.messages[0]).toMatchObject({ kind: 'proposal', content: 'Proposal: $450.00\nA logo' });
    expect([seen.phase, seen.status]).toEqual(['verification', 'open']);
    expect(await events(buyer, 'negotiation.proposed')).toHaveLength(1);
    expect(await events(seller, 'negotiation.proposed')).toHaveLength(1);
  });

  test('takes the place of the one before it, which says what took its place', async () => {
    const { buyer, seller, id } = await pair();
    const first = (await propose(seller, id, 50_000, sells)).body;
    const second = (await propose(buyer, id, 40_000)).body;
    expect(second.your_side).toBe('buyer');
    const late = await answer(person(buyer), id, { proposal_id: first.id });
    expect([late.status, late.body.error, late.body.proposal.id]).toEqual([409, 'proposal_replaced', second.id]);
    const old = await answer(person(seller), id, { proposal_id: second.id, version: 1 });
    expect([old.status, old.body.error]).toEqual([409, 'proposal_replaced']);
    expect(old.body.message).toContain('not the current version');
    expect((await answer(person(seller), id, { proposal_id: second.id, version: 2 })).status).toBe(200);
  });

  test('ends after 72 hours', async () => {
    const { buyer, seller, id } = await pair();
    await propose(seller, id, 50_000, sells);
    await t.advance(72 * HOUR_MS);
    const late = await answer(by(buyer), id, { decision: 'reject' });
    expect([late.status, late.body.error]).toEqual([409, 'proposal_expired']);
    expect((await thread(buyer, id)).proposal.status).toBe('expired');
    expect((await propose(seller, id, 51_000, sells)).body.version).toBe(2);
  });

  test('is refused with the field that is wrong, and nothing is kept', async () => {
    const { seller, buyer, id } = await pair();
    const milestones = [{ title: 'Draft', amount_cents: 1_000 }];
    expect((await propose(seller, id, 2_000, { ...sells, milestones })).body.fields[0].path).toBe('milestones');
    expect((await propose(seller, id, 2_000)).body.fields[0].path).toBe('side');
    expect((await propose(seller, id, 0, sells)).status).toBe(400);
    const stranger = await newAgent(t, { handle: `stranger_${pairs}`, verified: true });
    expect((await propose(stranger, id, 2_000, sells)).status).toBe(404);
    expect((await answer(by(stranger), id)).status).toBe(404);
    const unproven = await newAgent(t, { handle: `unproven_${pairs}` });
    expect((await propose(unproven, id, 2_000, sells)).body.error).toBe('verification_required');
    expect((await thread(buyer, id)).proposal).toBeNull();
    expect((await answer(person(buyer), id)).body.error).toBe('no_proposal');
  });

  test.each<[string, string, object]>([
    ['is closed', 'close', {}],
    ['a turn ends', 'advance', { instruction: 'stop' }],
  ])('is over with its conversation when that %s, and waits for nobody then', async (_how, call, body) => {
    const { buyer, seller, id } = await pair({ seller: { min_charge_cents: 5_000 } });
    const open = (await propose(seller, id, 9_000, sells)).body;
    const withheld = (await propose(seller, id, 1_000, sells)).body;
    const waiting = async (who: TestAgent) =>
      (await t.call('GET', '/api/proposals?waiting=true', by(who))).body.map((each: { id: string }) => each.id);
    const awaiting = async (who: TestAgent) =>
      (await t.call('GET', '/api/inbox?limit=100', by(who))).body.events.filter(
        ({ kind, actions }: { kind: string; actions: object[] }) =>
          kind.startsWith('negotiation.') && actions.length > 0,
      ).length;
    expect([await waiting(buyer), await waiting(seller)]).toEqual([[open.id], [withheld.id, open.id]]);
    expect([await awaiting(buyer), await awaiting(seller)]).toEqual([1, 2]);
    expect((await t.call('POST', `/api/conversations/${id}/${call}`, { ...by(buyer), body })).status).toBe(200);
    expect([await waiting(buyer), await waiting(seller)]).toEqual([[], []]);
    expect([await awaiting(buyer), await awaiting(seller)]).toEqual([0, 0]);
    const late = await answer(person(buyer), id, { proposal_id: open.id });
    expect([late.status, late.body.error]).toEqual([409, 'proposal_expired']);
  });

  test('of a match knows who sells', async () => {
    const buyer = await newAgent(t, { handle: 'match_buys', verified: true, pro: true });
    const seller = await newAgent(t, { handle: 'match_sells', verified: true, pro: true });
    await publish(t, seller, LOGO_OFFER);
    await publish(t, buyer, LOGO_SEEK);
    const match = (await matchesOf(t, buyer)).find(
      (found: { counterparty_handle: string }) => found.counterparty_handle === seller.handle,
    );
    const { conversation_id: id } = (await feedback(t, buyer, match?.match_id ?? '', 'interested')).body;
    expect((await propose(seller, id, 30_000, buys)).body.fields[0].path).toBe('side');
    const put = (await propose(buyer, id, 30_000)).body;
    expect(put.your_side).toBe('buyer');
    // It is over with the match, too.
    await feedback(t, seller, match?.match_id ?? '', 'not_a_fit');
    const late = await answer(person(seller), id, { proposal_id: put.id });
    expect([late.status, late.body.error]).toEqual([409, 'proposal_expired']);
  });

  test('is listed among all of an agent’s, newest first, whichever side it is on', async () => {
    const { buyer, seller, id } = await pair();
    const put: string[] = [];
    for (const side of [buys, sells, sells, buys, sells]) {
      await t.advance(1);
      put.unshift((await propose(buyer, id, 1_000, side)).body.id);
    }
    for (const who of [buyer, seller]) {
      const found: string[] = [];
      for (let cursor = ''; found.length < put.length; ) {
        const page = await t.call('GET', `/api/proposals?limit=2${cursor}`, by(who));
        for (const { id, buyer_handle, seller_handle } of page.body) {
          found.push(id);
          expect([buyer_handle, seller_handle].toSorted()).toEqual([buyer.handle, seller.handle].toSorted());
        }
        cursor = `&cursor=${page.headers.get('x-next-cursor')}`;
      }
      expect(found).toEqual(put);
    }
  });

  test('of two that are put at once, one stands', async () => {
    const { buyer, seller, id } = await pair();
    const both = await Promise.all([propose(seller, id, 50_000, sells), propose(buyer, id, 40_000, buys)]);
    const seen = await thread(buyer, id);
    const kept = both.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(kept).toContain(seen.proposal.id);
    const { body } = await t.call('GET', '/api/proposals', by(buyer));
    expect(body.filter(({ status }: { status: string }) => status === 'open')).toHaveLength(1);
  });
});

describe('bounds', () => {
  test('of the other side: its person is asked, and the proposer is told nothing of it', async () => {
    const { buyer, seller, id } = await pair({ buyer: { max_pay_cents: 30_000 } });
    const put = (await propose(seller, id, 30_001, sells)).body;
    expect(put.bound).toBe('auto_approve_below_cents');
    const [event] = await events(buyer, 'negotiation.escalated');
    expect(event?.['data']).toMatchObject({ proposal_id: put.id, amount_cents: 30_001, bound: 'max_pay_cents' });
    expect(await events(seller, 'negotiation.escalated')).toHaveLength(0);
    expect((await thread(buyer, id)).status).toBe('escalated');
    expect((await thread(seller, id)).status).toBe('open');
    expect((await answer(by(buyer), id)).body).toMatchObject({ error: 'outside_bounds', bound: 'max_pay_cents' });
    await answer(person(buyer), id);
    expect((await thread(buyer, id)).status).toBe('open');
    expect((await answer(person(seller), id)).body.proposal.status).toBe('approved');
  });

  test('of the proposer: the other side sees nothing until its person lets it go', async () => {
    const { buyer, seller, id } = await pair({ seller: { min_charge_cents: 20_000 } });
    const put = (await propose(seller, id, 19_999, sells)).body;
    expect(put.status).toBe('withheld');
    const hidden = await thread(buyer, id);
    expect([hidden.proposal, hidden.status, hidden.messages.length]).toEqual([null, 'open', 1]);
    expect((await answer(person(buyer), id, { proposal_id: put.id })).status).toBe(404);
    expect((await t.call('GET', '/api/proposals', by(buyer))).body).toEqual([]);
    const [event] = await events(seller, 'negotiation.escalated');
    const respond = `/api/inbox/${event?.['id']}/respond`;
    expect((await t.call('POST', respond, { ...by(seller), body: { action: 'approve' } })).status).toBe(403);
    await t.advance(60_000);
    expect((await t.call('POST', respond, { ...person(seller), body: { action: 'approve' } })).status).toBe(200);
    const let_go = (await thread(buyer, id)).proposal;
    expect(let_go).toMatchObject({ status: 'open', amount_cents: 19_999, terms: 'A logo', version: 1 });
    // It is what `negotiation.escalated` named, by every word on it.
    expect(event?.['data']).toMatchObject({ proposal_id: put.id });
    expect(let_go.id).toBe(put.id);
    expect((await answer(person(seller), id, { proposal_id: put.id })).body.proposal).toEqual(
      (await thread(seller, id)).proposal,
    );
    expect((await answer(person(buyer), id)).body.proposal).toMatchObject({ id: put.id, status: 'approved' });
    const own = (await t.call('GET', '/api/proposals', by(seller))).body;
    expect(own.map(({ id: each, status }: { id: string; status: string }) => [each, status])).toEqual([
      [put.id, 'approved'],
    ]);
  });

  test('a no leaves the thread open, and the other side reads of it', async () => {
    const { buyer, seller, id } = await pair({ buyer: { max_pay_cents: 100 } });
    await propose(seller, id, 50_000, sells);
    const no = await answer(by(buyer), id, { decision: 'reject', reason: 'price' });
    expect(no.body.proposal.status).toBe('rejected');
    const seen = await thread(seller, id);
    expect([seen.proposal, seen.status, seen.messages[0].kind]).toEqual([null, 'open', 'system']);
    expect((await answer(person(buyer), id, { proposal_id: no.body.proposal.id })).body.error).toBe('proposal_decided');
    const [event] = await events(buyer, 'negotiation.escalated');
    expect(event?.['answered']).toMatchObject({ action: 'reject', reason: 'price' });
  });

  test('an escalation that is answered in the inbox asks a key for what its own route asks for', async () => {
    const { buyer, seller, id } = await pair({ buyer: { max_pay_cents: 100 } });
    await propose(seller, id, 50_000, sells);
    const [event] = await events(buyer, 'negotiation.escalated');
    const keyWith = async (scopes: string[]): Promise<string> => {
      const body = { name: 'narrow', scopes, agent_handle: buyer.handle };
      return (await t.call('POST', '/api/developer/keys', { token: buyer.token, body })).body.api_key;
    };
    const respond = (key: string) =>
      t.call('POST', `/api/inbox/${event?.['id']}/respond`, { key, body: { action: 'reject' } });
    const narrow = await respond(await keyWith(['agents:write']));
    expect(narrow.body).toMatchObject({ error: 'insufficient_scope', required_scope: 'conversations:write' });
    expect((await thread(buyer, id)).proposal).not.toBeNull();
    expect((await respond(await keyWith(['agents:write', 'conversations:write']))).status).toBe(200);
    expect((await thread(buyer, id)).proposal).toBeNull();
  });

  test('a withheld one that is refused was never seen', async () => {
    const { buyer, seller, id } = await pair({ seller: { min_charge_cents: 20_000 } });
    await propose(seller, id, 1_000, sells);
    expect((await answer(person(seller), id, { decision: 'reject' })).body.proposal.status).toBe('rejected');
    expect((await thread(buyer, id)).messages).toHaveLength(1);
    expect((await thread(seller, id)).status).toBe('open');
  });
});

test('whoever puts one after the other outside the bounds writes the other side’s person ten letters and one', async () => {
  const { buyer, seller, id } = await pair({ buyer: { max_pay_cents: 100 } });
  const letters = async (): Promise<number> => {
    await t.rest();
    return t.mails.filter(({ to, text }) => to === buyer.email && text.includes('outside the bounds')).length;
  };
  for (let n = 1; n <= 13; n += 1) {
    await propose(seller, id, 50_000 + n, sells);
    await t.rest();
  }
  expect(await events(buyer, 'negotiation.escalated')).toHaveLength(13);
  expect(await letters()).toBe(10);
  await t.advance(DAY_MS);
  expect(await letters()).toBe(11);
});

test('and no more letters in several conversations than in one', async () => {
  const { buyer, seller } = await pair({ buyer: { max_pay_cents: 100 } });
  const side = ({ id, handle }: TestAgent) => ({ id, handle, account_id: '', key: '' });
  for (let n = 0; n < 3; n += 1) {
    const id = await openThread(t, side(seller), side(buyer));
    for (let m = 1; m <= 6; m += 1) {
      await propose(seller, id, 50_000 + m, sells);
      await t.rest();
    }
  }
  expect(await events(buyer, 'negotiation.escalated')).toHaveLength(18);
  const sent = t.mails.filter(({ to, text }) => to === buyer.email && text.includes('outside the bounds'));
  expect(sent).toHaveLength(10);
});

describe('what both sides approve', () => {
  const alone = { auto_approve_below_cents: 50_000 };

  test('waits for the person of whoever has a policy that asks, of everybody or of the other side', async () => {
    const { buyer, seller, id } = await pair({ buyer: alone, seller: alone }, 60_000);
    const set = (policies: readonly object[]) =>
      t.call('PATCH', '/api/agents/bounds', { ...person(buyer), body: { policies } });
    const asks = { operation: 'proposal.approve', outcome: 'ask' };
    await propose(seller, id, 20_000, sells);
    for (const policies of [[{ ...asks, handle: seller.handle }], [asks]]) {
      expect((await set(policies)).status).toBe(200);
      expect((await answer(by(buyer), id)).body).toMatchObject({ error: 'outside_bounds', bound: 'policy' });
      expect((await thread(buyer, id)).proposal.bound).toBe('policy');
    }
    await set([asks, { ...asks, handle: seller.handle, outcome: 'allow' }]);
    expect((await answer(by(buyer), id)).body).toMatchObject({ proposal: { status: 'approved' } });
  });

  test('is a deal with its escrow, without a person where both people let it pass', async () => {
    const { buyer, seller, id } = await pair({ buyer: alone, seller: alone }, 60_000);
    const milestones = [
      { title: 'Draft', amount_cents: 20_000 },
      { title: 'Final', amount_cents: 30_000 },
    ];
    await propose(seller, id, 50_000, { ...sells, milestones });
    const done = await answer(by(buyer), id);
    expect(done.body).toMatchObject({ unpaid: null, payment_required: null, proposal: { status: 'approved' } });
    expect(done.body.proposal).toMatchObject({ fee_cents: 1_500, net_cents: 48_500 });
    const deal = (await t.call('GET', `/api/deals/${done.body.deal_id}`, by(seller))).body;
    expect(deal).toMatchObject({ status: 'funded', amount_cents: 50_000, fee_cents: 1_500, net_cents: 48_500 });
    expect(deal).toMatchObject({ conversation_id: id, terms: 'A logo', title: 'A logo' });
    const dry = { ...person(buyer), body: { milestone_index: 0, dry_run: true } };
    expect((await t.call('POST', `/api/wallet/escrow/${done.body.escrow_id}/release`, dry)).body).toMatchObject({
      ...{ fee_cents: 600, net_cents: 19_400 },
    });
    const escrow = (await t.call('GET', `/api/wallet/escrow/${done.body.escrow_id}`, by(seller))).body;
    expect(escrow.milestones.map(({ title }: { title: string }) => title)).toEqual(['Draft', 'Final']);
    expect((await thread(seller, id)).deal_id).toBe(done.body.deal_id);
    const again = await answer(by(buyer), id, { proposal_id: done.body.proposal.id });
    expect([again.status, again.body.error]).toEqual([409, 'proposal_decided']);
  });

  test('is paid in as many parts as its terms name', async () => {
    const { buyer, seller, id } = await pair({ buyer: alone, seller: alone }, 60_000);
    const parts = [
      { title: 'Part 1 of 3', amount_cents: 6_666 },
      { title: 'Part 2 of 3', amount_cents: 6_666 },
      { title: 'Part 3 of 3', amount_cents: 6_668 },
    ];
    const put = await propose(seller, id, 20_000, { ...sells, issues: [{ issue: 'milestones', value: 3 }] });
    expect(put.body.milestones).toMatchObject(parts);
    const done = await answer(by(buyer), id);
    const escrow = (await t.call('GET', `/api/wallet/escrow/${done.body.escrow_id}`, by(seller))).body;
    expect(escrow.milestones).toMatchObject(parts);
  });

  test('stays agreed where the wallet is short, and an escrow in the thread pays for it', async () => {
    const { buyer, seller, id } = await pair({ buyer: alone }, 10_000);
    await propose(seller, id, 50_000, sells, person(seller) as never);
    const done = (await answer(person(buyer), id)).body;
    expect(done).toMatchObject({
      escrow_id: null,
      unpaid: 'payment_required',
      payment_required: { price_cents: 50_000, balance_cents: 10_000, shortfall_cents: 40_000 },
    });
    await fundWallet(t, buyer.id, 40_000);
    const body = {
      seller_handle: seller.handle,
      conversation_id: id,
      milestones: [{ title: 'All', amount_cents: 50_000 }],
    };
    const paid = await t.call('POST', '/api/wallet/escrow', { ...person(buyer), body });
    expect([paid.status, paid.body.deal_id]).toEqual([201, done.deal_id]);
  });

  test('is paid for in the seller’s turn too, within the limits of the buyer’s wallet', async () => {
    const { buyer, seller, id } = await pair({}, 60_000);
    await propose(buyer, id, 20_000, buys, person(buyer) as never);
    const done = (await answer(person(seller), id)).body;
    expect(done.escrow_id).not.toBeNull();
    const limit = { spending_limit: { per_transaction_cents: 10_000, per_day_cents: null } };
    await t.call('PATCH', '/api/wallet/', { ...person(buyer), body: limit });
    await propose(buyer, id, 20_000, buys, person(buyer) as never);
    expect((await answer(person(seller), id)).body).toMatchObject({ escrow_id: null, unpaid: 'waits_for_buyer' });
  });

  test('is not paid by a program that gave itself the right to agree', async () => {
    const { buyer, seller, id } = await pair({}, 60_000);
    await t.call('PATCH', '/api/agents/bounds', { ...by(buyer), body: alone });
    await propose(seller, id, 20_000, sells, person(seller) as never);
    const done = (await answer(by(buyer), id)).body;
    expect(done).toMatchObject({ escrow_id: null, unpaid: 'approval_required' });
    expect(done.deal_id).not.toBeNull();
  });

  test('pressed twice at once makes one deal', async () => {
    const { buyer, seller, id } = await pair({}, 60_000);
    const put = (await propose(seller, id, 20_000, sells, person(seller) as never)).body;
    const body = { proposal_id: put.id, version: put.version };
    const pressed = await Promise.all([answer(person(buyer), id, body), answer(person(buyer), id, body)]);
    expect(pressed.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await t.call('GET', '/api/deals', by(buyer))).body).toHaveLength(1);
    const wallet = (await t.call('GET', '/api/wallet/', person(buyer))).body;
    expect([wallet.balance_cents, wallet.held_cents]).toEqual([40_000, 20_000]);
  });
});

test('nobody proposes anything to itself, nor to another agent of its account', async () => {
  const one = await newAgent(t, { handle: 'twin_one', verified: true, pro: true });
  const two = await newAgent(t, { handle: 'twin_two', email: one.email, verified: true });
  const hello = { handle: two.handle, content: 'Hello, me' };
  const as = { ...person(one) };
  const { conversation_id } = (await t.call('POST', '/tools/mesh_start_conversation', { ...as, body: hello })).body;
  for (const who of [as, { ...person(two) }]) {
    const body = { amount_cents: 500, side: 'seller' };
    const put = await t.call('POST', `/api/conversations/${conversation_id}/propose`, { ...who, body });
    expect([put.status, put.body.error]).toEqual([400, 'own_agent']);
  }
  expect((await t.call('GET', '/api/proposals', as)).body).toEqual([]);
});

test('bounds that a person set are narrowed by a key, and widened by the person alone', async () => {
  const { buyer } = await pair({ buyer: { max_pay_cents: 10_000, auto_approve_below_cents: 500 } });
  const set = (as: object, body: object) => t.call('PATCH', '/api/agents/bounds', { ...as, body });
  for (const wider of [{ max_pay_cents: 10_001 }, { max_pay_cents: null }, { auto_approve_below_cents: 501 }]) {
    const said = await set(by(buyer), wider);
    expect([said.status, said.body.error]).toEqual([403, 'session_required']);
  }
  const narrowed = await set(by(buyer), { max_pay_cents: 9_000, auto_approve_below_cents: null });
  expect(narrowed.body.bounds).toMatchObject({
    max_pay_cents: 9_000,
    min_charge_cents: null,
    auto_approve_below_cents: null,
    policies: [],
  });
  expect((await set(by(buyer), { max_pay_cents: 10_000 })).status).toBe(403);
  // What no person has set is the program's to set and to lift.
  for (const min_charge_cents of [700, 100, null])
    expect((await set(by(buyer), { min_charge_cents })).status).toBe(200);
  expect((await set(person(buyer), { max_pay_cents: null })).status).toBe(200);
  expect((await set(by(buyer), { max_pay_cents: 50_000 })).status).toBe(200);
});
