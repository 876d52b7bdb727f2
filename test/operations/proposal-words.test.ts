// Whose yes counts when a deal is made: a person's stands, a program's as long as its key does, within its budget, and as far as its person's
// bounds let it by then. And which proposal an answer means.

import { describe, expect, test } from 'bun:test';
import { approvalsOf } from '../../db/queries/negotiation.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const FUNDS_CENTS = 100_000;
const ASKED_CENTS = 40_000;

const t = sharedService();
let pairs = 0;

interface Pair {
  readonly buyer: TestAgent;
  readonly seller: TestAgent;
  readonly id: string;
  /** A key of the buyer's that may spend. */
  readonly program: { readonly id: string; readonly key: string };
}

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
const bound = (who: TestAgent, body: object, as: object = person(who)): Promise<TestAnswer> =>
  t.call('PATCH', '/api/agents/bounds', { ...as, body });

/** A buyer whose program may agree to what is asked, and a seller. */
async function pair(budget: object | null = null): Promise<Pair> {
  pairs += 1;
  const buyer = await newAgent(t, { handle: `says_${pairs}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `hears_${pairs}`, verified: true, pro: true });
  await fundWallet(t, buyer.id, FUNDS_CENTS);
  await bound(buyer, { auto_approve_below_cents: ASKED_CENTS });
  const wanted = {
    name: 'spends',
    scopes: ['payments:write', 'conversations:write', 'agents:read'],
    ...(budget && { budget }),
  };
  const { id: key_id, api_key } = (await t.call('POST', '/api/developer/keys', { token: buyer.token, body: wanted }))
    .body;
  const hello = { handle: seller.handle, content: 'Hello' };
  const begun = await t.call('POST', '/tools/mesh_start_conversation', { key: buyer.key, body: hello });
  return { buyer, seller, id: begun.body.conversation_id, program: { id: key_id, key: api_key } };
}

const put = async (key: string, id: string, body: object): Promise<TestAnswer['body']> =>
  (await t.call('POST', `/api/conversations/${id}/propose`, { key, body })).body;
const say = (who: object, id: string, body: object = {}): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/approve`, { ...who, body });
const balance = ({ buyer }: Pair): Promise<number> => balanceOf(t, `wallet:${buyer.id}`);
const buys = { amount_cents: ASKED_CENTS, side: 'buyer' };

describe('a program’s yes', () => {
  test('makes the deal where nothing has changed', async () => {
    const both = await pair();
    expect((await put(both.program.key, both.id, buys)).approved_by).toEqual([both.buyer.handle]);
    const { body } = await say(person(both.seller), both.id);
    expect([body.unpaid, typeof body.escrow_id]).toEqual([null, 'string']);
    expect(await balance(both)).toBe(FUNDS_CENTS - ASKED_CENTS);
  });

  test.each<[string, string, boolean]>([
    ['asks', 'ask', true],
    ['refuses', 'refuse', true],
    ['has come to ask', 'ask', false],
  ])('makes a deal that nobody has paid for where a policy of escrows %s', async (_how, outcome, before) => {
    const both = await pair();
    const policies = [{ operation: 'escrow.create', outcome }];
    if (before) await bound(both.buyer, { policies });
    await put(both.program.key, both.id, buys);
    if (!before) await bound(both.buyer, { policies });
    const { body } = await say(person(both.seller), both.id);
    expect([typeof body.deal_id, body.escrow_id]).toEqual(['string', null]);
    expect(await balance(both)).toBe(FUNDS_CENTS);
    const [event] = await eventsOf(t, both.buyer, 'payment.failed');
    expect(event?.data).toMatchObject({ reason: 'approval_required', deal_id: body.deal_id });
  });

  test('that comes last makes a deal that nobody has paid for where a policy of escrows asks', async () => {
    const { buyer, seller, id, program } = await pair();
    await bound(buyer, { policies: [{ operation: 'escrow.create', outcome: 'ask' }] });
    const sells = { amount_cents: ASKED_CENTS, side: 'seller' };
    await t.call('POST', `/api/conversations/${id}/propose`, { ...person(seller), body: sells });
    const { body } = await say({ key: program.key }, id);
    expect([typeof body.deal_id, body.escrow_id, body.unpaid]).toEqual(['string', null, 'approval_required']);
  });

  test.each<[string, (both: Pair) => Promise<unknown>]>([
    ['its person pays less', ({ buyer }) => bound(buyer, { max_pay_cents: 100 })],
    ['its person lets nothing pass unseen', ({ buyer }) => bound(buyer, { auto_approve_below_cents: null })],
    ['a policy asks', ({ buyer }) => bound(buyer, { policies: [{ operation: 'proposal.approve', outcome: 'ask' }] })],
    [
      'its key was revoked',
      ({ buyer, program }) => t.call('DELETE', `/api/developer/keys/${program.id}`, { token: buyer.token }),
    ],
  ])('counts no more where meanwhile %s, and its person is asked', async (_why, change) => {
    const both = await pair();
    await put(both.program.key, both.id, buys);
    await change(both);
    const { status, body } = await say(person(both.seller), both.id);
    expect([status, body.deal_id, body.proposal.status, body.proposal.approved_by]).toEqual([
      200,
      null,
      'open',
      [both.seller.handle],
    ]);
    expect(await balance(both)).toBe(FUNDS_CENTS);
    const done = await say(person(both.buyer), both.id);
    expect([done.status, typeof done.body.escrow_id]).toEqual([200, 'string']);
    expect(await balance(both)).toBe(FUNDS_CENTS - ASKED_CENTS);
  });

  test('pays within the budget of its key, whichever side speaks last', async () => {
    const small = await pair({ per_call_cents: 100 });
    await put(small.program.key, small.id, buys);
    expect((await say(person(small.seller), small.id)).body).toMatchObject({
      unpaid: 'waits_for_buyer',
      escrow_id: null,
    });
    expect(await balance(small)).toBe(FUNDS_CENTS);
    const large = await pair({ total_cents: 50_000 });
    await put(large.program.key, large.id, buys);
    expect((await say(person(large.seller), large.id)).body.unpaid).toBeNull();
    // What the deal cost is spent of it.
    const body = { to_handle: large.seller.handle, amount_cents: 20_000 };
    const sent = await t.call('POST', '/api/wallet/send', { key: large.program.key, body });
    expect([sent.status, sent.body.error]).toEqual([403, 'spending_limit']);
  });

  test('is not said by what it proposes where a policy asks its person, however little it is', async () => {
    const both = await pair();
    await bound(both.buyer, { policies: [{ operation: 'proposal.approve', outcome: 'ask' }] });
    expect((await put(both.program.key, both.id, { ...buys, amount_cents: 1 })).approved_by).toEqual([]);
  });

  test('cannot be let by a program where its person said that none is', async () => {
    const both = await pair();
    await bound(both.buyer, { auto_approve_below_cents: null });
    const widened = await bound(both.buyer, { auto_approve_below_cents: 80_000 }, { key: both.buyer.key });
    expect(widened.status).toBe(403);
  });
});

describe('an answer', () => {
  test('that names no proposal means the one that both sides see', async () => {
    const both = await pair();
    const { buyer, seller, id } = both;
    await bound(seller, { min_charge_cents: 30_000 });
    const open = await put(seller.key, id, { amount_cents: 45_000, side: 'seller' });
    // Below its own bound: its person is asked, and nothing changes for the other side.
    const hidden = await put(seller.key, id, { amount_cents: 20_000, side: 'seller' });
    expect(hidden.status).toBe('withheld');
    const seen = (await t.call('GET', `/api/conversations/${id}`, { key: buyer.key })).body;
    expect([seen.proposal.id, seen.proposal.status]).toEqual([open.id, 'open']);
    expect((await say(person(buyer), id)).body.proposal).toMatchObject({ id: open.id, approved_by: [buyer.handle] });
    expect((await say(person(seller), id)).body.proposal).toMatchObject({ id: open.id, status: 'approved' });
  });

  test('is not waited for once its proposal has expired: the talk goes on', async () => {
    const both = await pair();
    const { buyer, seller, id } = both;
    await bound(seller, { min_charge_cents: 50_000 });
    const own = await put(seller.key, id, { amount_cents: ASKED_CENTS, side: 'seller' });
    expect(own.status).toBe('withheld');
    const stuck = await t.call('POST', `/api/conversations/${id}/advance`, { key: seller.key });
    expect(stuck.body.error).toBe('not_your_turn');
    await t.advance(80 * HOUR_MS);
    await t.call('POST', `/api/messages/${id}`, { key: buyer.key, body: { content: 'Are you still there?' } });
    const turn = await t.call('POST', `/api/conversations/${id}/advance`, { key: seller.key });
    expect([turn.status, turn.body.action]).toEqual([200, 'say']);
    expect((await t.call('GET', `/api/conversations/${id}`, { key: seller.key })).body.status).toBe('open');
  });

  test('to what lies outside the bounds is that to what is within and not taken: nobody finds the bound by proposing', async () => {
    const heard = [];
    for (const min_charge_cents of [ASKED_CENTS - 2_000, ASKED_CENTS + 2_000]) {
      const { buyer, seller, id, program } = await pair();
      await bound(seller, { min_charge_cents });
      await put(program.key, id, buys);
      const { status, body } = await t.call('POST', `/api/conversations/${id}/advance`, { key: seller.key });
      expect([status, body.action, body.reason]).toEqual([200, 'say', 'first_offer']);
      expect(body.message.content).toMatch(/^For all of this I ask \$\d{3}\.\d\d\. Does that work for you\?$/);
      const seen = (await t.call('GET', `/api/conversations/${id}`, { key: buyer.key })).body;
      const { status: stands, approved_by, escalated, bound: passed } = seen.proposal;
      heard.push({ status: seen.status, phase: seen.phase, stands, approved: approved_by.length, escalated, passed });
      // Its person decides on the one that lies outside all the same.
      const mine = (await t.call('GET', `/api/conversations/${id}`, { key: seller.key })).body;
      expect(mine.status).toBe(min_charge_cents > ASKED_CENTS ? 'escalated' : 'open');
    }
    expect(heard[1]).toEqual(heard[0]);
  });

  test('to somebody who has gone makes no deal', async () => {
    const both = await pair();
    await put(both.seller.key, both.id, { amount_cents: ASKED_CENTS, side: 'seller' });
    expect((await t.call('DELETE', `/api/agents/${both.seller.handle}`, { key: both.seller.key })).status).toBe(200);
    expect((await say(person(both.buyer), both.id)).status).toBe(404);
    expect(await balance(both)).toBe(FUNDS_CENTS);
  });
});

test('each word is recorded with whose it was, by which credential, and the bounds under which it was said', async () => {
  const both = await pair();
  const recorded = async ({ id }: TestAgent) =>
    await t.service.world.store.read(approvalsOf, { agent_id: id, after: '', limit: 10 });
  const { program, buyer, seller, id } = both;
  await put(seller.key, id, { amount_cents: ASKED_CENTS, side: 'seller' });
  const proposal_id = (await say({ key: program.key }, id)).body.proposal.id;
  const asks = { operation: 'proposal.approve', outcome: 'ask' };
  await bound(seller, { min_charge_cents: 100, auto_approve_below_cents: 5, policies: [asks] });
  await say(person(seller), id);
  const said = {
    subject: 'proposal',
    subject_id: proposal_id,
    decision: 'approve',
    amount_cents: ASKED_CENTS,
  } as const;
  const [by_program, ...more] = await recorded(buyer);
  expect(by_program).toMatchObject({ ...said, by: 'program', credential_id: program.id });
  expect(by_program?.bounds).toMatchObject({ auto_approve_below_cents: ASKED_CENTS });
  const [by_person, ...others] = await recorded(seller);
  expect(by_person).toMatchObject({ ...said, by: 'person' });
  expect(by_person?.bounds).toMatchObject({ min_charge_cents: 100, auto_approve_below_cents: 5 });
  expect([more, others]).toEqual([[], []]);
});

describe('a deal that was not paid for at once', () => {
  const COSTS_CENTS = 2 * FUNDS_CENTS;
  async function unpaid(): Promise<Pair & { readonly deal_id: string }> {
    const both = await pair();
    await put(both.seller.key, both.id, { amount_cents: COSTS_CENTS, side: 'seller' });
    await say(person(both.seller), both.id);
    const { body } = await say(person(both.buyer), both.id);
    expect(body.unpaid).toBe('payment_required');
    await fundWallet(t, both.buyer.id, 10 * FUNDS_CENTS);
    return { ...both, deal_id: body.deal_id };
  }
  const pay = ({ buyer, seller, id, deal_id }: Pair & { readonly deal_id: string }): Promise<TestAnswer> =>
    t.call('POST', '/api/wallet/escrow', {
      ...person(buyer),
      body: {
        seller_handle: seller.handle,
        milestones: [{ title: 'All of it', amount_cents: COSTS_CENTS }],
        ...(id !== '' && { conversation_id: id }),
        deal_id,
      },
    });

  test('is paid for by its id alone, and its escrow stands in its conversation', async () => {
    const both = await unpaid();
    const { status, body } = await pay({ ...both, id: '' });
    expect([status, body.conversation_id]).toEqual([201, both.id]);
  });

  test('is paid for in the parts that both agreed to, and in no others', async () => {
    const both = await pair();
    const { buyer, seller, id } = both;
    const parts = [50_000, 150_000].map((amount_cents, n) => ({ title: `Part ${n}`, amount_cents }));
    await put(seller.key, id, { amount_cents: COSTS_CENTS, side: 'seller', milestones: parts });
    await say(person(seller), id);
    const { deal_id } = (await say(person(buyer), id)).body;
    await fundWallet(t, buyer.id, 10 * FUNDS_CENTS);
    for (const who of [buyer, seller])
      expect((await t.call('GET', `/api/deals/${deal_id}`, person(who))).body.milestones).toEqual(
        parts.map((part) => ({ ...part, due_at: null })),
      );
    const open = (milestones: object[], by: object): Promise<TestAnswer> =>
      t.call('POST', '/api/wallet/escrow', {
        ...person(buyer),
        body: { seller_handle: seller.handle, milestones, ...by },
      });
    const whole = [{ title: 'All of it', amount_cents: COSTS_CENTS }];
    for (const milestones of [whole, parts.toReversed()])
      for (const by of [{ deal_id }, { conversation_id: id }]) {
        const { status, body } = await open(milestones, by);
        expect([status, body.fields]).toEqual([
          400,
          [{ path: 'milestones', message: expect.stringContaining('50000, 150000 cents') }],
        ]);
      }
    expect((await open(parts, { deal_id })).status).toBe(201);
  });

  test('is told of to both, and why to the buyer alone, whoever said the last yes', async () => {
    const both = await pair();
    await put(both.seller.key, both.id, { amount_cents: COSTS_CENTS, side: 'seller' });
    await say(person(both.buyer), both.id);
    const { body } = await say(person(both.seller), both.id);
    expect(body).toMatchObject({ unpaid: 'waits_for_buyer', payment_required: null });
    const about = { kind: 'purchase', amount_cents: COSTS_CENTS, deal_id: body.deal_id, reference_id: body.deal_id };
    const [bought, sold] = await Promise.all(
      [both.buyer, both.seller].map((who) => eventsOf(t, who, 'payment.failed')),
    );
    expect(bought?.map(({ data }) => data)).toEqual([
      {
        ...{ ...about, conversation_id: both.id, reason: 'payment_required', your_role: 'payer' },
        counterparty_handle: both.seller.handle,
      },
    ]);
    expect(sold?.map(({ data }) => data)).toEqual([
      { ...about, conversation_id: both.id, your_role: 'payee', counterparty_handle: both.buyer.handle },
    ]);
    const [notice] = (await t.call('GET', '/api/notifications', person(both.buyer))).body.filter(
      ({ kind }: { kind: string }) => kind === 'payment.failed',
    );
    expect(notice.title).toBe(`${both.buyer.handle} has yet to pay $2,000.00, as agreed with ${both.seller.handle}`);
    expect(notice.body).toStartWith('The wallet does not cover it.');
    expect(notice.url).toContain('/deals');
  });

  test('is cancelled by either side, and the other reads of it once, also where the talk is over or blocked', async () => {
    const cancel = ({ deal_id }: { deal_id: string }, who: TestAgent): Promise<TestAnswer> =>
      t.call('POST', `/api/deals/${deal_id}/cancel`, { key: who.key });
    const close = ({ id, buyer }: Pair) => t.call('POST', `/api/conversations/${id}/close`, { key: buyer.key });
    const block = ({ buyer, seller }: Pair) => t.call('POST', `/api/agents/${seller.handle}/block`, person(buyer));
    for (const before of [null, close, block]) {
      const deal = await unpaid();
      await before?.(deal);
      const heard = async (who: TestAgent) =>
        (await eventsOf(t, who, 'conversation.updated')).filter(({ data }) => data.preview.includes('cancelled'));
      const done = await cancel(deal, deal.seller);
      expect([done.status, done.body.status]).toEqual([200, 'cancelled']);
      expect((await cancel(deal, deal.buyer)).body.error).toBe('deal_not_cancelable');
      const [news, ...more] = await heard(deal.buyer);
      expect([news.data.conversation_id, news.data.preview, more, await heard(deal.seller)]).toEqual([
        ...[deal.id, `@${deal.seller.handle} cancelled the deal of $2,000.00.`],
        ...[[], []],
      ]);
      const { messages } = (await t.call('GET', `/api/conversations/${deal.id}`, { key: deal.buyer.key })).body;
      const note = { code: 'deal_cancelled', amount_cents: 200_000 };
      expect(messages[0]).toMatchObject({ message_id: news.data.message_id, role: 'platform', kind: 'system', note });
      expect(news.data.note).toEqual(note);
    }
  });

  test('is cancelled beside somebody who has gone, who hears nothing of it', async () => {
    const deal = await unpaid();
    const told = async (): Promise<number> =>
      (
        await readStoredRows(
          t.service.world.settings.data_dir,
          `select id from events where agent_id = '${deal.buyer.id}'`,
        )
      ).length;
    // An agent may go for as long as nothing is held for it.
    expect((await t.call('DELETE', `/api/agents/${deal.buyer.handle}`, { key: deal.buyer.key })).status).toBe(200);
    const before = await told();
    const { body } = await t.call('POST', `/api/deals/${deal.deal_id}/cancel`, { key: deal.seller.key });
    expect([body.status, (await told()) - before]).toEqual(['cancelled', 0]);
  });

  test('is paid for once, however often that is asked', async () => {
    const deal = await unpaid();
    const before = await balance(deal);
    const said = await Promise.all([pay(deal), pay(deal), pay(deal)]);
    expect(said.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(await balance(deal)).toBe(before - COSTS_CENTS);
    expect((await pay(deal)).body).toMatchObject({ error: 'conflict', status: 'funded' });
  });

  test('is paid for or cancelled, and never both', async () => {
    for (const first of ['pay', 'cancel'] as const) {
      const deal = await unpaid();
      const before = await balance(deal);
      const cancel = (): Promise<TestAnswer> =>
        t.call('POST', `/api/deals/${deal.deal_id}/cancel`, { key: deal.seller.key });
      const [one, other] = first === 'pay' ? [pay(deal), cancel()] : [cancel(), pay(deal)];
      const said = await Promise.all([one, other]);
      expect(said.filter(({ status }) => status < 300)).toHaveLength(1);
      const { status } = (await t.call('GET', `/api/deals/${deal.deal_id}`, person(deal.buyer))).body;
      expect(await balance(deal)).toBe(before - (status === 'funded' ? COSTS_CENTS : 0));
      expect(['funded', 'cancelled']).toContain(status);
    }
  });

  test('is paid for by its own buyer, at its price', async () => {
    const [deal, other] = [await unpaid(), await unpaid()];
    expect((await pay({ ...other, deal_id: deal.deal_id })).status).toBe(404);
    const body = {
      seller_handle: deal.seller.handle,
      milestones: [{ title: 'Half of it', amount_cents: COSTS_CENTS / 2 }],
      deal_id: deal.deal_id,
    };
    const half = await t.call('POST', '/api/wallet/escrow', { ...person(deal.buyer), body });
    expect([half.status, half.body.fields[0].path]).toEqual([400, 'milestones']);
  });
});
