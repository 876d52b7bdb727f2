// What is put in the very moment in which something else is put, refused or closed: between the looking of a turn and its commit. What both
// sides see stands, what one withholds waits for its person, and nothing waits in a conversation that has ended.
import { expect, test } from 'bun:test';
import { type Effect, insert } from '../../db/effects.ts';
import { proposalById } from '../../db/queries/negotiation.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { comeBetween } from '../support/come-between.ts';
import { feedback } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { pendingMatch, startTalk } from '../support/threads.ts';

const LIMIT_CENTS = 30_000;

/** Has something done behind the look of the next turn about a conversation; what runs in the background writes none. */
function meanwhile(act: () => Promise<TestAnswer>): () => TestAnswer | null {
  const isMeant = (effects: readonly Effect[]) =>
    effects.some((effect) => 'table' in effect && ['proposals', 'conversations'].includes(effect.table));
  return comeBetween(t.service.world.store, isMeant, act);
}

const t = sharedService();
let pairs = 0;

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });

/** A conversation of two, of whom the seller's program may put nothing below the limit. */
async function pair() {
  pairs += 1;
  const buyer = await newAgent(t, { handle: `meets_${pairs}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `holds_${pairs}`, verified: true, pro: true });
  await t.call('PATCH', '/api/agents/bounds', { ...person(seller), body: { min_charge_cents: LIMIT_CENTS } });
  const conversation_id = await startTalk(t, buyer, seller.handle, 'Hello');
  const path = `/api/conversations/${conversation_id}`;
  const put = ({ key }: TestAgent, side: string, amount_cents = LIMIT_CENTS - 1): Promise<TestAnswer> =>
    t.call('POST', `${path}/propose`, { key, body: { amount_cents, side } });
  const seen = async (who: TestAgent): Promise<TestAnswer['body']> =>
    (await t.call('GET', path, { key: who.key })).body;
  const waiting = async (who: TestAgent): Promise<string[]> =>
    (await t.call('GET', '/api/proposals?waiting=true', person(who))).body.map(({ id }: { id: string }) => id);
  return { buyer, seller, path, put, seen, waiting };
}

test('what is put while the other side has something withheld stands all the same', async () => {
  const { buyer, seller, put, seen } = await pair();
  const end = meanwhile(() => put(buyer, 'buyer'));
  expect((await put(seller, 'seller')).body.status).toBe('withheld');
  const stands = end()?.body.id;
  for (const who of [buyer, seller])
    expect([typeof stands, (await seen(who)).proposal?.id]).toEqual(['string', stands]);
});

test('what is withheld while the other side puts something waits for its person all the same', async () => {
  const { buyer, seller, put, seen, waiting } = await pair();
  const end = meanwhile(() => put(seller, 'seller'));
  const { id } = (await put(buyer, 'buyer', LIMIT_CENTS)).body;
  const withheld = end()?.body.id;
  expect([(await seen(buyer)).status, (await seen(seller)).status]).toEqual(['open', 'escalated']);
  expect(await waiting(seller)).toEqual([id, withheld].toSorted().toReversed());
});

test('what is put while the other side’s person refuses what was withheld stands all the same', async () => {
  const { buyer, seller, path, put, seen } = await pair();
  const { id: proposal_id } = (await put(seller, 'seller')).body;
  const end = meanwhile(() => put(buyer, 'buyer'));
  const body = { proposal_id, decision: 'reject' };
  expect((await t.call('POST', `${path}/approve`, { ...person(seller), body })).status).toBe(200);
  const stands = end()?.body.id;
  for (const who of [buyer, seller])
    expect([typeof stands, (await seen(who)).proposal?.id]).toEqual(['string', stands]);
});

test('what is put or withheld while the conversation is closed waits for nobody', async () => {
  for (const [who, closes] of [
    ['buyer', 'seller'],
    ['seller', 'buyer'],
  ] as const) {
    const both = await pair();
    const end = meanwhile(() => both.put(both[who], who));
    expect((await t.call('POST', `${both.path}/close`, { key: both[closes].key, body: {} })).status).toBe(200);
    expect(end()).not.toBeNull();
    for (const side of [both.buyer, both.seller]) expect(await both.waiting(side)).toEqual([]);
  }
});

test('what is put while the other side declines the match waits for nobody', async () => {
  const { buyer, seller, waiting } = await pair();
  const match_id = await pendingMatch(t, seller, buyer);
  const opened = (await feedback(t, buyer, match_id, 'interested')).body;
  const path = `/api/conversations/${opened.conversation_id}`;
  const put = () =>
    t.call('POST', `${path}/propose`, { key: buyer.key, body: { amount_cents: LIMIT_CENTS, side: 'buyer' } });
  const end = meanwhile(put);
  expect((await feedback(t, seller, match_id, 'not_a_fit')).body.status).toBe('declined');
  expect(end()?.status).toBe(201);
  expect((await t.call('GET', path, { key: buyer.key })).body.status).toBe('declined');
  for (const side of [buyer, seller]) expect(await waiting(side)).toEqual([]);
});

test('what waits is found behind thousands that were decided since', async () => {
  const { buyer, seller, path, put, waiting } = await pair();
  const { id } = (await put(buyer, 'buyer', LIMIT_CENTS)).body;
  const row = await t.service.world.store.read(proposalById, { id });
  if (!row) throw new Error(`there is no proposal ${id}`);
  const effects = Array.from({ length: 2_000 }, (_, n) => {
    const since = { id: t.service.world.id(), number: n + 2, created_at: row.created_at + 1 };
    return insert('proposals', { ...row, ...since, status: 'rejected' as const });
  });
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
  expect([await waiting(seller), await waiting(buyer)]).toEqual([[id], [id]]);
  expect((await t.call('POST', `${path}/approve`, { ...person(buyer), body: {} })).status).toBe(200);
  expect([await waiting(seller), await waiting(buyer)]).toEqual([[id], []]);
});
