// The inbox: pulling by seq, read marks, what is pending, the older views, and answering once.

import { describe, expect, spyOn, test } from 'bun:test';
import type { Effect, EventEffect } from '../../db/effects.ts';
import type { EventKind } from '../../src/domain/inbox/event.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { tell } from '../../src/steps/event.ts';
import { signIn } from '../support/agents.ts';
import { madeUp } from '../support/checked-events.ts';
import { conversationOf, firstWord } from '../support/first-word.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import {
  agentNamed,
  ctxOf,
  openThread,
  pendingMatch,
  startTalk,
  type TestAgent,
  tellMany,
} from '../support/threads.ts';

interface Event {
  readonly id: string;
  readonly seq: number;
  readonly kind: string;
  readonly read: boolean;
  readonly data: Record<string, unknown>;
}

const t = sharedService();
let names = 0;

const someone = (): Promise<TestAgent> => agentNamed(t, `inbox_${++names}`);
const get = (who: TestAgent, path: string): Promise<TestAnswer> => t.call('GET', path, { key: who.key });
const pull = async (who: TestAgent, query = '') => (await get(who, `/api/inbox${query}`)).body;
const reads = async (who: TestAgent): Promise<boolean[]> =>
  (await pull(who, '?limit=100&peek=true')).events.map((e: Event) => e.read);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The changes of an inbox's read marks from now on: nothing that others write meanwhile is among them. */
function marksOf({ id }: TestAgent): { readonly marks: readonly Effect[]; [Symbol.dispose](): void } {
  const marks: Effect[] = [];
  const { store } = t.service.world;
  const turn = store.turn.bind(store);
  const isMark = (effect: Effect): boolean =>
    (effect.do === 'insert' && effect.table === 'inbox_reads' && effect.row.id === id) ||
    (effect.do === 'apply' && effect.table === 'inbox_reads' && effect.id === id);
  const spy = spyOn(store, 'turn').mockImplementation((of) =>
    turn({
      ...of,
      attempt: async (read) => {
        const decision = await of.attempt(read);
        marks.push(...(decision.effects ?? []).filter(isMark));
        return decision;
      },
    }),
  );
  return { marks, [Symbol.dispose]: () => spy.mockRestore() };
}

describe('pulling', () => {
  test('an empty inbox answers an empty page that says when to come again', async () => {
    expect(await pull(await someone(), '?after=0')).toEqual({
      events: [],
      cursor: 0,
      has_more: false,
      pending: { count: 0, earliest_respond_by: null },
      next_poll_seconds: 900,
      epoch: 1,
    });
  });

  test('says to come again soon while a conversation goes on, to both sides', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const conversation_id = await startTalk(t, ada, bob.handle, 'A question');
    for (const who of [ada, bob]) expect((await pull(who)).next_poll_seconds).toBe(60);
    await t.advance(25 * HOUR_MS);
    // The message waits for one of them.
    expect([(await pull(ada)).next_poll_seconds, (await pull(bob)).next_poll_seconds]).toEqual([900, 60]);
    await t.call('POST', `/api/messages/${conversation_id}`, { key: bob.key, body: { content: 'An answer' } });
    expect((await pull(ada)).next_poll_seconds).toBe(60);
    await t.call('POST', `/api/conversations/${conversation_id}/close`, { key: bob.key, body: {} });
    for (const who of [ada, bob]) expect((await pull(who)).next_poll_seconds).toBe(900);
  });

  test('pages go by seq and leave nothing out', async () => {
    const ada = await someone();
    await tellMany(t, ada, 25);
    const seqs: number[] = [];
    let page = await pull(ada, '?limit=10');
    seqs.push(...page.events.map((e: Event) => e.seq));
    while (page.has_more) {
      page = await pull(ada, `?limit=10&after=${page.cursor}`);
      seqs.push(...page.events.map((e: Event) => e.seq));
    }
    expect(seqs).toEqual(range(1, 25));
    expect(page.cursor).toBe(25);
  });

  test('a full last page has no more', async () => {
    const ada = await someone();
    await tellMany(t, ada, 10);
    expect(await pull(ada, '?limit=10')).toMatchObject({ cursor: 10, has_more: false });
  });

  test('a page that leaves one out has more', async () => {
    const ada = await someone();
    await tellMany(t, ada, 11);
    expect(await pull(ada, '?limit=10')).toMatchObject({ cursor: 10, has_more: true });
  });

  test('after beyond the end is an empty page that keeps its cursor', async () => {
    const ada = await someone();
    await tellMany(t, ada, 2);
    expect(await pull(ada, '?after=99')).toMatchObject({ events: [], cursor: 99, has_more: false });
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'after=-1', 'after=1.5', 'peek=maybe'])(
    '%s is refused by name',
    async (query) => {
      const answer = await get(await someone(), `/api/inbox?${query}`);
      expect([answer.status, answer.body.fields[0].path]).toEqual([400, query.split('=')[0]]);
    },
  );

  test('without an agent there is no inbox', async () => {
    const key = (await someone()).key;
    expect((await t.call('GET', '/api/inbox', { key, agent: 'nobody_here' })).status).toBe(404);
    expect((await t.call('GET', '/api/inbox')).status).toBe(401);
  });
});

describe('read marks', () => {
  test("a key's reading marks exactly what it got, and tells what it had read before", async () => {
    const ada = await someone();
    await tellMany(t, ada, 5);
    expect((await pull(ada, '?limit=2')).events.map((e: Event) => e.read)).toEqual([false, false]);
    expect((await pull(ada, '?after=3&limit=1')).events.map((e: Event) => e.read)).toEqual([false]);
    expect(await reads(ada)).toEqual([true, true, false, true, false]);
  });

  test('peeking, glancing and the older view mark nothing', async () => {
    const ada = await someone();
    await tellMany(t, ada, 3);
    await get(ada, '/api/inbox/recent');
    await get(ada, `/api/agents/${ada.handle}/inbox`);
    expect(await reads(ada)).toEqual([false, false, false]);
  });

  test('a person who looks in with a session marks nothing', async () => {
    const ada = await someone();
    await tellMany(t, ada, 2);
    const token = await signIn(t, `${ada.handle}@example.org`);
    const looked = await t.call('GET', '/api/inbox', { token });
    expect(looked.body.events).toHaveLength(2);
    expect(await reads(ada)).toEqual([false, false]);
  });

  test('reading again writes nothing', async () => {
    const ada = await someone();
    await tellMany(t, ada, 3);
    await pull(ada);
    using watched = marksOf(ada);
    expect((await pull(ada)).events.map((e: Event) => e.read)).toEqual([true, true, true]);
    expect(watched.marks).toEqual([]);
    await tellMany(t, ada, 1);
    await pull(ada);
    expect(watched.marks).not.toEqual([]);
  });

  test('two readers at once lose no mark', async () => {
    const ada = await someone();
    await tellMany(t, ada, 40);
    await Promise.all(range(0, 19).map((i) => pull(ada, `?after=${i * 2}&limit=1`)));
    expect(await reads(ada)).toEqual(range(0, 39).map((i) => i % 2 === 0));
  });
});

describe('other views', () => {
  test('recent is newest first, at most 50', async () => {
    const ada = await someone();
    await tellMany(t, ada, 60);
    const { body } = await get(ada, '/api/inbox/recent');
    expect(body.map((e: Event) => e.seq)).toEqual(range(11, 60).toReversed());
    expect((await get(ada, '/api/inbox/recent?limit=2')).body.length).toBe(2);
    expect((await get(ada, '/api/inbox/recent?limit=51')).status).toBe(400);
  });

  test('recent can hold what awaits an answer alone, without matches', async () => {
    const ada = await someone();
    const ctx = ctxOf(t, ada.account_id);
    const awaited = (event: EventKind, respond_by?: number): EventEffect =>
      madeUp({
        ...tell(ctx, ada, 'test.ping', { message: '' }),
        event,
        subject_id: ctx.id(),
        awaiting: true,
        respond_by: respond_by ?? null,
      });
    const effects = [
      awaited('negotiation.proposed'),
      awaited('match.created'),
      awaited('demand.posted', ctx.now_ms - 1),
    ];
    await t.service.world.store.turn({
      attempt: async () => ({ reply: null, effects: [...effects, awaited('demand.posted')] }),
    });
    await tellMany(t, ada, 1);
    const { body } = await get(ada, '/api/inbox/recent?waiting=true');
    expect(body.map((e: Event) => e.seq)).toEqual([4, 1]);
    const counts = async () => (await get(ada, '/api/notifications/unread')).body;
    expect(await counts()).toEqual({ unread: 5, decisions: 2, matches: 1, conversations: 0 });
    const { body: answer } = await t.call('POST', '/a2a/rpc', {
      key: (await someone()).key,
      body: firstWord(ada.handle, 'A rope?'),
    });
    expect(await counts()).toMatchObject({ decisions: 2, conversations: 1 });
    await get(ada, `/api/conversations/${conversationOf(answer)}/messages`);
    expect(await counts()).toMatchObject({ decisions: 2, conversations: 0 });
  });

  test('a badge counts every event that waits, however many matches stand before it', async () => {
    const ada = await someone();
    const ctx = ctxOf(t, ada.account_id);
    const waits = (kind: EventKind): EventEffect =>
      madeUp({
        ...tell(ctx, ada, 'test.ping', { message: '' }, { subject_id: ctx.id() }),
        event: kind,
        awaiting: true,
      });
    const matches = Array.from({ length: 600 }, () => waits('match.created'));
    const effects = [...matches, waits('negotiation.proposed')];
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
    expect((await get(ada, '/api/notifications/unread')).body).toMatchObject({ decisions: 1, matches: 600 });
    expect((await pull(ada)).pending.count).toBe(601);
  });

  test('an inbox by name takes after as pull does, and since as the older view', async () => {
    const ada = await someone();
    await tellMany(t, ada, 2);
    const since = new Date(t.clock.now()).toISOString();
    await t.advance(1_000);
    await tellMany(t, ada, 2);
    const path = `/api/agents/${ada.handle}/inbox`;
    expect((await get(ada, `${path}?after=1&limit=1`)).body).toMatchObject({ cursor: 2, has_more: true });
    expect((await get(ada, path)).body.map((e: Event) => e.seq)).toEqual([4, 3, 2, 1]);
    const older = await get(ada, `${path}?since=${since}`);
    expect(older.body.map((e: Event) => e.seq)).toEqual([4, 3]);
    expect([older.headers.get('deprecation'), older.headers.get('sunset')]).toEqual([
      '@1793491200',
      'Mon, 01 Nov 2027 00:00:00 GMT',
    ]);
    expect(older.headers.get('link')).toContain(`<${path}?after=0>; rel="successor-version"`);
    expect((await get(ada, `${path}?after=0`)).headers.has('deprecation')).toBe(false);
    expect((await get(ada, `${path}?since=${since}&after=3`)).body.events.map((e: Event) => e.seq)).toEqual([4]);
    expect((await get(ada, `${path}?since=yesterday`)).body.fields[0].path).toBe('since');
    expect((await get(await someone(), path)).status).toBe(404);
  });

  test('a test ping stands in the inbox with the seq that was answered', async () => {
    const ada = await someone();
    await tellMany(t, ada, 1);
    const { status, body } = await t.call('POST', '/api/inbox/test', { key: ada.key });
    expect([status, body.seq, body.kind]).toEqual([201, 2, 'test.ping']);
    const [event] = (await pull(ada, '?after=1')).events;
    expect(event).toMatchObject({
      id: body.id,
      seq: 2,
      kind: 'test.ping',
      handle: ada.handle,
      actions: [],
      answered: null,
    });
  });

  test('a message and its event are seen together or not at all', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const id = await openThread(t, ada, bob);
    const sends = range(1, 30).map((i) =>
      t.call('POST', `/api/messages/${id}`, { key: ada.key, body: { content: `m${i}` } }),
    );
    for (let look = 0; look < 20; look++) {
      const { events } = await pull(bob, '?limit=100&peek=true');
      const told = events
        .filter((e: Event) => e.kind === 'conversation.updated')
        .map((e: Event) => e.data['message_id']);
      const stored = (await get(bob, `/api/messages/${id}?limit=100`)).body.map(
        (m: { message_id: string }) => m.message_id,
      );
      expect(told.every((message: string) => stored.includes(message))).toBe(true);
    }
    await Promise.all(sends);
  });
});

describe('answering', () => {
  const createdFor = async (who: TestAgent, match_id: string) =>
    (await pull(who, '?limit=100&peek=true')).events.find((e: Event) => e.data['match_id'] === match_id);
  const respond = (who: TestAgent, event_id: string, body: object): Promise<TestAnswer> =>
    t.call('POST', `/api/inbox/${event_id}/respond`, { key: who.key, body });

  test('pending counts what awaits an answer and shortens the wait', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const soon = t.clock.now() + 60_000;
    await pendingMatch(t, ada, bob, soon + 60_000);
    await pendingMatch(t, ada, bob, soon);
    await pendingMatch(t, ada, bob);
    const earliest_respond_by = new Date(soon).toISOString();
    expect(await pull(ada)).toMatchObject({ pending: { count: 3, earliest_respond_by }, next_poll_seconds: 60 });
    await t.advance(120_001);
    expect((await pull(ada)).pending).toEqual({ count: 1, earliest_respond_by: null });
  });

  test('interested does what feedback does: the thread opens, the other side is told, the answer is kept', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const match_id = await pendingMatch(t, ada, bob);
    const event = await createdFor(ada, match_id);
    expect(event.actions.map((a: { action: string }) => a.action)).toEqual(['interested', 'not_a_fit', 'saved']);
    const { status, body } = await respond(ada, event.id, { action: 'interested', note: 'tell me more' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: event.id,
      status: 'answered',
      answered: { action: 'interested', note: 'tell me more', reason: null },
      result: { match_id, status: 'approved' },
    });
    expect((await pull(bob)).events.map((e: Event) => e.kind)).toEqual([
      'match.created',
      'match.approved',
      'conversation.started',
    ]);
    expect(await createdFor(ada, match_id)).toMatchObject({
      actions: [],
      answered: { action: 'interested', note: 'tell me more' },
    });
    expect((await get(ada, `/api/conversations/${body.result.conversation_id}`)).body.match_id).toBe(match_id);
    expect((await pull(ada)).pending.count).toBe(0);
  });

  test('an event is answered once; the later answer is told the one that stands', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const event = await createdFor(ada, await pendingMatch(t, ada, bob));
    const answers = await Promise.all([
      respond(ada, event.id, { action: 'not_a_fit', reason: 'price' }),
      respond(ada, event.id, { action: 'interested' }),
    ]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    const [won, lost] = answers[0]?.status === 200 ? answers : answers.toReversed();
    expect(lost?.body).toMatchObject({ error: 'already_answered', answered: won?.body.answered });
  });

  test('feedback by its own route answers the event too', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const match_id = await pendingMatch(t, ada, bob);
    const event = await createdFor(ada, match_id);
    await t.call('POST', '/api/matching/feedback', { key: ada.key, body: { match_id, action: 'interested' } });
    const late = await respond(ada, event.id, { action: 'not_a_fit' });
    expect([late.status, late.body.answered.action]).toEqual([409, 'interested']);
  });

  test.each([
    ['an action of another kind', { action: 'quote' }, 'invalid_action'],
    ['an inherited name', { action: 'constructor' }, 'invalid_action'],
    ['a reason that is no chip', { action: 'not_a_fit', reason: 'moon phase' }, 'invalid_request'],
    ['a reason where none is asked', { action: 'interested', reason: 'price' }, 'invalid_request'],
    ['no action', {}, 'invalid_request'],
  ])('%s is refused and leaves the event open', async (_what, body, error) => {
    const [ada, bob] = [await someone(), await someone()];
    const event = await createdFor(ada, await pendingMatch(t, ada, bob));
    const answer = await respond(ada, event.id, body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect((await pull(ada)).pending.count).toBe(1);
  });

  test('after its time it is 409 expired', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const event = await createdFor(ada, await pendingMatch(t, ada, bob, t.clock.now() + 1_000));
    await t.advance(1_001);
    const answer = await respond(ada, event.id, { action: 'interested' });
    expect([answer.status, answer.body.error]).toEqual([409, 'expired']);
  });

  test("somebody else's event is as absent as one that never was, and a ping asks for no answer", async () => {
    const [ada, bob] = [await someone(), await someone()];
    const event = await createdFor(ada, await pendingMatch(t, ada, bob));
    expect((await respond(bob, event.id, { action: 'interested' })).status).toBe(404);
    expect((await respond(bob, t.service.world.id(), { action: 'interested' })).status).toBe(404);
    const ping = await t.call('POST', '/api/inbox/test', { key: ada.key });
    expect((await respond(ada, ping.body.id, { action: 'interested' })).body.error).toBe('invalid_action');
  });

  test('answers and replies make the response time', async () => {
    const [ada, bob] = [await someone(), await someone()];
    const event = await createdFor(ada, await pendingMatch(t, ada, bob));
    await t.advance(30_000);
    const { body } = await respond(ada, event.id, { action: 'interested' });
    const path = `/api/messages/${body.result.conversation_id}`;
    await t.call('POST', path, { key: ada.key, body: { content: 'hello' } });
    await t.advance(90_000);
    await t.call('POST', path, { key: bob.key, body: { content: 'hello yourself' } });
    await t.call('POST', path, { key: bob.key, body: { content: 'and again' } });
    const { directory } = t.service;
    expect((await directory.presence(ada.id)).samples).toEqual([30]);
    expect((await directory.presence(bob.id)).samples).toEqual([90]);
  });
});
