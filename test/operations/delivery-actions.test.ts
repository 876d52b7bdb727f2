// What waits for somebody says so: a delivery asks its buyer, the end of a deal asks both sides for a review, a proposal may be
// countered. Each action is performed by the call that the event gives, counts as pending until then, and is over once it was done,
// by whichever way.

import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import type { TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open, said } from '../support/escrow.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let buyer: Buyer;
let seller: TestAgent;

/** Two who have nothing from the tests before. */
async function fresh(): Promise<void> {
  [buyer, seller] = [await newBuyer(t), await newSeller(t)];
}

const deliver = (id: string, milestone_index = 0): Promise<TestAnswer> =>
  t.call('POST', `/api/wallet/escrow/${id}/deliverable`, {
    key: seller.key,
    body: { url: 'https://files.example/1', milestone_index },
  });
const pending = async (who: { key: string }): Promise<number> =>
  (await t.call('GET', '/api/v1/inbox?peek=true', { key: who.key })).body.pending.count;
const latest = async (who: TestAgent | Buyer, kind: string) => (await eventsOf(t, who, kind)).at(-1);
const actionsOf = (event: { actions: { action: string }[] }): string[] => event.actions.map(({ action }) => action);
const answer = (key: string, event: { id: string }, body: object): Promise<TestAnswer> =>
  t.call('POST', `/api/inbox/${event.id}/respond`, { key, body });
const says = (who: TestAgent, event: { id: string }, body: object): Promise<TestAnswer> =>
  t.call('POST', `/api/inbox/${event.id}/respond`, { token: who.token, body });

describe('a delivery', () => {
  test('asks its buyer, counts as pending, and is over with the release, by whichever way', async () => {
    await fresh();
    const { id } = await open(t, buyer, seller, [500, 700]);
    const before = await pending(buyer);
    await deliver(id, 0);
    await deliver(id, 1);
    expect(await pending(buyer)).toBe(before + 2);
    const [first, second] = (await eventsOf(t, buyer, 'escrow.delivered')).slice(-2);
    expect(actionsOf(first)).toEqual(['release', 'dispute']);
    // A key that may not spend does not by an answer.
    expect(said(await answer(buyer.key, first, { action: 'release' }))).toBe('403 insufficient_scope');
    const released = await says(buyer, first, { action: 'release' });
    expect([released.status, released.body.result.milestones[0].status]).toEqual([200, 'released']);
    await t.call('POST', `/api/wallet/escrow/${id}/release`, { key: buyer.pays, body: { milestone_index: 1 } });
    const [, other] = (await eventsOf(t, buyer, 'escrow.delivered')).slice(-2);
    expect([other.id, other.answered.action, other.actions]).toEqual([second.id, 'release', []]);
    expect(said(await says(buyer, second, { action: 'release' }))).toBe('409 already_answered');
  });

  test('is asked about once: a newer one takes its place', async () => {
    await fresh();
    const { id } = await open(t, buyer, seller, [500]);
    const before = await pending(buyer);
    await deliver(id);
    await deliver(id);
    expect(await pending(buyer)).toBe(before + 1);
    const [old, current] = (await eventsOf(t, buyer, 'escrow.delivered')).slice(-2);
    expect([old.actions.length, current.actions.length]).toEqual([0, 2]);
  });

  test('says until when, where it is released by itself, and is over with that', async () => {
    await fresh();
    const { id } = await open(t, buyer, seller, [500], { auto_release_after_days: 2 });
    await deliver(id);
    const told = await latest(buyer, 'escrow.delivered');
    expect(told.respond_by).toBe(new Date(t.clock.now() + 2 * DAY_MS).toISOString());
    await t.advance(2 * DAY_MS);
    expect(await latest(buyer, 'escrow.delivered')).toMatchObject({ actions: [], answered: null });
  });

  test('is disputed with its reason in the note', async () => {
    await fresh();
    const { id } = await open(t, buyer, seller, [500]);
    await deliver(id);
    const told = await latest(buyer, 'escrow.delivered');
    const unsaid = await says(buyer, told, { action: 'dispute' });
    expect([unsaid.status, unsaid.body.fields[0].path]).toEqual([400, 'note']);
    const disputed = await says(buyer, told, { action: 'dispute', note: 'Half of it is missing.' });
    expect(disputed.body.result).toMatchObject({ status: 'open', reason: 'Half of it is missing.' });
    expect((await latest(buyer, 'escrow.delivered')).answered.action).toBe('dispute');
  });

  test('of a conversation can be sent back for a change', async () => {
    await fresh();
    const body = { handle: seller.handle, content: 'Two drafts, please.' };
    const conversation_id = (await t.call('POST', '/tools/mesh_start_conversation', { key: buyer.key, body })).body
      .conversation_id;
    const { id } = await open(t, buyer, seller, [500], { conversation_id });
    await deliver(id);
    const told = await latest(buyer, 'escrow.delivered');
    expect(actionsOf(told)).toEqual(['release', 'request_change', 'dispute']);
    const asked = await answer(buyer.key, told, { action: 'request_change', note: 'A wider margin, please.' });
    expect([asked.status, asked.body.result.content]).toEqual([200, 'A wider margin, please.']);
    const thread = await t.call('GET', `/api/messages/${conversation_id}`, { key: seller.key });
    expect(JSON.stringify(thread.body)).toContain('A wider margin, please.');
  });
});

test('the end of a deal asks both sides for a review for fourteen days', async () => {
  await fresh();
  const { id, deal_id } = await open(t, buyer, seller, [500]);
  const before = await pending(seller);
  await t.call('POST', `/api/wallet/escrow/${id}/release`, { key: buyer.pays, body: { milestone_index: 0 } });
  expect(await pending(seller)).toBe(before + 1);
  const [asks, answers] = [await latest(seller, 'escrow.released'), await latest(buyer, 'escrow.released')];
  expect([actionsOf(asks), asks.respond_by]).toEqual([['review'], new Date(t.clock.now() + 14 * DAY_MS).toISOString()]);
  const rated = (await answer(buyer.key, answers, { action: 'review', input: { rating: 6 } })).body.fields[0].path;
  expect(rated).toBe('input.rating');
  const reviewed = await answer(buyer.key, answers, { action: 'review', input: { rating: 5 }, note: 'On time.' });
  expect(reviewed.status).toBe(200);
  // By its own route as well.
  await t.call('POST', `/api/deals/${deal_id}/review`, { key: seller.key, body: { rating: 4 } });
  expect(await pending(seller)).toBe(before);
  expect((await latest(seller, 'escrow.released')).answered.action).toBe('review');
});

test('a proposal is countered by an answer to its event', async () => {
  const [ada, bob] = [await newSeller(t), await newSeller(t)];
  const bounds = { max_pay_cents: 100, auto_approve_below_cents: 1 };
  await t.call('PATCH', '/api/agents/bounds', { token: ada.token, body: bounds });
  const body = { handle: bob.handle, content: 'A logo?' };
  const conversation_id = (await t.call('POST', '/tools/mesh_start_conversation', { key: ada.key, body })).body
    .conversation_id;
  const proposed = { amount_cents: 90, side: 'seller', terms: 'One draft.' };
  await t.call('POST', `/api/conversations/${conversation_id}/propose`, { key: bob.key, body: proposed });
  const told = await latest(ada, 'negotiation.proposed');
  expect(actionsOf(told)).toEqual(['approve', 'reject', 'counter']);
  expect(said(await answer(ada.key, told, { action: 'counter', input: { amount_cents: 0 } }))).toBe(
    '400 invalid_request',
  );
  const countered = await answer(ada.key, told, {
    action: 'counter',
    input: { amount_cents: 80 },
    note: 'Two drafts.',
  });
  expect([countered.status, countered.body.result.amount_cents]).toEqual([200, 80]);
  const now = (await eventsOf(t, ada, 'negotiation.proposed')).find(({ id }) => id === told.id);
  expect(now.answered.action).toBe('counter');
});
