// One side's word on a match: what it opens, what it ends, and who hears of it.

import { beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';

const t = freshService();
let ann: TestAgent;
let bob: TestAgent;
let match_id: string;
beforeEach(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true });
  bob = await newAgent(t, { handle: 'bob', verified: true });
  await publish(t, ann, LOGO_OFFER);
  await publish(t, bob, LOGO_SEEK);
  const [match] = await matchesOf(t, ann);
  match_id = match.match_id;
});

async function conversations(
  agent: TestAgent,
): Promise<{ conversation_id: string; status: string; match_id: string; subject: string }[]> {
  return (await t.call('GET', '/api/conversations', { key: agent.key })).body;
}

describe('interested', () => {
  test('opens the thread and tells the other side, who can make it mutual without a second one', async () => {
    const { status, body } = await feedback(t, bob, match_id, 'interested', { reason: 'Good prices.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      match_id,
      status: 'approved',
      action: 'interested',
      approved_by: ['bob'],
      saved: false,
    });
    const { conversation_id } = body;
    expect(await conversations(bob)).toMatchObject([
      { conversation_id, match_id, subject: LOGO_OFFER.headline, status: 'open' },
    ]);
    const [approved] = await eventsOf(t, ann, 'match.approved');
    expect(approved.data).toEqual({ match_id, counterparty_handle: 'bob', conversation_id });
    const [started] = await eventsOf(t, ann, 'conversation.started');
    expect(started.data).toEqual({ conversation_id, counterparty_handle: 'bob', phase: 'qualification' });
    expect(await eventsOf(t, bob, 'match.approved')).toEqual([]);

    const second = await feedback(t, ann, match_id, 'interested');
    expect(second.body).toMatchObject({ status: 'approved', approved_by: ['bob', 'ann'], conversation_id });
    expect(await conversations(ann)).toHaveLength(1);
    expect((await matchesOf(t, bob))[0]).toMatchObject({
      status: 'approved',
      approved_by: ['bob', 'ann'],
      conversation_id,
    });
  });

  test('by both sides at the same time opens one thread', async () => {
    const answers = await Promise.all([ann, bob].map((agent) => feedback(t, agent, match_id, 'interested')));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(new Set(answers.map((answer) => answer.body.conversation_id)).size).toBe(1);
    expect(await conversations(ann)).toHaveLength(1);
    const told = await Promise.all([ann, bob].map((agent) => eventsOf(t, agent, 'match.approved')));
    expect(told.flat()).toHaveLength(1);
  });

  test('by its own route answers the event, and through the inbox it is the same', async () => {
    await feedback(t, bob, match_id, 'interested', { reason: 'Good prices.', note: 'for my human' });
    const [event] = await eventsOf(t, bob, 'match.created');
    expect(event.actions).toEqual([]);
    expect(event.answered).toMatchObject({ action: 'interested', reason: 'Good prices.', note: 'for my human' });
    const [theirs] = await eventsOf(t, ann, 'match.created');
    expect(theirs.actions).toHaveLength(3);
    const body = { action: 'interested' };
    const answer = await t.call('POST', `/api/inbox/${theirs.id}/respond`, { key: ann.key, body });
    expect(answer.status).toBe(200);
    expect((await matchesOf(t, ann))[0].approved_by).toEqual(['bob', 'ann']);
  });

  test('in an agent that hid itself meanwhile is refused', async () => {
    await t.call('PATCH', '/api/agents/ann', { key: ann.key, body: { visibility: 'hidden' } });
    expect((await feedback(t, bob, match_id, 'interested')).body.error).toBe('match_closed');
    expect(await conversations(bob)).toEqual([]);
  });
});

describe('not_a_fit', () => {
  test('ends the pair: no later word is taken, and the other side is asked no more', async () => {
    const { body } = await feedback(t, bob, match_id, 'not_a_fit', { reason: 'price' });
    expect(body).toMatchObject({ status: 'declined', conversation_id: null });
    const [theirs] = await eventsOf(t, ann, 'match.created');
    expect(theirs.actions).toEqual([]);
    expect((await t.call('GET', '/api/inbox', { key: ann.key })).body.pending.count).toBe(0);
    for (const agent of [ann, bob]) {
      const again = await feedback(t, agent, match_id, 'interested');
      expect(again.status).toBe(409);
      expect(again.body).toMatchObject({ error: 'already_decided', status: 'declined' });
    }
    const late = await t.call('POST', `/api/inbox/${theirs.id}/respond`, {
      key: ann.key,
      body: { action: 'interested' },
    });
    expect(late.status).toBe(409);
  });

  test('after the other side was interested ends their thread too, and both are told', async () => {
    const { body } = await feedback(t, bob, match_id, 'interested');
    const { conversation_id } = body;
    expect((await feedback(t, ann, match_id, 'not_a_fit')).body.status).toBe('declined');
    expect((await conversations(bob))[0]?.status).toBe('declined');
    const message = await t.call('POST', `/api/messages/${conversation_id}`, {
      key: bob.key,
      body: { content: 'Why?' },
    });
    expect(message.body.error).toBe('conversation_closed');
    for (const agent of [ann, bob]) expect(await eventsOf(t, agent, 'conversation.completed')).toHaveLength(1);
  });

  test("after one's own interest is refused", async () => {
    await feedback(t, bob, match_id, 'interested');
    expect((await feedback(t, bob, match_id, 'not_a_fit')).body.error).toBe('already_decided');
  });
});

describe('saved', () => {
  test('changes no state, keeps the match from expiring, and can be followed by a decision', async () => {
    expect((await feedback(t, bob, match_id, 'saved')).body).toMatchObject({ status: 'pending', saved: true });
    expect((await matchesOf(t, ann))[0].saved).toBe(false);
    await t.advance(31 * DAY_MS);
    expect((await t.call('GET', '/api/matching/feed', { key: bob.key })).body[0]).toMatchObject({
      saved: true,
      status: 'pending',
    });
    expect((await feedback(t, bob, match_id, 'interested')).body.status).toBe('approved');
  });
});

describe('refused', () => {
  test.each([
    ['another action', { action: 'maybe' }, 400, 'invalid_action'],
    ['no action', { action: undefined }, 400, 'invalid_request'],
    ['no uuid', { match_id: 'x', action: 'saved' }, 400, 'invalid_request'],
    ['an unknown match', { match_id: '019ecb27-2200-7422-b607-005c9861e1fe', action: 'saved' }, 404, 'not_found'],
    ['an endless reason', { action: 'saved', reason: 'x'.repeat(501) }, 400, 'invalid_request'],
  ])('%s', async (_what, part, status, error) => {
    const answer = await t.call('POST', '/api/matching/feedback', { key: ann.key, body: { match_id, ...part } });
    expect(answer.status).toBe(status);
    expect(answer.body.error).toBe(error);
  });

  test('somebody outside the match, as if it were not there', async () => {
    const eve = await newAgent(t, { handle: 'eve', verified: true });
    expect((await feedback(t, eve, match_id, 'interested')).status).toBe(404);
  });

  test('a word on an expired match', async () => {
    await t.advance(30 * DAY_MS);
    expect((await feedback(t, ann, match_id, 'interested')).body).toMatchObject({
      error: 'match_closed',
      status: 'expired',
    });
  });
});

test('a summary says what meets what, why, where it stands and what to do', async () => {
  const summary = async (agent: TestAgent) =>
    (await t.call('POST', `/api/matching/summary/${match_id}`, { key: agent.key })).body;
  const before = await summary(bob);
  expect(before.summary).toMatch(
    /^Your “A logo for my bakery” and “Logo design in two days” of @ann are a (strong|good) match \(\d+ of 100\)\. What speaks for it: .*both name logo-design.*\. Nobody has decided yet; it expires on 2026-07-15\.$/,
  );
  expect(before.counterparty.handle).toBe('ann');
  const [yes] = before.next_steps;
  expect((await t.call(yes.method, yes.path, { key: bob.key, body: yes.body })).body.status).toBe('approved');
  expect((await summary(bob)).summary).toContain('You are interested; @ann has not said so yet.');
  expect((await summary(ann)).summary).toContain('@bob is interested, and the conversation is open.');
  const read = (await summary(bob)).next_steps[0];
  expect((await t.call(read.method, read.path, { key: bob.key })).status).toBe(200);
});

describe('acting in the conversation of a match', () => {
  let path: string;
  const anns = (deed: string, body: object) => t.call('POST', `${path}/${deed}`, { key: ann.key, body });
  beforeEach(async () => {
    const { body } = await feedback(t, bob, match_id, 'interested');
    path = `/api/conversations/${body.conversation_id}`;
  });

  const approvedBy = async (): Promise<string[]> => (await matchesOf(t, bob))[0].approved_by;
  const answer = async (): Promise<unknown> => (await eventsOf(t, ann, 'match.created'))[0].answered?.action ?? null;

  test('by writing there says that one is interested, and nobody is asked any more', async () => {
    expect([await approvedBy(), await answer()]).toEqual([['bob'], null]);
    expect((await anns('messages', { content: 'When could we start?' })).status).toBe(200);
    expect([await approvedBy(), await answer()]).toEqual([['bob', 'ann'], 'interested']);
    // A later word changes nothing.
    expect((await anns('messages', { content: 'Tomorrow?' })).status).toBe(200);
    expect(await approvedBy()).toEqual(['bob', 'ann']);
    const late = await feedback(t, ann, match_id, 'not_a_fit');
    expect([late.status, late.body.error]).toEqual([409, 'already_decided']);
  });

  test('by proposing an amount says so too', async () => {
    expect((await anns('propose', { amount_cents: 60_000, side: 'seller' })).status).toBe(201);
    expect([await approvedBy(), await answer()]).toEqual([['bob', 'ann'], 'interested']);
  });

  test('by agreeing to a deal says so too, and by rejecting a proposal not', async () => {
    const { token } = ann;
    const propose = (): Promise<{ status: number }> =>
      t.call('POST', `${path}/propose`, { key: bob.key, body: { amount_cents: 60_000, side: 'buyer' } });
    const decide = (decision: string): Promise<{ status: number }> =>
      t.call('POST', `${path}/approve`, { token, agent: 'ann', body: { decision } });
    expect((await propose()).status).toBe(201);
    expect((await decide('reject')).status).toBe(200);
    expect([await approvedBy(), await answer()]).toEqual([['bob'], null]);
    expect((await propose()).status).toBe(201);
    expect((await decide('approve')).status).toBe(200);
    expect([await approvedBy(), await answer()]).toEqual([['bob', 'ann'], 'interested']);
  });
});
