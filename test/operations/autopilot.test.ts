// Autopilot: off until a person who is signed in switches it on; then two strangers' agents come to a deal with nobody typing, a burst
// of messages is answered once, and whoever switches it off has the last word.

import { describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent, verifyPhone } from '../support/agents.ts';
import { feedback, interestedIn, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { startTalk } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let made = 0;

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
const pilot = (who: TestAgent, autopilot: boolean, as: object = person(who)): Promise<TestAnswer> =>
  t.call('PATCH', `/api/agents/${who.handle}`, { ...as, body: { autopilot } });
const threadOf = async (who: TestAgent, id: string) =>
  (await t.call('GET', `/api/conversations/${id}`, { key: who.key })).body;

async function flying(bounds: object, name: string): Promise<TestAgent> {
  made += 1;
  const who = await newAgent(t, { handle: `${name}_${made}`, verified: true, pro: true });
  await t.call('PATCH', '/api/agents/bounds', { ...person(who), body: bounds });
  expect((await pilot(who, true)).body.autopilot).toBe(true);
  return who;
}

describe('autopilot', () => {
  test('is switched on by a person alone, and off by any key', async () => {
    const who = await newAgent(t, { handle: 'careful', verified: true });
    expect((await t.call('GET', '/api/agents/careful', { key: who.key })).body.autopilot).toBe(false);
    const refused = (await pilot(who, true, { key: who.key })).body;
    expect([refused.error, refused.message]).toEqual([
      'session_required',
      expect.stringContaining('POST /api/auth/session/start'),
    ]);
    expect((await pilot(who, true)).status).toBe(200);
    expect((await pilot(who, false, { key: who.key })).body.autopilot).toBe(false);
    const seen = (await t.call('GET', '/api/agents/public/careful')).body;
    expect(seen.autopilot).toBeUndefined();
  });

  test('brings two strangers to a deal that is paid for, with nobody typing', async () => {
    const buyer = await flying({ max_pay_cents: 45_000, auto_approve_below_cents: 45_000 }, 'buys');
    const seller = await flying({ min_charge_cents: 30_000, auto_approve_below_cents: 99_000 }, 'sells');
    await fundWallet(t, buyer.id, 50_000);
    await publish(t, seller, { ...LOGO_OFFER, labels: ['autopilot-logo'] });
    await publish(t, buyer, { ...LOGO_SEEK, labels: ['autopilot-logo'] });
    const conversation_id = await interestedIn(t, buyer, seller);
    await t.advance(30 * MINUTE_MS);
    const [deal] = (await t.call('GET', '/api/deals', { key: buyer.key })).body;
    expect(deal).toMatchObject({ status: 'funded', conversation_id, seller_handle: seller.handle });
    expect(deal.amount_cents).toBeGreaterThanOrEqual(30_000);
    expect(deal.amount_cents).toBeLessThanOrEqual(45_000);
    const { messages, phase } = await threadOf(buyer, conversation_id);
    expect(phase).toBe('closing');
    const said = messages.length;
    await t.advance(60 * MINUTE_MS);
    expect((await threadOf(buyer, conversation_id)).messages).toHaveLength(said);
  });

  test('answers a burst of messages once, and not the service’s own agent', async () => {
    const who = await flying({}, 'answers');
    const asks = await newAgent(t, { handle: `asks_${made}` });
    const begun = await t.call('POST', '/tools/mesh_start_conversation', {
      key: asks.key,
      body: { handle: who.handle, content: 'One' },
    });
    const id = begun.body.conversation_id as string;
    for (const content of ['Two', 'Three'])
      await t.call('POST', `/api/messages/${id}`, { key: asks.key, body: { content } });
    await t.advance(5 * MINUTE_MS);
    expect((await threadOf(asks, id)).messages).toHaveLength(4);
    const hello = { handle: 'concierge', content: 'What is this place?' };
    const asked = await t.call('POST', '/tools/mesh_start_conversation', { key: who.key, body: hello });
    const before = (await threadOf(who, asked.body.conversation_id)).messages.length;
    await t.advance(5 * MINUTE_MS);
    expect((await threadOf(who, asked.body.conversation_id)).messages).toHaveLength(before);
  });

  test('answers after fifteen seconds, and no sooner', async () => {
    const who = await flying({}, 'waits');
    const asks = await newAgent(t, { handle: `asks_${made}` });
    const id = await startTalk(t, asks, who.handle, 'Hello');
    await t.advance(14_999);
    expect((await threadOf(asks, id)).messages).toHaveLength(1);
    await t.advance(1);
    expect((await threadOf(asks, id)).messages).toHaveLength(2);
  });

  test('is silent for an agent that nobody has proven, until somebody does', async () => {
    const who = await newAgent(t, { handle: 'unproven' });
    expect((await pilot(who, true)).body.autopilot).toBe(true);
    const asks = await newAgent(t, { handle: 'asks_unproven' });
    const id = await startTalk(t, asks, who.handle, 'Hello');
    await t.advance(MINUTE_MS);
    expect((await threadOf(asks, id)).messages).toHaveLength(1);
    await verifyPhone(t, who.token, who.handle);
    await t.call('POST', `/api/messages/${id}`, { key: asks.key, body: { content: 'Still there?' } });
    await t.advance(MINUTE_MS);
    expect((await threadOf(asks, id)).messages).toHaveLength(3);
  });

  test('that was switched off meanwhile says nothing, nor does one that is blocked', async () => {
    const who = await flying({}, 'stops');
    const asks = await newAgent(t, { handle: `asks_${made}` });
    const id = await startTalk(t, asks, who.handle, 'Hello');
    await pilot(who, false);
    await t.advance(MINUTE_MS);
    expect((await threadOf(asks, id)).messages).toHaveLength(1);
    await pilot(who, true);
    await t.call('POST', `/api/messages/${id}`, { key: asks.key, body: { content: 'Still there?' } });
    await t.call('POST', `/api/agents/${who.handle}/block`, { key: asks.key });
    await t.advance(MINUTE_MS);
    expect((await threadOf(asks, id)).messages).toHaveLength(2);
  });

  test('goes on where its person has said no to what its program would have proposed', async () => {
    const who = await flying({ min_charge_cents: 30_000 }, 'held_up');
    const asks = await newAgent(t, { handle: `asks_${made}`, verified: true });
    const id = await startTalk(t, asks, who.handle, 'Hello');
    const below = { amount_cents: 10_000, side: 'seller' };
    const put = await t.call('POST', `/api/conversations/${id}/propose`, { key: who.key, body: below });
    expect(put.body.status).toBe('withheld');
    await t.advance(5 * MINUTE_MS);
    expect((await threadOf(asks, id)).messages).toHaveLength(1);
    const no = { proposal_id: put.body.id, decision: 'reject' };
    await t.call('POST', `/api/conversations/${id}/approve`, { ...person(who), body: no });
    await t.advance(MINUTE_MS);
    expect((await threadOf(asks, id)).messages).toHaveLength(2);
  });
});

describe('what autopilot agrees to', () => {
  const ALONE = { max_pay_cents: 60_000, auto_approve_below_cents: 60_000 };
  const dealsOf = async ({ key }: TestAgent): Promise<{ status: string }[]> =>
    (await t.call('GET', '/api/deals', { key })).body;

  test('is nothing that a stranger makes up, about no listing of its own: its person is asked', async () => {
    const who = await flying(ALONE, 'asked');
    await fundWallet(t, who.id, 100_000);
    await publish(t, who, { ...LOGO_OFFER, labels: ['made-up'] });
    const stranger = await newAgent(t, { handle: `invents_${made}`, verified: true });
    const id = await startTalk(t, stranger, who.handle, 'Hello');
    const body = { amount_cents: 20_000, terms: 'What we said', side: 'seller' };
    await t.call('POST', `/api/conversations/${id}/propose`, { ...person(stranger), body });
    await t.advance(5 * MINUTE_MS);
    expect((await threadOf(stranger, id)).proposal.approved_by).toEqual([stranger.handle]);
    expect(await dealsOf(who)).toEqual([]);
    const waiting = (await t.call('GET', '/api/proposals?waiting=true', person(who))).body;
    expect(JSON.stringify(waiting)).toContain(id);
  });

  test('is bought once for what it seeks, however many sell it', async () => {
    const buyer = await flying(ALONE, 'buys_once');
    await fundWallet(t, buyer.id, 300_000);
    const label = `once-${made}`;
    for (let n = 0; n < 3; n += 1) {
      const seller = await flying({ min_charge_cents: 30_000, auto_approve_below_cents: 99_000 }, 'one_of_three');
      await publish(t, seller, { ...LOGO_OFFER, labels: [label] });
    }
    await publish(t, buyer, { ...LOGO_SEEK, labels: [label] });
    const all = (await matchesOf(t, buyer)) as { counterparty_handle: string; match_id: string }[];
    const three = all.filter(({ counterparty_handle }) => counterparty_handle.startsWith('one_of_three'));
    expect(three).toHaveLength(3);
    for (const { match_id } of three) await feedback(t, buyer, match_id, 'interested');
    await t.advance(30 * MINUTE_MS);
    expect((await dealsOf(buyer)).map(({ status }) => status)).toEqual(['funded']);
  });

  test('is bought once, too, of what it put to several by turns that it was told to take', async () => {
    const buyer = await newAgent(t, { handle: `told_${made}`, verified: true, pro: true });
    await t.call('PATCH', '/api/agents/bounds', { ...person(buyer), body: ALONE });
    await fundWallet(t, buyer.id, 300_000);
    const label = `told-${made}`;
    const sellers: TestAgent[] = [];
    for (let n = 0; n < 2; n += 1) {
      const seller = await newAgent(t, { handle: `tells_${made}_${n}`, verified: true, pro: true });
      await publish(t, seller, { ...LOGO_OFFER, labels: [label] });
      sellers.push(seller);
    }
    await publish(t, buyer, { ...LOGO_SEEK, labels: [label] });
    const talks: string[] = [];
    for (const seller of sellers) {
      const id = await interestedIn(t, buyer, seller);
      for (let action = ''; action !== 'propose'; ) {
        action = (await t.call('POST', `/api/conversations/${id}/advance`, { key: buyer.key })).body.action;
        const body = { content: 'I do it for $200.00.' };
        if (action === 'say') await t.call('POST', `/api/messages/${id}`, { key: seller.key, body });
      }
      talks.push(id);
    }
    for (const [n, seller] of sellers.entries())
      await t.call('POST', `/api/conversations/${talks[n]}/approve`, person(seller));
    expect(await dealsOf(buyer)).toHaveLength(1);
    const [waits] = (await t.call('GET', '/api/proposals?waiting=true', person(buyer))).body;
    expect(waits.conversation_id).toBe(talks[1]);
  });
});

test('a rehearsal shows each listing’s talk with a copy, and keeps nothing', async () => {
  const who = await newAgent(t, { handle: 'rehearses', verified: true, pro: true });
  await publish(t, who, { ...LOGO_OFFER, labels: ['rehearsal'] });
  const look = async () => (await t.call('GET', `/api/agents/${who.handle}/rehearsal`, { key: who.key })).body;
  const [first] = (await look()).rehearsals;
  expect(first).toMatchObject({ side: 'seller', ended: 'agreed' });
  expect(first.said.map(({ by }: { by: string }) => by).slice(0, 2)).toEqual(['copy', 'you']);
  await t.call('PATCH', '/api/agents/bounds', { ...person(who), body: { min_charge_cents: 40_000 } });
  const [bounded] = (await look()).rehearsals;
  expect(bounded.amount_cents).toBeGreaterThanOrEqual(40_000);
  // Nobody pays more than the listing asks, and a person sees so before it happens.
  await t.call('PATCH', '/api/agents/bounds', { ...person(who), body: { min_charge_cents: 70_000 } });
  expect((await look()).rehearsals[0]).toMatchObject({ ended: 'apart', amount_cents: null });
  expect((await t.call('GET', '/api/conversations', { key: who.key })).body).toEqual([]);
});
