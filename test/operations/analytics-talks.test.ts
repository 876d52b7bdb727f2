// What analytics say of conversations: how far each ever came, whose answers count and how long they took, in all and by listing; that
// nothing is lost in many or in long ones without a word of it; and that others are served while it is counted.

import { beforeEach, describe, expect, test } from 'bun:test';
import { type Effect, insert } from '../../db/effects.ts';
import { activeJoined, begunByOthers, repliesAsOther } from '../../db/queries/talk-figures.ts';
import type { Read } from '../../db/store.ts';
import { daysOf, sumsOf } from '../../src/domain/analytics/analytics.ts';
import { Tally } from '../../src/domain/analytics/tally.ts';
import { PHASES } from '../../src/domain/conversation/conversation.ts';
import { isFault } from '../../src/domain/fault.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { countAll, ROOM } from '../../src/steps/analytics/count.ts';
import { bitesOf } from '../../src/steps/analytics/talks.ts';
import { SLICE } from '../../src/steps/analytics/walk.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

type Body = TestAnswer['body'];

const t = freshService();
let ann: TestAgent;
let bob: TestAgent;
beforeEach(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true, pro: true });
  bob = await newAgent(t, { handle: 'bob', verified: true, pro: true });
});

async function analytics(who = ann): Promise<Body> {
  const key = await keyWith(t, who.email, ['analytics:read']);
  const answer = await t.call('GET', '/api/analytics', { key });
  expect(answer.status).toBe(200);
  return answer.body;
}

const reached = ({ by_phase }: Body): number[] => by_phase.map(({ conversations }: Body) => conversations);

/** As many as there are phases up to one, for one conversation. */
const upTo = (phase: (typeof PHASES)[number]): number[] => PHASES.map((_, n) => (n <= PHASES.indexOf(phase) ? 1 : 0));

async function post(who: TestAgent, path: string, body: object, as: object = { key: who.key }): Promise<Body> {
  const answer = await t.call('POST', path, { ...as, body });
  expect([path, answer.status < 300, answer.body.error]).toEqual([path, true, undefined]);
  return answer.body;
}

const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });

/** A conversation that somebody opens with ann. */
async function talk(who = bob): Promise<string> {
  const { conversation_id } = await post(who, '/tools/mesh_start_conversation', { handle: 'ann', content: 'Hello' });
  return conversation_id;
}

/** A conversation of ann's with nobody in particular: a word of the other side, one of hers, and so on. */
function pastRows(messages: number, opened_by_ann = false): Effect[] {
  const now_ms = t.clock.now();
  const { id: newId } = t.service.world;
  const id = newId();
  const sides = opened_by_ann ? { opener_id: ann.id, other_id: 'x' } : { opener_id: 'x', other_id: ann.id };
  const rows = Array.from({ length: messages }, (_, n) =>
    insert('messages', {
      id: newId(),
      conversation_id: id,
      n: n + 1,
      sender_id: n % 2 === 0 ? 'x' : ann.id,
      sender_handle: n % 2 === 0 ? 'x' : 'ann',
      kind: 'text',
      content: 'a word',
      created_at: now_ms + n * MINUTE_MS,
    }),
  );
  const conversation = insert('conversations', {
    id,
    ...sides,
    match_id: null,
    phase: 'qualification',
    status: 'open',
    subject: 'A rope',
    last_n: messages,
    created_at: now_ms,
    updated_at: now_ms + messages * MINUTE_MS,
  });
  return [conversation, ...rows];
}

async function store(rows: readonly Effect[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 200) {
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: rows.slice(at, at + 200) }) });
  }
}

const pastTalk = (messages: number, opened_by_ann = false): Promise<void> => store(pastRows(messages, opened_by_ann));

/** What is counted of ann within some room. */
async function counted(room = ROOM, read: Read = t.service.world.store.read) {
  const days = daysOf({}, t.clock.now());
  if (isFault(days)) throw new Error('no days');
  const tally = new Tally();
  const partial_in = await countAll({ read, agent_id: ann.id, days, tally, room });
  return { ...sumsOf(days, tally, []), partial_in };
}

describe('how far a conversation came', () => {
  test('is a proposal once one was shown, however early, and though it was declined', async () => {
    const id = await talk();
    expect(reached(await analytics())).toEqual(upTo('qualification'));
    await post(bob, `/api/conversations/${id}/propose`, { amount_cents: 4_000, terms: 'A logo', side: 'buyer' });
    const shown = (await t.call('GET', `/api/conversations/${id}`, { key: ann.key })).body;
    expect(shown.phase).toBe('verification');
    expect(reached(await analytics())).toEqual(upTo('proposal'));
    await post(ann, `/api/conversations/${id}/approve`, { decision: 'reject' }, person(ann));
    await post(ann, `/api/conversations/${id}/close`, {});
    for (const who of [ann, bob]) expect(reached(await analytics(who))).toEqual(upTo('proposal'));
  });

  test('tells nobody of a proposal that is withheld from the other side, until it is released', async () => {
    const id = await talk();
    const body = { max_pay_cents: 3_000 };
    expect((await t.call('PATCH', '/api/agents/bounds', { ...person(bob), body })).status).toBe(200);
    await post(bob, `/api/conversations/${id}/propose`, { amount_cents: 4_000, terms: 'A logo', side: 'buyer' });
    for (const who of [ann, bob]) expect(reached(await analytics(who))).toEqual(upTo('qualification'));
    await post(bob, `/api/conversations/${id}/approve`, {}, person(bob));
    for (const who of [ann, bob]) expect(reached(await analytics(who))).toEqual(upTo('proposal'));
  });

  test('is closing once a deal was made and paid for, wherever its phase stands', async () => {
    await fundWallet(t, bob.id, 10_000);
    const id = await talk();
    await post(ann, `/api/conversations/${id}/propose`, { amount_cents: 4_000, terms: 'A logo', side: 'seller' });
    await post(ann, `/api/conversations/${id}/approve`, {}, person(ann));
    await post(bob, `/api/conversations/${id}/approve`, {}, person(bob));
    const shown = (await t.call('GET', `/api/conversations/${id}`, { key: ann.key })).body;
    expect([shown.phase, shown.deal_id === null]).toEqual(['negotiation', false]);
    for (const who of [ann, bob]) expect(reached(await analytics(who))).toEqual(upTo('closing'));
  });
});

describe('the figures of a listing', () => {
  test('hold its answers, how long they took, and how far its conversations came', async () => {
    const listing_id = await publish(t, ann, LOGO_OFFER);
    await publish(t, bob, LOGO_SEEK);
    const [{ match_id }] = await matchesOf(t, ann);
    const { conversation_id } = (await feedback(t, ann, match_id, 'interested')).body;
    const write = (who: TestAgent) =>
      post(who, `/api/conversations/${conversation_id}/messages`, { content: 'a word' });
    await write(bob);
    await t.advance(2 * MINUTE_MS);
    await write(ann);
    const other = await talk(await newAgent(t, { handle: 'eve', verified: true }));
    await t.advance(10 * MINUTE_MS);
    await post(ann, `/api/conversations/${other}/messages`, { content: 'a word' });
    const told = await analytics();
    expect(told).toMatchObject({ conversations: 2, replies: 2, median_response_seconds: 360 });
    const [figures] = told.by_listing;
    expect(figures).toMatchObject({ listing_id, conversations: 1, replies: 1, median_response_seconds: 120 });
    expect(reached(figures)).toEqual(upTo('qualification'));
    await post(bob, `/api/conversations/${conversation_id}/propose`, { amount_cents: 4_000, terms: 'A logo' });
    expect(reached((await analytics()).by_listing[0])).toEqual(upTo('proposal'));
  });
});

test('the agent of the service is nobody to talk with: neither conversations nor answers are counted', async () => {
  const { conversation_id } = await post(ann, '/tools/mesh_start_conversation', {
    handle: 'concierge',
    content: 'How do I begin?',
  });
  await t.advance(MINUTE_MS);
  await post(ann, `/api/conversations/${conversation_id}/messages`, { content: 'And then?' });
  const talked = (await t.call('GET', `/api/conversations/${conversation_id}`, { key: ann.key })).body;
  expect(talked.messages.length).toBeGreaterThanOrEqual(4);
  const told = await analytics();
  expect(told).toMatchObject({ conversations: 0, replies: 0, median_response_seconds: null });
  expect(reached(told)).toEqual([0, 0, 0, 0, 0, 0]);
});

describe('many and long conversations', () => {
  test('are counted to the last answer, on either side', async () => {
    await pastTalk(2 * SLICE + 3);
    await pastTalk(SLICE + 2, true);
    for (let n = 0; n < 5; n += 1) await pastTalk(4, n % 2 === 0);
    await t.advance(4 * SLICE * MINUTE_MS);
    const told = await counted();
    // Every second message is hers.
    const replies = SLICE + 1 + (SLICE / 2 + 1) + 5 * 2;
    expect(told).toMatchObject({ conversations: 7, replies, median_response_seconds: 60, partial_in: [] });
    expect(told.by_day.reduce((sum, day) => sum + day.replies, 0)).toBe(replies);
    expect(await analytics()).toMatchObject({ replies, partial: false, partial_in: [] });
  });

  test('of which there are more than is looked at say so, by what is cut', async () => {
    for (let n = 0; n < 6; n += 1) await pastTalk(4);
    const whole = { conversations: 6, replies: 12, partial_in: [] };
    await t.advance(MINUTE_MS * 10);
    expect(await counted({ ...ROOM, talks: 6, messages: 24 })).toMatchObject(whole);
    const cut = await counted({ ...ROOM, talks: 5, messages: 24 });
    expect(cut).toMatchObject({ conversations: 6, replies: 10, partial_in: ['by_phase', 'replies'] });
    expect(reached(cut)[0]).toBe(5);
    expect(await counted({ ...ROOM, talks: 6, messages: 23 })).toMatchObject({
      conversations: 6,
      partial_in: ['replies'],
    });
  });

  test('are all counted, by the day, where phases and answers are of the newest alone', async () => {
    await post(ann, '/tools/mesh_start_conversation', { handle: 'concierge', content: 'How do I begin?' });
    await pastTalk(2);
    await pastTalk(2, true);
    await t.advance(DAY_MS);
    for (let n = 0; n < 5; n += 1) await pastTalk(2, n === 0);
    await t.advance(DAY_MS);
    const cut = await counted({ ...ROOM, talks: 1 });
    expect(cut).toMatchObject({ conversations: 7, replies: 2, partial_in: ['by_phase', 'replies'] });
    expect(cut.by_day.slice(-3).map(({ conversations }) => conversations)).toEqual([2, 5, 0]);
    expect(reached(cut)[0]).toBe(2);
    expect(await counted()).toMatchObject({ conversations: 7, partial_in: [] });
  });

  test('cost a busy agent no more than so many conversations and messages', async () => {
    const past = Array.from({ length: ROOM.talks + 200 }, () => pastRows(6));
    await store(past.flat());
    await t.advance(10 * MINUTE_MS);
    const { read } = t.service.world.store;
    const looked = { begun: 0, threads: 0, messages: 0 };
    const noted = Object.assign(
      async (...args: Parameters<Read>) => {
        const rows: unknown = await read(...args);
        const query: unknown = args[0];
        if (query === activeJoined) looked.threads += (rows as []).length;
        const sum = (): number => (rows as { n: number }[]).reduce((all, { n }) => all + n, 0);
        if (query === begunByOthers) looked.begun += sum();
        // Every second message of a thread is an answer of hers.
        if (query === repliesAsOther) looked.messages += 2 * sum();
        return rows;
      },
      { peek: read.peek },
    ) as Read;
    const told = await counted(ROOM, noted);
    expect(told).toMatchObject({ conversations: past.length, partial_in: ['by_phase', 'replies'] });
    expect(looked).toMatchObject({ begun: ROOM.talks, threads: ROOM.talks });
    expect(looked.messages).toBeLessThanOrEqual(ROOM.messages);
    expect(looked.messages).toBeGreaterThan(ROOM.messages - SLICE);
  });

  test('of before are looked at for answers alone, and old messages of a long one not at all', async () => {
    await pastTalk(3 * SLICE + 2);
    await t.advance(40 * 24 * 60 * MINUTE_MS);
    const reads: unknown[] = [];
    const { read } = t.service.world.store;
    const noted = Object.assign(
      (...args: Parameters<Read>) => {
        if ('from_n' in args[1]) reads.push(args[1]['from_n']);
        return read(...args);
      },
      { peek: read.peek },
    ) as Read;
    expect(await counted(ROOM, noted)).toMatchObject({ conversations: 0, replies: 0, partial_in: [] });
    expect(reads).toEqual([]);
  });

  test('are looked at in bites of so many messages at most, and none twice', () => {
    const threads = [3, 4, SLICE, 2 * SLICE + 1, 2, 2].map((last_n, n) => ({ id: `${9 - n}`, last_n }));
    expect(bitesOf(threads)).toMatchObject([
      { from: '8', until: '9~', messages: 7 },
      { from: '7', until: '7~', messages: SLICE },
      { from: '6', until: '6~', from_n: SLICE + 2, until_n: 2 * SLICE + 2, messages: SLICE },
      { from: '6', until: '6~', from_n: 2, until_n: SLICE + 2, messages: SLICE },
      { from: '6', until: '6~', from_n: 1, until_n: 2, messages: 1 },
      { from: '4', until: '5~', from_n: 1, messages: 4 },
    ]);
  });

  test('let others be served between two slices', async () => {
    await pastTalk(4 * SLICE);
    for (let n = 0; n < 5; n += 1) await pastTalk(SLICE);
    await t.advance(5 * SLICE * MINUTE_MS);
    let round = 0;
    let counting = true;
    const turn = (): void => {
      round += 1;
      if (counting) setImmediate(turn);
    };
    setImmediate(turn);
    const { read } = t.service.world.store;
    const rounds = new Map<number, number>();
    const noted = Object.assign(
      (...args: Parameters<Read>) => {
        // Of the reads that look at many rows.
        if ('from_n' in args[1] || 'from_ms' in args[1]) rounds.set(round, (rounds.get(round) ?? 0) + 1);
        return read(...args);
      },
      { peek: read.peek },
    ) as Read;
    expect((await counted({ ...ROOM, messages: 9 * SLICE }, noted)).replies).toBe(2 * SLICE + (5 * SLICE) / 2);
    counting = false;
    // What began, which threads are active, and the first bite of them.
    expect(Math.max(...rounds.values())).toBeLessThanOrEqual(3);
    expect(rounds.size).toBeGreaterThanOrEqual(9);
  });
});
