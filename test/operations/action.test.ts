// Actions: what a program asks for outside its bounds is kept, done once by its person's yes with all other rules in force, and never at
// another price, for somebody else or after its time.

import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { edit, eventsOf, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { openTestService, START_MS, type TestAnswer } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let names = 0;

interface Payer extends TestAgent {
  readonly pays: string;
}

/** An agent that may pay two dollars by itself and charges two at least, with a program that would do all. */
async function payerOf(cents = 5_000): Promise<Payer> {
  const agent = await newAgent(t, { handle: `asks_${++names}`, verified: true, pro: true });
  if (cents > 0) await fundWallet(t, agent.id, cents);
  const body = { max_pay_cents: 200, min_charge_cents: 200 };
  await t.call('PATCH', '/api/agents/bounds', { token: agent.token, agent: agent.handle, body });
  const pays = await keyWith(t, agent.email, ['payments:write', 'agents:read', 'agents:write', 'deals:write']);
  return { ...agent, pays };
}
const payeeOf = (): Promise<TestAgent> => newAgent(t, { handle: `paid_${++names}`, verified: true, pro: true });

const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const person = ({ token, handle: agent }: TestAgent) => ({ token, agent });
const ask = ({ pays: key }: Payer, path: string, body: object): Promise<TestAnswer> =>
  t.call('POST', path, { key, body });
const send = (who: Payer, { handle: to_handle }: TestAgent, amount_cents = 900): Promise<TestAnswer> =>
  ask(who, '/api/wallet/send', { to_handle, amount_cents, note: 'For the ropes' });
const decide = (who: TestAgent, id: string, decision = 'approve'): Promise<TestAnswer> =>
  t.call('POST', `/api/actions/${id}/decide`, { ...person(who), body: { decision } });
const list = async (who: TestAgent, waiting = true) =>
  (await t.call('GET', `/api/actions?waiting=${waiting}`, person(who))).body;
const ledger = async (): Promise<unknown> =>
  (await t.call('GET', '/api/admin/ledger/check', { headers: { 'x-internal-token': t.internal_token } })).body.ok;

describe('what a program asks for outside its bounds', () => {
  test('waits for its person with all that it is, and is done by a yes', async () => {
    const [ada, bob] = [await payerOf(), await payeeOf()];
    const refused = await send(ada, bob);
    expect(said(refused)).toBe('403 outside_bounds');
    const { action_id: id } = refused.body;
    expect(refused.body.how).toContain('GET /api/actions shows the result');
    const [action] = await list(ada);
    expect(action).toMatchObject({
      id,
      operation: 'wallet.send',
      input: { to_handle: bob.handle, amount_cents: 900, note: 'For the ropes' },
      to_handle: bob.handle,
      ...{ fee_cents: null, net_cents: null },
      ...{ bound: 'max_pay_cents', bound_cents: 200, status: 'pending', result: null },
      expires_at: new Date(t.clock.now() + 72 * HOUR_MS).toISOString(),
    });
    const [event] = await eventsOf(t, ada, 'negotiation.escalated');
    expect(event.data).toMatchObject({ action_id: id, operation: 'wallet.send' });
    const done = await decide(ada, id);
    expect([done.status, done.body.action.status, done.body.result.amount_cents]).toEqual([200, 'approved', 900]);
    expect(await balanceOf(t, `wallet:${bob.id}`)).toBe(900);
    expect(await list(ada)).toEqual([]);
    const [kept] = await list(ada, false);
    expect(kept.result).toEqual(done.body.result);
    const [answered] = await eventsOf(t, ada, 'negotiation.escalated');
    expect([answered.answered.action, answered.actions]).toEqual(['approve', []]);
    expect(said(await decide(ada, id))).toBe('409 already_answered');
    expect(await ledger()).toBe(true);
  });

  test('is done once, of two that say yes at once', async () => {
    const [ada, bob] = [await payerOf(), await payeeOf()];
    const { action_id: id } = (await send(ada, bob)).body;
    const [event] = await eventsOf(t, ada, 'negotiation.escalated');
    const respond = () =>
      t.call('POST', `/api/inbox/${event.id}/respond`, { ...person(ada), body: { action: 'approve' } });
    const both = await Promise.all([decide(ada, id), decide(ada, id), respond()]);
    expect(both.map(said).sort()).toEqual(['200', '409 already_answered', '409 already_answered']);
    expect(await balanceOf(t, `wallet:${bob.id}`)).toBe(900);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(4_100);
    expect(await ledger()).toBe(true);
  });

  test('is the word of the person alone, and of no other', async () => {
    const [ada, bob, eve] = [await payerOf(), await payeeOf(), await payeeOf()];
    const { action_id: id } = (await send(ada, bob)).body;
    const [event] = await eventsOf(t, ada, 'negotiation.escalated');
    const body = { decision: 'approve' };
    expect(said(await t.call('POST', `/api/actions/${id}/decide`, { key: ada.pays, body }))).toBe(
      '403 session_required',
    );
    const answer = { key: ada.pays, body: { action: 'approve' } };
    expect(said(await t.call('POST', `/api/inbox/${event.id}/respond`, answer))).toBe('403 session_required');
    expect(said(await decide(eve, id))).toBe('404 not_found');
    expect(await list(eve, false)).toEqual([]);
    const by_inbox = await t.call('POST', `/api/inbox/${event.id}/respond`, {
      ...person(ada),
      body: { action: 'approve' },
    });
    expect([by_inbox.status, by_inbox.body.result.action.status]).toEqual([200, 'approved']);
    expect(await balanceOf(t, `wallet:${bob.id}`)).toBe(900);
  });

  test('is refused by all other rules, and waits on until they are mended', async () => {
    const [ada, bob] = [await payerOf(100), await payeeOf()];
    const { action_id: id } = (await send(ada, bob)).body;
    expect(said(await decide(ada, id))).toBe('402 payment_required');
    await fundWallet(t, ada.id, 5_000);
    const limit = (per_transaction_cents: number | null): Promise<TestAnswer> =>
      t.call('PATCH', '/api/wallet/', { ...person(ada), body: { spending_limit: { per_transaction_cents } } });
    await limit(500);
    expect(said(await decide(ada, id))).toBe('403 spending_limit');
    await limit(null);
    await t.call('POST', `/api/agents/${bob.handle}/block`, person(ada));
    expect(said(await decide(ada, id))).toBe('403 blocked');
    expect(await list(ada)).toHaveLength(1);
    await t.call('DELETE', `/api/agents/${bob.handle}/block`, person(ada));
    expect(said(await decide(ada, id))).toBe('200');
    expect(await ledger()).toBe(true);
  });

  test('is nothing after a no, or after three days', async () => {
    const [ada, bob] = [await payerOf(), await payeeOf()];
    const [first, second] = [(await send(ada, bob, 900)).body.action_id, (await send(ada, bob, 901)).body.action_id];
    const no = await decide(ada, first, 'reject');
    expect([no.status, no.body.action.status, no.body.result]).toEqual([200, 'rejected', null]);
    expect(said(await decide(ada, first))).toBe('409 already_answered');
    await t.advance(72 * HOUR_MS + 1);
    const back = { ...ada, token: await signIn(t, ada.email) };
    expect(said(await decide(back, second))).toBe('409 expired');
    expect((await list(back, false)).map(({ status }: { status: string }) => status)).toEqual(['expired', 'rejected']);
    expect(await balanceOf(t, `wallet:${bob.id}`)).toBe(0);
  });
});

describe('what is asked for again', () => {
  test('is the same action while it waits, also where two ask at once, and another after a yes', async () => {
    const [ada, bob] = [await payerOf(), await payeeOf()];
    const both = await Promise.all([send(ada, bob), send(ada, bob)]);
    const ids = new Set([...both, await send(ada, bob)].map(({ body }) => body.action_id));
    const [first = ''] = ids;
    expect([ids.size, await list(ada)]).toEqual([1, [expect.objectContaining({ id: first })]]);
    expect(said(await decide(ada, first))).toBe('200');
    const again = (await send(ada, bob)).body.action_id;
    expect([again === first, typeof again]).toEqual([false, 'string']);
    expect(said(await decide(ada, again))).toBe('200');
    expect(await balanceOf(t, `wallet:${bob.id}`)).toBe(1_800);
    expect(await eventsOf(t, ada, 'negotiation.escalated')).toHaveLength(2);
  });

  test('is asked also where the clock of a node is behind, and whatever is asked after it', async () => {
    let behind_ms = 0;
    const clock = virtualClock(START_MS);
    const late = await openTestService({}, undefined, {
      clock,
      id: () => Bun.randomUUIDv7('hex', clock.now() - behind_ms),
    });
    const [ada, bob] = [
      await newAgent(late, { handle: 'asks_late', verified: true, pro: true }),
      await newAgent(late, { handle: 'paid_late', verified: true, pro: true }),
    ];
    await late.call('PATCH', '/api/agents/bounds', { ...person(ada), body: { max_pay_cents: 200 } });
    const key = await keyWith(late, ada.email, ['payments:write', 'agents:read']);
    const asked: unknown[] = [];
    for (const late_ms of [0, 5, 0, 0]) {
      behind_ms = late_ms;
      const body = { to_handle: bob.handle, amount_cents: 900 + asked.length };
      asked.push((await late.call('POST', '/api/wallet/send', { key, body })).body.action_id);
    }
    expect(new Set(asked.filter((id) => typeof id === 'string')).size).toBe(4);
    await late.close();
  });

  test('is refused for a day after a no, which is said, and nobody is asked again until then', async () => {
    const [ada, bob] = [await payerOf(), await payeeOf()];
    const { action_id: id } = (await send(ada, bob)).body;
    await decide(ada, id, 'reject');
    const until = t.clock.now() + 24 * HOUR_MS;
    const no = await send(ada, bob);
    expect(said(no)).toBe('403 outside_bounds');
    const answer = { action_id: id, action_status: 'rejected', ask_again_at: new Date(until).toISOString() };
    expect(no.body).toMatchObject({ ...answer, bound: 'max_pay_cents' });
    expect(no.body.message).toContain('refused this');
    expect([await list(ada), (await eventsOf(t, ada, 'negotiation.escalated')).length]).toEqual([[], 1]);
    // Anything else is asked.
    expect((await send(ada, bob, 901)).body.action_id).not.toBe(id);
    await t.advance(24 * HOUR_MS);
    const later = (await send(ada, bob)).body;
    expect([later.action_status, later.action_id === id, typeof later.action_id]).toEqual([undefined, false, 'string']);
  });

  test('is kept as long as fewer than twenty-five wait, whatever was decided on the day; then it is said what to do', async () => {
    const [ada, bob] = [await payerOf(100_000), await payeeOf()];
    for (let cents = 301; cents <= 312; cents += 1) {
      expect(said(await decide(ada, (await send(ada, bob, cents)).body.action_id))).toBe('200');
    }
    let last = '';
    for (let cents = 401; cents <= 425; cents += 1) last = (await send(ada, bob, cents)).body.action_id;
    expect(await list(ada)).toHaveLength(25);
    const full = await send(ada, bob, 426);
    expect(said(full)).toBe('403 outside_bounds');
    expect([full.body.action_id, full.body.waiting]).toEqual([undefined, 25]);
    expect(full.body.how).toContain('GET /api/actions');
    expect((await send(ada, bob, 425)).body.action_id).toBe(last);
    await decide(ada, last, 'reject');
    expect(typeof (await send(ada, bob, 426)).body.action_id).toBe('string');
  });

  test('is asked five hundred times on a day, however soon a policy says that no answer comes', async () => {
    const [ada, bob] = [await payerOf(), await payeeOf()];
    const soon = { operation: 'wallet.send', outcome: 'ask', ask_minutes: 1, on_timeout: 'refuse' };
    await t.call('PATCH', '/api/agents/bounds', { ...person(ada), body: { max_pay_cents: 9_000, policies: [soon] } });
    // Behind the ends of days, so that all of it is one.
    await t.advance(DAY_MS - (t.clock.now() % DAY_MS));
    let asked = 0;
    for (let n = 0; n < 504; n += 1) {
      if (n % 25 === 0) await t.advance(61_000);
      const { body } = await send(ada, bob, 1_000 + n);
      expect(body.error).toBe('outside_bounds');
      asked += typeof body.action_id === 'string' ? 1 : 0;
    }
    expect(asked).toBe(500);
    await t.advance(DAY_MS);
    expect(typeof (await send(ada, bob, 2_000)).body.action_id).toBe('string');
  });
});

describe('a yes', () => {
  test('buys at the price that was asked for, and at no higher one', async () => {
    const [ada, bob] = [await payerOf(), await payeeOf()];
    const offer = { card_type: 'selling', headline: 'Ropes by hand', labels: ['hemp-ropes'], price_cents: 900 };
    const listing = await publish(t, bob, offer);
    const path = `/api/services/${bob.handle}/${listing}/checkout`;
    const refused = await ask(ada, path, { tier_id: 'listed' });
    expect(said(refused)).toBe('403 outside_bounds');
    const { action_id: id } = refused.body;
    await edit(t, bob, listing, { price_cents: 950 });
    const dearer = await decide(ada, id);
    expect([said(dearer), dearer.body.bound]).toEqual(['403 outside_bounds', 'approved']);
    await edit(t, bob, listing, { price_cents: 900 });
    const done = await decide(ada, id);
    expect([said(done), done.body.result.charged_cents]).toEqual(['200', 900]);
  });

  test('opens escrows, quotes and awards', async () => {
    const [ada, bob] = [await payerOf(), await payerOf()];
    const milestones = [{ title: 'All of it', amount_cents: 800 }];
    const escrow = await ask(ada, '/api/wallet/escrow', { seller_handle: bob.handle, milestones });
    const opened = await decide(ada, escrow.body.action_id);
    expect([said(opened), opened.body.result.total_amount]).toEqual(['200', 8]);
    const closes_at = new Date(t.clock.now() + 48 * HOUR_MS).toISOString();
    const wanted = { headline: 'A rope', labels: ['ropes-wanted'], budget_cents: 900, closes_at };
    const { request_id } = (await ask(ada, '/api/demand', wanted)).body;
    const low = await ask(bob, `/api/demand/${request_id}/respond`, { price_cents: 150 });
    expect([said(low), low.body.bound]).toEqual(['403 outside_bounds', 'min_charge_cents']);
    expect(said(await decide(bob, low.body.action_id))).toBe('200');
    const { quote_id } = (await ask(bob, `/api/demand/${request_id}/respond`, { price_cents: 700 })).body;
    const award = await ask(ada, `/api/demand/${request_id}/award`, { quote_id });
    expect(said(award)).toBe('403 outside_bounds');
    const awarded = await decide(ada, award.body.action_id);
    expect([said(awarded), awarded.body.result.price_cents]).toEqual(['200', 700]);
    expect(await ledger()).toBe(true);
  });
});
