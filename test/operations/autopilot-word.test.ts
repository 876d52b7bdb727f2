// What autopilot has agreed to counts only while it would agree to it again: not once its person has switched it off, taken the listing down,
// or lowered what it may cost, nor where the other side asks less by then.

import { describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { edit, interestedIn, LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const FUNDS_CENTS = 100_000;
const NAMED_CENTS = 20_000;

const t = sharedService();
let made = 0;

interface Both {
  /** On autopilot. */
  readonly buyer: TestAgent;
  readonly seller: TestAgent;
  readonly id: string;
  readonly seek_id: string;
  readonly offer_id: string;
}

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
const pilot = (who: TestAgent, autopilot: boolean): Promise<TestAnswer> =>
  t.call('PATCH', `/api/agents/${who.handle}`, { ...person(who), body: { autopilot } });
const PRICE = { issue: 'price', limit: NAMED_CENTS - 100, wish: 10_000 };
const DAYS = { issue: 'days_to_deliver', limit: 14, wish: 5 };
const aim = (who: TestAgent, listing_id: string, goal: object): Promise<TestAnswer> =>
  t.call('PUT', `/api/agents/${who.handle}/cards/${listing_id}/goals`, { ...person(who), body: { goals: [goal] } });
const threadOf = async ({ buyer, id }: Both) =>
  (await t.call('GET', `/api/conversations/${id}`, { key: buyer.key })).body;
const yes = ({ seller, id }: Both): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/approve`, { ...person(seller), body: {} });
const balance = ({ buyer }: Both): Promise<number> => balanceOf(t, `wallet:${buyer.id}`);

async function matched(seek: object = {}): Promise<Both> {
  made += 1;
  const label = `word-${made}`;
  const buyer = await newAgent(t, { handle: `word_buys_${made}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `word_sells_${made}`, verified: true, pro: true });
  const bounds = { max_pay_cents: 45_000, auto_approve_below_cents: 45_000 };
  await t.call('PATCH', '/api/agents/bounds', { ...person(buyer), body: bounds });
  await pilot(buyer, true);
  await fundWallet(t, buyer.id, FUNDS_CENTS);
  const offer_id = await publish(t, seller, { ...LOGO_OFFER, labels: [label] });
  const seek_id = await publish(t, buyer, { ...LOGO_SEEK, labels: [label], ...seek });
  const id = await interestedIn(t, seller, buyer);
  return { buyer, seller, id, seek_id, offer_id };
}

/** Has the buyer propose what the seller named in words, once it comes to prices. */
async function proposed(both: Both): Promise<void> {
  for (let n = 0; n < 6; n += 1) {
    const body = { content: `I would do it for $200, and ${n} more words.` };
    await t.call('POST', `/api/messages/${both.id}`, { key: both.seller.key, body });
    await t.advance(MINUTE_MS);
    const { proposal } = await threadOf(both);
    if (!proposal) continue;
    expect([proposal.by, proposal.amount_cents, proposal.approved_by]).toEqual([
      both.buyer.handle,
      NAMED_CENTS,
      [both.buyer.handle],
    ]);
    return;
  }
  throw new Error('nothing was proposed');
}

describe('what autopilot agreed to', () => {
  test('is a deal where nothing has changed', async () => {
    const both = await matched();
    await proposed(both);
    expect(typeof (await yes(both)).body.escrow_id).toBe('string');
    expect(await balance(both)).toBe(FUNDS_CENTS - NAMED_CENTS);
  });

  test.each<[string, (both: Both) => Promise<TestAnswer>]>([
    ['its person switched it off', ({ buyer }) => pilot(buyer, false)],
    ['its listing was paused', ({ buyer, seek_id }) => edit(t, buyer, seek_id, { active: false })],
    ['the budget was lowered', ({ buyer, seek_id }) => edit(t, buyer, seek_id, { budget_cents: NAMED_CENTS - 100 })],
    ['the limit of its goals was lowered', ({ buyer, seek_id }) => aim(buyer, seek_id, PRICE)],
    ['it was told to get days of delivery too', ({ buyer, seek_id }) => aim(buyer, seek_id, DAYS)],
    ['the offer costs less', ({ seller, offer_id }) => edit(t, seller, offer_id, { price_cents: NAMED_CENTS - 100 })],
  ])('counts no more where meanwhile %s, and its person is asked', async (_why, change) => {
    const both = await matched();
    await proposed(both);
    expect((await change(both)).status).toBe(200);
    const { body } = await yes(both);
    expect([body.deal_id, body.proposal.status, body.proposal.approved_by]).toEqual([
      null,
      'open',
      [both.seller.handle],
    ]);
    expect(await balance(both)).toBe(FUNDS_CENTS);
    await t.advance(5 * MINUTE_MS);
    expect((await threadOf(both)).deal_id).toBeNull();
    const waiting = (await t.call('GET', '/api/proposals?waiting=true', person(both.buyer))).body;
    expect(waiting).toHaveLength(1);
  });
});

test('autopilot buys nothing by itself about a listing that was taken down', async () => {
  const both = await matched();
  await edit(t, both.buyer, both.seek_id, { active: false });
  const body = { amount_cents: NAMED_CENTS, terms: 'A logo' };
  await t.call('POST', `/api/conversations/${both.id}/propose`, { ...person(both.seller), body });
  await t.advance(5 * MINUTE_MS);
  expect([(await threadOf(both)).deal_id, await balance(both)]).toEqual([null, FUNDS_CENTS]);
});

test('after a deal that was called off its person is asked, or agreeing and cancelling would tell how far it goes', async () => {
  const both = await matched();
  await proposed(both);
  // So that the deal waits to be paid, and can be cancelled.
  const policies = [{ operation: 'escrow.create', outcome: 'ask' }];
  await t.call('PATCH', '/api/agents/bounds', { ...person(both.buyer), body: { policies } });
  const { deal_id } = (await yes(both)).body;
  expect((await t.call('POST', `/api/deals/${deal_id}/cancel`, person(both.seller))).status).toBe(200);
  const body = { amount_cents: NAMED_CENTS - 1_000, terms: 'A logo' };
  await t.call('POST', `/api/conversations/${both.id}/propose`, { ...person(both.seller), body });
  await t.advance(5 * MINUTE_MS);
  expect((await threadOf(both)).proposal).toMatchObject({ status: 'open', amount_cents: NAMED_CENTS - 1_000 });
  const waiting = (await t.call('GET', '/api/proposals?waiting=true', person(both.buyer))).body;
  expect(waiting).toHaveLength(1);
});

test('autopilot agrees to no terms that a dealbreaker excludes, though they are put as what is not wanted', async () => {
  const both = await matched({ conditions: { dealbreakers: ['crypto payment'] } });
  const terms = 'What would not work for me: anything but crypto payment.';
  const body = { amount_cents: NAMED_CENTS, terms };
  await t.call('POST', `/api/conversations/${both.id}/propose`, { ...person(both.seller), body });
  await t.advance(5 * MINUTE_MS);
  expect([(await threadOf(both)).deal_id, await balance(both)]).toEqual([null, FUNDS_CENTS]);
});
